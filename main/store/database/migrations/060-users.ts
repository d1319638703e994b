// People who work at this workstation.

import type { Migration } from './migration.ts';

const TABLES = `
CREATE TABLE user (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  role TEXT NOT NULL CHECK (role IN ('technician', 'reviewer', 'administrator')),
  secret TEXT NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  wrong_tries INTEGER NOT NULL DEFAULT 0,
  blocked_until_ms INTEGER NOT NULL DEFAULT 0,
  created_ms INTEGER NOT NULL
) STRICT;
`;

export const USERS: Migration = { id: 60, name: 'users', up: (db) => void db.exec(TABLES) };
