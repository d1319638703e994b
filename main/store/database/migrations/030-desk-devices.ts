// Recordings of devices on the desk: what the device was, what happened while it recorded, and which driver
// was behind which device.

import type { Migration } from './migration.ts';

const TABLES = `
ALTER TABLE stream ADD COLUMN device TEXT;

CREATE TABLE recording_event (
  task_id INTEGER NOT NULL REFERENCES stream (task_id),
  sample INTEGER NOT NULL,
  kind TEXT NOT NULL,
  value REAL NOT NULL,
  UNIQUE (task_id, sample, kind, value)
) STRICT;

CREATE TABLE desk_device (
  identity TEXT PRIMARY KEY,
  driver TEXT NOT NULL,
  variant TEXT NOT NULL,
  baud INTEGER NOT NULL,
  lead_set TEXT NOT NULL,
  used_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

export const DESK_DEVICES: Migration = { id: 30, name: 'desk-devices', up: (db) => void db.exec(TABLES) };
