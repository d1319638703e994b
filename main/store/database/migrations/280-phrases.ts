// What readers say often, and what they ask each other.

import type { Migration } from './migration.ts';

const TABLES = `
/* owner: who made it, as the audit names people. findings: JSON. */
CREATE TABLE phrase (
  id INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  name TEXT NOT NULL COLLATE NOCASE,
  is_whole INTEGER NOT NULL CHECK (is_whole IN (0, 1)),
  findings TEXT NOT NULL,
  made_ms INTEGER NOT NULL,
  UNIQUE (owner, name)
) STRICT;

/* A question from one reader to another about one place of a recording, or the whole of it. */
CREATE TABLE consultation (
  id INTEGER PRIMARY KEY,
  task_id INTEGER NOT NULL REFERENCES task (id),
  from_user_id INTEGER NOT NULL REFERENCES user (id),
  to_user_id INTEGER NOT NULL REFERENCES user (id),
  note TEXT NOT NULL,
  at_sample INTEGER,
  asked_ms INTEGER NOT NULL,
  answer TEXT,
  answered_ms INTEGER,
  closed_ms INTEGER
) STRICT;
CREATE INDEX consultation_of_task ON consultation (task_id);
CREATE INDEX consultation_open ON consultation (to_user_id) WHERE closed_ms IS NULL;
`;

export const PHRASES: Migration = { id: 280, name: 'phrases', up: (db) => void db.exec(TABLES) };
