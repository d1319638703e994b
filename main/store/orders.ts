// Orders and the files that they came in.

import type { OrderFacts } from '../../shared/order.ts';
import type { TaskState } from '../../shared/task-state.ts';
import type { Order, OrderStore, UnreadOrderFile } from '../clinic/stores.ts';
import type { Db } from './database.ts';

interface OrderRow {
  id: number;
  organization_id: number;
  facts: string;
  read_ms: number;
  character_set: string | null;
  task_id: number | null;
  task_state: TaskState | null;
  is_answered: 0 | 1;
}

const toOrder = (row: OrderRow): Order => ({
  id: row.id,
  organizationId: row.organization_id,
  facts: JSON.parse(row.facts) as OrderFacts,
  readMs: row.read_ms,
  characterSet: row.character_set ?? undefined,
  task: row.task_id === null || row.task_state === null ? undefined : { id: row.task_id, state: row.task_state },
  isAnswered: row.is_answered === 1,
});

const ORDER = `SELECT patient_order.*, order_file.read_ms, order_file.character_set, task.state AS task_state
  FROM patient_order JOIN order_file ON order_file.id = patient_order.file_id LEFT JOIN task ON task.id = patient_order.task_id`;

export function orderStore(db: Db): OrderStore {
  const known = db
    .prepare<[string, string, number], number>('SELECT 1 FROM order_file WHERE name = ? AND sha256 = ? AND modified_ms = ?')
    .pluck();
  const addFile = db.prepare(
    'INSERT INTO order_file (name, sha256, modified_ms, read_ms, character_set, trouble) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const add = db.prepare('INSERT INTO patient_order (file_id, organization_id, facts) VALUES (?, ?, ?)');
  const byId = db.prepare<[number], OrderRow>(`${ORDER} WHERE patient_order.id = ?`);
  const since = db.prepare<[number], OrderRow>(
    `${ORDER} WHERE order_file.read_ms >= ? AND patient_order.is_put_away = 0 ORDER BY order_file.read_ms DESC, patient_order.id`,
  );
  const unread = db.prepare<[number], UnreadOrderFile>(
    'SELECT id, name, read_ms AS readMs, trouble FROM order_file WHERE read_ms >= ? AND trouble IS NOT NULL AND is_put_away = 0 ORDER BY id DESC',
  );
  const setTask = db.prepare('UPDATE patient_order SET task_id = ? WHERE id = ?');
  const unanswered = db.prepare<[], OrderRow>(
    `${ORDER} WHERE task.state = 'COMPLETED' AND patient_order.is_answered = 0 ORDER BY patient_order.id`,
  );
  const setAnswered = db.prepare('UPDATE patient_order SET is_answered = 1 WHERE id = ?');
  const putAway = db.prepare('UPDATE patient_order SET is_put_away = 1 WHERE id = ?');
  const putFileAway = db.prepare('UPDATE order_file SET is_put_away = 1 WHERE id = ?');
  // Whom somebody ordered something for is not kept longer than it is needed.
  const forgetOrders = db.prepare('DELETE FROM patient_order WHERE file_id IN (SELECT id FROM order_file WHERE read_ms < ?)');
  const forgetFiles = db.prepare('DELETE FROM order_file WHERE read_ms < ?');
  return {
    isKnown: ({ name, sha256, modifiedMs }) => known.get(name, sha256, modifiedMs) !== undefined,
    add(file, organizationId, readMs) {
      const { name, sha256, modifiedMs, characterSet = null, trouble = null, orders } = file;
      const fileId = Number(addFile.run(name, sha256, modifiedMs, readMs, characterSet, trouble).lastInsertRowid);
      for (const facts of orders) add.run(fileId, organizationId, JSON.stringify(facts));
      return fileId;
    },
    byId(id) {
      const row = byId.get(id);
      return row === undefined ? undefined : toOrder(row);
    },
    since: (limitMs) => since.all(limitMs).map(toOrder),
    unread: (limitMs) => unread.all(limitMs),
    setTask: (id, taskId) => void setTask.run(taskId, id),
    unanswered: () => unanswered.all().map(toOrder),
    setAnswered: (id) => void setAnswered.run(id),
    putAway: (id) => void putAway.run(id),
    putFileAway: (id) => void putFileAway.run(id),
    forgetBefore(limitMs) {
      forgetOrders.run(limitMs);
      return forgetFiles.run(limitMs).changes;
    },
  };
}
