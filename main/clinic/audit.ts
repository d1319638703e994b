// What is told of every change, and where it is kept. Rows are chained: none can be taken out unseen.

import type { AuditAction, AuditKind } from '../../shared/audit-actions.ts';
import type { SearchTerms } from './patients/patient-words.ts';

export interface AuditEntry {
  readonly timeMs: number;
  /** `token:3`, `user:2`, `program`, `cli`. */
  readonly actor: string;
  readonly action: AuditAction;
  /** `task:17`, `upload:…`: personal data only by reference. */
  readonly subject: string;
  readonly detail: Readonly<Record<string, string | number | boolean>>;
}

export interface AuditStore {
  append(entry: AuditEntry): void;
  /** 0 where there is none yet. */
  lastSeq(): number;
  /** The hash of an entry, in hexadecimal digits. */
  hashAt(seq: number): string | undefined;
  /** Number of the first entry of an action. */
  firstOf(action: string): number | undefined;
  /** The oldest first. */
  of(subject: string): AuditEntry[];
  /** Newest first. Each call searches one stretch of the trail, however long that is. */
  page(filter: AuditFilter, beforeSeq: number, limit: number): AuditPage;
  /** First entry that doesn't fit the chain, if any. */
  verify(): AuditCheck;
  /** The next ones of a chain that fits so far. @returns undefined where it has ended */
  verifyPart(from: ChainEnd): { readonly end: ChainEnd; readonly brokenAt: number | undefined } | undefined;
}

export interface AuditFilter {
  readonly kind?: AuditKind | undefined;
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  readonly sinceMs?: number | undefined;
  /** In action, subject or detail; or one of these actions; or of a recording that is found by these words. */
  readonly text?: string | undefined;
  readonly orActions?: readonly string[] | undefined;
  readonly orTerms?: SearchTerms | undefined;
}

export interface NumberedEntry extends AuditEntry {
  readonly seq: number;
}

export interface AuditPage {
  readonly entries: readonly NumberedEntry[];
  /** Where it goes on; undefined at the beginning of the trail. */
  readonly nextBeforeSeq: number | undefined;
}

/** The last entry that was looked at, and its hash. */
export interface ChainEnd {
  readonly seq: number;
  readonly hash: Uint8Array;
}

export const CHAIN_START: ChainEnd = { seq: 0, hash: new Uint8Array(32) };

export interface AuditCheck {
  readonly entries: number;
  readonly brokenAt: number | undefined;
}
