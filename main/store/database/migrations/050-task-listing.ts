// What the worklist filters and searches by.

import type { Migration } from './migration.ts';

const TABLES = `
ALTER TABLE task ADD COLUMN is_listed INTEGER NOT NULL DEFAULT 0 CHECK (is_listed IN (0, 1));
ALTER TABLE task ADD COLUMN severity INTEGER CHECK (severity BETWEEN 0 AND 4);
ALTER TABLE task ADD COLUMN is_simulated INTEGER NOT NULL DEFAULT 0 CHECK (is_simulated IN (0, 1));
CREATE INDEX task_unlisted ON task (id) WHERE is_listed = 0;
CREATE INDEX task_by_severity ON task (severity, id) WHERE severity IS NOT NULL;
CREATE INDEX task_by_creation ON task (created_ms, id);

CREATE VIRTUAL TABLE task_word USING fts5 (words, content='', contentless_delete=1, detail=none, prefix='1 2 3', tokenize="unicode61 remove_diacritics 0 tokenchars '_'");
`;

export const TASK_LISTING: Migration = { id: 50, name: 'task-listing', up: (db) => void db.exec(TABLES) };
