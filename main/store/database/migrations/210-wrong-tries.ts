// Wrong secrets are counted where they were typed: who guesses at a tablet keeps nobody away from the workstation.

import type { Migration } from './migration.ts';

/** Seat 0 is the workstation itself. What was counted before was mostly counted there. */
const TABLE = `
CREATE TABLE wrong_tries (
  user_id INTEGER NOT NULL REFERENCES user (id),
  seat_id INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  blocked_until_ms INTEGER NOT NULL,
  PRIMARY KEY (user_id, seat_id)
) STRICT, WITHOUT ROWID;
INSERT INTO wrong_tries SELECT id, 0, wrong_tries, blocked_until_ms FROM user WHERE wrong_tries > 0;
ALTER TABLE user DROP COLUMN wrong_tries;
ALTER TABLE user DROP COLUMN blocked_until_ms;
`;

export const WRONG_TRIES: Migration = { id: 210, name: 'wrong-tries', up: (db) => void db.exec(TABLE) };
