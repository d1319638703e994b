// Which channels of a recording are ECG, as a person says it: of one task, and of all recordings with the same list of channels.

import type { Migration } from './migration.ts';

const TABLES = `
/* JSON: one entry a channel of the file; NULL where the program decides. */
ALTER TABLE task ADD COLUMN channels TEXT;
ALTER TABLE recording ADD COLUMN channels_key TEXT GENERATED ALWAYS AS (json_extract(facts, '$.channelsKey')) VIRTUAL;
CREATE INDEX recording_channels ON recording (channels_key) WHERE channels_key IS NOT NULL;
CREATE TABLE channel_choice (
  organization_id INTEGER NOT NULL REFERENCES organization (id),
  channels_key TEXT NOT NULL,
  choice TEXT NOT NULL,
  made_ms INTEGER NOT NULL,
  PRIMARY KEY (organization_id, channels_key)
) STRICT, WITHOUT ROWID;
`;

export const CHANNELS: Migration = {
  id: 260,
  name: 'channels',
  up: (db) => void db.exec(TABLES),
};
