// Where backups are noted.

import type { BackupKind, BackupRun } from './records.ts';

export interface BackupStore {
  add(run: BackupRun): void;
  /** The newest of its kind in a folder. */
  last(kind: BackupKind, folder: string, isGood: boolean): BackupRun | undefined;
}
