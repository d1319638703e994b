// What the worklist says of the findings of a task in one line. Every task is listed again, so that it is found by acronyms, too.

import type { Migration } from './migration.ts';

const TABLES = `
/* JSON: code, text, values of the first statement, and how many others tell something abnormal. */
ALTER TABLE task ADD COLUMN first_finding TEXT;
UPDATE task SET is_listed = 0 WHERE state <> 'DELETED';
`;

export const FIRST_FINDINGS: Migration = {
  id: 270,
  name: 'first-findings',
  up: (db) => void db.exec(TABLES),
};
