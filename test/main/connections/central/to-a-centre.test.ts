// Recordings of one workstation go to another one, over real sockets: everything once, nothing twice, and
// back comes what was found there.

import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredItem } from '../../../../main/store/outbox/outbox-item.ts';
import { STANDARD_LEADS } from '../../../../shared/signal/lead.ts';
import { readAllSamples } from '../../../../shared/signal/recording.ts';
import { passCreationTime } from '../../../support/centre-truth.ts';
import { type ClinicAndCentre, runClinicAndCentre } from '../../../support/clinic-and-centre.ts';
import { centralAt } from '../../../support/made-connections.ts';
import { makeZip } from '../../../support/make-archives.ts';
import { makeFrame } from '../../../support/make-frames.ts';
import {
  eventually,
  FREE_OF_LIMITS,
  NEW_THREAD,
  runWorkstation,
} from '../../../support/running-workstation.ts';
import { storedRecording } from '../../../support/stored-recording.ts';
import { toRecording, twelveLeads } from '../../../support/synthetic-recording.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { dataFolder } from '../../../support/test-data.ts';
import { smallEdf, variedEdf } from '../../../support/varied-edf.ts';
import { write } from '../../../support/written-records.ts';

let both: ClinicAndCentre;
afterEach(() => both?.[Symbol.asyncDispose]());

const itemsOf = (dataDir: string): StoredItem[] => {
  const db = new Database(join(dataDir, 'isoline.sqlite'), { readonly: true });
  try {
    return db
      .prepare<[], string>('SELECT item FROM outbox ORDER BY id')
      .pluck()
      .all()
      .map((text) => JSON.parse(text) as StoredItem);
  } finally {
    db.close();
  }
};
const untilState = (state: StoredItem['state'], id = 1): Promise<StoredItem> =>
  eventually(
    async () => itemsOf(both.clinic.dataDir).find((item) => item.id === id && item.state === state),
    `item ${id} is ${state}`,
  );
const tasksAtCentre = async () => (await both.centre.bridge.call('task.list', { limit: 50 })).rows;

async function recordStream(
  seconds: number,
  skip: readonly number[] = [],
  auto_complete = true,
): Promise<number> {
  const { atClinic } = both;
  const [taskId] = (
    await atClinic.createTask({ auto_complete, patient_last_name: 'Hoffmann', patient_id: '4817' })
  ).json.created_task_ids as number[];
  const start = {
    task_id: taskId,
    processing_mode: 'PROCESS_ON_FINISH',
    frame_format: 'COMPRESSED_DELTA',
    sample_rate: 500,
  };
  const scale = {
    digital_minimum: -32768,
    digital_maximum: 32767,
    physical_minimum: -32.768,
    physical_maximum: 32.767,
  };
  expect(
    (await atClinic.post('/v3/streams/start', { ...start, lead_codes: [...STANDARD_LEADS], ...scale }))
      .status,
  ).toBe(200);
  for (let n = 0; n < seconds; n++)
    if (!skip.includes(n))
      await atClinic.request(
        'POST',
        `/v3/streams/${taskId}/frames?timestamp=${n * 1e6}`,
        makeFrame({ from: n * 500, samples: 500 }),
        {
          'Content-Type': 'application/octet-stream',
        },
      );
  expect((await atClinic.request('POST', `/v3/streams/${taskId}/finish`)).status).toBe(200);
  return taskId!;
}

const EDF = join(dataFolder, 'edf', 'made_ecg12_plusC.edf');

async function importFile(bytes: Uint8Array, fields: object = {}): Promise<number> {
  const uploadId = await both.atClinic.upload(bytes);
  const made = await both.atClinic.createTask({
    upload_id: uploadId,
    auto_complete: true,
    patient_last_name: 'Hoffmann',
    patient_id: '4817',
    ...fields,
  });
  return (made.json.created_task_ids as number[])[0]!;
}

const view = async (id = 1) => {
  for (const list of ['queue', 'decide', 'done', 'stopped'] as const) {
    const { items } = await both.clinic.bridge.call('sync.items', { connectionId: 1, list, limit: 50 });
    const found = items.find(({ itemId }) => itemId === id);
    if (found !== undefined) return found;
  }
  throw new Error(`item ${id} is in no list`);
};
const overview = async () => (await both.clinic.bridge.call('sync.overview', {})).connections[0]!;
const answer = (itemId: number, kind: 'there' | 'again' | 'stop', centralId?: string) =>
  both.clinic.bridge.call('sync.answer', {
    itemId,
    answer: kind,
    ...(centralId !== undefined && { centralId }),
  });
const forwarded = (method: string, pattern: RegExp): number =>
  both.proxy.forwarded.filter((each) => each.method === method && pattern.test(each.path)).length;
const CREATE = /\/tasks$/;

describe('a file that was imported', () => {
  test('goes up as it is, with who it is and the mark by which it is found; the report comes back', async () => {
    both = await runClinicAndCentre([['sync.autoComplete', 'true']]);
    const taskId = await importFile(await readFile(EDF), { indications: ['chest pain'] });
    const item = await untilState('WAITING_REPORT');
    const [task, ...others] = await tasksAtCentre();
    expect(others).toEqual([]);
    expect(String(task?.taskId)).toBe(item.centralId);
    expect(task?.patient.lastName).toBe('Hoffmann');
    const detail = await both.centre.bridge.call('task.get', { taskId: task!.taskId });
    expect(detail.tags[0]).toMatch(/^isoline:[a-z2-7]{8}:[a-z2-7]{12}$/);
    expect(detail.indications).toEqual(['chest pain']);
    await untilState('DONE');
    const { pdf } = await both.clinic.bridge.call('sync.report', { taskId });
    expect(Buffer.from(pdf).equals((await both.atCentre.report(task!.taskId)).bytes)).toBe(true);
    // Ours stands beside it.
    expect((await both.atClinic.report(taskId)).status).toBe(200);
    const { central } = await both.clinic.bridge.call('task.get', { taskId });
    expect(central).toMatchObject({
      state: 'DONE',
      hasReport: true,
      severity: (await tasksAtCentre())[0]?.severity,
    });
    expect(await overview()).toMatchObject({ done: 1, doneToday: 1, waiting: 0, toDecide: 0 });
  });

  test('goes as an archive where it is several files', async () => {
    both = await runClinicAndCentre();
    const ecg = twelveLeads({ leads: STANDARD_LEADS.slice(0, 2), durationSeconds: 10 });
    const { files } = write(toRecording(ecg), 'wfdb', 'made.hea');
    const members = files.map(({ name, source }) => ({ name, content: source.read(0, source.sizeBytes) }));
    expect(members).toHaveLength(2);
    await importFile(makeZip(members));
    await untilState('WAITING_REPORT');
    const [task, ...others] = await tasksAtCentre();
    expect(others).toEqual([]);
    expect(task).toMatchObject({ patient: { lastName: 'Hoffmann' }, leadCount: 2 });
  });

  test('goes once, also where it came in twice', async () => {
    both = await runClinicAndCentre();
    const bytes = smallEdf();
    await importFile(bytes);
    await untilState('WAITING_REPORT');
    await importFile(bytes);
    expect(await untilState('STOPPED', 2)).toMatchObject({ cause: 'sentAlready' });
    expect(await tasksAtCentre()).toHaveLength(1);
    // Somebody who wants it all the same says so.
    await answer(2, 'again');
    await untilState('WAITING_REPORT', 2);
    expect(await tasksAtCentre()).toHaveLength(2);
  });

  test('goes to a centre that was added later when somebody wants it, all with one answer', async () => {
    both = await runClinicAndCentre();
    const { bridge } = both.clinic;
    await importFile(smallEdf());
    await importFile(smallEdf(5));
    await importFile(smallEdf(6), { auto_complete: false });
    const kept = await importFile(smallEdf(7), {
      auto_complete: false,
      patient_last_name: 'Okafor',
      patient_id: '0815',
    });
    await untilState('WAITING_REPORT', 2);
    // Nothing is to leave of this one, so it is not offered either.
    await bridge.call('sync.keepPatient', { taskId: kept, isKept: true });
    const made = {
      to: centralAt(both.centre.url),
      label: 'Second',
      organization: 'clinic',
      secret: both.centreToken,
    };
    // A recording that moves on after the connection counts as new, so all of them have to be done before.
    await eventually(async () => {
      const { rows } = await bridge.call('task.list', { limit: 50 });
      return rows.every(({ state }) => state === 'COMPLETED' || state === 'AWAITING_APPROVAL')
        ? true
        : undefined;
    }, 'the analyses');
    const { connectionId } = await bridge.call('connection.add', made);
    expect(await bridge.call('sync.items', { connectionId, list: 'queue', limit: 50 })).toEqual({
      items: [],
    });
    expect(await bridge.call('sync.earlier', { connectionId })).toEqual({ count: 3 });
    expect(await bridge.call('sync.sendEarlier', { connectionId })).toEqual({ count: 3 });
    expect(await bridge.call('sync.earlier', { connectionId })).toEqual({ count: 0 });
    // The rules for what is new hold for what is old: without its approval it does not go.
    // They go side by side.
    for (const id of [5, 6]) await untilState('WAITING_REPORT', id);
    expect(itemsOf(both.clinic.dataDir).map(({ id, state }) => [id, state === 'HELD'])).toEqual([
      [1, false],
      [2, false],
      [3, true],
      [4, false],
      [5, false],
      [6, false],
      [7, true],
    ]);
    expect(await tasksAtCentre()).toHaveLength(4);
  });

  test('waits until it is as far as was agreed, and stays here when it is taken back', async () => {
    both = await runClinicAndCentre();
    const taskId = await importFile(smallEdf(), { auto_complete: false });
    await eventually(
      async () =>
        (await both.clinic.bridge.call('task.get', { taskId })).state === 'AWAITING_APPROVAL'
          ? true
          : undefined,
      'analysis',
    );
    expect(await view()).toMatchObject({ state: 'HELD', taskId });
    expect(await overview()).toMatchObject({ held: 1, waiting: 0 });
    await both.clinic.bridge.call('task.delete', { taskId, reason: 'wrong patient' });
    expect(await view()).toMatchObject({ state: 'STOPPED', cause: 'taskGone' });
    await both.clinic.bridge.call('setting.change', { key: 'sync.when', text: 'analysed' });
    await importFile(smallEdf(1), { auto_complete: false });
    await untilState('WAITING_REPORT', 2);
  });

  test('of a patient of whom nothing is to leave stays here', async () => {
    both = await runClinicAndCentre();
    both.proxy.when('POST', '/uploads', { kind: 'answer', status: 503 }, 1000);
    const taskId = await importFile(smallEdf());
    await untilState('SENDING');
    await both.clinic.bridge.call('sync.keepPatient', { taskId, isKept: true });
    expect(await view()).toMatchObject({ state: 'STOPPED', cause: 'patientKept' });
    both.proxy.clear();
    await importFile(smallEdf(2));
    expect(await untilState('STOPPED', 2)).toMatchObject({ cause: 'patientKept' });
    await both.clinic.bridge.call('sync.keepPatient', { taskId, isKept: false });
    await importFile(smallEdf(3));
    await untilState('WAITING_REPORT', 3);
    expect(await tasksAtCentre()).toHaveLength(1);
  });
});

describe('the answer to the creation is lost', () => {
  beforeEach(async () => {
    both = await runClinicAndCentre();
    both.proxy.when('POST', '/tasks', { kind: 'loseAnswer' });
    await importFile(smallEdf());
  });

  test('and nothing is sent again until somebody has looked; the number that is given is looked up', async () => {
    expect(await untilState('NEEDS_CHECK')).toMatchObject({ cause: 'lostAnswer' });
    const { marker } = await view();
    const [task] = await tasksAtCentre();
    expect((await both.centre.bridge.call('task.get', { taskId: task!.taskId })).tags).toContain(marker);
    await expect(answer(1, 'there', '4711')).rejects.toMatchObject({ reason: 'central_task_unknown' });
    await answer(1, 'there', String(task!.taskId));
    expect(await untilState('WAITING_REPORT')).toMatchObject({ centralId: String(task!.taskId) });
    expect(forwarded('POST', CREATE)).toBe(1);
  });

  test('and is sent again when somebody says that it is not there', async () => {
    await untilState('NEEDS_CHECK');
    const { knowableFromMs = 0 } = await view();
    expect(knowableFromMs).toBeGreaterThan(Date.now());
    // The centre may still be at it: whoever looks now and finds nothing would make a second one.
    await expect(answer(1, 'again')).rejects.toMatchObject({ reason: 'answer_too_early' });
    expect(forwarded('POST', CREATE)).toBe(1);
    passCreationTime(both.clinic.dataDir);
    expect(await view()).not.toHaveProperty('knowableFromMs');
    await answer(1, 'again');
    await untilState('WAITING_REPORT');
    expect(forwarded('POST', CREATE)).toBe(2);
    await expect(answer(1, 'again')).rejects.toMatchObject({ reason: 'item_not_found' });
  });
});

test('another workstation as the centre makes no second task of a creation that is repeated', async () => {
  both = await runClinicAndCentre();
  const tested = await both.clinic.bridge.call('connection.test', { connectionId: 1 });
  expect(tested).toMatchObject({
    isReached: true,
    isOurs: true,
    proven: { isStreamProven: true, isIdempotent: true },
    offers: { read: true, upload: true, create: true, stream: true },
  });
  both.proxy.when('POST', '/tasks', { kind: 'loseAnswer' }, 2);
  await importFile(smallEdf());
  await untilState('WAITING_REPORT');
  expect(forwarded('POST', CREATE)).toBe(5);
  // One draft is the test's, and a request of it that names no upload makes nothing.
  expect(await tasksAtCentre()).toHaveLength(2);
});

test('a token that is refused stops the centre, and nothing is lost; another one lets it go on', async () => {
  both = await runClinicAndCentre();
  await both.clinic.bridge.call('connection.change', { connectionId: 1, secret: 'isl_wrong' });
  await importFile(smallEdf());
  await eventually(async () => ((await overview()).stop === 'token' ? true : undefined), 'the stop');
  const calls = both.proxy.forwarded.length;
  await both.clinic.bridge.call('sync.now', { connectionId: 1 });
  await importFile(smallEdf(4));
  await eventually(async () => ((await overview()).waiting === 2 ? true : undefined), 'the second one');
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(both.proxy.forwarded.length).toBe(calls);
  expect(await overview()).toMatchObject({ waiting: 2, stop: 'token' });
  await both.clinic.bridge.call('connection.change', { connectionId: 1, secret: both.centreToken });
  await untilState('WAITING_REPORT', 1);
  await untilState('WAITING_REPORT', 2);
  expect(await tasksAtCentre()).toHaveLength(2);
});

test('a pause, and going on', async () => {
  both = await runClinicAndCentre();
  await both.clinic.bridge.call('sync.pause', { connectionId: 1 });
  await importFile(smallEdf());
  await untilState('READY');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(both.proxy.forwarded).toHaveLength(0);
  await both.clinic.bridge.call('sync.resume', { connectionId: 1 });
  await untilState('WAITING_REPORT');
});

test('a copy of the data sends nothing by itself, and goes under another name', async () => {
  both = await runClinicAndCentre();
  await both.clinic.bridge.call('sync.pause', { connectionId: 1 });
  await importFile(smallEdf());
  await untilState('READY');
  const { marker } = await view();
  await using folder = await tempFolder();
  await both.clinic.workstation.close();
  await cp(both.clinic.dataDir, folder.path, { recursive: true });
  const before = both.proxy.forwarded.length;
  await using copy = await runWorkstation({ dataDir: folder.path, overrides: FREE_OF_LIMITS });
  const seen = async () => (await copy.bridge.call('sync.overview', {})).connections[0]!;
  expect(await seen()).toMatchObject({ stop: 'restoredCopy', toDecide: 1, waiting: 0 });
  await copy.bridge.call('sync.resume', { connectionId: 1 });
  await copy.bridge.call('sync.now', { connectionId: 1 });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(both.proxy.forwarded.length).toBe(before);
  const { items } = await copy.bridge.call('sync.items', { connectionId: 1, list: 'decide', limit: 5 });
  // It keeps the mark under which it may have been sent.
  expect(items).toMatchObject([{ cause: 'restoredCopy', marker }]);
  await copy.bridge.call('sync.answer', { itemId: 1, answer: 'again' });
  await eventually(
    async () => ((await seen()).atCentre === 1 ? true : undefined),
    'it is sent once somebody says so',
  );
});

describe('a recording of a device', () => {
  test('goes as a stream: the same samples at the same places, with its gap', async () => {
    both = await runClinicAndCentre([['sync.way', 'stream']]);
    const taskId = await recordStream(25, [12]);
    const item = await untilState('WAITING_REPORT');
    const [here, there] = [
      await storedRecording(both.clinic, taskId),
      await storedRecording(both.centre, Number(item.centralId)),
    ];
    expect(there.channels.map(readAllSamples)).toEqual(here.channels.map(readAllSamples));
    expect(there.gaps).toEqual(here.gaps);
    const { recordingStartMs } = await both.centre.bridge.call('task.get', {
      taskId: Number(item.centralId),
    });
    expect(recordingStartMs).toBe(here.startTime?.utcMs);
  });

  test('goes as a file where streams are not proven', async () => {
    both = await runClinicAndCentre();
    const taskId = await recordStream(12);
    const item = await untilState('WAITING_REPORT');
    const [here, there] = [
      await storedRecording(both.clinic, taskId),
      await storedRecording(both.centre, Number(item.centralId)),
    ];
    expect(there.format).toBe('EDF+C');
    expect(readAllSamples(there.channels[0]!).subarray(0, 1000)).toEqual(
      readAllSamples(here.channels[0]!).subarray(0, 1000),
    );
  });
});

test('what the centre judges graver is told until somebody has looked; ours stays as it is', async () => {
  both = await runClinicAndCentre();
  both.proxy.when(
    'GET',
    '/status',
    {
      kind: 'answer',
      status: 200,
      body: '{"creation_time":"2026-11-22T12:00:00Z","processed":false,"report_available":false,"severity":"CRITICAL"}',
      headers: { 'content-type': 'application/json' },
    },
    1000,
  );
  const taskId = await importFile(smallEdf());
  const raised = async () => (await both.clinic.bridge.call('sync.overview', {})).raised;
  await eventually(async () => ((await raised()).length === 1 ? true : undefined), 'the news');
  expect(await raised()).toMatchObject([{ taskId, severity: 'CRITICAL', patient: { lastName: 'Hoffmann' } }]);
  const row = await both.clinic.bridge.call('task.get', { taskId });
  expect(row.central?.severity).toBe('CRITICAL');
  expect(row.severity).not.toBe('CRITICAL');
  await both.clinic.bridge.call('sync.seen', { itemId: 1 });
  expect(await raised()).toEqual([]);
});

test('a task that the centre does not know any more is believed to be gone at the second time of asking', async () => {
  both = await runClinicAndCentre();
  await importFile(smallEdf());
  await untilState('WAITING_REPORT');
  both.proxy.when('GET', '/status', { kind: 'answer', status: 404 }, 1000);
  await both.clinic.bridge.call('sync.now', { connectionId: 1 });
  await eventually(
    async () => (itemsOf(both.clinic.dataDir)[0]?.absentMs === undefined ? undefined : true),
    'the first time',
  );
  expect(await view()).toMatchObject({ state: 'WAITING_REPORT' });
});

describe('a patient that is changed', () => {
  const assign = (taskId: number, last: string) =>
    both.clinic.bridge.call('task.assign', {
      taskId,
      entry: {
        fields: { patient_last_name: last, patient_id: '99' },
        identity: { name: 'said', birth: 'said' },
      },
      reason: 'mixed up at the desk',
    });
  const namesAtCentre = async () => (await tasksAtCentre()).map(({ patient }) => patient.lastName);

  test('before it is there: only the right name ever gets there, in the request and in the file', async () => {
    both = await runClinicAndCentre([['sync.when', 'analysed']]);
    both.proxy.when('POST', '/tasks', { kind: 'answer', status: 429, headers: { 'retry-after': '2' } });
    const taskId = await recordStream(12, [], false);
    await eventually(
      async () => (itemsOf(both.clinic.dataDir)[0]?.upload === undefined ? undefined : true),
      'the file is there',
      20_000,
    );
    await eventually(
      async () =>
        (await both.clinic.bridge.call('task.get', { taskId })).state === 'AWAITING_APPROVAL'
          ? true
          : undefined,
      'analysis',
    );
    await assign(taskId, 'Petrova');
    const item = await untilState('WAITING_REPORT');
    expect(await namesAtCentre()).toEqual(['Petrova']);
    const { patient } = await storedRecording(both.centre, Number(item.centralId));
    expect(patient.lastName).toBe('Petrova');
  });

  test('while its creation is under way, which comes to nothing: the file goes again under the right name', async () => {
    both = await runClinicAndCentre([['sync.when', 'analysed']]);
    const taskId = await recordStream(12, [], false);
    // The probe in front of the creation takes a while; the creation is then refused for the moment.
    both.proxy.when('GET', '/status', { kind: 'delay', ms: 1500 });
    both.proxy.when('POST', '/tasks', { kind: 'answer', status: 429, headers: { 'retry-after': '1' } });
    await eventually(
      async () => (itemsOf(both.clinic.dataDir)[0]?.intent === 'createTask' ? true : undefined),
      'the creation',
      20_000,
    );
    await assign(taskId, 'Petrova');
    const item = await untilState('WAITING_REPORT');
    expect(await namesAtCentre()).toEqual(['Petrova']);
    expect((await storedRecording(both.centre, Number(item.centralId))).patient.lastName).toBe('Petrova');
    expect(forwarded('POST', /\/uploads$/)).toBe(2);
  });

  test('after it is there: it is shown that it differs; one can be sent in its place, and says so', async () => {
    both = await runClinicAndCentre([
      ['sync.way', 'stream'],
      ['sync.when', 'analysed'],
    ]);
    const taskId = await recordStream(12, [], false);
    const first = await untilState('WAITING_REPORT');
    await assign(taskId, 'Petrova');
    expect(await overview()).toMatchObject({ differing: 1 });
    const differing = async () =>
      (await both.clinic.bridge.call('sync.items', { connectionId: 1, list: 'differing', limit: 5 })).items;
    expect(await differing()).toMatchObject([
      { patient: { lastName: 'Petrova' }, sentPatient: { lastName: 'Hoffmann', id: '4817' } },
    ]);
    expect(await namesAtCentre()).toEqual(['Hoffmann']);
    await both.clinic.bridge.call('sync.settle', { itemId: 1, how: 'asNew' });
    await eventually(async () => ((await tasksAtCentre()).length === 2 ? true : undefined), 'the new one');
    const second = await eventually(async () => {
      const item = itemsOf(both.clinic.dataDir)[0];
      return item?.state === 'WAITING_REPORT' && item.centralId !== first.centralId ? item : undefined;
    }, 'it is there');
    const { tags, patient } = await both.centre.bridge.call('task.get', { taskId: Number(second.centralId) });
    expect(tags).toContain(`isoline:replaces:${first.centralId}`);
    expect(patient.lastName).toBe('Petrova');
    expect(await overview()).toMatchObject({ differing: 0 });
  });
});

test('a centre that is disconnected and connected again is the same: nothing goes twice, what waited goes on', async () => {
  both = await runClinicAndCentre();
  await importFile(smallEdf());
  await untilState('WAITING_REPORT');
  await both.clinic.bridge.call('sync.pause', { connectionId: 1 });
  const taskId = await importFile(smallEdf(5));
  await untilState('READY', 2);
  await both.clinic.bridge.call('connection.remove', { connectionId: 1 });
  expect((await both.clinic.bridge.call('task.get', { taskId })).central).toBeUndefined();
  const again = {
    to: centralAt(both.proxy.url),
    label: 'Centre',
    organization: 'clinic',
    secret: both.centreToken,
  };
  expect(await both.clinic.bridge.call('connection.add', again)).toEqual({ connectionId: 1 });
  await untilState('WAITING_REPORT', 2);
  expect(await tasksAtCentre()).toHaveLength(2);
  expect(forwarded('POST', CREATE)).toBe(2);
  await expect(both.clinic.bridge.call('connection.add', again)).rejects.toMatchObject({
    reason: 'centre_exists',
  });
});

test('a database that is put back to what it was sends nothing by itself', async () => {
  both = await runClinicAndCentre();
  const { dataDir } = both.clinic;
  await both.clinic.bridge.call('sync.pause', { connectionId: 1 });
  await importFile(smallEdf());
  await untilState('READY');
  await both.clinic.workstation.close();
  const path = join(dataDir, 'isoline.sqlite');
  const before = await readFile(path);
  const again = await runWorkstation({ dataDir, overrides: FREE_OF_LIMITS });
  await again.bridge.call('sync.resume', { connectionId: 1 });
  await untilState('WAITING_REPORT');
  await again.workstation.close();
  await writeFile(path, before);
  await using restored = await runWorkstation({ dataDir, overrides: FREE_OF_LIMITS, ...NEW_THREAD });
  const [seen] = (await restored.bridge.call('sync.overview', {})).connections;
  expect(seen).toMatchObject({ stop: 'restoredCopy', toDecide: 1 });
  // What is there is found there, although it is another life in which it was sent.
  const [task] = await tasksAtCentre();
  await restored.bridge.call('sync.answer', { itemId: 1, answer: 'there', centralId: String(task!.taskId) });
  expect(forwarded('POST', CREATE)).toBe(1);
});

test('somebody on the way takes no large pieces: the upload goes on in smaller ones', async () => {
  both = await runClinicAndCentre();
  both.proxy.when('POST', '/chunks', {
    kind: 'answer',
    status: 413,
    body: '<html>413 Request Entity Too Large</html>',
  });
  await importFile(variedEdf(77, 20));
  await untilState('WAITING_REPORT');
  expect(forwarded('POST', /\/uploads$/)).toBe(1);
  const sizes = both.proxy.forwarded.filter(({ path }) => path.includes('/chunks')).map(({ bytes }) => bytes);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(512 << 10);
});

test('a proxy that is none is not taken', async () => {
  both = await runClinicAndCentre();
  for (const text of ['10.0.0.1:3128', 'proxy', 'http://me:secret@proxy:3128'])
    await expect(
      both.clinic.bridge.call('setting.change', { key: 'sync.proxy', text }),
    ).rejects.toMatchObject({
      reason: 'invalid_setting',
    });
  await both.clinic.bridge.call('setting.change', { key: 'sync.proxy', text: 'http://proxy:3128' });
});

test('nothing of a patient leaves under another chart either', async () => {
  both = await runClinicAndCentre();
  await both.clinic.bridge.call('sync.pause', { connectionId: 1 });
  const first = await importFile(smallEdf(), { patient_id: '1' });
  await importFile(smallEdf(6), { patient_id: '2' });
  await untilState('READY', 2);
  await both.clinic.bridge.call('sync.keepPatient', { taskId: first, isKept: true });
  const { patients } = await both.clinic.bridge.call('patient.search', {
    text: 'hoffmann',
    dateOrder: 'dayFirst',
  });
  const idOf = (number: string) => patients.find(({ patient }) => patient.id === number)!.patientId;
  await both.clinic.bridge.call('patient.merge', {
    keptId: idOf('2'),
    goneId: idOf('1'),
    facts: { lastName: 'Hoffmann', id: '2' },
    reason: 'the same person',
  });
  await importFile(smallEdf(7), { patient_id: '2' });
  expect(await untilState('STOPPED', 3)).toMatchObject({ cause: 'patientKept' });
});
