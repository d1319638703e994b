// Whose analysis begins next: by lane, and with one worker left for short ones.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AnalysisJob, AnalysisOutput } from '../../../../main/clinic/ports.ts';
import type { Turn } from '../../../../main/clinic/tasks/analysis-lanes.ts';
import type { AnalysisProgress } from '../../../../shared/analysis-stage.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { inTransaction } from '../../../support/in-transaction.ts';
import { openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

/** Analyses end when the test says so; files are named after their recordings. */
class WaitingPool extends ScriptedPool {
  readonly begun: string[] = [];
  readonly turns = new Map<string, Turn | undefined>();
  readonly unfinished = new Map<string, string | undefined>();
  readonly #ends = new Map<string, () => void>();

  override async analyse(
    job: AnalysisJob,
    signal?: AbortSignal,
    onProgress?: (progress: AnalysisProgress) => void,
    turn?: Turn,
  ): Promise<AnalysisOutput> {
    const name = job.files[0]?.name ?? '';
    this.begun.push(name);
    this.turns.set(name, turn);
    this.unfinished.set(name, job.unfinishedFolder);
    await new Promise<void>((resolve, reject) => {
      this.#ends.set(name, resolve);
      signal?.addEventListener('abort', () => reject(new Error('stopped')));
    });
    return super.analyse(job, signal, onProgress);
  }

  end(name: string): void {
    this.#ends.get(name)?.();
  }
}

const DAY_MS = 86_400_000;
let folder: TempFolder;
let open: TestClinic;
let pool: WaitingPool;
beforeEach(async () => {
  folder = await tempFolder();
  pool = new WaitingPool();
  open = await openTestClinic(folder.path, pool, () => 1000);
});
afterEach(async () => {
  await open.close();
  await folder.remove();
});

interface Made {
  readonly durationMs?: number;
  readonly deviceId?: string;
  /** What was said at the desk: nothing in it for an emergency. */
  readonly identity?: { name?: 'said'; birth?: 'said' };
  readonly origin?: 'v3' | 'import';
}

async function add(name: string, { durationMs = 10_000, deviceId, identity, origin = 'import' }: Made = {}) {
  const { clinic, store, organizationId } = open;
  const sha256 = await clinic.context.files.put(new TextEncoder().encode(name));
  return inTransaction(store, (tx) => {
    const fields = { patient: { lastName: name }, ...(deviceId !== undefined && { deviceId }) };
    const { taskId } = clinic.tasks.addRecorded(tx, {
      organizationId,
      fields,
      isAutoComplete: false,
      origin,
      files: [{ name, sha256, sizeBytes: 6 }],
      facts: { format: 'EDF', leadCount: 3, durationMs, patient: {}, warnings: [] },
      actor: 'test',
    });
    if (identity !== undefined)
      store.tasks.setPatient(taskId, { fields, patientId: undefined, identity }, 1000);
    return taskId;
  });
}
const begun = (count: number) => expect.poll(() => pool.begun.length).toBe(count);

test('an emergency, what somebody has opened, what was recorded here, what a device sent, then files', async () => {
  for (const name of ['file 1', 'file 2']) await add(name);
  open.clinic.queue.wake();
  await begun(2);
  await add('file 3');
  const opened = await add('opened');
  await add('sent', { origin: 'v3', deviceId: 'monitor' });
  await add('recorded', { origin: 'v3', deviceId: 'desk', identity: { name: 'said', birth: 'said' } });
  const emergency = await add('emergency', { origin: 'v3', deviceId: 'desk', identity: {} });
  open.clinic.queue.await(opened);
  const aheadOf = (id: number) => open.store.tasks.listed([id])[0]?.queuedAhead;
  expect(aheadOf(emergency)).toBe(0);
  const order = ['emergency', 'opened', 'recorded', 'sent', 'file 3'];
  for (const [i, name] of ['file 1', 'file 2', 'emergency', 'opened', 'recorded'].entries()) {
    pool.end(name);
    await begun(3 + i);
    expect(pool.begun.slice(2)).toEqual(order.slice(0, i + 1));
  }
  expect([...pool.turns.values()].map((turn) => turn?.lane)).toEqual([
    'import',
    'import',
    'emergency',
    'awaited',
    'awaited',
    'live',
    'import',
  ]);
});

test('days of recording never take the last worker', async () => {
  for (const name of ['day 1', 'day 2', 'day 3']) await add(name, { durationMs: DAY_MS });
  open.clinic.queue.wake();
  await begun(1);
  await add('short');
  open.clinic.queue.wake();
  await begun(2);
  expect(pool.begun).toEqual(['day 1', 'short']);
  expect(pool.turns.get('day 1')?.isLong).toBe(true);
  pool.end('short');
  await add('short 2');
  open.clinic.queue.wake();
  await begun(3);
  pool.end('day 1');
  await begun(4);
  expect(pool.begun).toEqual(['day 1', 'short', 'short 2', 'day 2']);
});

test('a day that somebody opened goes before one that nobody waits for, which goes on behind it', async () => {
  const first = await add('day 1', { durationMs: DAY_MS });
  open.clinic.queue.wake();
  await begun(1);
  expect(pool.unfinished.get('day 1')).toBe(open.clinic.context.files.unfinishedFolder(first));
  open.clinic.queue.await(await add('day 2', { durationMs: DAY_MS }));
  open.clinic.queue.wake();
  await begun(2);
  await add('day 3', { durationMs: DAY_MS });
  open.clinic.queue.wake();
  pool.end('day 2');
  await begun(3);
  expect(pool.begun).toEqual(['day 1', 'day 2', 'day 1']);
  expect(open.store.tasks.byId(first)).toMatchObject({ state: 'PROCESSING', attempts: 1 });
});
