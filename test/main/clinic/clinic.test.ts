// The domain on a fake clock, over the real store and real files, with workers that do as they are told.

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Clinic } from '../../../main/clinic/clinic.ts';
import { createToken, revokeToken } from '../../../main/clinic/people/tokens.ts';
import { historyOf } from '../../../main/clinic/tasks/task-history.ts';
import type { OpenStore } from '../../../main/store/store.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { SCOPES } from '../../../shared/token-scopes.ts';
import { ScriptedPool } from '../../doubles/pool.ts';
import { openTestClinic, type TestClinic } from '../../support/open-clinic.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

const DAY_MS = 86_400_000;

let folder: TempFolder;
let store: OpenStore;
let pool: ScriptedPool;
let clinic: Clinic;
let opened: TestClinic;
let now = 0;
let organizationId = 0;

async function open(): Promise<void> {
  opened = await openTestClinic(folder.path, pool, () => now);
  ({ store, clinic, organizationId } = opened);
}

const close = (): Promise<void> => opened.close();

beforeEach(async () => {
  now = Date.UTC(2026, 10, 21);
  folder = await tempFolder();
  pool = new ScriptedPool();
  await open();
});
afterEach(async () => {
  await close();
  await folder.remove();
});

const begin = (bytes: Uint8Array): Promise<string> =>
  clinic.uploads.create(
    organizationId,
    { totalSizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    'test',
  );

async function* inPieces(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

async function upload(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const id = await begin(bytes);
  await clinic.uploads.receiveChunk(organizationId, id, 0, inPieces(bytes), undefined, 'test');
  return id;
}

async function newTask(isAutomatic = true): Promise<number> {
  return (
    await clinic.tasks.create(
      organizationId,
      { fields: { patient: {} }, isAutoComplete: isAutomatic },
      'test',
      {
        uploadId: await upload(`recording ${Math.random()}`),
        requestHash: '',
      },
    )
  )[0]!;
}

const stateOf = (id: number) => store.tasks.byId(id)?.state;
const until = (id: number, state: string) => vi.waitFor(() => expect(stateOf(id)).toBe(state));

describe('analysis of tasks', () => {
  test('automatic ones end with a report, others wait for approval', async () => {
    const [automatic, waiting] = [await newTask(true), await newTask(false)];
    await until(automatic, 'COMPLETED');
    await until(waiting, 'AWAITING_APPROVAL');
    expect(store.reports.latest(automatic)).toBeDefined();
    expect(store.reports.latest(waiting)).toBeUndefined();
  });

  test('what was done with a task is told in its order, and what its analysis is at', async () => {
    pool.outcomes.push('crash', 'done');
    const id = await newTask(false);
    await until(id, 'AWAITING_APPROVAL');
    await clinic.approvals.reject(id, 'the leads are exchanged', { name: 'Dr. Ozola', actor: 'user:99' });
    expect(
      historyOf(clinic.context, id).map(({ action, by, reason }) =>
        [action, by, reason].filter(Boolean).join(' '),
      ),
    ).toEqual([
      'task.created',
      'task.taken',
      'task.given_back',
      'task.taken',
      'task.analysed',
      'task.rejected the leads are exchanged',
    ]);
    pool.outcomes.push('hang');
    const next = await newTask(false);
    await vi.waitFor(() => expect(clinic.queue.progressOf(next)?.stage).toBe('beats'));
    expect(clinic.queue.progressOf(id)).toBeUndefined();
  });

  test('a worker that dies costs one of three tries', async () => {
    pool.outcomes.push('crash', 'crash', 'done');
    const id = await newTask();
    await until(id, 'COMPLETED');
    expect(pool.analyses).toBe(3);
  });

  test('after three it has failed, with its reason; a person can try again', async () => {
    pool.outcomes.push('crash', 'crash', 'crash');
    const id = await newTask();
    await until(id, 'FAILED');
    expect(store.tasks.byId(id)?.failureReason).toBe('analysis_crashed');
    expect(clinic.tasks.status(organizationId, id)).toMatchObject({
      isProcessed: true,
      isReportAvailable: false,
    });
    await clinic.tasks.retry(id, 'test');
    await until(id, 'COMPLETED');
    expect(store.tasks.byId(id)?.failureReason).toBeUndefined();
  });

  test('a file that can’t be read fails at once', async () => {
    pool.outcomes.push('unreadable');
    const id = await newTask();
    await until(id, 'FAILED');
    expect([pool.analyses, store.tasks.byId(id)?.failureReason]).toEqual([1, 'record_unreadable']);
  });

  test('one under way at closing is no try lost, and is taken up at the next start', async () => {
    pool.outcomes.push('hang');
    const id = await newTask();
    await until(id, 'PROCESSING');
    await close();
    await open();
    await until(id, 'COMPLETED');
    expect(store.tasks.byId(id)?.attempts).toBe(1);
  });

  test('a completed task can’t be tried again', async () => {
    const id = await newTask();
    await until(id, 'COMPLETED');
    await expect(clinic.tasks.retry(id, 'test')).rejects.toThrow(
      expect.objectContaining({ reason: 'task_state_conflict' }),
    );
  });

  test('every change has its audit row, and the trail is whole', async () => {
    await until(await newTask(), 'COMPLETED');
    const { entries, brokenAt } = store.audit.verify();
    expect(brokenAt).toBeUndefined();
    // organization, upload created and completed, task created, taken, analysed
    expect(entries).toBe(6);
  });
});

describe('uploads', () => {
  test('are forgotten after their time: first expired, later unknown (D45)', async () => {
    const id = await begin(Uint8Array.of(1, 2, 3));
    now += 8 * DAY_MS;
    await clinic.uploads.expire();
    expect(() => clinic.uploads.find(organizationId, id)).toThrow(
      expect.objectContaining({ reason: 'upload_expired' }),
    );
    now += 31 * DAY_MS;
    expect(() => clinic.uploads.find(organizationId, id)).toThrow(
      expect.objectContaining({ reason: 'invalid_upload_id' }),
    );
  });

  test('a recording outlives the upload that it came by', async () => {
    const id = await newTask();
    await until(id, 'COMPLETED');
    now += 60 * DAY_MS;
    await clinic.uploads.expire();
    expect(clinic.tasks.recordingOf(store.tasks.byId(id)!).files).toHaveLength(1);
    expect(
      await clinic.context.files.get(clinic.tasks.recordingOf(store.tasks.byId(id)!).files[0]!.sha256),
    ).toBeDefined();
  });

  test('a complete one that nobody used goes with its bytes', async () => {
    const unused = clinic.uploads.find(organizationId, await upload('never used'));
    expect(await clinic.context.files.get(unused.sha256)).toBeDefined();
    // Files have the time of this computer: one that just came in is spared.
    now = Math.max(now, Date.now()) + 8 * DAY_MS;
    await clinic.uploads.expire();
    expect(await clinic.context.files.get(unused.sha256)).toBeUndefined();
  });

  test('two of the same content: one that ends leaves the other its bytes', async () => {
    const first = await upload('the same');
    now += 5 * DAY_MS;
    const second = await upload('the same');
    now += 3 * DAY_MS;
    await clinic.uploads.expire();
    expect(() => clinic.uploads.find(organizationId, first)).toThrow(
      expect.objectContaining({ reason: 'upload_expired' }),
    );
    const { sha256 } = clinic.uploads.find(organizationId, second);
    expect(await clinic.context.files.get(sha256)).toBeDefined();
  });

  test('good bytes take the place of damaged ones', async () => {
    const first = clinic.uploads.find(organizationId, await upload('content'));
    await writeFile(clinic.context.files.path(first.sha256), 'damaged');
    await upload('content');
    expect(Buffer.from((await clinic.context.files.get(first.sha256))!).toString()).toBe('content');
  });

  test('whose verdict a crash cut short get it when they are asked for', async () => {
    const bytes = new TextEncoder().encode('cut short');
    for (const isAdopted of [false, true]) {
      const id = await begin(bytes);
      const file = (await clinic.context.files.openIncoming(id))!;
      await file.write(0, bytes);
      await file.close();
      store.uploads.addRange(id, [0, bytes.length], now);
      if (isAdopted) await clinic.context.files.adopt(id, clinic.uploads.find(organizationId, id).sha256);
      expect((await clinic.uploads.requireComplete(organizationId, id)).state).toBe('complete');
    }
  });

  test('only so many are open at once, however fast they come (D41)', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => begin(Uint8Array.of(i, 7))),
    );
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(3);
  });

  test('a further one is refused', async () => {
    for (let i = 0; i < 3; i++) await begin(Uint8Array.of(i, 1));
    await expect(begin(Uint8Array.of(9))).rejects.toMatchObject({ reason: 'too_many_uploads' });
  });

  test('belong to their organization (D21)', async () => {
    const id = await begin(Uint8Array.of(1));
    const other = store.organizations.add('other', 'Other', 0);
    expect(() => clinic.uploads.find(other.id, id)).toThrow(
      expect.objectContaining({ reason: 'invalid_upload_id' }),
    );
  });

  test('bytes that were refused are not part of the hash', async () => {
    const bytes = new TextEncoder().encode('the bytes that count');
    const id = await begin(bytes);
    const other = bytes.slice(0, 10).reverse();
    const spy = vi.spyOn(store, 'transaction').mockImplementationOnce(() => {
      throw new IsolineError('storage_full', 'The disk is full.');
    });
    const chunk = (offset: number, part: Uint8Array) =>
      clinic.uploads.receiveChunk(organizationId, id, offset, inPieces(part), undefined, 'test');
    await expect(chunk(0, other)).rejects.toMatchObject({ reason: 'storage_full' });
    spy.mockRestore();
    await chunk(0, bytes.subarray(0, 10));
    await chunk(10, bytes.subarray(10));
    expect(store.uploads.byId(id)?.state).toBe('complete');
  });

  test('a body that breaks off leaves nothing acknowledged', async () => {
    const id = await begin(Uint8Array.of(1, 2, 3, 4));
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(1, 2);
      throw new Error('connection lost');
    }
    await expect(clinic.uploads.receiveChunk(organizationId, id, 0, breaking(), 4, 'test')).rejects.toThrow(
      'connection lost',
    );
    expect(store.uploads.ranges(id)).toEqual([]);
  });
});

describe('tokens', () => {
  const make = (lifeDays: number) =>
    createToken(clinic.context, {
      organizationPath: 'clinic',
      label: 'x',
      scopes: SCOPES,
      lifeDays,
      creator: 'test',
    });

  test('end with their time, or never', async () => {
    const [short, endless] = [await make(1), await make(0)];
    expect(clinic.tokens.recognise(short.text).id).toBe(short.id);
    now += DAY_MS;
    expect(() => clinic.tokens.recognise(short.text)).toThrow(
      expect.objectContaining({ reason: 'api_token_expired' }),
    );
    now += 10_000 * DAY_MS;
    expect(clinic.tokens.recognise(endless.text).id).toBe(endless.id);
  });

  test('that are revoked say so, and only to who has them, within a second', async () => {
    const token = await make(1);
    clinic.tokens.recognise(token.text);
    await revokeToken(clinic.context, token.id, 'test');
    now += 1000;
    expect(() => clinic.tokens.recognise(token.text)).toThrow(
      expect.objectContaining({ reason: 'api_token_revoked' }),
    );
    expect(() => clinic.tokens.recognise(`${token.text}x`)).toThrow(
      expect.objectContaining({ reason: 'api_token_invalid' }),
    );
  });

  test('their use is written at most once a minute', async () => {
    const token = await make(1);
    clinic.tokens.recognise(token.text);
    const first = store.tokens.list()[0]?.lastUsedMs;
    now += 59_000;
    clinic.tokens.recognise(token.text);
    expect(store.tokens.list()[0]?.lastUsedMs).toBe(first);
    now += 2000;
    clinic.tokens.recognise(token.text);
    expect(store.tokens.list()[0]?.lastUsedMs).toBe(now);
  });
});
