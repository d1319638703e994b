// What is told of every change, and where it is kept. Rows are chained: none can be taken out unseen.

export interface AuditEntry {
  readonly timeMs: number;
  /** `token:3`, `user:2`, `program`, `cli`. */
  readonly actor: string;
  readonly action: string;
  /** `task:17`, `upload:…`: personal data only by reference. */
  readonly subject: string;
  readonly detail: Readonly<Record<string, string | number | boolean>>;
}

export interface AuditStore {
  append(entry: AuditEntry): void;
  /** 0 where there is none yet. */
  lastSeq(): number;
  /** Of an entry, in hexadecimal digits. */
  hashAt(seq: number): string | undefined;
  /** Number of the first entry of an action. */
  firstOf(action: string): number | undefined;
  /** The oldest first. */
  of(subject: string): AuditEntry[];
  /** First entry that doesn't fit the chain, if any. */
  verify(): { readonly entries: number; readonly brokenAt: number | undefined };
}
