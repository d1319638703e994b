// A critical ECG is told until somebody has seen it; newer findings of it are told again.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { taskRow } from '../../../../main/bridge/handlers/task-row.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { analysedTask } from '../../../support/analysed-task.ts';
import { inTransaction } from '../../../support/in-transaction.ts';
import { openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import { eventually } from '../../../support/running-workstation.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

let folder: TempFolder;
let opened: TestClinic;
let pool: ScriptedPool;
const LIND = {
  session: 'page',
  actor: 'user:1',
  person: { userId: 1, name: 'Dr. Lind', role: 'reviewer' },
} as const;

beforeEach(async () => {
  folder = await tempFolder();
  pool = new ScriptedPool();
  opened = await openTestClinic(folder.path, pool, () => Date.UTC(2026, 10, 22));
});
afterEach(async () => {
  await opened.close();
  await folder.remove();
});

const rowOf = (taskId: number) => taskRow(opened.clinic.worklist.some([taskId])[0]!);

test('it is seen once, by whom is kept, and newer findings are told again', async () => {
  const { clinic, store } = opened;
  pool.severity = 'CRITICAL';
  pool.statements = [{ code: 'RHY-VT', text: 'VT', severity: 'CRITICAL', certainty: 'definite' }];
  const taskId = await analysedTask(opened, 'an ECG', { patient_last_name: 'Okafor' });
  expect(rowOf(taskId).isCriticalSeen).toBeUndefined();
  await expect(clinic.criticals.acknowledge(taskId, 2, LIND)).rejects.toMatchObject({
    reason: 'task_state_conflict',
  });
  await clinic.criticals.acknowledge(taskId, 1, LIND);
  expect(rowOf(taskId).isCriticalSeen).toBe(true);
  expect(store.tasks.byId(taskId)?.criticalSeen).toEqual({
    by: 'Dr. Lind',
    atMs: Date.UTC(2026, 10, 22),
    revision: 1,
  });
  expect(store.tasks.byId(taskId)?.state).toBe('AWAITING_APPROVAL');
  inTransaction(store, (tx) => clinic.tasks.move(tx, taskId, 'assigned', { attempts: 0 }));
  clinic.tasks.announceQueued(taskId);
  await eventually(
    async () => (store.findings.latest(taskId)?.revision === 2 ? true : undefined),
    'the second analysis',
  );
  expect(rowOf(taskId)).toMatchObject({ severity: 'CRITICAL' });
  expect(rowOf(taskId).isCriticalSeen).toBeUndefined();
});

test('what is not critical needs no such word', async () => {
  const taskId = await analysedTask(opened, 'an ECG', { patient_last_name: 'Okafor' });
  await expect(opened.clinic.criticals.acknowledge(taskId, 1, LIND)).rejects.toMatchObject({
    reason: 'task_state_conflict',
  });
});
