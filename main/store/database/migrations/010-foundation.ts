// The first tables. Times are milliseconds UTC, sizes bytes; JSON columns hold what is only ever read as a
// whole.

import type { Migration } from './migration.ts';

const TABLES = `
CREATE TABLE installation (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  installation_id TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  is_closed INTEGER NOT NULL CHECK (is_closed IN (0, 1))
) STRICT;

CREATE TABLE organization (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE token (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id INTEGER NOT NULL REFERENCES organization (id),
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  prefix TEXT NOT NULL,
  label TEXT NOT NULL,
  scopes TEXT NOT NULL,
  creator TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER,
  revoked_ms INTEGER,
  last_used_ms INTEGER
) STRICT;

CREATE TABLE setting (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  changed_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE upload (
  id TEXT PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organization (id),
  total_size_bytes INTEGER NOT NULL CHECK (total_size_bytes > 0),
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
  state TEXT NOT NULL CHECK (state IN ('receiving', 'complete', 'failed', 'expired')),
  created_ms INTEGER NOT NULL,
  touched_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX upload_by_state ON upload (state, touched_ms);

CREATE TABLE upload_range (
  upload_id TEXT NOT NULL REFERENCES upload (id),
  start_byte INTEGER NOT NULL CHECK (start_byte >= 0),
  end_byte INTEGER NOT NULL CHECK (end_byte > start_byte),
  PRIMARY KEY (upload_id, start_byte)
) STRICT, WITHOUT ROWID;

CREATE TABLE upload_request (
  upload_id TEXT NOT NULL REFERENCES upload (id),
  body_hash TEXT NOT NULL,
  task_ids TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (upload_id, body_hash)
) STRICT;

CREATE TABLE recording (
  id INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE CHECK (length(sha256) = 64),
  facts TEXT NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE recording_file (
  recording_id INTEGER NOT NULL REFERENCES recording (id),
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
  size_bytes INTEGER NOT NULL,
  PRIMARY KEY (recording_id, position)
) STRICT;

CREATE INDEX recording_file_by_content ON recording_file (sha256);

CREATE TABLE task (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  local_id TEXT NOT NULL UNIQUE,
  organization_id INTEGER NOT NULL REFERENCES organization (id),
  recording_id INTEGER REFERENCES recording (id),
  state TEXT NOT NULL CHECK (state IN ('DRAFT', 'WAITING', 'RECEIVING', 'QUEUED', 'PROCESSING', 'AWAITING_APPROVAL', 'COMPLETED', 'FAILED', 'CANCELLED', 'DELETED')),
  is_auto_complete INTEGER NOT NULL CHECK (is_auto_complete IN (0, 1)),
  origin TEXT NOT NULL CHECK (origin IN ('v3', 'import')),
  fields TEXT NOT NULL,
  warnings TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  failure_reason TEXT
) STRICT;
CREATE INDEX task_by_state ON task (state, id);
CREATE INDEX task_by_recording ON task (recording_id);

CREATE TABLE finding (
  task_id INTEGER NOT NULL REFERENCES task (id),
  revision INTEGER NOT NULL,
  analysis_version TEXT NOT NULL,
  result_sha256 TEXT NOT NULL CHECK (length(result_sha256) = 64),
  summary TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (task_id, revision)
) STRICT;

CREATE TABLE report (
  task_id INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
  size_bytes INTEGER NOT NULL,
  look TEXT NOT NULL,
  PRIMARY KEY (task_id, revision),
  FOREIGN KEY (task_id, revision) REFERENCES finding (task_id, revision)
) STRICT;

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  time_ms INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL,
  prev_hash BLOB NOT NULL CHECK (length(prev_hash) = 32),
  hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
CREATE TRIGGER audit_is_not_cut BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
`;

export const FOUNDATION: Migration = { id: 10, name: 'foundation', up: (db) => void db.exec(TABLES) };
