// Updates of the program: what became of each, and when a signed list was last read at a server.

import type { Migration } from './migration.ts';

const TABLES = `
CREATE TABLE program_update (
  id INTEGER PRIMARY KEY,
  from_version TEXT NOT NULL,
  to_version TEXT NOT NULL,
  started_ms INTEGER NOT NULL,
  outcome TEXT CHECK (outcome IN ('installed', 'failed'))
) STRICT;
CREATE TABLE update_source (
  source TEXT PRIMARY KEY,
  verified_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

export const UPDATES: Migration = { id: 160, name: 'updates', up: (db) => void db.exec(TABLES) };
