import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import { makeFrame } from '../../support/make-frames.ts';
import type { Answer } from '../../support/v3-client.ts';
import { expectRefusal, expectSuccess, poll, service, strangers } from '../service-under-test.ts';
import { DEVICE_COMMANDS, DEVICE_STATES } from '../specification.ts';

const START = {
  processing_mode: 'PROCESS_ON_FINISH',
  frame_format: 'COMPRESSED_DELTA',
  sample_rate: 500,
  lead_codes: STANDARD_LEADS,
  digital_minimum: -32768,
  digital_maximum: 32767,
  physical_minimum: -32.768,
  physical_maximum: 32.767,
};
const FRAME_US = 500_000;

const newTask = async (fields: object = {}): Promise<number> => {
  const [id = 0] = expectSuccess(await service.createTask(fields)).created_task_ids as number[];
  return id;
};
const start = (fields: object): Promise<Answer> => service.post('/v3/streams/start', { ...START, ...fields });
const frame = (id: number | string, timestamp: number | string, bytes: Uint8Array): Promise<Answer> =>
  service.request('POST', `/v3/streams/${id}/frames?timestamp=${timestamp}`, bytes, {
    'Content-Type': 'application/octet-stream',
  });
const finish = (id: number): Promise<Answer> => service.request('POST', `/v3/streams/${id}/finish`);
const params = (id: number): Promise<Answer> => service.get(`/v3/streams/${id}/params`);
const report = (id: number, device_state: unknown): Promise<Answer> =>
  service.post(`/v3/streams/${id}/params`, { device_state });
/** Uncompressed and not coded: nothing about these frames is assumed. */
const nth = (n: number): Uint8Array =>
  makeFrame({ from: n * 250, coding: 'twosComplement', compression: 'none' });

async function openStream(): Promise<number> {
  const id = await newTask();
  expect(expectSuccess(await start({ task_id: id })).stream_id).toBe(id);
  return id;
}

describe('a stream', () => {
  test('takes frames in any order, ends, is gone, and becomes a report', async () => {
    const id = await newTask({ auto_complete: true });
    expectSuccess(await start({ task_id: id, device_state: 'RECORDING', total_frames: 24 }));
    for (let i = 0; i < 24; i++) {
      const n = (i * 5) % 24;
      expectSuccess(await frame(id, n * FRAME_US, nth(n)));
    }
    expectRefusal(await frame(id, 0, nth(0)), 409);
    expectSuccess(await finish(id));
    expectRefusal(await frame(id, 24 * FRAME_US, nth(24)), 404);
    expectRefusal(await params(id), 404);
    expectRefusal(await finish(id), 404);
    await poll(
      async () => (expectSuccess(await service.status(id)).report_available === true ? true : undefined),
      'the report',
    );
    expect((await service.report(id)).bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('is found by its device, and started by it', async () => {
    const device_id = `contract-${randomBytes(6).toString('hex')}`;
    expectRefusal(await service.post('/v3/streams/find', { device_id }), 404);
    expectRefusal(await start({ device_id }), 409);
    const id = await newTask({ device_id });
    expect(expectSuccess(await service.post('/v3/streams/find', { device_id })).stream_id).toBe(id);
    expect(expectSuccess(await start({ device_id })).stream_id).toBe(id);
  });

  test.each([
    { task_id: '1' },
    { task_id: 0 },
    { task_id: 9_007_199_254_740_991 },
    { processing_mode: 'LATER' },
    { frame_format: 'EDF' },
    { sample_rate: 'fast' },
    { lead_codes: [] },
    { lead_codes: ['V1'] },
    { device_state: 'ASLEEP' },
    { total_frames: 'all' },
  ])('does not start with %j', async (fields) => {
    expectRefusal(await start({ task_id: await newTask(), ...fields }), 400);
  });

  test('that is not there is not found', async () => {
    expectRefusal(await frame('9007199254740991', 0, nth(0)), 404);
    expectRefusal(await finish(9_007_199_254_740_991), 404);
    expectRefusal(await params(9_007_199_254_740_991), 404);
    expectRefusal(await report(9_007_199_254_740_991, 'RECORDING'), 404);
  });

  test.each(['0', 'x', '-1'])('has no number %s', async (id) => {
    expectRefusal(await frame(id, 0, nth(0)), 400);
    expectRefusal(await service.get(`/v3/streams/${id}/params`), 400);
  });

  test('does not take a frame without time, of other leads, of another rate, or that is none', async () => {
    const id = await openStream();
    expectRefusal(await frame(id, '', nth(0)), 400);
    expectRefusal(await frame(id, 'soon', nth(0)), 400);
    expectRefusal(
      await frame(id, 0, makeFrame({ leads: 3, coding: 'twosComplement', compression: 'none' })),
      400,
    );
    expectRefusal(
      await frame(id, 0, makeFrame({ rateHz: 250, coding: 'twosComplement', compression: 'none' })),
      400,
    );
    expectRefusal(
      await frame(id, 0, new TextEncoder().encode('this is not a frame, and it is long enough for one')),
      400,
    );
    expectSuccess(await frame(id, 0, nth(0)));
  });

  test('knows its device', async () => {
    const id = await openStream();
    for (const state of DEVICE_STATES) {
      expectSuccess(await report(id, state));
      const found = expectSuccess(await params(id));
      expect(found.device_state).toBe(state);
      expect(DEVICE_COMMANDS).toContain(found.device_command);
    }
    expectRefusal(await report(id, 'ASLEEP'), 400);
    expectRefusal(
      await service.request('POST', `/v3/streams/${id}/params`, '{}', { 'Content-Type': 'text/plain' }),
      415,
    );
  });

  test('needs a token', async () => {
    for (const [method, path] of [
      ['POST', '/v3/streams/find'],
      ['POST', '/v3/streams/start'],
      ['POST', '/v3/streams/1/frames?timestamp=0'],
      ['POST', '/v3/streams/1/finish'],
      ['GET', '/v3/streams/1/params'],
      ['POST', '/v3/streams/1/params'],
    ] as const)
      expectRefusal(
        await strangers.request(method, path, method === 'POST' ? '{}' : undefined, {
          'Content-Type': 'application/json',
        }),
        401,
      );
  });
});
