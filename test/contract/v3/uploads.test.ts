import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataFolder } from '../../support/test-data.ts';
import { expectRefusal, expectSuccess, poll, service, strangers } from '../service-under-test.ts';
import { SEVERITIES } from '../specification.ts';

const EDF = readFileSync(join(dataFolder, 'edf', 'made_ecg12_plusC.edf'));
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const newUpload = async (bytes: Uint8Array): Promise<string> =>
  expectSuccess(await service.createUpload(bytes)).upload_id as string;

describe('a file', () => {
  test('in chunks out of order becomes a task, and its report a PDF', async () => {
    const id = await newUpload(EDF);
    expect(typeof id).toBe('string');
    const half = Math.floor(EDF.length / 2);
    expectSuccess(await service.chunk(id, half, EDF.subarray(half)));
    expectSuccess(await service.chunk(id, 0, EDF.subarray(0, half)));
    const created = expectSuccess(
      await service.createTask({
        upload_id: id,
        auto_complete: true,
        patient_id: 'contract',
        searching_tags: ['contract'],
      }),
    );
    const ids = created.created_task_ids as number[];
    expect(ids).toHaveLength(1);
    expect(Number.isInteger(ids[0]) && ids[0]! >= 1).toBe(true);
    const done = await poll(async () => {
      const status = expectSuccess(await service.status(ids[0]!));
      return status.processed === true && status.report_available === true ? status : undefined;
    }, 'the report');
    expect(done.creation_time).toMatch(RFC_3339);
    if (done.severity !== undefined) expect(SEVERITIES).toContain(done.severity);
    const report = await service.report(ids[0]!);
    expect(report.status).toBeLessThan(300);
    expect(report.headers.get('content-type')).toMatch(/^application\/pdf/);
    expect(report.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('that is not complete makes no task', async () => {
    const id = await newUpload(EDF);
    await service.chunk(id, 0, EDF.subarray(0, 1000));
    expectRefusal(await service.createTask({ upload_id: id }), 400);
  });

  test('that is no recording makes no task', async () => {
    expectRefusal(
      await service.createTask({ upload_id: await service.upload(new TextEncoder().encode('Dear doctor,')) }),
      400,
    );
  });
});

describe('an upload session', () => {
  test.each([
    ['without anything', {}],
    ['without a hash', { total_size: 5 }],
    ['without a size', { hash_sum: createHash('sha256').digest('base64') }],
    ['of no size', { total_size: 0, hash_sum: createHash('sha256').digest('base64') }],
    ['of a size in words', { total_size: 'five', hash_sum: createHash('sha256').digest('base64') }],
    ['with a hash that is none', { total_size: 5, hash_sum: 'abc' }],
  ])('%s is refused', async (_name, body) => {
    expectRefusal(await service.post('/v3/uploads', body), 400);
  });

  test('wants JSON that is called so', async () => {
    expectRefusal(await service.request('POST', '/v3/uploads', '{}', { 'Content-Type': 'text/plain' }), 415);
  });

  test('wants JSON that is some', async () => {
    expectRefusal(await service.post('/v3/uploads', '{"total_size":'), 400);
  });

  test('that nobody made takes no chunk', async () => {
    expectRefusal(await service.chunk('AAAAAAAAAAAAAAAAAAAAAA', 0, Uint8Array.of(1)), 400);
  });

  test.each(['-1', 'x', ''])('takes no chunk at the offset "%s"', async (offset) => {
    expectRefusal(await service.chunk(await newUpload(EDF), offset, EDF.subarray(0, 10)), 400);
  });

  test('takes no chunk beyond its size', async () => {
    expectRefusal(await service.chunk(await newUpload(EDF), EDF.length, Uint8Array.of(1)), 400);
  });
});

test('a download that nobody made has no chunks', async () => {
  expectRefusal(await service.get('/v3/downloads/AAAAAAAAAAAAAAAAAAAAAA/chunks/0'), 400);
});

test('nothing goes without a token, or with a wrong one', async () => {
  expectRefusal(await strangers.createUpload(EDF), 401);
  expectRefusal(await strangers.chunk('x', 0, Uint8Array.of(1)), 401);
  expectRefusal(await strangers.get('/v3/downloads/x/chunks/0'), 401);
  expectRefusal(
    await strangers.request('POST', '/v3/uploads', '{}', {
      'X-Api-Token': 'wrong',
      'Content-Type': 'application/json',
    }),
    401,
  );
});
