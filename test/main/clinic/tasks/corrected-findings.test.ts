// What somebody has corrected is measured anew, by no more work than somebody waits for.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AnalysisJob } from '../../../../main/clinic/ports.ts';
import type { Correction } from '../../../../shared/review/corrections.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { analysedTask } from '../../../support/analysed-task.ts';
import { openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

const LIND = { session: 'page', actor: 'user:3', person: undefined };

/** Keeps what it was asked for, and whether that was called off. */
class AskedPool extends ScriptedPool {
  readonly jobs: AnalysisJob[] = [];
  readonly calledOff: boolean[] = [];

  override analyse(...[job, signal, ...rest]: Parameters<ScriptedPool['analyse']>) {
    const place = this.jobs.push(job as AnalysisJob) - 1;
    this.calledOff[place] = false;
    signal?.addEventListener('abort', () => {
      this.calledOff[place] = true;
    });
    return super.analyse(job, signal, ...rest);
  }
}

let folder: TempFolder;
let pool: AskedPool;
let open: TestClinic;
let taskId: number;
beforeEach(async () => {
  folder = await tempFolder();
  pool = new AskedPool();
  open = await openTestClinic(folder.path, pool, Date.now);
  taskId = await analysedTask(open, 'an ECG', { patient_last_name: 'Hoffmann', patient_id: '4817' });
});
afterEach(async () => {
  await open.close();
  await folder.remove();
});

const correct = (change: Correction): Promise<number> =>
  open.clinic.corrections.correct(taskId, change, LIND);
const reading = () => open.clinic.review.reading(taskId, LIND.actor);

test('what is taken back while it is measured is measured no further, and the stored numbers are there', async () => {
  pool.outcomes.push('hang');
  const version = await correct({ kind: 'beats', samples: [100], label: 'V' });
  const waiting = reading();
  await expect.poll(() => pool.jobs.length).toBe(2);
  await open.clinic.corrections.undo(taskId, version, LIND);
  expect((await reading()).corrections).toEqual([]);
  expect(pool.calledOff).toEqual([false, true]);
  // Whoever waited for the others gets what stands now.
  expect((await waiting).corrections).toEqual([]);
  expect(pool.jobs).toHaveLength(2);
});

test('families are those of the result in which they were seen, and only they need it', async () => {
  await correct({ kind: 'beats', samples: [100], label: 'V' });
  await reading();
  expect(pool.jobs.at(-1)).not.toHaveProperty('seenResultJson');
  await correct({ kind: 'families', samples: [200], label: 'S' });
  await reading();
  const { seenResultJson, constraints } = pool.jobs.at(-1)!;
  expect(Buffer.from(seenResultJson!).toString()).toBe(JSON.stringify({ analyses: 1 }));
  expect(constraints?.shapes).toEqual([{ sample: 200, label: 'S', isFamily: true }]);
});

test('merging families and choosing strips measures nothing', async () => {
  await correct({ kind: 'familiesMerged', samples: [100, 200] });
  await correct({ kind: 'strips', strips: [{ kind: 'V', startSample: 10 }] });
  await correct({ kind: 'eventAdded', sample: 10, text: 'Dizzy' });
  expect((await reading()).corrections).toHaveLength(3);
  expect(pool.jobs).toHaveLength(1);
});
