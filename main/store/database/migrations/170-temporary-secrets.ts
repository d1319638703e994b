// A PIN that an administrator has set in place of a forgotten one: its owner replaces it before anything else.

import type { Migration } from './migration.ts';

const COLUMN = `
ALTER TABLE user ADD COLUMN is_temporary INTEGER NOT NULL DEFAULT 0 CHECK (is_temporary IN (0, 1));
`;

export const TEMPORARY_SECRETS: Migration = {
  id: 170,
  name: 'temporary-secrets',
  up: (db) => void db.exec(COLUMN),
};
