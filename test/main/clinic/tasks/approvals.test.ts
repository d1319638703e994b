// What is approved is what the physician saw, of whom it was shown.

import { expect, test } from 'vitest';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { analysedTask } from '../../../support/analysed-task.ts';
import { openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A report takes until somebody lets it end. */
class SlowReports extends ScriptedPool {
  readonly asked = Promise.withResolvers<void>();
  readonly ended = Promise.withResolvers<void>();

  override async report(): Promise<Uint8Array> {
    this.asked.resolve();
    await this.ended.promise;
    return super.report();
  }
}

const LIND = { name: 'Dr. Lind', actor: 'user:3' };

/** While the report of the first recording is being made, something happens to it. */
async function approveWhile(happens: (open: TestClinic, taskId: number) => Promise<unknown>): Promise<void> {
  await using folder = await tempFolder();
  const pool = new SlowReports();
  const open = await openTestClinic(folder.path, pool, Date.now);
  try {
    const taskId = await analysedTask(open, 'an ECG', { patient_last_name: 'Hoffmann', patient_id: '4817' });
    const { revision } = open.store.findings.latest(taskId)!;
    const approving = open.clinic.approvals.approve(taskId, { revision, version: 0 }, LIND);
    const refused = expect(approving).rejects.toMatchObject({ reason: 'task_state_conflict' });
    await pool.asked.promise;
    await happens(open, taskId);
    pool.ended.resolve();
    await refused;
    expect(open.store.tasks.byId(taskId)?.state).not.toBe('COMPLETED');
    expect(open.store.reports.latest(taskId)).toBeUndefined();
  } finally {
    await open.close();
  }
}

test('a recording that turns out to be of somebody else while its report is made is not approved', () =>
  approveWhile(({ clinic }, taskId) =>
    clinic.assignment.assign(
      {
        taskId,
        entry: {
          fields: { patient: { lastName: 'Weber', id: '5123' } },
          isAutoComplete: false,
          identity: { name: 'said', birth: 'said' },
        },
        reason: 'Identified',
      },
      'user:3',
    ),
  ));

test('nor is one whose patient becomes another chart meanwhile', () =>
  approveWhile(async (open, taskId) => {
    const other = await analysedTask(open, 'another ECG', {
      patient_last_name: 'Hoffmann-Weber',
      patient_id: '5123',
    });
    const chartOf = (id: number): number => open.store.tasks.byId(id)?.patientId as number;
    const facts = { lastName: 'Hoffmann-Weber', id: '5123' };
    await open.clinic.patientMerge.merge(
      { keptId: chartOf(other), goneId: chartOf(taskId), facts, reason: 'One person' },
      'user:3',
    );
  }));
