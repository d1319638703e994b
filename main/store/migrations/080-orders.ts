// Orders of practice systems: the files they came in, and the examinations that these ask for.

import type { Migration } from '../migrate.ts';

/** Of a file that could not be read, or not all of it, `trouble` says why. What a person put away stays, and is shown no more. */
const TABLES = `
CREATE TABLE order_file (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  modified_ms INTEGER NOT NULL,
  read_ms INTEGER NOT NULL,
  character_set TEXT,
  trouble TEXT,
  is_put_away INTEGER NOT NULL DEFAULT 0,
  UNIQUE (name, sha256, modified_ms)
) STRICT;
CREATE TABLE patient_order (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  file_id INTEGER NOT NULL REFERENCES order_file (id) ON DELETE CASCADE,
  organization_id INTEGER NOT NULL REFERENCES organization (id),
  facts TEXT NOT NULL,
  task_id INTEGER REFERENCES task (id),
  is_answered INTEGER NOT NULL DEFAULT 0,
  is_put_away INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX patient_order_by_file ON patient_order (file_id);
CREATE INDEX patient_order_by_task ON patient_order (task_id);
CREATE INDEX order_file_by_time ON order_file (read_ms);
`;

export const ORDERS: Migration = { id: 80, name: 'orders', up: (db) => void db.exec(TABLES) };
