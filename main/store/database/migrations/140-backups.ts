// What became of each backup, and of each time that one was read back.

import type { Migration } from './migration.ts';

const TABLES = `
CREATE TABLE backup_run (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('make', 'verify')),
  folder TEXT NOT NULL,
  ended_ms INTEGER NOT NULL,
  files INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  -- Files of the data folder that were lost before.
  lost INTEGER NOT NULL,
  -- Why it failed.
  reason TEXT
) STRICT;
`;

export const BACKUPS: Migration = { id: 140, name: 'backups', up: (db) => void db.exec(TABLES) };
