// What people change in findings: as long as nobody has approved it, and frozen with the findings that were approved.

import type { Migration } from './migration.ts';

const TABLES = `
CREATE TABLE review_draft (
  task_id INTEGER PRIMARY KEY REFERENCES task (id),
  holder TEXT NOT NULL,
  holder_name TEXT NOT NULL,
  since_ms INTEGER NOT NULL,
  version INTEGER NOT NULL,
  carried INTEGER NOT NULL CHECK (carried >= 0),
  done INTEGER NOT NULL CHECK (done >= carried)
) STRICT;

CREATE TABLE correction (
  task_id INTEGER NOT NULL REFERENCES task (id),
  place INTEGER NOT NULL,
  made TEXT NOT NULL,
  PRIMARY KEY (task_id, place)
) STRICT, WITHOUT ROWID;

ALTER TABLE finding ADD COLUMN corrections TEXT;
`;

export const REVIEW: Migration = { id: 120, name: 'review', up: (db) => void db.exec(TABLES) };
