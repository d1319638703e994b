// Archives and hospital information systems that readings go to, beside central services.

import type { Migration } from './migration.ts';

/** JSON: of an archive, what it is called and what a test has shown; of a hospital information system, its names. */
const COLUMNS = `
ALTER TABLE centre ADD COLUMN archive TEXT;
ALTER TABLE centre ADD COLUMN results TEXT;
`;

export const ARCHIVES: Migration = { id: 180, name: 'archives', up: (db) => void db.exec(COLUMNS) };
