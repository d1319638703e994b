// What readers ask each other.

import type { Consultation } from '../../clinic/tasks/records.ts';
import type { ConsultationStore } from '../../clinic/tasks/store.ts';
import type { Db } from '../database/database.ts';

interface Row {
  id: number;
  task_id: number;
  from_user_id: number;
  to_user_id: number;
  note: string;
  at_sample: number | null;
  asked_ms: number;
  answer: string | null;
  answered_ms: number | null;
  closed_ms: number | null;
}

const toConsultation = (row: Row): Consultation => ({
  consultationId: row.id,
  taskId: row.task_id,
  fromUserId: row.from_user_id,
  toUserId: row.to_user_id,
  note: row.note,
  atSample: row.at_sample ?? undefined,
  askedMs: row.asked_ms,
  answer: row.answer ?? undefined,
  answeredMs: row.answered_ms ?? undefined,
  closedMs: row.closed_ms ?? undefined,
});

export function consultationStore(db: Db): ConsultationStore {
  const byId = db.prepare<[number], Row>('SELECT * FROM consultation WHERE id = ?');
  const ofTask = db.prepare<[number], Row>(
    'SELECT * FROM consultation WHERE task_id = ? AND closed_ms IS NULL ORDER BY id',
  );
  const waiting = db.prepare<[{ userId: number }], Row>(
    `SELECT * FROM consultation WHERE closed_ms IS NULL
       AND (to_user_id = :userId AND answered_ms IS NULL OR from_user_id = :userId AND answered_ms IS NOT NULL)
     ORDER BY id`,
  );
  const add = db.prepare(
    'INSERT INTO consultation (task_id, from_user_id, to_user_id, note, at_sample, asked_ms) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const set = db.prepare('UPDATE consultation SET answer = ?, answered_ms = ?, closed_ms = ? WHERE id = ?');
  return {
    byId: (id) => {
      const row = byId.get(id);
      return row === undefined ? undefined : toConsultation(row);
    },
    ofTask: (taskId) => ofTask.all(taskId).map(toConsultation),
    waitingFor: (userId) => waiting.all({ userId }).map(toConsultation),
    add: ({ taskId, fromUserId, toUserId, note, atSample, askedMs }) =>
      void add.run(taskId, fromUserId, toUserId, note, atSample ?? null, askedMs),
    set: ({ consultationId, answer, answeredMs, closedMs }) =>
      void set.run(answer ?? null, answeredMs ?? null, closedMs ?? null, consultationId),
  };
}
