// Whose analysis goes first: an emergency, then what was recorded at the desk, then what a device sent, then files.

import type { Migration } from './migration.ts';

const COLUMN = `
ALTER TABLE task ADD COLUMN lane INTEGER GENERATED ALWAYS AS (
  CASE WHEN desk_identity = '{}' THEN 0
    WHEN desk_identity IS NOT NULL THEN 1
    WHEN origin = 'v3' AND json_extract(fields, '$.device_id') IS NOT NULL THEN 2
    ELSE 3 END
) VIRTUAL;
CREATE INDEX task_in_lane ON task (lane, id) WHERE state = 'QUEUED';
`;

export const ANALYSIS_LANES: Migration = {
  id: 220,
  name: 'analysis-lanes',
  up: (db) => void db.exec(COLUMN),
};
