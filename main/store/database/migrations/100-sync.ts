// What goes to a central service: which one, what of it is on its way, what came back.

import type { Migration } from './migration.ts';

/**
 * The progress of an item is JSON, read as a whole; what the queue is asked by stands beside it. A task there
 * belongs to one task here, and the other way round (D132). `raised` is what the centre found graver than we
 * did, until somebody has seen it; `sent` and `request` the patient and all else as the centre was told,
 * which cannot be changed there, and `is_differing` that it stands otherwise here by now (D131). `content` is
 * the SHA-256 of the recording: nothing goes twice.
 */
const TABLES = `
ALTER TABLE installation ADD COLUMN nonce TEXT;
CREATE TABLE centre (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  label TEXT NOT NULL,
  url TEXT NOT NULL,
  organization_id INTEGER NOT NULL REFERENCES organization (id),
  organization_path TEXT NOT NULL,
  certificates TEXT,
  is_idempotent INTEGER NOT NULL DEFAULT 0,
  is_stream_proven INTEGER NOT NULL DEFAULT 0,
  upstream TEXT NOT NULL,
  last_contact_ms INTEGER,
  created_ms INTEGER NOT NULL,
  is_removed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  centre_id INTEGER NOT NULL REFERENCES centre (id),
  task_id INTEGER NOT NULL REFERENCES task (id),
  marker TEXT NOT NULL,
  device_id TEXT NOT NULL,
  content TEXT,
  state TEXT NOT NULL CHECK (state IN ('HELD', 'READY', 'SENDING', 'WAITING_REPORT', 'DONE', 'REFUSED', 'NEEDS_CHECK', 'STOPPED')),
  central_id TEXT,
  is_critical INTEGER NOT NULL DEFAULT 0,
  item TEXT NOT NULL,
  raised TEXT,
  sent TEXT,
  request TEXT,
  is_differing INTEGER NOT NULL DEFAULT 0,
  replaces TEXT,
  changed_ms INTEGER NOT NULL,
  UNIQUE (centre_id, task_id)
) STRICT;
CREATE UNIQUE INDEX outbox_by_central_id ON outbox (centre_id, central_id) WHERE central_id IS NOT NULL;
CREATE INDEX outbox_by_state ON outbox (centre_id, state, id);
CREATE INDEX outbox_by_task ON outbox (task_id);
CREATE INDEX outbox_by_content ON outbox (centre_id, content) WHERE content IS NOT NULL;
CREATE INDEX outbox_by_change ON outbox (centre_id, changed_ms);
CREATE INDEX outbox_differing ON outbox (centre_id, id) WHERE is_differing = 1;
CREATE INDEX outbox_raised ON outbox (id) WHERE raised IS NOT NULL;
CREATE TABLE central_report (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  outbox_id INTEGER NOT NULL REFERENCES outbox (id),
  central_id TEXT NOT NULL,
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
  size_bytes INTEGER NOT NULL,
  fetched_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX central_report_by_item ON central_report (outbox_id, id);
CREATE TABLE kept_patient (
  patient_id INTEGER PRIMARY KEY REFERENCES patient (id),
  since_ms INTEGER NOT NULL
) STRICT;
`;

export const SYNC: Migration = { id: 100, name: 'sync', up: (db) => void db.exec(TABLES) };
