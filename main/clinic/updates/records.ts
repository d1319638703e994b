// A release of the program, and what became of updates.

/** From a signed list whose signature held. */
export interface Release {
  /** Three numbers. */
  readonly version: string;
  /** Versions before this one cannot go to it in one step. */
  readonly minimumVersion: string;
  readonly notes: { readonly en: string; readonly es: string };
  readonly files: readonly ReleaseFile[];
}

export interface ReleaseFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Base64. */
  readonly sha512: string;
}

/** Where releases lie: on a server, or in a folder of this computer. */
export type ReleaseSource =
  | { readonly kind: 'server'; readonly url: string }
  | { readonly kind: 'folder'; readonly path: string };

export interface ProgramUpdate {
  readonly id: number;
  readonly fromVersion: string;
  readonly toVersion: string;
  readonly startedMs: number;
  /** Absent while it is not known. */
  readonly outcome?: 'installed' | 'failed';
}

/** 1 where `a` is newer, -1 where `b` is, 0 where they are the same. Both are three numbers. */
export function compareVersions(a: string, b: string): -1 | 0 | 1 {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  for (const [index, number] of left.entries()) {
    const other = right[index] ?? 0;
    if (number !== other) return number > other ? 1 : -1;
  }
  return 0;
}
