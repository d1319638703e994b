// The client against a real service behind a bad network, over real sockets: what is told of each call, and
// what the service had of it.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectTcp, createServer as createTcpServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Call, Outcome } from '../../../../main/clinic/outbox/call.ts';
import { Bandwidth } from '../../../../main/connections/central/bandwidth.ts';
import { CentralClient } from '../../../../main/connections/central/central-client.ts';
import type { Parcel } from '../../../../main/connections/central/central-requests.ts';
import { readAnswer, readRetryAfter } from '../../../../main/connections/central/read-answer.ts';
import { checkUrl } from '../../../../shared/connections/network-address.ts';
import { type Fault, FaultProxy } from '../../../faults/fault-proxy.ts';
import { makeFrame } from '../../../support/make-frames.ts';
import {
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
} from '../../../support/running-workstation.ts';
import { V3Client } from '../../../support/v3-client.ts';

let running: RunningWorkstation;
let token: string;
let script: V3Client;
beforeAll(async () => {
  running = await runWorkstation({ overrides: FREE_OF_LIMITS });
  token = (await running.makeToken()).text;
  script = new V3Client(running.url, token);
});
afterAll(() => running.stop());

let proxy: FaultProxy;
let client: CentralClient;
beforeEach(async () => {
  proxy = await FaultProxy.before(running.url);
  client = new CentralClient({ url: proxy.url, organizationThere: 'clinic', token });
});
afterEach(async () => {
  await client[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});

const FILE = Buffer.from('name;value\n'.repeat(500));
let devices = 0;
const parcel = (): Parcel => {
  const deviceId = `cart#isoline:abcdefgh:${devices++}`;
  return {
    sizeBytes: FILE.length,
    sha256Base64: createHash('sha256').update(FILE).digest('base64'),
    task: () => ({ patient_last_name: 'Hoffmann', searching_tags: [`isoline:abcdefgh:${devices}`] }),
    deviceId,
    stream: {
      processing_mode: 'PROCESS_ON_FINISH',
      frame_format: 'COMPRESSED_DELTA',
      sample_rate: 500,
      lead_codes: ['MDC_ECG_LEAD_I'],
    },
    read: async (offset, length) => FILE.subarray(offset, offset + length),
    frame: async (index) => ({
      timestampUs: index * 500_000,
      bytes: makeFrame({ leads: 1, from: index * 250 }),
    }),
  };
};

const forwardedTo = (part: string): number =>
  proxy.forwarded.filter(({ path }) => path.includes(part)).length;
const idOf = (outcome: Outcome): string => {
  expect(outcome.kind).toBe('done');
  return (outcome as { id?: string }).id ?? '';
};

test('the stream way: a draft that can be found again, started, fed, finished', async () => {
  const load = parcel();
  expect(await client.perform({ kind: 'findDraft' }, load)).toEqual({ kind: 'absent' });
  const centralId = idOf(await client.perform({ kind: 'createDraft' }, load));
  expect(await client.perform({ kind: 'findDraft' }, load)).toEqual({ kind: 'done', id: centralId });
  const call = (kind: 'start' | 'finish'): Promise<Outcome> => client.perform({ kind, centralId }, load);
  expect(await call('start')).toEqual({ kind: 'done' });
  // Started again with the same parameters it is as it was (D125): either answer means so.
  expect(['done', 'conflict']).toContain((await call('start')).kind);
  for (const index of [0, 1, 2])
    expect(await client.perform({ kind: 'frame', centralId, index }, load)).toEqual({ kind: 'done' });
  expect(await client.perform({ kind: 'frame', centralId, index: 1 }, load)).toEqual({ kind: 'conflict' });
  expect(await client.perform({ kind: 'params', centralId, after: 'finish' }, load)).toMatchObject({
    kind: 'done',
  });
  // A page of the network in between finishes nothing.
  proxy.when('POST', '/finish', { kind: 'answer', status: 200, body: '<html>sign in to the network</html>' });
  expect(await call('finish')).toEqual({ kind: 'unclear' });
  expect(await call('finish')).toEqual({ kind: 'done' });
  expect(await client.perform({ kind: 'params', centralId, after: 'finish' }, load)).toEqual({
    kind: 'absent',
  });
  expect(await client.perform({ kind: 'status', centralId }, load)).toMatchObject({ kind: 'done' });
});

test('the upload way: pieces in order, then the task on a connection that is alive; its report comes whole', async () => {
  const load = parcel();
  const uploadId = idOf(await client.perform({ kind: 'createUpload' }, load));
  for (let offsetBytes = 0; offsetBytes < FILE.length; offsetBytes += 2000)
    expect(
      await client.perform(
        { kind: 'chunk', uploadId, offsetBytes, lengthBytes: Math.min(2000, FILE.length - offsetBytes) },
        load,
      ),
    ).toEqual({ kind: 'done' });
  // The table is no ECG: the centre says so, and that decides.
  expect(await client.perform({ kind: 'createTask', uploadId }, load)).toMatchObject({
    kind: 'refused',
    message: expect.stringMatching(/./),
  });
  expect(proxy.forwarded.at(-2)?.path).toMatch(/\/status$/);
  proxy.when('GET', '/report', { kind: 'answer', status: 200, body: '%PDF-1.7 … %%EOF' });
  const { outcome, pdf } = await client.fetchReport('1');
  expect(outcome).toEqual({ kind: 'done' });
  expect(Buffer.from(pdf!).toString()).toBe('%PDF-1.7 … %%EOF');
  for (const body of ['<html>sign in to the network</html>', '%PDF-1.7 cut']) {
    proxy.when('GET', '/report', { kind: 'answer', status: 200, body });
    expect(await client.fetchReport('1')).toEqual({ outcome: { kind: 'unclear' } });
  }
});

describe('what the token may do there', () => {
  test('a token of all scopes may do everything, one that is not known nothing', async () => {
    expect(await client.rights()).toEqual({ read: true, upload: true, create: true, stream: true });
    const stranger = new CentralClient({ url: proxy.url, organizationThere: 'clinic', token: 'isl_unknown' });
    expect(await stranger.rights()).toEqual({ read: false, upload: false, create: false, stream: false });
    await stranger[Symbol.asyncDispose]();
  });

  test.each<[string, Fault]>([
    ['is cut off', { kind: 'cut' }],
    ['is a fault over there', { kind: 'answer', status: 500 }],
    ['asks to wait', { kind: 'answer', status: 429 }],
    ['leads elsewhere', { kind: 'answer', status: 307, headers: { location: 'http://127.0.0.1:1/' } }],
  ])('is not known while one answer %s', async (_name, fault) => {
    proxy.when('POST', '/v3/uploads', fault);
    expect(await client.rights()).toBeUndefined();
  });
});

const DRAFT = { kind: 'createDraft' } as const;
describe('the answer to a creation', () => {
  test.each<[string, Fault, Outcome, arrived: number]>([
    ['is lost behind the creation', { kind: 'loseAnswer' }, { kind: 'unknown', isServer: false }, 1],
    ['breaks off', { kind: 'cutAnswer' }, { kind: 'unknown', isServer: false }, 1],
    ['is a cut connection before it', { kind: 'cut' }, { kind: 'unknown', isServer: false }, 0],
    ['is a 500 before it', { kind: 'answer', status: 500 }, { kind: 'unknown', isServer: true }, 0],
    [
      'is a 503 behind it',
      { kind: 'answer', status: 503, isForwarded: true },
      { kind: 'unknown', isServer: true },
      1,
    ],
    ['is a page of somebody else', { kind: 'answer', status: 200, body: '<html>' }, { kind: 'unclear' }, 0],
    [
      'names two tasks',
      { kind: 'answer', status: 200, body: '{"created_task_ids":[1,2]}' },
      { kind: 'unclear' },
      0,
    ],
    [
      'is a number larger than a number',
      { kind: 'answer', status: 200, body: '{"created_task_ids":[9007199254740993]}' },
      { kind: 'done', id: '9007199254740993' },
      0,
    ],
    [
      'is 429 with seconds',
      { kind: 'answer', status: 429, headers: { 'retry-after': '7' } },
      { kind: 'limited', waitMs: 7000 },
      0,
    ],
    ['is 429 without', { kind: 'answer', status: 429 }, { kind: 'limited', waitMs: undefined }, 0],
    ['is 401', { kind: 'answer', status: 401, body: '"no"' }, { kind: 'tokenRefused' }, 0],
    [
      'leads elsewhere',
      { kind: 'answer', status: 307, headers: { location: 'http://127.0.0.1:1/steal' } },
      { kind: 'moved' },
      0,
    ],
    [
      'is a refusal in quotes',
      { kind: 'answer', status: 400, body: '"not like this"' },
      { kind: 'refused', message: 'not like this' },
      0,
    ],
  ])('%s', async (_name, fault, outcome, arrived) => {
    proxy.when('POST', '/tasks', fault);
    expect(await client.perform(DRAFT, parcel())).toEqual(outcome);
    expect(forwardedTo('/tasks')).toBe(arrived);
    // The next one meets no trouble, on whatever connection.
    expect((await client.perform(DRAFT, parcel())).kind).toBe('done');
  });

  test('never comes: given up, and nobody knows', async () => {
    proxy.when('POST', '/tasks', { kind: 'hang' });
    expect(await client.perform(DRAFT, parcel(), AbortSignal.timeout(300))).toEqual({
      kind: 'unknown',
      isServer: false,
    });
  });
});

test('a piece that is cut in its middle did not arrive, and is not known to have', async () => {
  proxy.when('POST', '/chunks', { kind: 'cutBody' });
  const uploadId = idOf(await client.perform({ kind: 'createUpload' }, parcel()));
  const chunk: Call = { kind: 'chunk', uploadId, offsetBytes: 0, lengthBytes: FILE.length };
  expect(await client.perform(chunk, parcel())).toEqual({ kind: 'unknown', isServer: false });
  expect(await client.perform(chunk, parcel())).toEqual({ kind: 'done' });
});

test('a creation is not sent on a connection that turns out to be dead', async () => {
  const uploadId = idOf(await client.perform({ kind: 'createUpload' }, parcel()));
  proxy.when('GET', '/status', { kind: 'loseAnswer' });
  expect(await client.perform({ kind: 'createTask', uploadId }, parcel())).toEqual({ kind: 'notDone' });
  expect(proxy.forwarded.filter(({ method, path }) => method === 'POST' && path.endsWith('/tasks'))).toEqual(
    [],
  );
});

describe('what was never sent is not done', () => {
  const tryAt = async (url: string): Promise<Outcome> => {
    await using other = new CentralClient({ url, organizationThere: 'clinic', token });
    return await other.perform(DRAFT, parcel(), AbortSignal.timeout(5000));
  };
  test('nobody listens there', async () => {
    const port = new URL(proxy.url).port;
    await proxy[Symbol.asyncDispose]();
    expect(await tryAt(`http://127.0.0.1:${port}`)).toEqual({ kind: 'notDone' });
    proxy = await FaultProxy.before(running.url);
  });
  test('no such name', async () =>
    expect(await tryAt('https://nowhere.invalid')).toEqual({ kind: 'notDone' }));
  test('no encryption there', async () =>
    expect(await tryAt(running.url.replace('http:', 'https:'))).toEqual({ kind: 'notDone' }));
  test('a certificate that nobody knows', async () => {
    await using own = await runWorkstation({
      overrides: [...FREE_OF_LIMITS, ['service.tls', 'self-signed']],
    });
    expect(own.url).toMatch(/^https:/);
    expect(await tryAt(own.url)).toEqual({ kind: 'notDone' });
  });
});

test('a certificate of the clinic’s own is trusted where somebody says so', async () => {
  await using own = await runWorkstation({ overrides: [...FREE_OF_LIMITS, ['service.tls', 'self-signed']] });
  const certificate = await certificateOf(own.url);
  const its = (await own.makeToken()).text;
  await using other = new CentralClient({
    url: own.url,
    organizationThere: 'clinic',
    token: its,
    certificates: [certificate],
  });
  expect((await other.perform(DRAFT, parcel())).kind).toBe('done');
});

/** As a browser would save it. */
async function certificateOf(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  return `-----BEGIN CERTIFICATE-----\n${raw.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;
}

test('through the proxy of a clinic, and a proxy that does not let through', async () => {
  let isOpen = true;
  const way = createServer();
  way.on('connect', (request, socket) => {
    if (!isOpen) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const { hostname, port } = new URL(`http://${request.url}`);
    const onward = connectTcp(Number(port), hostname, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
    onward.pipe(socket).pipe(onward);
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const proxyUrl = `http://127.0.0.1:${(way.address() as { port: number }).port}`;
  await using through = new CentralClient({
    url: running.url,
    organizationThere: 'clinic',
    token,
    proxy: proxyUrl,
  });
  expect((await through.perform(DRAFT, parcel())).kind).toBe('done');
  isOpen = false;
  await using refused = new CentralClient({
    url: running.url,
    organizationThere: 'clinic',
    token,
    proxy: proxyUrl,
  });
  expect(await refused.perform(DRAFT, parcel())).toEqual({ kind: 'notDone' });
  expect(refused.trouble).toBe('proxy');
  way.closeAllConnections();
  way.close();
});

test('no more is sent in a second than is allowed, and the line is shared', async () => {
  const bandwidth = new Bandwidth(() => 800);
  await using bound = new CentralClient(
    { url: running.url, organizationThere: 'clinic', token },
    { bandwidth },
  );
  const big = { ...parcel(), sizeBytes: 100_000, read: async () => new Uint8Array(100_000) };
  const uploadId = idOf(await bound.perform({ kind: 'createUpload' }, big));
  const startMs = performance.now();
  await bound.perform({ kind: 'chunk', uploadId, offsetBytes: 0, lengthBytes: 100_000 }, big);
  // 100 kB at 800 kbit/s are a second; the last slice waits for those before it alone.
  expect(performance.now() - startMs).toBeGreaterThan(700);
});

test('what is no HTTP is sent all the same: nobody knows', async () => {
  const odd = createTcpServer((socket) => socket.on('data', () => socket.end('I am a printer\r\n')));
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
  const { port } = odd.address() as { port: number };
  await using other = new CentralClient({
    url: `http://127.0.0.1:${port}`,
    organizationThere: 'clinic',
    token,
  });
  expect(await other.perform(DRAFT, parcel())).toEqual({ kind: 'unknown', isServer: false });
  odd.close();
});

test.each(['http://example.org', 'ftp://example.org', 'example.org', 'http://127.0.0.1.example.org'])(
  'no token goes to %s',
  (url) => {
    expect(() => checkUrl(url)).toThrow(expect.objectContaining({ reason: 'invalid_request' }));
  },
);

describe('Retry-After', () => {
  const now = Date.UTC(2026, 10, 22, 12);
  test.each<[string | undefined, string | undefined, number | undefined]>([
    ['40', undefined, 40_000],
    ['99999', undefined, 3_600_000],
    ['Sun, 22 Nov 2026 12:00:30 GMT', undefined, 30_000],
    // A clock that is wrong here does not matter: theirs is in the answer.
    ['Mon, 22 Nov 2027 12:00:30 GMT', 'Mon, 22 Nov 2027 12:00:00 GMT', 30_000],
    ['Sun, 22 Nov 2026 11:00:00 GMT', undefined, undefined],
    ['-5', undefined, undefined],
    ['soon', undefined, undefined],
    [undefined, undefined, undefined],
  ])('%s', (text, date, waitMs) => {
    expect(readRetryAfter({ 'retry-after': text, date }, now)).toBe(waitMs);
  });
});

test.each<[number, Outcome['kind']]>([
  [200, 'done'],
  [204, 'done'],
  [301, 'moved'],
  [400, 'refused'],
  [403, 'tokenRefused'],
  [404, 'absent'],
  [409, 'conflict'],
  [413, 'refused'],
  [415, 'refused'],
  [502, 'unknown'],
  [504, 'unknown'],
])('a frame that is answered with %i: %s', (status, kind) => {
  expect(readAnswer({ status, headers: {}, body: '' }, 'nothing', 0).kind).toBe(kind);
});

test('a script and the client see the same task', async () => {
  const centralId = idOf(await client.perform(DRAFT, parcel()));
  expect((await script.status(centralId)).status).toBe(200);
});

describe('a client that ends', () => {
  const ask = (): Promise<Outcome> => client.perform({ kind: 'status', centralId: '1' }, undefined);

  test.each([
    ['before its first request', () => client[Symbol.asyncDispose]().then(ask)],
    [
      'while its first request is on its way',
      async () => {
        const asked = ask();
        await client[Symbol.asyncDispose]();
        return asked;
      },
    ],
  ])('%s sends nothing', async (_, endAround) => {
    expect(await endAround()).toEqual({ kind: 'notDone' });
    expect(proxy.forwarded).toEqual([]);
  });
});

test('a proxy whose address is none is what is told, and nothing is sent past it', async () => {
  const wrong = { url: proxy.url, organizationThere: 'clinic', token, proxy: 'http://proxy:99999' };
  await using lost = new CentralClient(wrong);
  for (let time = 0; time < 2; time++) {
    expect(await lost.perform({ kind: 'status', centralId: '1' }, undefined)).toEqual({ kind: 'notDone' });
    expect(lost.trouble).toBe('proxy');
  }
  expect(proxy.forwarded).toEqual([]);
});
