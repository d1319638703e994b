// FHIR servers that readings go to.

import type { Migration } from './migration.ts';

/** JSON: whose numbers the patients' are, and as which client we come. */
const COLUMN = 'ALTER TABLE centre ADD COLUMN fhir TEXT;';

export const FHIR: Migration = { id: 200, name: 'fhir', up: (db) => void db.exec(COLUMN) };
