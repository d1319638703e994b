// Patients of whom nothing may be deleted, whatever the retention says.

import type { Migration } from './migration.ts';

const TABLES = `
CREATE TABLE legal_hold (
  patient_id INTEGER PRIMARY KEY REFERENCES patient (id),
  reason TEXT NOT NULL,
  since_ms INTEGER NOT NULL
) STRICT;
`;

export const LEGAL_HOLD: Migration = { id: 150, name: 'legal-hold', up: (db) => void db.exec(TABLES) };
