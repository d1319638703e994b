// The order in which recordings are read: those of patients before those of the simulator, the gravest first, then the
// oldest. One that could not be judged stands among the moderate ones: nobody knows that it is less.

import type { TaskStore } from '../../clinic/tasks/store.ts';
import type { Db } from '../database/database.ts';

const UNJUDGED = 2;
/** Falls with what is read first. */
const URGENCY = `(coalesce(severity, ${UNJUDGED}) - 10 * is_simulated)`;

export function readingList(db: Db): Pick<TaskStore, 'nextToRead' | 'countToRead'> {
  const waiting = "state = 'AWAITING_APPROVAL' AND is_listed = 1";
  const keyOf = db.prepare<[number], { urgency: number; id: number }>(
    `SELECT ${URGENCY} AS urgency, id FROM task WHERE id = ?`,
  );
  const first = db
    .prepare<[number], number>(
      `SELECT id FROM task WHERE ${waiting} AND id <> ? ORDER BY ${URGENCY} DESC, id LIMIT 1`,
    )
    .pluck();
  const behind = db
    .prepare<{ urgency: number; id: number }, number>(
      `SELECT id FROM task WHERE ${waiting} AND (${URGENCY} < :urgency OR (${URGENCY} = :urgency AND id > :id))
       ORDER BY ${URGENCY} DESC, id LIMIT 1`,
    )
    .pluck();
  const count = db.prepare<[], number>(`SELECT count(*) FROM task WHERE ${waiting}`).pluck();
  return {
    nextToRead(taskId) {
      const key = taskId === undefined ? undefined : keyOf.get(taskId);
      return (key && behind.get(key)) ?? first.get(taskId ?? 0);
    },
    countToRead: () => count.get() ?? 0,
  };
}
