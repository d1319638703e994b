import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { taskDetail } from '../../../../main/bridge/handlers/task-row.ts';
import { streamStartOf } from '../../../../main/service/stream-start.ts';
import { checkTaskRequest } from '../../../../main/v3/task-fields.ts';
import { IsolineError } from '../../../../shared/errors.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { makeFrame } from '../../../support/make-frames.ts';
import { openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

const HOUR_MS = 3_600_000;
const START = {
  processing_mode: 'PROCESS_ON_FINISH',
  frame_format: 'COMPRESSED_DELTA',
  sample_rate: 500,
  lead_codes: ['MDC_ECG_LEAD_I'],
} as const;

let folder: TempFolder;
let pool: ScriptedPool;
let opened: TestClinic;
let now = Date.UTC(2026, 10, 21);
beforeEach(async () => {
  folder = await tempFolder();
  pool = new ScriptedPool();
  opened = await openTestClinic(folder.path, pool, () => now, [['devices.autoStart', 'true']]);
});
afterEach(async () => {
  await opened.close();
  await folder.remove();
});

const newTask = async (fields: object = {}): Promise<number> =>
  (await opened.clinic.tasks.create(opened.organizationId, checkTaskRequest(fields, now), 'test'))[0]!;
const start = (fields: object): Promise<number> =>
  opened.clinic.streams.start(
    opened.organizationId,
    streamStartOf({ ...START, lead_codes: [...START.lead_codes], ...fields }),
    'test',
  );
const frame = (id: number, n: number): Promise<void> =>
  opened.clinic.streams.append(
    opened.organizationId,
    id,
    n * 500_000,
    makeFrame({ leads: 1, from: n * 250 }),
    'test',
  );
const params = (id: number) => opened.clinic.streams.params(opened.organizationId, id);
const stateOf = (id: number) => opened.store.tasks.byId(id)?.state;

describe('a stream that nobody feeds (D83)', () => {
  test('is finished after a day, with a warning; without frames its task waits again', async () => {
    const fed = await start({ task_id: await newTask() });
    await frame(fed, 0);
    const empty = await start({ task_id: await newTask({ device_id: 'E' }) });
    now += 23 * HOUR_MS;
    await opened.clinic.streams.closeIdle();
    expect([stateOf(fed), stateOf(empty)]).toEqual(['RECEIVING', 'RECEIVING']);
    now += 2 * HOUR_MS;
    await opened.clinic.streams.closeIdle();
    expect(stateOf(empty)).toBe('WAITING');
    expect(opened.store.tasks.byId(fed)?.warnings.map(({ code }) => code)).toEqual(['finished_by_timeout']);
    await vi.waitFor(() => expect(stateOf(fed)).toBe('AWAITING_APPROVAL'));
    expect(await start({ task_id: empty })).toBe(empty);
  });

  test('is no other because the clock was put forward a week while the device is away', async () => {
    let runMs = 0;
    await opened.close();
    opened = await openTestClinic(folder.path, pool, () => now, [], { monotonicMs: () => runMs });
    const id = await start({ task_id: await newTask() });
    await opened.clinic.streams.closeIdle();
    await frame(id, 0);
    await opened.clinic.streams.closeIdle();
    now += 7 * 24 * HOUR_MS;
    runMs += 2 * HOUR_MS;
    await opened.clinic.streams.closeIdle();
    expect(stateOf(id)).toBe('RECEIVING');
    await frame(id, 1);
    await opened.clinic.streams.closeIdle();
    // Put back again, it ends all the same.
    now -= 7 * 24 * HOUR_MS;
    runMs += 25 * HOUR_MS;
    await opened.clinic.streams.closeIdle();
    expect(stateOf(id)).not.toBe('RECEIVING');
  });

  test('but whose device reports goes on', async () => {
    const id = await start({ task_id: await newTask() });
    now += 23 * HOUR_MS;
    await opened.clinic.streams.report(opened.organizationId, id, 'RECORDING');
    now += 23 * HOUR_MS;
    await opened.clinic.streams.closeIdle();
    expect(stateOf(id)).toBe('RECEIVING');
  });
});

describe('commands (D78)', () => {
  test('are given up after ten minutes, and that shows', async () => {
    const id = await newTask({ device_id: 'C' });
    await opened.clinic.devices.command(id, 'START_DEVICE', 'test');
    now += 599_000;
    expect((await params(id)).command).toBe('START_DEVICE');
    now += 2000;
    expect((await params(id)).command).toBeUndefined();
    expect(opened.clinic.streams.deviceView(opened.store.tasks.byId(id)!)).toMatchObject({
      isCommandIgnored: true,
    });
  });

  test('a device that waits is started by itself after ten seconds, where that is switched on', async () => {
    const id = await newTask({ device_id: 'A' });
    await opened.clinic.streams.report(opened.organizationId, id, 'WAITING_FOR_START');
    expect((await params(id)).command).toBeUndefined();
    now += 10_000;
    expect((await params(id)).command).toBe('START_DEVICE');
  });
});

test('a device is lost after thirty seconds without a word; the stream stays (D80)', async () => {
  const id = await start({ task_id: await newTask(), device_state: 'RECORDING' });
  const view = () => opened.clinic.streams.deviceView(opened.store.tasks.byId(id)!)!;
  now += 30_000;
  expect(view().isLost).toBe(false);
  now += 1000;
  expect([view().isLost, stateOf(id)]).toEqual([true, 'RECEIVING']);
  await frame(id, 0);
  expect(view()).toMatchObject({ isLost: false, frameCount: 1 });
});

test('a duration that is set is told (D79)', async () => {
  const id = await newTask({ device_id: 'D' });
  await opened.clinic.devices.setDuration(id, 12_345, 'test');
  expect(await params(id)).toMatchObject({ durationMs: 12_345 });
  await opened.clinic.devices.setDuration(id, undefined, 'test');
  expect(await params(id)).toMatchObject({ durationMs: undefined });
});

test('by device a stream goes on only if it was heard of within ten minutes (D71)', async () => {
  const task_id = await newTask({ device_id: 'G' });
  await start({ task_id });
  await frame(task_id, 0);
  now += 599_000;
  expect(await start({ device_id: 'G' })).toBe(task_id);
  now += 2000;
  await expect(start({ device_id: 'G' })).rejects.toMatchObject({ reason: 'no_waiting_task' });
});

test('64 streams are open at most (D85)', async () => {
  for (let i = 0; i < 64; i++) await start({ task_id: await newTask() });
  await expect(start({ task_id: await newTask() })).rejects.toMatchObject({ reason: 'task_state_conflict' });
});

describe('frames that come at once (D76)', () => {
  test('share commits, and each is acknowledged only when its commit is done', async () => {
    const id = await start({ task_id: await newTask() });
    let commits = 0;
    const transaction = opened.store.transaction.bind(opened.store);
    const spy = vi.spyOn(opened.store, 'transaction').mockImplementation((work) => {
      commits++;
      return transaction(work);
    });
    await Promise.all(Array.from({ length: 300 }, (_, n) => frame(id, n)));
    spy.mockRestore();
    // At most 256 frames share one.
    expect(commits).toBe(2);
    expect(opened.store.streams.countFrames(id)).toBe(300);
  });

  test('a commit that fails acknowledges none of its frames, and the next one goes on', async () => {
    const id = await start({ task_id: await newTask() });
    const spy = vi.spyOn(opened.store, 'transaction').mockImplementation(() => {
      throw Object.assign(new Error('full'), { reason: 'storage_full' });
    });
    const results = await Promise.allSettled([frame(id, 0), frame(id, 1), frame(id, 0)]);
    spy.mockRestore();
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(opened.store.streams.countFrames(id)).toBe(0);
    await frame(id, 0);
    expect(opened.store.streams.countFrames(id)).toBe(1);
  });
});

test('while a finish is tried, frames and questions wait for its outcome (D81)', async () => {
  const id = await start({ task_id: await newTask() });
  await frame(id, 0);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const transaction = opened.store.transaction.bind(opened.store);
  let isHeld = true;
  void held.then(() => {
    isHeld = false;
  });
  const spy = vi.spyOn(opened.store, 'transaction').mockImplementation((work) => {
    if (isHeld) throw new IsolineError('storage_busy', 'Held.');
    return transaction(work);
  });
  const finishing = opened.clinic.streams.finish(opened.organizationId, id, 'test');
  await new Promise((done) => setTimeout(done, 50));
  const outcomes = Promise.allSettled([
    params(id),
    frame(id, 1),
    opened.clinic.streams.finish(opened.organizationId, id, 'test'),
  ]);
  await new Promise((done) => setTimeout(done, 100));
  release();
  await finishing;
  expect(
    (await outcomes).map((each) => each.status === 'rejected' && (each.reason as IsolineError).reason),
  ).toEqual(Array(3).fill('stream_not_found'));
  spy.mockRestore();
});

describe('approval (D62, D92)', () => {
  const approver = { name: 'Dr. Ozola', actor: 'user:1' };

  async function analysed(): Promise<number> {
    const id = await start({ task_id: await newTask({ patient_id: '4711' }) });
    await frame(id, 0);
    await opened.clinic.streams.finish(opened.organizationId, id, 'test');
    await vi.waitFor(() => expect(stateOf(id)).toBe('AWAITING_APPROVAL'));
    return id;
  }

  test('of findings that an older version made without a list, what no version assesses is said all the same', async () => {
    const { notAssessed } = taskDetail(opened.clinic.worklist.lookAt(await analysed()));
    expect(notAssessed.map(({ code }) => code)).toEqual(['ST', 'QWAVES', 'CONDUCTION', 'HYPERTROPHY']);
  });

  test('makes the report of the revision that was seen, and completes the task', async () => {
    const id = await analysed();
    await opened.clinic.approvals.approve(id, { revision: 1, version: 0 }, approver);
    expect(opened.clinic.tasks.status(opened.organizationId, id)).toMatchObject({
      isProcessed: true,
      isReportAvailable: true,
      severity: 'NONE',
    });
    expect(opened.store.reports.latest(id)?.look.approval).toEqual({
      kind: 'approved',
      by: 'Dr. Ozola',
      atMs: now,
    });
    const first = await opened.clinic.reports.fetch(opened.organizationId, id);
    expect((await opened.clinic.reports.fetch(opened.organizationId, id)).sha256).toBe(first.sha256);
  });

  test('of another revision, or twice, is refused', async () => {
    const id = await analysed();
    await expect(
      opened.clinic.approvals.approve(id, { revision: 2, version: 0 }, approver),
    ).rejects.toMatchObject({
      reason: 'task_state_conflict',
    });
    await opened.clinic.approvals.approve(id, { revision: 1, version: 0 }, approver);
    await expect(
      opened.clinic.approvals.approve(id, { revision: 1, version: 0 }, approver),
    ).rejects.toMatchObject({
      reason: 'task_state_conflict',
    });
  });

  test('leaves the task as it is where the report can’t be made', async () => {
    const id = await analysed();
    vi.spyOn(pool, 'report').mockRejectedValueOnce(new Error('no fonts'));
    await expect(opened.clinic.approvals.approve(id, { revision: 1, version: 0 }, approver)).rejects.toThrow(
      'no fonts',
    );
    expect([stateOf(id), opened.store.reports.latest(id)]).toEqual(['AWAITING_APPROVAL', undefined]);
  });
});

test('a disk that is full while a stream becomes a file fails nothing: it is tried again', async () => {
  const id = await start({ task_id: await newTask() });
  await frame(id, 0);
  const full = new IsolineError('storage_full', 'The disk is full.');
  const spy = vi.spyOn(opened.clinic.context.files, 'createIncoming').mockRejectedValue(full);
  await opened.clinic.streams.finish(opened.organizationId, id, 'test');
  await vi.waitFor(() => expect([stateOf(id), spy.mock.calls.length]).toEqual(['QUEUED', 1]));
  expect(opened.store.tasks.byId(id)?.attempts).toBe(0);
  spy.mockRestore();
  await opened.close();
  opened = await openTestClinic(folder.path, pool, () => now);
  await vi.waitFor(() => expect(stateOf(id)).toBe('AWAITING_APPROVAL'));
});

test('downloads end a day after their last use (D48)', async () => {
  const id = await start({ task_id: await newTask() });
  await frame(id, 0);
  await opened.clinic.streams.finish(opened.organizationId, id, 'test');
  await vi.waitFor(() => expect(stateOf(id)).toBe('AWAITING_APPROVAL'));
  const download = await opened.clinic.downloads.create(opened.organizationId, id, 'recording', 'test');
  const chunk = () => opened.clinic.downloads.chunk(opened.organizationId, download.id, 0);
  now += 23 * HOUR_MS;
  await chunk();
  now += 23 * HOUR_MS;
  await chunk();
  now += 25 * HOUR_MS;
  await expect(chunk()).rejects.toMatchObject({ reason: 'invalid_download_id' });
  await opened.clinic.downloads.expire();
  expect(opened.store.downloads.byId(download.id)).toBeUndefined();
});
