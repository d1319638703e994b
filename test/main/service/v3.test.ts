import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeToken } from '../../../main/clinic/people/tokens.ts';
import { commandContext, openDataStore } from '../../../main/host/data-folder.ts';
import {
  eventually,
  FREE_OF_LIMITS,
  NEW_THREAD,
  type RunningWorkstation,
  runWorkstation,
} from '../../support/running-workstation.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { dataFolder } from '../../support/test-data.ts';
import { rawRequest, V3Client } from '../../support/v3-client.ts';

const EDF = readFileSync(join(dataFolder, 'edf', 'made_ecg12_plusC.edf'));
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let running: RunningWorkstation;
let client: V3Client;
beforeAll(async () => {
  running = await runWorkstation({
    overrides: FREE_OF_LIMITS,
  });
  client = new V3Client(running.url, (await running.makeToken()).text);
});
afterAll(() => running.stop());

const untilProcessed = (taskId: number) =>
  eventually(async () => {
    const { json } = await client.status(taskId);
    return json.processed === true ? json : undefined;
  }, `task ${taskId} processed`);

async function newTask(fields: object = {}): Promise<number> {
  const upload_id = await client.upload(EDF);
  const { json } = await client.createTask({ upload_id, ...fields });
  return (json.created_task_ids as number[])[0]!;
}

describe('the main job', () => {
  test('three chunks out of order become a report', async () => {
    const { status, json } = await client.createUpload(EDF);
    expect([status, typeof json.upload_id]).toEqual([200, 'string']);
    const id = json.upload_id as string;
    const [a, b] = [80_000, 170_000];
    for (const [start, end] of [
      [b, EDF.length],
      [0, a],
      [a, b],
    ] as const)
      expect((await client.chunk(id, start, EDF.subarray(start, end))).json).toEqual({});
    const created = await client.createTask({
      upload_id: id,
      auto_complete: true,
      patient_last_name: 'Hoffmann',
      patient_first_name: 'Anneliese',
      recording_start_time: '2026-11-20T13:32:11Z',
      recording_time_zone: 'Europe/Riga',
    });
    expect(created.status).toBe(200);
    const [taskId] = created.json.created_task_ids as number[];
    const done = await untilProcessed(taskId!);
    expect(done).toMatchObject({
      processed: true,
      report_available: true,
      creation_time: expect.stringMatching(TIME),
    });
    const report = await client.report(taskId!);
    expect(report.status).toBe(200);
    expect(report.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    // D90: no name of a patient in the file's name, and the hash of the bytes as ETag.
    expect(Object.fromEntries(report.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="ecg-${taskId}.pdf"`,
      etag: `"${createHash('sha256').update(report.bytes).digest('hex')}"`,
      'accept-ranges': 'none',
      'content-length': String(report.bytes.length),
    });
    expect(Buffer.compare((await client.report(taskId!)).bytes, report.bytes)).toBe(0);
  });

  test('without auto_complete the task waits for approval: not processed, report 409, preliminary PDF on the bridge', async () => {
    const taskId = await newTask({ patient_id: 'waits' });
    await eventually(
      async () =>
        (await running.bridge.call('task.get', { taskId })).state === 'AWAITING_APPROVAL' ? true : undefined,
      'the analysis',
    );
    expect((await client.status(taskId)).json).toMatchObject({
      processed: false,
      report_available: false,
      severity: expect.any(String),
    });
    expect(await client.report(taskId)).toMatchObject({
      status: 409,
      json: { reason: 'report_not_available', message: expect.any(String) },
    });
    const { pdf, approval } = await running.bridge.call('report.read', { taskId });
    expect([Buffer.from(pdf.subarray(0, 5)).toString(), approval]).toEqual(['%PDF-', 'preliminary']);
  });

  test('a report whose file is lost or damaged is made again, byte for byte (D93)', async () => {
    const taskId = await newTask({ auto_complete: true, patient_id: 'again' });
    await untilProcessed(taskId);
    const before = await client.report(taskId);
    const { rm, writeFile } = await import('node:fs/promises');
    const sha256 = createHash('sha256').update(before.bytes).digest('hex');
    const path = join(running.dataDir, 'files', sha256.slice(0, 2), sha256.slice(2));
    await rm(path);
    expect(Buffer.compare((await client.report(taskId)).bytes, before.bytes)).toBe(0);
    await writeFile(path, 'damaged');
    expect(Buffer.compare((await client.report(taskId)).bytes, before.bytes)).toBe(0);
  });

  test('a draft has no data, no report, and is not processed (D58, D61, D91)', async () => {
    const { json } = await client.createTask({});
    const [taskId] = json.created_task_ids as number[];
    expect((await client.status(taskId!)).json).toEqual({
      creation_time: expect.stringMatching(TIME),
      processed: false,
      report_available: false,
    });
    expect((await client.report(taskId!)).status).toBe(409);
    const waiting = await client.createTask({ device_id: 'D1' });
    const detail = await running.bridge.call('task.get', {
      taskId: (waiting.json.created_task_ids as number[])[0]!,
    });
    expect(detail.state).toBe('WAITING');
  });
});

describe('chunks (D42)', () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i * 31);
  const begin = async (): Promise<string> => (await client.createUpload(bytes)).json.upload_id as string;

  test('repeats and overlaps of the same bytes are welcome, differing ones are refused and change nothing', async () => {
    const id = await begin();
    expect((await client.chunk(id, 100, bytes.subarray(100, 400))).status).toBe(200);
    expect((await client.chunk(id, 100, bytes.subarray(100, 400))).status).toBe(200);
    expect((await client.chunk(id, 50, bytes.subarray(50, 500))).status).toBe(200);
    const wrong = Uint8Array.from(bytes.subarray(90, 600));
    wrong[20]! ^= 1;
    expect((await client.chunk(id, 90, wrong)).json.reason).toBe('chunk_conflict');
    expect((await client.chunk(id, 0, bytes)).status).toBe(200);
    expect((await client.chunk(id, 10, bytes.subarray(10, 20))).status).toBe(200);
    expect((await client.chunk(id, 10, Uint8Array.of(1, 2, 3))).json.reason).toBe('upload_complete');
  });

  test.each([
    ['outside the file', 1000, bytes.subarray(0, 1), 'chunk_out_of_range'],
    ['beyond the end', 990, bytes.subarray(0, 11), 'chunk_out_of_range'],
    ['without bytes', 0, new Uint8Array(0), 'empty_chunk'],
    ['with a sign in its offset', '-1', bytes, 'invalid_offset'],
    ['with a fraction', '1.5', bytes, 'invalid_offset'],
    ['in hexadecimal', '0x10', bytes, 'invalid_offset'],
    ['with two offsets', '1&offset=2', bytes, 'invalid_offset'],
    ['with an empty offset', '', bytes, 'invalid_offset'],
  ])('a chunk %s is refused (D11, D42)', async (_name, offset, body, reason) => {
    expect(await client.chunk(await begin(), offset, body)).toMatchObject({ status: 400, json: { reason } });
  });

  test('a form is refused, any other type is taken (D14)', async () => {
    const id = await begin();
    expect(
      (await client.chunk(id, 0, bytes, { 'Content-Type': 'multipart/form-data; boundary=x' })).json.reason,
    ).toBe('invalid_content_type');
    for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded', 'nonsense'])
      expect((await client.chunk(id, 0, bytes.subarray(0, 5), { 'Content-Type': type })).status).toBe(200);
  });

  test('bytes that don’t have the announced hash fail the upload (D43)', async () => {
    const id = (await client.createUpload(bytes)).json.upload_id as string;
    const other = Uint8Array.from(bytes);
    other[5]! ^= 1;
    expect((await client.chunk(id, 0, other)).json.reason).toBe('upload_hash_mismatch');
    expect((await client.createTask({ upload_id: id })).json.reason).toBe('upload_hash_mismatch');
    expect((await client.chunk(id, 0, bytes)).json.reason).toBe('upload_hash_mismatch');
  });

  test('a task on an incomplete upload says what is missing (D44)', async () => {
    const id = await begin();
    await client.chunk(id, 0, bytes.subarray(0, 300));
    await client.chunk(id, 600, bytes.subarray(600, 700));
    expect((await client.createTask({ upload_id: id })).json).toEqual({
      reason: 'upload_incomplete',
      message: expect.stringContaining('600 bytes are missing, the first of them 300 to 599'),
    });
  });

  test('any split of a file, in any order and in parallel, gives the file', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { maxLength: 12 }),
        fc.infiniteStream(fc.nat(1000)),
        async (cuts, order) => {
          const borders = [0, ...[...cuts].sort((a, b) => a - b), 1000];
          const pieces = borders.slice(1).map((end, i) => [borders[i]!, end] as const);
          const keys = [...order.take(pieces.length)];
          const shuffled = pieces.map((piece, i) => [keys[i]!, piece] as const).sort(([a], [b]) => a - b);
          const id = await begin();
          const answers = await Promise.all(
            shuffled.map(([, [start, end]]) => client.chunk(id, start, bytes.subarray(start, end))),
          );
          expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
          expect((await client.createTask({ upload_id: id })).json.reason).toBe('unsupported_format');
        },
      ),
      { numRuns: 15 },
    );
  });

  test('a connection lost inside the body acknowledges nothing', async () => {
    const id = await begin();
    await rawRequest(
      running.url,
      `POST /v3/uploads/${id}/chunks?offset=0 HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Token: ${client.token}\r\nContent-Length: 1000\r\n\r\nabc`,
      300,
    );
    expect((await client.createTask({ upload_id: id })).json.message).toContain('1000 bytes are missing');
    expect((await client.chunk(id, 0, bytes)).status).toBe(200);
  });
});

describe('uploads (D40)', () => {
  test.each([
    [{ hash_sum: 'x' }, 'invalid_total_size'],
    [{ total_size: 0, hash_sum: 'x' }, 'invalid_total_size'],
    [{ total_size: '5', hash_sum: 'x' }, 'invalid_total_size'],
    [{ total_size: 4_294_967_296 }, 'invalid_total_size'],
    [{ total_size: 5 }, 'invalid_hash_sum'],
    [{ total_size: 5, hash_sum: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=' }, 'invalid_hash_sum'],
  ])('%j is refused', async (body, reason) => {
    expect(await client.post('/v3/uploads', body)).toMatchObject({ status: 400, json: { reason } });
  });
});

describe('task creation', () => {
  test.each([
    [{ upload_id: '' }, 'invalid_upload_id'],
    [{ upload_id: 'nonsense' }, 'invalid_upload_id'],
    [{ upload_id: 5 }, 'invalid_upload_id'],
    [{ auto_complete: 'true' }, 'invalid_auto_complete'],
    [{ patient_gender: 'female' }, 'invalid_patient_gender'],
    [{ patient_age: 5.5 }, 'invalid_patient_age'],
    [{ patient_age: 151 }, 'invalid_patient_age'],
    [{ patient_weight: -1 }, 'invalid_patient_weight'],
    [{ patient_birth_date: '14.03.1951' }, 'invalid_patient_birth_date'],
    [{ indications: 'chest pain' }, 'invalid_indications'],
    [{ searching_tags: [1] }, 'invalid_searching_tags'],
    [{ recording_time_zone: '+03:00' }, 'invalid_recording_time_zone'],
    [{ recording_start_time: '2026-02-30T00:00:00Z' }, 'invalid_recording_start_time'],
  ])('%j is refused', async (body, reason) => {
    expect(await client.createTask(body)).toMatchObject({ status: 400, json: { reason } });
  });

  test.each([
    ['broken JSON', '{', 'invalid_json'],
    ['an empty body', '', 'invalid_json'],
    ['an array', '[]', 'invalid_body'],
    ['null', 'null', 'invalid_body'],
    ['__proto__', '{"__proto__":{}}', 'invalid_json'],
  ])('%s is refused (D13)', async (_name, body, reason) => {
    expect(await client.createTask(body)).toMatchObject({ status: 400, json: { reason } });
  });

  test('unknown fields, nulls, empty texts, a BOM and 5.0 are taken (D10, D13)', async () => {
    expect(
      (
        await client.createTask(
          '\uFEFF{"patient_age":5.0,"patient_id":"","unknown":[1],"constructor":{"x":1},"patient_gender":null}',
        )
      ).status,
    ).toBe(200);
  });

  test('the same request on the same upload makes no second task (D46), another one does and warns', async () => {
    const upload_id = await client.upload(EDF);
    const first = await client.createTask({ upload_id, patient_id: 'P1' });
    expect((await client.createTask({ patient_id: 'P1', upload_id })).json).toEqual(first.json);
    const second = await client.createTask({ upload_id, patient_id: 'P2' });
    expect(second.json).not.toEqual(first.json);
    const detail = await running.bridge.call('task.get', {
      taskId: (second.json.created_task_ids as number[])[0]!,
    });
    expect(detail.warnings.map((warning) => warning.code)).toContainEqual(
      expect.stringMatching(/^same_recording_as:\d+$/),
    );
  });

  test.each([
    ['text', new TextEncoder().encode('Dear doctor,\n'), 'unsupported_format'],
    ['an EDF cut inside its header', EDF.subarray(0, 300), 'record_unreadable'],
    ['a WFDB header alone', readFileSync(join(dataFolder, 'wfdb', '100.hea')), 'record_incomplete'],
    ['a 7z archive', Uint8Array.of(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4), 'archive_format_unsupported'],
    ['a zip archive that is cut off', Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0), 'archive_corrupt'],
  ])('%s is refused when the task is made (D53, D54)', async (_name, bytes, reason) => {
    expect(await client.createTask({ upload_id: await client.upload(bytes) })).toMatchObject({
      status: 400,
      json: { reason },
    });
  });

  test('fields that the interface does not know are neither stored nor part of the request', async () => {
    const upload_id = await client.upload(EDF);
    const first = await client.createTask({
      upload_id,
      patient_id: 'nonce',
      nonce: 1,
      recording_start_ms: 'evil',
    });
    expect((await client.createTask({ upload_id, patient_id: 'nonce', nonce: 2 })).json).toEqual(first.json);
    expect((await client.createTask({ auto_complete: '' })).json.reason).toBe('invalid_auto_complete');
    expect((await client.createTask({ patient_age: '' })).json.reason).toBe('invalid_patient_age');
    expect((await client.createTask({ patient_gender: '', patient_birth_date: '' })).status).toBe(200);
  });

  test('fields of the request win over those of the file (D57)', async () => {
    const detail = await running.bridge.call('task.get', {
      taskId: await newTask({ patient_first_name: 'Zoë', patient_height: 0 }),
    });
    expect(detail.patient.firstName).toBe('Zoë');
    expect(detail.patient).not.toHaveProperty('heightCm');
  });
});

describe('who may do what (D30 to D33)', () => {
  test('no token, a wrong one, an expired one, a revoked one', async () => {
    const path = '/v3/orgs/clinic/tasks/1/status';
    expect((await new V3Client(running.url, undefined).get(path)).json.reason).toBe('api_token_missing');
    expect((await new V3Client(running.url, 'isl_wrong').get(path)).json.reason).toBe('api_token_invalid');
    expect((await new V3Client(running.url, 'x'.repeat(600)).get(path)).status).toBe(401);
    const revoked = await running.makeToken();
    expect((await new V3Client(running.url, revoked.text).get(path)).status).toBe(200);
    using store = openDataStore(running.dataDir, 'command');
    await revokeToken(await commandContext(running.dataDir, store), revoked.id, 'test');
    // By another process, so it shows within two seconds (D30).
    const refusal = await eventually(
      async () => (await new V3Client(running.url, revoked.text).get(path)).json.reason,
      'refusal',
      2000,
    );
    expect(refusal).toBe('api_token_revoked');
  });

  test('a token without the scope, and one in a foreign organization’s path', async () => {
    const reader = new V3Client(running.url, (await running.makeToken(['tasks:read'])).text);
    expect(await reader.createTask({})).toMatchObject({ status: 403, json: { reason: 'scope_missing' } });
    expect(await reader.report(1)).toMatchObject({ status: 403 });
    expect((await reader.createUpload(EDF)).status).toBe(200);
    expect(await new V3Client(running.url, client.token, 'elsewhere').status(1)).toMatchObject({
      status: 403,
      json: { reason: 'organization_forbidden' },
    });
  });

  test('the first step that fails answers: token before organization before type before fields (D3)', async () => {
    const nobody = new V3Client(running.url, undefined, 'elsewhere');
    expect((await nobody.request('POST', '/v3/orgs/elsewhere/tasks', '{')).status).toBe(401);
    expect(
      (
        await new V3Client(running.url, client.token, 'elsewhere').request(
          'POST',
          '/v3/orgs/elsewhere/tasks',
          '{',
        )
      ).status,
    ).toBe(403);
    expect((await client.request('POST', '/v3/orgs/clinic/tasks', '{')).status).toBe(415);
    expect((await nobody.get('/v3/none')).status).toBe(404);
  });

  test('the text of a token is nowhere in the data folder', async () => {
    const { text } = await running.makeToken();
    await new V3Client(running.url, text).get('/v3/orgs/clinic/tasks/1/status');
    const holding = (): string[] =>
      readdirSync(running.dataDir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.includes('lock') && !entry.name.endsWith('-shm'))
        .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(text))
        .map((entry) => entry.name);
    // The workstation goes on writing: where it renamed a file meanwhile, the folder is read again.
    const found = await eventually(async () => {
      try {
        return holding();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
        throw error;
      }
    }, 'a look into every file');
    expect(found).toEqual([]);
  });
});

describe('HTTP (D2, D4 to D8, D14)', () => {
  test.each([
    ['5', 404],
    ['0', 400],
    ['-1', 400],
    ['1.0', 400],
    ['abc', 400],
    ['9223372036854775808', 400],
    ['9223372036854775807', 404],
    ['99999999', 404],
  ])('task id %s is answered %i (D10)', async (id, status) => {
    expect((await client.status(id === '5' ? '99998' : id)).status).toBe(status);
  });

  test.each([
    'text/plain',
    'application/json; charset=utf-16',
    'application/jsonx',
    'multipart/form-data; boundary=x',
    '',
  ])('a JSON endpoint refuses the type "%s"', async (type) => {
    expect(
      await client.request('POST', '/v3/orgs/clinic/tasks', '{}', { 'Content-Type': type }),
    ).toMatchObject({
      status: 415,
      json: { reason: 'unsupported_media_type' },
    });
  });

  test.each(['application/json; charset=UTF-8', 'APPLICATION/JSON', 'application/json;x=y'])(
    'and takes "%s"',
    async (type) => {
      expect(
        (await client.request('POST', '/v3/orgs/clinic/tasks', '{}', { 'Content-Type': type })).status,
      ).toBe(200);
    },
  );

  test.each([
    ['GET', '/v3/uploads', 'POST'],
    ['DELETE', '/v3/orgs/clinic/tasks/1/status', 'GET, HEAD'],
    ['OPTIONS', '/v3/uploads', 'POST'],
    ['QUERY', '/v3/uploads', 'POST'],
  ])(
    '%s %s is 404 and names what goes; nothing is allowed to foreign pages (D4, D5)',
    async (method, path, allow) => {
      const answer = await client.request(method, path);
      expect([answer.status, answer.json.reason, answer.headers.get('allow')]).toEqual([
        404,
        'route_not_found',
        allow,
      ]);
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  );

  test.each([
    '/V3/uploads',
    '/v3/uploads/',
    '//v3/uploads',
    '/v3/orgs//tasks',
    '/v3/streams//finish',
    '/v1/uploads',
    '/',
    '/v3',
  ])('%s is no route (D4, D9)', async (path) => {
    expect((await client.post(path, {})).json.reason).toBe('route_not_found');
  });

  test('every answer carries the headers of D2 and no name of a server', async () => {
    for (const answer of [await client.status(1), await client.get('/none'), await client.createTask('{')]) {
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.headers.get('content-length')).toBe(String(answer.bytes.length));
      expect(answer.headers.has('server') || answer.headers.has('x-powered-by')).toBe(false);
    }
  });

  test('a target with scheme and host is taken for its path, a foreign one is not', async () => {
    const ask = (target: string): Promise<string> =>
      rawRequest(
        running.url,
        `GET ${target} HTTP/1.1\r\nHost: localhost\r\nX-Api-Token: ${client.token}\r\nConnection: close\r\n\r\n`,
      );
    expect(await ask('http://127.0.0.1/v3/orgs/clinic/tasks/999999/status')).toContain(
      '"reason":"task_not_found"',
    );
    expect(await ask('http://evil.example/v3/orgs/clinic/tasks/1/status')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await rawRequest(running.url, 'CONNECT a:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', 500)).toMatch(
      /^HTTP\/1\.1 404 [\s\S]*route_not_found/,
    );
  });

  test('an answer that comes before everything else has the headers of all (D2)', async () => {
    for (const [path, more] of [
      ['/v3/streams/%zz/params', ''],
      [`/v3/orgs/${'a'.repeat(3000)}/tasks/1/status`, ''],
      ['/v3/uploads', 'Expect: miracles\r\n'],
    ]) {
      const answer = (
        await rawRequest(
          running.url,
          `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}Connection: close\r\n\r\n`,
        )
      ).toLowerCase();
      for (const name of [
        'x-request-id',
        'cache-control: no-store',
        'x-content-type-options: nosniff',
        'content-length',
      ])
        expect(answer).toContain(name);
    }
  });

  test('HEAD answers like GET, without the body', async () => {
    const answer = await client.request('HEAD', '/v3/orgs/clinic/tasks/1/status');
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
  });

  test.each([
    ['a foreign Host', 'GET /v3/x HTTP/1.1\r\nHost: evil.example\r\n\r\n', '"reason":"invalid_request"'],
    [
      'a Host that only begins like ours',
      'GET /v3/x HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\n\r\n',
      '"reason":"invalid_request"',
    ],
    ['no Host', 'GET /v3/x HTTP/1.1\r\n\r\n', '"reason":"invalid_request"'],
    ['garbage', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', '"reason":"invalid_request"'],
    [
      'two lengths',
      'POST /v3/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      '"reason":"invalid_request"',
    ],
    [
      'length and chunks',
      'POST /v3/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      '"reason":"invalid_request"',
    ],
    [
      'a header of 20 KiB',
      `GET /v3/x HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      '"reason":"invalid_request"',
    ],
    [
      'a broken escape',
      'GET /v3/orgs/%zz/tasks/1/status HTTP/1.1\r\nHost: localhost\r\n\r\n',
      '"reason":"invalid_request"',
    ],
    [
      'a compressed body',
      'POST /v3/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n',
      '"reason":"invalid_content_encoding"',
    ],
    [
      'a body that is packed for the way',
      'POST /v3/uploads HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      '"reason":"invalid_content_encoding"',
    ],
    [
      'an odd expectation',
      'POST /v3/uploads HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\nContent-Length: 0\r\n\r\n',
      '"reason":"invalid_request"',
    ],
  ])('%s is answered 400 in our form (D6, D7, D8, D20)', async (_name, request, reason) => {
    const answer = await rawRequest(running.url, request, 800);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(reason);
  });

  test('a sender that asks before sending is told to go on only when its body is wanted (D3)', async () => {
    const ask = (token: string): Promise<string> =>
      rawRequest(
        running.url,
        `POST /v3/orgs/clinic/tasks HTTP/1.1\r\nHost: localhost\r\nX-Api-Token: ${token}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
        500,
      );
    expect(await ask(client.token as string)).toMatch(/^HTTP\/1\.1 100 Continue/);
    expect(await ask('isl_wrong')).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('a refused body is dropped, so that the sender gets its answer', async () => {
    const stranger = new V3Client(running.url, 'isl_wrong');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => stranger.chunk('x', 0, new Uint8Array(900_000))),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 401));
  });

  test('a body without end is cut off while it arrives (D101, D102)', async () => {
    const { connect } = await import('node:net');
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
    let [answer, sentBytes] = ['', 0];
    socket.on('data', (data) => (answer += data.toString('latin1')));
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      `POST /v3/uploads HTTP/1.1\r\nHost: localhost\r\nX-Api-Token: ${client.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const piece = `10000\r\n${' '.repeat(65_536)}\r\n`;
    while (!socket.destroyed && sentBytes < 2 ** 30) {
      sentBytes += piece.length;
      if (!socket.write(piece))
        await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))]);
    }
    await closed;
    // A megabyte is read, another one dropped; the rest lay in the sockets. Who goes on sending may miss the
    // answer.
    expect(answer).toMatch(/^$|"reason":"body_too_large"/);
    expect(sentBytes).toBeLessThan(64 << 20);
  });

  test('a JSON body over 1 MiB is refused while it arrives', async () => {
    expect(await client.createTask(JSON.stringify({ patient_id: 'x'.repeat(1_100_000) }))).toMatchObject({
      status: 400,
      json: { reason: 'body_too_large' },
    });
  });

  test('a repeated token header is refused (D7)', async () => {
    const answer = await rawRequest(
      running.url,
      `GET /v3/orgs/clinic/tasks/1/status HTTP/1.1\r\nHost: localhost\r\nX-Api-Token: ${client.token}\r\nX-Api-Token: ${client.token}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toContain('api_token_invalid');
  });
});

describe('rates (D32)', () => {
  test('beyond the burst: 429 with Retry-After; answers behind a token tell what is left', async () => {
    await using limited = await runWorkstation({
      overrides: [
        ['service.rate.tokenPerSecond', '1'],
        ['storage.reserve', '0'],
      ],
    });
    const own = new V3Client(limited.url, (await limited.makeToken()).text);
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await own.status(1));
    expect(answers.slice(0, 4).every((answer) => answer.status === 404)).toBe(true);
    expect(answers[0]?.headers.get('ratelimit-limit')).toBe('4');
    expect(answers[0]?.headers.get('ratelimit-remaining')).toBe('3');
    const refused = answers.find((answer) => answer.status === 429);
    expect(refused?.json.reason).toBe('rate_limit_exceeded');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(['limit', 'remaining', 'reset'].map((name) => refused?.headers.get(`ratelimit-${name}`))).toEqual([
      '4',
      '0',
      expect.stringMatching(/^[1-4]$/),
    ]);
  });

  test('refusals are audited, counted by reason, address and token, never with what was sent (D34)', async () => {
    await using folder = await tempFolder();
    const watched = await runWorkstation({ dataDir: folder.path });
    const token = await watched.makeToken(['streams:read']);
    const wrong = new V3Client(watched.url, `isl_wrong${'x'.repeat(38)}`);
    for (let i = 0; i < 3; i++) await wrong.status(1);
    await new V3Client(watched.url, undefined).status(1);
    await new V3Client(watched.url, token.text).status(1);
    await watched.stop();
    const database = new Database(join(folder.path, 'isoline.sqlite'), { readonly: true });
    const rows = database
      .prepare<[], { subject: string; detail: string }>(
        "SELECT subject, detail FROM audit WHERE action = 'request.refused' ORDER BY seq",
      )
      .all();
    database.close();
    expect(rows.map(({ subject, detail }) => [subject, JSON.parse(detail)])).toEqual([
      ['token:isl_wron', { status: 401, reason: 'api_token_invalid', address: '127.0.0.1', count: 3 }],
      ['address:127.0.0.1', { status: 401, reason: 'api_token_missing', address: '127.0.0.1', count: 1 }],
      [
        `token:${token.text.slice(0, 8)}`,
        { status: 403, reason: 'scope_missing', address: '127.0.0.1', count: 1 },
      ],
    ]);
  });

  test('an address that keeps sending wrong tokens is put off, a valid token is not', async () => {
    await using limited = await runWorkstation({
      overrides: [
        ['service.rate.refusedPerMinute', '3'],
        ['storage.reserve', '0'],
      ],
    });
    const good = new V3Client(limited.url, (await limited.makeToken()).text);
    const bad = new V3Client(limited.url, 'isl_wrong');
    const statuses = [];
    for (let i = 0; i < 5; i++) statuses.push((await bad.status(1)).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await good.status(1)).status).toBe(404);
  });
});

/** An idle one may end faster than the clock tells. */
const SHORTEST_STOP_MS = 50;

describe('beginning and end', () => {
  test('closes as fast as an idle one although a client hung up in the middle of a chunk', async () => {
    const timeToStop = async (workstation: RunningWorkstation): Promise<number> => {
      const start = performance.now();
      await workstation.stop();
      return performance.now() - start;
    };
    const idleMs = await timeToStop(await runWorkstation());
    const own = await runWorkstation();
    const token = (await own.makeToken()).text;
    const id = (await new V3Client(own.url, token).createUpload(EDF)).json.upload_id as string;
    await rawRequest(
      own.url,
      `POST /v3/uploads/${id}/chunks?offset=0 HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Token: ${token}\r\nContent-Length: 1000\r\n\r\nabc`,
      200,
    );
    // Waiting for the one that will never come would take the whole ten seconds of draining.
    expect((await timeToStop(own)) / Math.max(idleMs, SHORTEST_STOP_MS)).toBeLessThan(20);
  });

  test('one that is closed while its store is being started again stays closed', async () => {
    const own = await runWorkstation();
    await own.workstation.crash();
    await own.stop();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await expect(fetch(own.url)).rejects.toThrow();
  });

  test('what was acknowledged is there after a restart, and work goes on', async () => {
    const { tempFolder } = await import('../../support/temp-folder.ts');
    await using folder = await tempFolder();
    const first = await runWorkstation({ dataDir: folder.path });
    const token = (await first.makeToken()).text;
    const id = (await new V3Client(first.url, token).createUpload(EDF)).json.upload_id as string;
    await new V3Client(first.url, token).chunk(id, 0, EDF.subarray(0, 100_000));
    await first.stop();
    await using second = await runWorkstation({ dataDir: folder.path, ...NEW_THREAD });
    const again = new V3Client(second.url, token);
    await again.chunk(id, 100_000, EDF.subarray(100_000));
    const { json } = await again.createTask({ upload_id: id, auto_complete: true });
    await eventually(
      async () =>
        (await again.status((json.created_task_ids as number[])[0]!)).json.processed === true
          ? true
          : undefined,
      'the report',
    );
  });

  test('two workstations can’t share a folder', async () => {
    await expect(runWorkstation({ dataDir: running.dataDir })).rejects.toMatchObject({
      reason: 'data_folder_in_use',
    });
  });

  test('another interface than loopback is refused without TLS', async () => {
    await expect(runWorkstation({ host: '0.0.0.0' })).rejects.toMatchObject({ reason: 'network_needs_tls' });
  });

  test('a clinic thread that dies is started again on the same port, with everything in it', async () => {
    const taskId = await newTask({ auto_complete: true, patient_id: 'survives' });
    await untilProcessed(taskId);
    await running.workstation.crash();
    await eventually(async () => {
      try {
        return (await client.status(taskId)).status === 200 ? true : undefined;
      } catch {
        return undefined;
      }
    }, 'the restart');
    expect((await client.report(taskId)).status).toBe(200);
  });
});
