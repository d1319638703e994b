// A deletion names what it takes away by hand: a column or a table that is new must be decided on.

import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../main/store/database/migrate.ts';
import { erasureStore } from '../../../main/store/patients/erasure.ts';

const db = new Database(':memory:');
beforeAll(() => migrate(db, ':memory:', 0));
afterAll(() => db.close());

/** What stays of a deleted task: that there was one, of which kind, and when. None of it says anything of a patient. */
const LEFT_OF_A_TASK = [
  'attempts',
  'created_ms',
  'failure_reason',
  'id',
  'is_auto_complete',
  'is_listed',
  'is_simulated',
  'local_id',
  'organization_id',
  'origin',
  'state',
];
const TAKEN_OFF_A_TASK = [
  'channels',
  'critical_seen',
  'desk_identity',
  'fields',
  'first_finding',
  'patient_id',
  'recording_id',
  'rejection',
  'severity',
  'warnings',
];

test('every column of a task is taken off it by a deletion, or says nothing of a patient', () => {
  const names = db.prepare<[], string>("SELECT name FROM pragma_table_info('task')").pluck().all();
  expect(names.sort()).toEqual([...LEFT_OF_A_TASK, ...TAKEN_OFF_A_TASK].sort());
});

test('every table that names a task or a patient is one that a deletion knows', () => {
  const tables = db
    .prepare<[], string>(
      `SELECT DISTINCT master.name FROM sqlite_master AS master, pragma_table_info(master.name) AS column
       WHERE master.type = 'table' AND (column.name LIKE '%task_id' OR column.name LIKE '%patient_id') ORDER BY 1`,
    )
    .pluck()
    .all();
  expect(tables).toEqual([
    'consultation',
    'correction',
    'device_link',
    'finding',
    'former_patient',
    'frame',
    'kept_patient',
    'legal_hold',
    'order_task',
    // Names the task there and here; its patient goes with the columns that a deletion clears.
    'outbox',
    'recording_event',
    'report',
    'review_draft',
    'stream',
    'task',
  ]);
});

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly hidden: number;
}

/** A row with a value in every column, and the given ones in theirs. */
function addRow(table: string, given: Readonly<Record<string, number | string>>): void {
  const columns = db
    .prepare<[], Column>(`SELECT * FROM pragma_table_xinfo('${table}') WHERE hidden = 0`)
    .all();
  const values = columns.map(
    ({ name, type }) => given[name] ?? (type === 'TEXT' ? '{}' : type === 'BLOB' ? Buffer.of(1) : 1),
  );
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  db.prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`).run(
    ...values,
  );
}

test('a deletion leaves no row of the task but its tombstone and its way to the centres', () => {
  const [DELETED, OTHER] = [70, 71];
  db.pragma('foreign_keys = OFF');
  db.pragma('ignore_check_constraints = ON');
  const tables = db
    .prepare<[], string>(
      `SELECT DISTINCT master.name FROM sqlite_master AS master, pragma_table_info(master.name) AS column
       WHERE master.type = 'table' AND column.name = 'task_id'`,
    )
    .pluck()
    .all();
  for (const id of [DELETED, OTHER]) {
    addRow('task', { id, state: 'COMPLETED', local_id: `local ${id}`, device_id: `device ${id}` });
    for (const table of tables)
      addRow(table, {
        task_id: id,
        id,
        central_id: `central ${id}`,
        marker: `marker ${id}`,
        key: `key ${id}`,
      });
  }
  const tablesWith = (id: number): string[] =>
    tables.filter(
      (table) =>
        db.prepare<[number], number>(`SELECT count(*) FROM "${table}" WHERE task_id = ?`).pluck().get(id) !==
        0,
    );
  expect(tablesWith(DELETED)).toEqual(tables);
  erasureStore(db).eraseTask(DELETED);
  expect(tablesWith(DELETED)).toEqual(['outbox']);
  expect(tablesWith(OTHER)).toEqual(tables);
  expect(db.prepare('SELECT fields, patient_id, recording_id FROM task WHERE id = ?').get(DELETED)).toEqual({
    fields: '{}',
    patient_id: null,
    recording_id: null,
  });
});
