import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { connect as tlsConnect } from 'node:tls';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openService } from '../../../main/service/service.ts';
import { isoline, startIsoline } from '../../support/run-isoline.ts';
import { eventually, FREE_OF_LIMITS, runWorkstation } from '../../support/running-workstation.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { rawRequest, V3Client } from '../../support/v3-client.ts';

const NO_RESERVE = ['storage.reserve', '0'] as const;

/** Over TLS, trusting exactly the given certificate. */
function secureGet(
  url: string,
  path: string,
  certificate: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const { port } = new URL(url);
  httpsRequest(
    { host: '127.0.0.1', servername: 'localhost', port, path, ca: certificate, headers, agent: false },
    (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    },
  )
    .on('error', reject)
    .end();
  return promise;
}

describe('another interface than loopback (SEC20, SEC40, SEC41)', () => {
  test('is refused without TLS, with exit code 2', async () => {
    await using folder = await tempFolder();
    const { code, stderr } = await isoline(
      'serve',
      '--data-dir',
      join(folder.path, 'd'),
      '--host',
      '0.0.0.0',
      '--port',
      '0',
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('--tls self-signed')]);
  });

  test('with TLS shows the fingerprint of the pair it made, keeps the pair, and speaks nothing else', async () => {
    await using folder = await tempFolder();
    const args = [
      'serve',
      '--data-dir',
      join(folder.path, 'd'),
      '--host',
      '0.0.0.0',
      '--port',
      '0',
      '--tls',
      'self-signed',
    ];
    const shown: string[] = [];
    for (let start = 0; start < 2; start++) {
      await using served = startIsoline(...args);
      const { listening, fingerprint } = JSON.parse(await served.firstLine) as {
        listening: string;
        fingerprint: string;
      };
      shown.push(fingerprint);
      const certificate = readFileSync(join(folder.path, 'd/tls/certificate.pem'), 'utf8');
      expect(new X509Certificate(certificate).fingerprint256).toBe(fingerprint);
      expect(statSync(join(folder.path, 'd/tls/key.pem')).mode & 0o777).toBe(0o600);
      expect(await secureGet(listening, '/v3/none', certificate)).toBe(404);
      expect(await secureGet(listening, '/v3/none', certificate, { Host: 'evil.example' })).toBe(400);
      const [address] = Object.values(networkInterfaces()).flatMap((each = []) =>
        each.filter(({ internal, family }) => !internal && family === 'IPv4'),
      );
      if (address !== undefined)
        expect(await secureGet(listening, '/v3/none', certificate, { Host: address.address })).toBe(404);
      expect(
        await rawRequest(
          listening.replace('https', 'http').replace('0.0.0.0', '127.0.0.1'),
          'GET /v3/none HTTP/1.1\r\nHost: localhost\r\n\r\n',
          500,
        ),
      ).not.toMatch(/HTTP\/1\.1 (200|404)/);
      const old = new Promise((resolve, reject) =>
        tlsConnect(
          {
            host: '127.0.0.1',
            port: Number(new URL(listening).port),
            maxVersion: 'TLSv1.1',
            minVersion: 'TLSv1.1',
            rejectUnauthorized: false,
          },
          resolve as () => void,
        ).on('error', reject),
      );
      await expect(old).rejects.toThrow();
    }
    expect(shown[0]).toBe(shown[1]);
  });

  test('with files of one’s own: a pair that is none is said in one sentence', async () => {
    await using folder = await tempFolder();
    const own = join(folder.path, 'made');
    {
      await using served = startIsoline(
        'serve',
        '--data-dir',
        own,
        '--host',
        '0.0.0.0',
        '--port',
        '0',
        '--tls',
        'self-signed',
      );
      await served.firstLine;
    }
    const files = ['--tls', 'files', '--set', `service.tlsCertificate=${own}/tls/certificate.pem`, '--set'];
    const bad = join(folder.path, 'bad.pem');
    writeFileSync(bad, 'no key');
    const data = ['serve', '--data-dir', join(folder.path, 'd'), '--port', '0', ...files];
    expect(await isoline(...data, `service.tlsKey=${bad}`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/certificate and the key .* are no pair/),
    });
    expect(await isoline(...data, 'service.tlsKey=/nowhere')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('service.tlsKey'),
    });
    await using served = startIsoline(...data, `service.tlsKey=${own}/tls/key.pem`);
    expect((JSON.parse(await served.firstLine) as { listening: string }).listening).toMatch(/^https:/);
  });
});

test('a damaged pair of the program’s own is created again', async () => {
  await using folder = await tempFolder();
  const args = ['serve', '--data-dir', join(folder.path, 'd'), '--port', '0', '--tls', 'self-signed'];
  const shown = async (): Promise<string> => {
    await using served = startIsoline(...args);
    return (JSON.parse(await served.firstLine) as { fingerprint: string }).fingerprint;
  };
  const first = await shown();
  writeFileSync(join(folder.path, 'd/tls/certificate.pem'), '');
  const second = await shown();
  writeFileSync(join(folder.path, 'd/tls/key.pem'), '');
  const third = await shown();
  expect(new Set([first, second, third]).size).toBe(3);
});

test('a database that is held for a moment keeps nobody from starting', async () => {
  await using folder = await tempFolder();
  await (await runWorkstation({ dataDir: folder.path, overrides: [NO_RESERVE] })).stop();
  const other = new Database(join(folder.path, 'isoline.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  setTimeout(() => {
    other.exec('ROLLBACK');
    other.close();
  }, 1000);
  await using running = await runWorkstation({ dataDir: folder.path, overrides: [NO_RESERVE] });
  expect((await fetch(`${running.url}/v3/none`)).status).toBe(404);
});

test('loopback answers in both protocols, where there are both', async () => {
  const hasIpv6 = Object.values(networkInterfaces()).some((each = []) =>
    each.some(({ address }) => address === '::1'),
  );
  await using running = await runWorkstation({ overrides: [NO_RESERVE] });
  const { port } = new URL(running.url);
  expect((await fetch(`http://127.0.0.1:${port}/v3/none`)).status).toBe(404);
  if (hasIpv6) expect((await fetch(`http://[::1]:${port}/v3/none`)).status).toBe(404);
});

test('a port that another program has is named, with the remedy', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => other.once('listening', done));
  const { port } = other.address() as { port: number };
  await expect(runWorkstation({ port })).rejects.toMatchObject({
    reason: 'port_in_use',
    message: expect.stringContaining('--port'),
  });
  other.close();
});

test('who calls before the store is open is told to come again (D104)', async () => {
  const service = await openService({ host: '127.0.0.1', port: 0 });
  const answer = await new V3Client(service.url, 'x').status(1);
  expect(answer).toMatchObject({ status: 503, json: { reason: 'starting' } });
  expect([answer.headers.get('retry-after'), answer.headers.get('connection')]).toEqual(['1', 'close']);
  await service.close();
});

test('while closing: what runs ends, what comes is refused (D104)', async () => {
  const running = await runWorkstation({ overrides: [NO_RESERVE] });
  const client = new V3Client(running.url, (await running.makeToken()).text);
  const bytes = Buffer.alloc(2_000_000, 'x');
  const id = (await client.createUpload(bytes)).json.upload_id as string;
  const { connect } = await import('node:net');
  const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
  let answers = '';
  socket.on('data', (data) => (answers += data.toString('latin1')));
  socket.write(
    `POST /v3/uploads/${id}/chunks?offset=0 HTTP/1.1\r\nHost: localhost\r\nX-Api-Token: ${client.token}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
  );
  socket.write(bytes.subarray(0, 1000));
  // Kept open and idle: it must not keep the program from ending.
  const idle = connect(Number(new URL(running.url).port), '127.0.0.1');
  await new Promise((done) => setTimeout(done, 300));
  const stopped = running.stop();
  await new Promise((done) => setTimeout(done, 300));
  socket.write(bytes.subarray(1000));
  await eventually(async () => (answers.includes('\r\n\r\n{}') ? true : undefined), 'the answer');
  expect(answers).toMatch(/^HTTP\/1\.1 200/);
  await stopped;
  idle.destroy();
  socket.destroy();
});

describe('beside the interface (D47, D48, D110)', () => {
  test('what an upload has, which program answers, and downloads of what a task holds', async () => {
    await using running = await runWorkstation({ overrides: FREE_OF_LIMITS });
    const client = new V3Client(running.url, (await running.makeToken()).text);
    expect((await client.get('/ext/v1/about')).json).toEqual({
      product: 'isoline',
      version: expect.any(String),
      installation_id: expect.stringMatching(/^[a-z2-7]{8}$/),
    });
    const { dataFolder } = await import('../../support/test-data.ts');
    const edf = readFileSync(join(dataFolder, 'edf', 'made_ecg12_plusC.edf'));
    const id = (await client.createUpload(edf)).json.upload_id as string;
    await client.chunk(id, 100, edf.subarray(100, 300));
    await client.chunk(id, 1000, edf.subarray(1000, 1500));
    expect((await client.get(`/ext/v1/uploads/${id}`)).json).toMatchObject({
      upload_id: id,
      total_size: edf.length,
      state: 'receiving',
      received: [
        [100, 300],
        [1000, 1500],
      ],
      received_bytes: 700,
    });
    await client.chunk(id, 0, edf);
    expect((await client.get(`/ext/v1/uploads/${id}`)).json).toMatchObject({
      state: 'complete',
      received: [[0, edf.length]],
    });
    expect((await client.get('/ext/v1/uploads/nobodys')).json.reason).toBe('invalid_upload_id');
    const [task_id = 0] = (await client.createTask({ upload_id: id, auto_complete: true })).json
      .created_task_ids as number[];
    await eventually(
      async () => ((await client.status(task_id)).json.processed === true ? true : undefined),
      'the report',
    );
    for (const kind of ['original', 'recording', 'report']) {
      const made = await client.post('/ext/v1/downloads', { task_id, kind });
      expect(made.status, kind).toBe(200);
      const { download_id, total_size, hash_sum } = made.json as {
        download_id: string;
        total_size: number;
        hash_sum: string;
      };
      const chunk = await client.get(`/v3/downloads/${download_id}/chunks/0`);
      expect([chunk.headers.get('content-type'), chunk.bytes.length]).toEqual([
        'application/octet-stream',
        total_size,
      ]);
      expect(createHash('sha256').update(chunk.bytes).digest('base64')).toBe(hash_sum);
      expect((await client.get(`/v3/downloads/${download_id}/chunks/1`)).json.reason).toBe(
        'invalid_chunk_index',
      );
      for (const index of ['x', '-1', '12345678901'])
        expect((await client.get(`/v3/downloads/${download_id}/chunks/${index}`)).json.reason).toBe(
          'invalid_chunk_index',
        );
    }
    expect(await client.post('/ext/v1/downloads', { task_id: 999_999, kind: 'report' })).toMatchObject({
      status: 404,
    });
    expect(await client.post('/ext/v1/downloads', { task_id, kind: 'everything' })).toMatchObject({
      status: 400,
      json: { reason: 'invalid_kind' },
    });
  });

  test('all of it is gone when extensions are off', async () => {
    await using running = await runWorkstation({ overrides: [NO_RESERVE, ['service.extensions', 'false']] });
    const client = new V3Client(running.url, (await running.makeToken()).text);
    expect((await client.get('/ext/v1/about')).json.reason).toBe('route_not_found');
  });
});

test('a token of another organization sees no task, no stream, no upload and no download (D33)', async () => {
  await using folder = await tempFolder();
  await using running = await runWorkstation({ dataDir: folder.path, overrides: FREE_OF_LIMITS });
  const client = new V3Client(running.url, (await running.makeToken()).text);
  const [task_id = 0] = (await client.createTask({ device_id: 'X' })).json.created_task_ids as number[];
  const upload_id = (await client.createUpload(new Uint8Array(10))).json.upload_id as string;
  const { openDataStore, commandContext } = await import('../../../main/host/data-folder.ts');
  const { createToken } = await import('../../../main/clinic/people/tokens.ts');
  const { SCOPES } = await import('../../../shared/token-scopes.ts');
  using store = openDataStore(folder.path, 'command');
  store.organizations.add('other', 'Other', 1);
  const { text } = await createToken(await commandContext(folder.path, store), {
    organizationPath: 'other',
    label: 'x',
    scopes: SCOPES,
    lifeDays: 1,
    creator: 'test',
  });
  const other = new V3Client(running.url, text, 'other');
  expect((await other.status(task_id)).status).toBe(404);
  expect((await other.post('/v3/streams/find', { device_id: 'X' })).status).toBe(404);
  expect((await other.get(`/v3/streams/${task_id}/params`)).status).toBe(404);
  const start = {
    task_id,
    processing_mode: 'PROCESS_ON_FINISH',
    frame_format: 'COMPRESSED_DELTA',
    sample_rate: 500,
    lead_codes: ['MDC_ECG_LEAD_I'],
  };
  expect((await other.post('/v3/streams/start', start)).json.reason).toBe('unknown_task');
  expect((await other.chunk(upload_id, 0, new Uint8Array(10))).json.reason).toBe('invalid_upload_id');
  expect((await other.createTask({ upload_id })).json.reason).toBe('invalid_upload_id');
  expect((await other.get(`/ext/v1/uploads/${upload_id}`)).status).toBe(400);
  expect((await other.post('/ext/v1/downloads', { task_id, kind: 'original' })).status).toBe(404);
});

test('actions are audited, every one of them bound to the one before (D34)', async () => {
  await using folder = await tempFolder();
  {
    await using running = await runWorkstation({ dataDir: folder.path, overrides: [NO_RESERVE] });
    const client = new V3Client(running.url, (await running.makeToken()).text);
    const [task_id] = (await client.createTask({})).json.created_task_ids as number[];
    await client.post('/v3/streams/start', {
      task_id,
      processing_mode: 'PROCESS_ON_FINISH',
      frame_format: 'COMPRESSED_DELTA',
      sample_rate: 500,
      lead_codes: ['MDC_ECG_LEAD_I'],
    });
  }
  const database = new Database(join(folder.path, 'isoline.sqlite'), { readonly: true });
  const actions = database.prepare('SELECT action FROM audit ORDER BY seq').pluck().all();
  database.close();
  expect(actions).toEqual(
    expect.arrayContaining(['token.created', 'token.first_used', 'task.created', 'stream.started']),
  );
  expect((await isoline('audit', 'verify', '--data-dir', folder.path)).code).toBe(0);
});
