import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import { INVALID_SAMPLE, readAllSamples } from '../../../shared/signal/recording.ts';
import { frameChannels, heartbeat, makeFrame } from '../../support/make-frames.ts';
import {
  eventually,
  FREE_OF_LIMITS,
  NEW_THREAD,
  type RunningWorkstation,
  runWorkstation,
} from '../../support/running-workstation.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { recordingFrom } from '../../support/test-data.ts';
import { type Answer, rawRequest, V3Client } from '../../support/v3-client.ts';

const SCALE = {
  digital_minimum: -32768,
  digital_maximum: 32767,
  physical_minimum: -32.768,
  physical_maximum: 32.767,
};
const START = {
  processing_mode: 'PROCESS_ON_FINISH',
  frame_format: 'COMPRESSED_DELTA',
  sample_rate: 500,
  lead_codes: [...STANDARD_LEADS],
  ...SCALE,
};
const FRAME_US = 500_000;

let running: RunningWorkstation;
let client: V3Client;
beforeAll(async () => {
  running = await runWorkstation({ overrides: FREE_OF_LIMITS });
  client = new V3Client(running.url, (await running.makeToken()).text);
});
afterAll(() => running.stop());

const newTask = async (fields: object = {}): Promise<number> =>
  ((await client.createTask(fields)).json.created_task_ids as number[])[0]!;
const start = (fields: object): Promise<Answer> => client.post('/v3/streams/start', { ...START, ...fields });
const frame = (
  id: number | string,
  timestamp: number | string,
  bytes: Uint8Array,
  headers?: Record<string, string>,
): Promise<Answer> =>
  client.request(
    'POST',
    `/v3/streams/${id}/frames?timestamp=${timestamp}`,
    bytes,
    headers ?? { 'Content-Type': 'application/octet-stream' },
  );
const finish = (id: number): Promise<Answer> => client.request('POST', `/v3/streams/${id}/finish`);
const params = (id: number): Promise<Answer> => client.get(`/v3/streams/${id}/params`);
const report = (id: number, state: unknown): Promise<Answer> =>
  client.post(`/v3/streams/${id}/params`, { device_state: state });
const nth = (n: number, samples = 250): Uint8Array => makeFrame({ from: n * samples, samples });

async function openStream(fields: object = {}): Promise<number> {
  const task_id = await newTask();
  expect(await start({ task_id, ...fields })).toMatchObject({ status: 200, json: { stream_id: task_id } });
  return task_id;
}

const stateOf = async (taskId: number): Promise<string> =>
  (await running.bridge.call('task.get', { taskId })).state;
const untilProcessed = (taskId: number): Promise<unknown> =>
  eventually(
    async () => ((await client.status(taskId)).json.processed === true ? true : undefined),
    'the analysis',
  );

/** The recording that a finished stream became, read as a reader reads it. */
async function recordingOf(taskId: number): Promise<ReturnType<typeof recordingFrom>> {
  const database = new Database(join(running.dataDir, 'isoline.sqlite'), { readonly: true });
  const sha256 = database
    .prepare<[number], string>(
      'SELECT recording_file.sha256 FROM task JOIN recording_file USING (recording_id) WHERE task.id = ?',
    )
    .pluck()
    .get(taskId)!;
  database.close();
  return recordingFrom(join(running.dataDir, 'files', sha256.slice(0, 2), sha256.slice(2)));
}

describe('from start to report', () => {
  test('frames out of order become one recording, sample for sample, and a report', async () => {
    const id = await newTask({ auto_complete: true, patient_last_name: 'Stream' });
    expect((await start({ task_id: id, device_state: 'RECORDING', total_frames: 24 })).json).toEqual({
      stream_id: id,
    });
    expect(await stateOf(id)).toBe('RECEIVING');
    // It never changes (D64).
    const creationTime = (await client.status(id)).json.creation_time;
    const order = Array.from({ length: 24 }, (_, n) => (n * 7) % 24);
    for (const n of order)
      expect(await frame(id, n * FRAME_US, nth(n))).toMatchObject({ status: 200, json: {} });
    expect(await finish(id)).toMatchObject({ status: 200, json: {} });
    // The stream is gone with its end (specification).
    expect([
      (await frame(id, 24 * FRAME_US, nth(24))).status,
      (await finish(id)).status,
      (await params(id)).status,
    ]).toEqual([404, 404, 404]);
    await untilProcessed(id);
    expect((await client.status(id)).json.creation_time).toBe(creationTime);
    expect((await client.report(id)).bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const recording = await recordingOf(id);
    expect([
      recording.channels.length,
      recording.durationSeconds,
      recording.gaps,
      recording.warnings,
    ]).toEqual([12, 12, undefined, []]);
    const expected = frameChannels({ samples: 6000 });
    for (const [lead, channel] of recording.channels.entries()) {
      expect(
        Buffer.compare(Buffer.from(readAllSamples(channel).buffer), Buffer.from(expected[lead]!.buffer)),
        channel.label,
      ).toBe(0);
      expect(channel.scale).toBeCloseTo(0.001, 12);
    }
    const detail = await running.bridge.call('task.get', { taskId: id });
    expect(detail.measurements?.heartRateBpm).toBe(60);
    // The frames left the database; the file holds them.
    const database = new Database(join(running.dataDir, 'isoline.sqlite'), { readonly: true });
    expect(database.prepare('SELECT count(*) FROM frame WHERE task_id = ?').pluck().get(id)).toBe(0);
    database.close();
  });

  test('a missing frame is a gap of its length, never filled (D82)', async () => {
    const id = await openStream();
    for (const n of [0, 1, 2, 3, 6, 7]) await frame(id, n * FRAME_US, nth(n));
    await finish(id);
    await eventually(
      async () => ((await stateOf(id)) === 'AWAITING_APPROVAL' ? true : undefined),
      'the analysis',
    );
    const recording = await recordingOf(id);
    expect(recording.gaps).toEqual([{ startSeconds: 2, endSeconds: 3 }]);
    const samples = readAllSamples(recording.channels[0]!);
    expect(samples.length).toBe(2000);
    expect(samples.subarray(1000, 1500).every((sample) => sample === INVALID_SAMPLE)).toBe(true);
    const signal = heartbeat(500);
    expect([samples[999], samples[1500]]).toEqual([signal(999, 0), signal(1500, 0)]);
  });

  test('fewer frames than announced is a warning (D81)', async () => {
    const id = await openStream({ total_frames: 10 });
    for (const n of [0, 1, 2, 3]) await frame(id, n * FRAME_US, nth(n));
    await finish(id);
    const { warnings } = await running.bridge.call('task.get', { taskId: id });
    expect(warnings.map(({ code }) => code)).toContain('frames_missing');
  });

  test('a stream shorter than a second fails with a reason, and its frames stay', async () => {
    const id = await openStream();
    await frame(id, 0, nth(0, 100));
    await finish(id);
    await eventually(async () => ((await stateOf(id)) === 'FAILED' ? true : undefined), 'the failure');
    expect((await client.status(id)).json).toMatchObject({ processed: true, report_available: false });
    const database = new Database(join(running.dataDir, 'isoline.sqlite'), { readonly: true });
    expect(database.prepare('SELECT count(*) FROM frame WHERE task_id = ?').pluck().get(id)).toBe(1);
    database.close();
  });
});

describe('start (D71, D72)', () => {
  test.each([
    [{ task_id: undefined }, 400, 'invalid_task_id'],
    [{ task_id: null, device_id: '  ' }, 400, 'invalid_task_id'],
    [{ task_id: '1' }, 400, 'invalid_task_id'],
    [{ task_id: 0 }, 400, 'invalid_task_id'],
    [{ task_id: 99_999_999 }, 400, 'unknown_task'],
    [{ processing_mode: 'PROCESS_LIVE' }, 400, 'invalid_processing_mode'],
    [{ processing_mode: undefined }, 400, 'invalid_processing_mode'],
    [{ frame_format: 'EDF' }, 400, 'invalid_frame_format'],
    [{ sample_rate: 0 }, 400, 'invalid_sample_rate'],
    [{ sample_rate: '500' }, 400, 'invalid_sample_rate'],
    [{ sample_rate: 100_001 }, 400, 'invalid_sample_rate'],
    [{ lead_codes: [] }, 400, 'invalid_lead_codes'],
    [{ lead_codes: ['II'] }, 400, 'invalid_lead_codes'],
    [{ lead_codes: ['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_I'] }, 400, 'invalid_lead_codes'],
    [{ digital_maximum: -32768 }, 400, 'invalid_digital_maximum'],
    [{ physical_maximum: -32.768 }, 400, 'invalid_physical_maximum'],
    [{ device_state: 'UNKNOWN_DEVICE_STATE' }, 400, 'invalid_device_state'],
    [{ total_frames: -1 }, 400, 'invalid_total_frames'],
    [{ total_frames: 2_147_483_648 }, 400, 'invalid_total_frames'],
  ])('with %j is answered %i', async (fields, status, reason) => {
    const task_id = await newTask();
    expect(await start({ task_id, ...fields })).toMatchObject({ status, json: { reason } });
    expect(await stateOf(task_id)).toBe('DRAFT');
  });

  test('an infinite number is refused (D12)', async () => {
    const task_id = await newTask();
    const body = JSON.stringify({ ...START, task_id }).replace('-32768', '-1e999');
    expect((await client.post('/v3/streams/start', body)).json.reason).toBe('invalid_digital_minimum');
  });

  test('again with the same values goes on, with others is a conflict', async () => {
    const id = await openStream();
    expect(await start({ task_id: id, total_frames: 9, device_state: 'RECORDING' })).toMatchObject({
      status: 200,
      json: { stream_id: id },
    });
    expect(await start({ task_id: id, sample_rate: 250 })).toMatchObject({
      status: 409,
      json: { reason: 'stream_already_started' },
    });
    expect((await params(id)).json.device_state).toBe('RECORDING');
  });

  test('on a task that has its recording is a conflict', async () => {
    const id = await openStream();
    for (const n of [0, 1, 2]) await frame(id, n * FRAME_US, nth(n));
    await finish(id);
    expect(await start({ task_id: id })).toMatchObject({
      status: 409,
      json: { reason: 'task_state_conflict' },
    });
  });

  test('by device takes the newest task that waits for it; none is 409', async () => {
    const device_id = `device ${randomBytes(4).toString('hex')}`;
    expect(await start({ device_id })).toMatchObject({ status: 409, json: { reason: 'no_waiting_task' } });
    const first = await newTask({ device_id });
    const second = await newTask({ device_id });
    expect((await client.post('/v3/streams/find', { device_id: ` ${device_id} ` })).json).toEqual({
      stream_id: second,
    });
    expect((await start({ device_id })).json).toEqual({ stream_id: second });
    // The device was restarted: it finds the waiting one first, because that is another patient.
    expect((await start({ device_id })).json).toEqual({ stream_id: first });
    expect((await client.post('/v3/streams/find', { device_id })).json).toEqual({ stream_id: second });
    expect((await start({ device_id })).json).toEqual({ stream_id: second });
  });

  test('scaling fields that are incomplete are ignored, with a warning', async () => {
    const id = await openStream({ physical_maximum: undefined });
    const { warnings } = await running.bridge.call('task.get', { taskId: id });
    expect(warnings.map(({ code }) => code)).toContain('scaling_incomplete');
  });
});

describe('find (D70)', () => {
  test.each([
    [{}, 400],
    [{ device_id: '' }, 400],
    [{ device_id: '   ' }, 400],
    [{ device_id: 5 }, 400],
    [{ device_id: 'nobody' }, 404],
    [{ device_id: 'a\u0000b' }, 400],
  ])('%j is answered %i', async (body, status) => {
    expect((await client.post('/v3/streams/find', body)).status).toBe(status);
  });
});

describe('frames (D73, D74, D75)', () => {
  test.each([
    ['without bytes', new Uint8Array(0), 'invalid_frame'],
    [
      'that is text',
      new TextEncoder().encode('not a frame at all, and longer than a header'),
      'invalid_frame',
    ],
    ['that is cut', nth(0).subarray(0, -1), 'invalid_frame'],
    [
      'with damaged compression',
      Uint8Array.from(nth(0), (byte, i) => (i > 40 ? byte ^ 0x55 : byte)),
      'invalid_frame',
    ],
    ['of other leads', makeFrame({ leads: 2 }), 'frame_mismatch'],
    ['of another rate', makeFrame({ rateHz: 250 }), 'frame_mismatch'],
  ])('a frame %s is refused and its timestamp stays free', async (_name, bytes, reason) => {
    const id = await openStream();
    expect(await frame(id, 0, bytes)).toMatchObject({ status: 400, json: { reason } });
    expect((await frame(id, 0, nth(0))).status).toBe(200);
  });

  test('every width, coding and compression of the format is taken in one stream', async () => {
    const id = await openStream();
    let n = 0;
    for (const bits of [16, 24, 32] as const)
      for (const coding of ['twosComplement', 'delta', 'doubleDelta'] as const)
        for (const compression of ['none', 'zlib', 'zstd'] as const) {
          const bytes = makeFrame({ from: n * 250, bits, coding, compression });
          expect((await frame(id, n * FRAME_US, bytes)).status, `${bits} ${coding} ${compression}`).toBe(200);
          n++;
        }
    await finish(id);
    await eventually(
      async () => ((await stateOf(id)) === 'AWAITING_APPROVAL' ? true : undefined),
      'the analysis',
    );
    const recording = await recordingOf(id);
    const expected = frameChannels({ samples: n * 250 });
    expect(
      recording.channels.map((channel, lead) =>
        Buffer.compare(Buffer.from(readAllSamples(channel).buffer), Buffer.from(expected[lead]!.buffer)),
      ),
    ).toEqual(expected.map(() => 0));
  });

  test.each(['', '-1', '1.5', '0x10', '1&timestamp=2', '9007199254740992', '%20'])(
    'the timestamp "%s" is refused',
    async (timestamp) => {
      const id = await openStream();
      expect(await frame(id, timestamp, nth(0))).toMatchObject({
        status: 400,
        json: { reason: 'invalid_timestamp' },
      });
    },
  );

  test('a frame that ends behind 35 days is out of range', async () => {
    const id = await openStream();
    expect((await frame(id, 35 * 86_400e6 - 499_999, nth(0))).json.reason).toBe('frame_out_of_range');
    expect((await frame(id, 35 * 86_400e6 - 500_000, nth(0))).status).toBe(200);
  });

  test('a used timestamp is 409, also where two arrive at once; other bytes alarm at the third', async () => {
    const id = await openStream();
    const answers = await Promise.all([frame(id, 0, nth(0)), frame(id, 0, nth(0)), frame(id, 0, nth(0))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await frame(id, 0, new Uint8Array(5))).status).toBe(400);
    for (let i = 0; i < 3; i++) expect((await frame(id, 0, nth(9))).json.reason).toBe('frame_already_exists');
    const { warnings } = await running.bridge.call('task.get', { taskId: id });
    expect(warnings.map(({ code }) => code)).toContain('conflicting_frames');
  });

  test('what is wrong with one frame is no fault of another with its timestamp', async () => {
    const id = await openStream();
    const good = makeFrame({ samples: 8000 });
    const bad = Uint8Array.from(good, (byte, i) => (i === 200 ? byte ^ 0x10 : byte));
    const [first, second] = await Promise.all([frame(id, 0, bad), frame(id, 0, good)]);
    expect([first.json.reason, second.status]).toEqual(['invalid_frame', 200]);
  });

  test('an unknown stream is 404 whatever is sent; a form is 400', async () => {
    expect((await frame(99_999_999, 0, new Uint8Array(3))).status).toBe(404);
    expect((await frame('0', 0, nth(0))).json.reason).toBe('invalid_stream_id');
    const id = await openStream();
    expect(
      (await frame(id, 0, nth(0), { 'Content-Type': 'multipart/form-data; boundary=x' })).json.reason,
    ).toBe('invalid_content_type');
    expect((await frame(id, 0, nth(0), { 'Content-Type': 'text/plain' })).status).toBe(200);
  });

  test('a frame over the limit is refused before it is read', async () => {
    const id = await openStream();
    // Whoever waits for "100 Continue" sends nothing of it.
    const head = [
      `POST /v3/streams/${id}/frames?timestamp=0 HTTP/1.1`,
      'Host: localhost',
      `X-Api-Token: ${client.token}`,
      'Content-Type: application/octet-stream',
      'Content-Length: 4194305',
      'Expect: 100-continue',
    ];
    const answer = await rawRequest(running.url, `${head.join('\r\n')}\r\n\r\n`, 500);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(answer).toContain('frame_too_large');
  });

  test('a frame that a worker has to unpack is stored like the others', async () => {
    const id = await openStream();
    expect((await frame(id, 0, makeFrame({ samples: 5000 }))).status).toBe(200);
    const broken = makeFrame({ samples: 5000 }).slice();
    broken[200]! ^= 0x10;
    expect((await frame(id, 10e6, broken)).json.reason).toBe('invalid_frame');
  });
});

describe('finish (D81, D14)', () => {
  test('needs a frame, and leaves the stream open without', async () => {
    const id = await openStream();
    expect(await finish(id)).toMatchObject({ status: 409, json: { reason: 'stream_empty' } });
    expect((await frame(id, 0, nth(0))).status).toBe(200);
  });

  test('of an unknown stream is refused before its body is asked for (D3)', async () => {
    const head = `POST /v3/streams/99999999/finish HTTP/1.1\r\nHost: localhost\r\nX-Api-Token: ${client.token}\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`;
    expect(await rawRequest(running.url, head, 500)).toMatch(/^HTTP\/1\.1 404/);
  });

  test('ignores type and body up to a kilobyte', async () => {
    for (const [body, headers, status] of [
      ['', { 'Content-Type': 'application/json' }, 200],
      ['nonsense', { 'Content-Type': 'odd' }, 200],
      ['x'.repeat(1025), {}, 400],
    ] as const) {
      const id = await openStream();
      await frame(id, 0, nth(0));
      expect((await client.request('POST', `/v3/streams/${id}/finish`, body, headers)).status).toBe(status);
    }
  });
});

describe('what a device asks and reports (D77 to D80)', () => {
  test('params are there from waiting to finish, for no other state', async () => {
    const draft = await newTask();
    expect([(await params(draft)).status, (await report(draft, 'RECORDING')).status]).toEqual([404, 404]);
    const id = await newTask({ device_id: 'P1' });
    expect((await params(id)).json).toEqual({
      device_state: 'UNKNOWN_DEVICE_STATE',
      device_command: 'UNKNOWN_DEVICE_COMMAND',
    });
    expect(await report(id, 'WAITING_FOR_START')).toMatchObject({ status: 200, json: {} });
    expect((await params(id)).json.device_state).toBe('WAITING_FOR_START');
    for (const state of ['UNKNOWN_DEVICE_STATE', 'recording', 5, null])
      expect(await report(id, state)).toMatchObject({
        status: 400,
        json: { reason: 'invalid_device_state' },
      });
  });

  test('a command waits until the device obeys', async () => {
    const id = await newTask({ device_id: 'P2' });
    const command = (command: 'START_DEVICE' | 'STOP_DEVICE' | 'RETRY_UPLOADING'): Promise<unknown> =>
      running.bridge.call('device.command', { taskId: id, command });
    const pending = async (): Promise<unknown> => (await params(id)).json.device_command;
    await expect(command('STOP_DEVICE')).rejects.toMatchObject({ reason: 'task_state_conflict' });
    await command('START_DEVICE');
    expect([await pending(), await pending()]).toEqual(['START_DEVICE', 'START_DEVICE']);
    await start({ task_id: id });
    expect(await pending()).toBe('UNKNOWN_DEVICE_COMMAND');
    await command('STOP_DEVICE');
    await frame(id, 0, nth(0));
    expect(await pending()).toBe('STOP_DEVICE');
    await report(id, 'UPLOADING_FAILED');
    await command('RETRY_UPLOADING');
    expect(await pending()).toBe('RETRY_UPLOADING');
    await frame(id, FRAME_US, nth(1));
    expect(await pending()).toBe('UNKNOWN_DEVICE_COMMAND');
    await running.bridge.call('device.setDuration', { taskId: id, durationMs: 10_000 });
    expect((await params(id)).json.custom_duration).toBe(10_000);
    const { device } = await running.bridge.call('task.get', { taskId: id });
    expect(device).toMatchObject({
      state: 'UPLOADING_FAILED',
      isLost: false,
      frameCount: 2,
      commands: ['STOP_DEVICE', 'RETRY_UPLOADING'],
    });
  });
});

describe('organizations and scopes (D31, D33)', () => {
  test('a device token may feed streams, and nothing else', async () => {
    const device = new V3Client(
      running.url,
      (await running.makeToken(['streams:read', 'streams:write'])).text,
    );
    const id = await newTask({ device_id: 'T1' });
    expect((await device.post('/v3/streams/find', { device_id: 'T1' })).json.stream_id).toBe(id);
    expect((await device.post('/v3/streams/start', { ...START, task_id: id })).status).toBe(200);
    expect((await device.status(id)).status).toBe(403);
    const reader = new V3Client(running.url, (await running.makeToken(['streams:read'])).text);
    expect((await reader.request('POST', `/v3/streams/${id}/frames?timestamp=0`, nth(0))).json.reason).toBe(
      'scope_missing',
    );
    expect((await reader.get(`/v3/streams/${id}/params`)).status).toBe(200);
  });
});

test('a stream goes on after the program was ended and started again (D84)', async () => {
  await using folder = await tempFolder();
  const first = await runWorkstation({ dataDir: folder.path, overrides: FREE_OF_LIMITS });
  const token = (await first.makeToken()).text;
  const before = new V3Client(first.url, token);
  const id = ((await before.createTask({ device_id: 'R' })).json.created_task_ids as number[])[0]!;
  await before.post('/v3/streams/start', { ...START, task_id: id, device_state: 'RECORDING' });
  for (const n of [0, 1])
    await before.request('POST', `/v3/streams/${id}/frames?timestamp=${n * FRAME_US}`, nth(n));
  await first.stop();
  await using second = await runWorkstation({
    dataDir: folder.path,
    overrides: FREE_OF_LIMITS,
    ...NEW_THREAD,
  });
  const after = new V3Client(second.url, token);
  expect((await after.get(`/v3/streams/${id}/params`)).json.device_state).toBe('RECORDING');
  expect((await after.request('POST', `/v3/streams/${id}/frames?timestamp=0`, nth(0))).status).toBe(409);
  expect(
    (await after.request('POST', `/v3/streams/${id}/frames?timestamp=${2 * FRAME_US}`, nth(2))).status,
  ).toBe(200);
  expect((await after.request('POST', `/v3/streams/${id}/finish`)).status).toBe(200);
  await eventually(
    async () =>
      (await second.bridge.call('task.get', { taskId: id })).state === 'AWAITING_APPROVAL' ? true : undefined,
    'the analysis',
  );
});
