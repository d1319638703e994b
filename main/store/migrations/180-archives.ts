// Archives that readings go to, beside central services.

import type { Migration } from './migration.ts';

/** Absent for a central service: what an archive is called, and what a test has shown of it, as JSON. */
const COLUMNS = `
ALTER TABLE centre ADD COLUMN archive TEXT;
`;

export const ARCHIVES: Migration = { id: 180, name: 'archives', up: (db) => void db.exec(COLUMNS) };
