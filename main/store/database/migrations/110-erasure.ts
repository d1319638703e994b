// Files that a deletion takes away: named in its transaction, unlinked behind it, so that an end of the
// program in between leaves none.

import type { Migration } from './migration.ts';

const TABLES = `
CREATE TABLE erased_file (
  sha256 TEXT PRIMARY KEY CHECK (length(sha256) = 64)
) STRICT, WITHOUT ROWID;
`;

export const ERASURE: Migration = { id: 110, name: 'erasure', up: (db) => void db.exec(TABLES) };
