// What the clinic calls its devices, by the identity of the port that they hang at.

import type { Migration } from './migration.ts';

const TABLE = `
CREATE TABLE device_name (
  identity TEXT PRIMARY KEY,
  name TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

export const DEVICE_NAMES: Migration = { id: 240, name: 'device-names', up: (db) => void db.exec(TABLE) };
