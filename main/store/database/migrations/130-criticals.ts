// Who has seen that an ECG is critical, and in which findings.

import type { Migration } from './migration.ts';

export const CRITICALS: Migration = {
  id: 130,
  name: 'criticals',
  up: (db) => void db.exec('ALTER TABLE task ADD COLUMN critical_seen TEXT'),
};
