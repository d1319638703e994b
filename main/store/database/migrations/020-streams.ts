// Streams: what was agreed at the start, their frames, what devices report, and what is remembered of a
// device. Downloads.

import type { Migration } from './migration.ts';

const TABLES = `
ALTER TABLE task ADD COLUMN device_id TEXT GENERATED ALWAYS AS (trim(json_extract(fields, '$.device_id'), char(32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288, 65279))) VIRTUAL;
CREATE INDEX task_by_device ON task (organization_id, device_id, state, id) WHERE device_id IS NOT NULL;

CREATE TABLE stream (
  task_id INTEGER PRIMARY KEY REFERENCES task (id),
  parameters TEXT NOT NULL,
  total_frames INTEGER NOT NULL CHECK (total_frames >= 0),
  started_ms INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'finished', 'stored')),
  last_frame_ms INTEGER,
  conflicts INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX stream_by_state ON stream (state);

CREATE TABLE frame (
  task_id INTEGER NOT NULL REFERENCES stream (task_id),
  timestamp_us INTEGER NOT NULL CHECK (timestamp_us >= 0),
  samples INTEGER NOT NULL CHECK (samples > 0),
  crc32 INTEGER NOT NULL,
  payload BLOB NOT NULL,
  UNIQUE (task_id, timestamp_us)
) STRICT;

CREATE TABLE device_link (
  task_id INTEGER PRIMARY KEY REFERENCES task (id),
  device_state TEXT,
  heartbeat_ms INTEGER,
  command TEXT,
  command_ms INTEGER,
  custom_duration_ms INTEGER CHECK (custom_duration_ms > 0)
) STRICT;

CREATE TABLE device_memory (
  organization_id INTEGER NOT NULL REFERENCES organization (id),
  device_id TEXT NOT NULL,
  delta_start TEXT NOT NULL,
  PRIMARY KEY (organization_id, device_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE download (
  id TEXT PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organization (id),
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
  total_size_bytes INTEGER NOT NULL CHECK (total_size_bytes > 0),
  used_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

export const STREAMS: Migration = { id: 20, name: 'streams', up: (db) => void db.exec(TABLES) };
