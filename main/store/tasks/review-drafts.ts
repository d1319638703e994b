// Corrections that nobody has approved yet: one row each, so that the next one costs the same however many there are.

import type { MadeCorrection } from '../../../shared/review/corrections.ts';
import type { ReviewDraft } from '../../clinic/tasks/records.ts';
import type { ReviewDraftStore } from '../../clinic/tasks/store.ts';
import type { Db } from '../database/database.ts';

interface DraftRow {
  task_id: number;
  holder: string;
  holder_name: string;
  since_ms: number;
  version: number;
  carried: number;
  done: number;
}

const toDraft = (row: DraftRow): ReviewDraft => ({
  taskId: row.task_id,
  holder: row.holder,
  holderName: row.holder_name,
  sinceMs: row.since_ms,
  version: row.version,
  carried: row.carried,
  done: row.done,
});

export function reviewDraftStore(db: Db): ReviewDraftStore {
  const byTask = db.prepare<[number], DraftRow>('SELECT * FROM review_draft WHERE task_id = ?');
  const put = db.prepare(
    'INSERT OR REPLACE INTO review_draft (task_id, holder, holder_name, since_ms, version, carried, done) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const made = db
    .prepare<[number], string>('SELECT made FROM correction WHERE task_id = ? ORDER BY place')
    .pluck();
  const count = db.prepare<[number], number>('SELECT count(*) FROM correction WHERE task_id = ?').pluck();
  const add = db.prepare('INSERT INTO correction (task_id, place, made) VALUES (?, ?, ?)');
  const cut = db.prepare('DELETE FROM correction WHERE task_id = ? AND place >= ?');
  const remove = db.prepare('DELETE FROM review_draft WHERE task_id = ?');
  return {
    byTask(taskId) {
      const row = byTask.get(taskId);
      return row === undefined ? undefined : toDraft(row);
    },
    put: (d) => void put.run(d.taskId, d.holder, d.holderName, d.sinceMs, d.version, d.carried, d.done),
    corrections: (taskId) => made.all(taskId).map((text) => JSON.parse(text) as MadeCorrection),
    countCorrections: (taskId) => count.get(taskId) ?? 0,
    addCorrection: (taskId, place, correction) => void add.run(taskId, place, JSON.stringify(correction)),
    cutCorrections: (taskId, fromPlace) => void cut.run(taskId, fromPlace),
    remove(taskId) {
      cut.run(taskId, 0);
      remove.run(taskId);
    },
  };
}
