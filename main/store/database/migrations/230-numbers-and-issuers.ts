// Orders are found by their numbers, so that a message costs the same however many orders there are. And whether a
// connection takes what no physician has read: those that are there already go on as they did.

import type { Migration } from './migration.ts';

const COLUMNS = `
ALTER TABLE patient_order ADD COLUMN order_number TEXT GENERATED ALWAYS AS (coalesce(json_extract(facts, '$.orderNumber'), '')) VIRTUAL;
CREATE INDEX patient_order_by_number ON patient_order (organization_id, order_number);
ALTER TABLE centre ADD COLUMN takes_unread INTEGER NOT NULL DEFAULT 0;
UPDATE centre SET takes_unread = 1;
`;

export const NUMBERS_AND_ISSUERS: Migration = {
  id: 230,
  name: 'numbers-and-issuers',
  up: (db) => void db.exec(COLUMNS),
};
