// What became of a backup.

import type { Reason } from '../../../shared/errors.ts';

export type BackupKind = 'make' | 'verify';

export interface BackupRun {
  readonly kind: BackupKind;
  readonly folder: string;
  readonly endedMs: number;
  readonly files: number;
  readonly sizeBytes: number;
  /** Files of the data folder that were lost before. */
  readonly lost: number;
  /** Why it failed; absent where it did not. */
  readonly reason?: Reason;
}

/** Kept in the key store of the system, or in a file of its owner. */
export type BackupSecret =
  | { readonly kind: 'none' }
  | { readonly kind: 'passphrase'; readonly passphrase: string };

export interface BackupTarget {
  readonly folder: string;
  readonly secret: BackupSecret;
}
