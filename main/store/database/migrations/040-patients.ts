// Known patients, what they are found by, and whose each task is.

import type { Migration } from './migration.ts';

const TABLES = `
CREATE TABLE patient (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id INTEGER NOT NULL REFERENCES organization (id),
  number TEXT,
  birth_date TEXT,
  facts TEXT NOT NULL,
  measured_ms INTEGER,
  seen_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX patient_by_number ON patient (organization_id, number) WHERE number IS NOT NULL;
CREATE INDEX patient_by_birth_date ON patient (organization_id, birth_date) WHERE birth_date IS NOT NULL;

CREATE VIRTUAL TABLE patient_word USING fts5 (words, content='', contentless_delete=1, detail=none, prefix='1 2 3', tokenize="unicode61 remove_diacritics 0 tokenchars '_'");

ALTER TABLE task ADD COLUMN patient_id INTEGER REFERENCES patient (id);
CREATE INDEX task_by_patient ON task (patient_id) WHERE patient_id IS NOT NULL;
`;

export const PATIENTS: Migration = { id: 40, name: 'patients', up: (db) => void db.exec(TABLES) };
