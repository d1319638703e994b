// Orders of practice systems: the files they came in, the examinations that these ask for, and the recordings
// that were made for them.

import type { Migration } from './migration.ts';

/**
 * A file that could not be read, or not all of it, says why in `trouble`. By its `key` a file is known for ever; its
 * name goes with the names of the patients. What a person put away stays, and is shown no more.
 */
const TABLES = `
CREATE TABLE order_file (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  read_ms INTEGER NOT NULL,
  character_set TEXT,
  trouble TEXT,
  is_put_away INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE patient_order (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  file_id INTEGER NOT NULL REFERENCES order_file (id),
  organization_id INTEGER NOT NULL REFERENCES organization (id),
  facts TEXT NOT NULL,
  is_put_away INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE order_task (
  order_id INTEGER NOT NULL REFERENCES patient_order (id) ON DELETE CASCADE,
  task_id INTEGER NOT NULL REFERENCES task (id),
  is_answered INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (order_id, task_id)
) STRICT;
CREATE INDEX patient_order_by_file ON patient_order (file_id);
CREATE INDEX order_task_by_task ON order_task (task_id);
CREATE INDEX order_file_by_time ON order_file (read_ms);
`;

export const ORDERS: Migration = { id: 80, name: 'orders', up: (db) => void db.exec(TABLES) };
