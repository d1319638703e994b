// A deletion names what it takes away by hand: a column or a table that is new must be decided on.

import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../main/store/migrate.ts';

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
  'critical_seen',
  'desk_identity',
  'fields',
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
