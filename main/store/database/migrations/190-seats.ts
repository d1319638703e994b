// Other computers and tablets of the clinic at which people work.

import type { Migration } from './migration.ts';

const TABLES = `
CREATE TABLE seat (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  /* SHA-256 of what the browser there shows; the text itself is nowhere. */
  secret_hash BLOB NOT NULL UNIQUE,
  made_ms INTEGER NOT NULL,
  seen_ms INTEGER,
  removed_ms INTEGER
) STRICT;
`;

export const SEATS: Migration = { id: 190, name: 'seats', up: (db) => void db.exec(TABLES) };
