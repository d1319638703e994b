// What people at the desk say of a task: how its patient was identified, under whose name it stood before,
// why it was rejected; and of two patients that they are one.

import type { Migration } from './migration.ts';

/**
 * JSON; the identity is `{}` for what was recorded before anybody said who it is, NULL for tasks that do not
 * come from the desk.
 */
const TABLES = `
ALTER TABLE task ADD COLUMN desk_identity TEXT;
ALTER TABLE task ADD COLUMN rejection TEXT;
CREATE TABLE former_patient (
  id INTEGER PRIMARY KEY,
  task_id INTEGER NOT NULL REFERENCES task (id),
  fields TEXT NOT NULL,
  desk_identity TEXT,
  until_ms INTEGER NOT NULL
) STRICT;
ALTER TABLE patient ADD COLUMN merged_into INTEGER REFERENCES patient (id);
CREATE TABLE patient_merge (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kept_id INTEGER NOT NULL REFERENCES patient (id),
  gone_id INTEGER NOT NULL REFERENCES patient (id),
  kept_facts TEXT NOT NULL,
  task_ids TEXT NOT NULL,
  merged_ms INTEGER NOT NULL,
  undone_ms INTEGER
) STRICT;
CREATE INDEX former_patient_by_task ON former_patient (task_id);
`;

export const DESK_WORK: Migration = { id: 70, name: 'desk-work', up: (db) => void db.exec(TABLES) };
