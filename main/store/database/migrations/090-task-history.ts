// What was done with one task is asked for on the screen: its rows of the audit are found without reading all
// of them.

import type { Migration } from './migration.ts';

export const TASK_HISTORY: Migration = {
  id: 90,
  name: 'task-history',
  up: (db) => void db.exec('CREATE INDEX audit_by_subject ON audit (subject, seq)'),
};
