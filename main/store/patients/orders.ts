// Orders, the files that they came in, and the recordings for them.

import type { OrderFacts } from '../../../shared/order.ts';
import type { TaskState } from '../../../shared/task-state.ts';
import type { Order, UnreadOrderFile } from '../../clinic/orders/records.ts';
import type { OrderStore } from '../../clinic/orders/store.ts';
import type { Db } from '../database/database.ts';

interface OrderRow {
  id: number;
  organization_id: number;
  facts: string;
  read_ms: number;
  character_set: string | null;
}

interface TaskOfOrder {
  id: number;
  state: TaskState;
  is_answered: 0 | 1;
}

const ORDER = `SELECT patient_order.*, order_file.read_ms, order_file.character_set
  FROM patient_order JOIN order_file ON order_file.id = patient_order.file_id`;

/** Older than their kind is kept: requests of FHIR servers, and all others. */
const OLD = `FROM patient_order JOIN order_file ON order_file.id = patient_order.file_id
  WHERE read_ms < CASE json_extract(facts, '$.format') WHEN 'fhir' THEN ? ELSE ? END`;

export function orderStore(db: Db): OrderStore {
  const known = db.prepare<[string], number>('SELECT 1 FROM order_file WHERE key = ?').pluck();
  const addFile = db.prepare(
    'INSERT INTO order_file (key, name, read_ms, character_set, trouble) VALUES (?, ?, ?, ?, ?)',
  );
  const add = db.prepare('INSERT INTO patient_order (file_id, organization_id, facts) VALUES (?, ?, ?)');
  const same = db
    .prepare<[number, string], number>(
      'SELECT 1 FROM patient_order WHERE organization_id = ? AND facts = ? LIMIT 1',
    )
    .pluck();
  const byId = db.prepare<[number], OrderRow>(`${ORDER} WHERE patient_order.id = ?`);
  const ofTask = db.prepare<[number], OrderRow>(
    `${ORDER} JOIN order_task ON order_task.order_id = patient_order.id WHERE order_task.task_id = ?`,
  );
  const since = db.prepare<[number], OrderRow>(
    `${ORDER} WHERE order_file.read_ms >= ? AND patient_order.is_put_away = 0 ORDER BY order_file.read_ms DESC, patient_order.id`,
  );
  const ofFormat = db.prepare<[number, string], OrderRow>(
    `${ORDER} WHERE order_file.read_ms >= ? AND json_extract(facts, '$.format') = ? ORDER BY patient_order.id`,
  );
  const ofNumber = db.prepare<[number, string, number], OrderRow>(
    `${ORDER} WHERE organization_id = ? AND order_number = ? AND order_file.read_ms >= ? AND patient_order.is_put_away = 0
      ORDER BY patient_order.id`,
  );
  const ofRequests = db.prepare<[string], OrderRow>(
    `${ORDER} WHERE json_extract(facts, '$.asked.requestUrl') IN (SELECT value FROM json_each(?)) ORDER BY patient_order.id`,
  );
  const openRequests = db.prepare<[number], OrderRow>(
    `${ORDER} WHERE order_file.read_ms < ? AND patient_order.is_put_away = 0
      AND NOT EXISTS (SELECT 1 FROM order_task WHERE order_id = patient_order.id)
      AND json_extract(facts, '$.format') = 'fhir' ORDER BY patient_order.id`,
  );
  const unread = db.prepare<[number], UnreadOrderFile>(
    'SELECT id, name, read_ms AS readMs, trouble FROM order_file WHERE read_ms >= ? AND trouble IS NOT NULL AND is_put_away = 0 ORDER BY id DESC',
  );
  const tasksOf = db.prepare<[number], TaskOfOrder>(
    'SELECT task.id, task.state, order_task.is_answered FROM order_task JOIN task ON task.id = order_task.task_id WHERE order_task.order_id = ? ORDER BY task.id',
  );
  const link = db.prepare('INSERT INTO order_task (order_id, task_id) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const unlink = db.prepare('DELETE FROM order_task WHERE order_id = ? AND task_id = ?');
  const unanswered = db.prepare<[], OrderRow>(
    `${ORDER} WHERE patient_order.id IN (SELECT order_id FROM order_task JOIN task ON task.id = task_id WHERE state = 'COMPLETED' AND is_answered = 0) ORDER BY patient_order.id`,
  );
  const answerAgain = db.prepare('UPDATE order_task SET is_answered = 0 WHERE task_id = ?');
  const setAnswered = db.prepare('UPDATE order_task SET is_answered = 1 WHERE order_id = ? AND task_id = ?');
  const setFacts = db.prepare('UPDATE patient_order SET facts = ? WHERE id = ?');
  const putAway = db.prepare('UPDATE patient_order SET is_put_away = 1 WHERE id = ?');
  const putFileAway = db.prepare('UPDATE order_file SET is_put_away = 1 WHERE id = ?');
  // Whom somebody ordered something for is not kept longer than it is needed.
  const forgetOrders = db.prepare(`DELETE FROM patient_order WHERE id IN (SELECT patient_order.id ${OLD})`);
  const anyBefore = db
    .prepare<[number, number, number], number>(
      // Orders of a list have no file with a name.
      `SELECT 1 FROM order_file WHERE read_ms < ? AND name <> '' UNION ALL SELECT 1 ${OLD} LIMIT 1`,
    )
    .pluck();
  const forgetNames = db.prepare(
    "UPDATE order_file SET name = '', trouble = NULL WHERE read_ms < ? AND name <> ''",
  );

  const toOrder = (row: OrderRow): Order => ({
    id: row.id,
    organizationId: row.organization_id,
    facts: JSON.parse(row.facts) as OrderFacts,
    readMs: row.read_ms,
    characterSet: row.character_set ?? undefined,
    tasks: tasksOf
      .all(row.id)
      .map(({ id, state, is_answered }) => ({ id, state, isAnswered: is_answered === 1 })),
  });
  return {
    isKnown: (key) => known.get(key) !== undefined,
    add({ key, name, characterSet = null, trouble = null, orders }, organizationId, readMs) {
      const fileId = Number(addFile.run(key, name, readMs, characterSet, trouble).lastInsertRowid);
      for (const facts of orders) add.run(fileId, organizationId, JSON.stringify(facts));
      return fileId;
    },
    ofNumber: (organizationId, number, limitMs) => ofNumber.all(organizationId, number, limitMs).map(toOrder),
    hasSame: (organizationId, facts) => same.get(organizationId, JSON.stringify(facts)) !== undefined,
    byId(id) {
      const row = byId.get(id);
      return row === undefined ? undefined : toOrder(row);
    },
    ofTask: (taskId) => ofTask.all(taskId).map(toOrder),
    since: (limitMs) => since.all(limitMs).map(toOrder),
    ofFormat: (format, limitMs) => ofFormat.all(limitMs, format).map(toOrder),
    ofRequests: (urls) => ofRequests.all(JSON.stringify(urls)).map(toOrder),
    openRequests: (limitMs) => openRequests.all(limitMs).map(toOrder),
    unread: (limitMs) => unread.all(limitMs),
    link: (id, taskId) => void link.run(id, taskId),
    unlink: (id, taskId) => void unlink.run(id, taskId),
    unanswered: () => unanswered.all().map(toOrder),
    answerAgain: (taskId) => void answerAgain.run(taskId),
    setAnswered: (id, taskId) => void setAnswered.run(id, taskId),
    setFacts: (id, facts) => void setFacts.run(JSON.stringify(facts), id),
    putAway: (id) => void putAway.run(id),
    putFileAway: (id) => void putFileAway.run(id),
    isAnyBefore: (limitMs, requestLimitMs) => anyBefore.get(limitMs, requestLimitMs, limitMs) !== undefined,
    forgetBefore(limitMs, requestLimitMs) {
      forgetOrders.run(requestLimitMs, limitMs);
      return forgetNames.run(limitMs).changes;
    },
  };
}
