// What became of backups.

import type { Reason } from '../../../shared/errors.ts';
import type { BackupKind, BackupRun } from '../../clinic/backups/records.ts';
import type { BackupStore } from '../../clinic/backups/store.ts';
import type { Db } from '../database/database.ts';

interface Row {
  kind: BackupKind;
  folder: string;
  ended_ms: number;
  files: number;
  size_bytes: number;
  lost: number;
  reason: Reason | null;
}

/** Failed ones further back tell nobody anything; good ones stay. */
const MOST_RUNS = 400;

const toRun = ({ ended_ms, size_bytes, reason, ...row }: Row): BackupRun => ({
  ...row,
  endedMs: ended_ms,
  sizeBytes: size_bytes,
  ...(reason !== null && { reason }),
});

export function backupStore(db: Db): BackupStore {
  const add = db.prepare(
    'INSERT INTO backup_run (kind, folder, ended_ms, files, size_bytes, lost, reason) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const cut = db.prepare(
    'DELETE FROM backup_run WHERE reason IS NOT NULL AND id <= (SELECT max(id) FROM backup_run) - ?',
  );
  const last = db.prepare<[string, string, 0 | 1], Row>(
    `SELECT kind, folder, ended_ms, files, size_bytes, lost, reason FROM backup_run
     WHERE kind = ? AND folder = ? AND (reason IS NULL) = ? ORDER BY id DESC LIMIT 1`,
  );
  return {
    add({ kind, folder, endedMs, files, sizeBytes, lost, reason }) {
      add.run(kind, folder, endedMs, files, sizeBytes, lost, reason ?? null);
      cut.run(MOST_RUNS);
    },
    last(kind, folder, isGood) {
      const row = last.get(kind, folder, isGood ? 1 : 0);
      return row && toRun(row);
    },
  };
}
