import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIsoline } from '../support/run-isoline.ts';
import { FREE_OF_LIMITS, type RunningWorkstation, runWorkstation } from '../support/running-workstation.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { V3Client } from '../support/v3-client.ts';

const SOCKETS = 500;
const ADDRESSES = 5;
/** D100: the average of a body is judged after ten seconds, a header must be there after twenty. */
const BODY_LIMIT_MS = 10_000;
const HEADER_LIMIT_MS = 20_000;
/** A second as promised, and what a busy test machine adds. */
const GRACE_MS = 1000 + 1500;

let running: RunningWorkstation;
let client: V3Client;
beforeAll(async () => {
  running = await runWorkstation({
    overrides: FREE_OF_LIMITS,
  });
  client = new V3Client(running.url, (await running.makeToken()).text);
});
afterAll(() => running.stop());

/** Sends a byte a second until it is closed. */
function drip(
  n: number,
  head: string,
): { connected: Promise<void>; closed: Promise<{ afterMs: number; answer: string }>; socket: Socket } {
  const connected = Promise.withResolvers<void>();
  const { promise, resolve } = Promise.withResolvers<{ afterMs: number; answer: string }>();
  // A connection has its limits from when it stands: how long many take to come in is not the subject here.
  let startMs = performance.now();
  const socket = connect({
    port: Number(new URL(running.url).port),
    host: '127.0.0.1',
    localAddress: `127.0.0.${1 + (n % ADDRESSES)}`,
  });
  let answer = '';
  socket.on('connect', () => {
    startMs = performance.now();
    socket.write(head);
    connected.resolve();
  });
  const timer = setInterval(() => socket.writable && socket.write('x'), 1000);
  socket.on('data', (data) => (answer += data.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearInterval(timer);
    resolve({ afterMs: performance.now() - startMs, answer });
  });
  return { connected: connected.promise, closed: promise, socket };
}

/** How long statuses take that are asked for one after the other. */
async function waitsForStatus(untilMs: number, taskId: number): Promise<number[]> {
  const waits: number[] = [];
  while (performance.now() < untilMs) {
    const startMs = performance.now();
    expect((await client.status(taskId)).status).toBe(200);
    waits.push(performance.now() - startMs);
    await new Promise((done) => setTimeout(done, 2));
  }
  return waits;
}

const quantile = (waits: readonly number[], share: number): number =>
  waits.toSorted((a, b) => a - b)[Math.floor(waits.length * share)] as number;

test.skipIf(process.platform !== 'linux')(
  `${SOCKETS} clients that drip are closed within their limits, while others are served as ever (SEC24)`,
  async () => {
    const { json } = await client.createTask({});
    const [taskId = 0] = json.created_task_ids as number[];
    const undisturbed = async (): Promise<number[]> => {
      await waitsForStatus(performance.now() + 1000, taskId);
      return waitsForStatus(performance.now() + 4000, taskId);
    };
    const before = await undisturbed();
    const upload_id = (await client.createUpload(new Uint8Array(1 << 20))).json.upload_id as string;
    const headers = `Host: 127.0.0.1\r\nX-Api-Token: ${client.token}\r\n`;
    const bodies = Array.from({ length: SOCKETS / 2 }, (_, n) =>
      drip(
        n,
        n % 2 === 0
          ? `POST /v3/uploads/${upload_id}/chunks?offset=${n * 1000} HTTP/1.1\r\n${headers}Content-Length: 1000\r\n\r\n`
          : `POST /v3/uploads HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
      ),
    );
    // Until a token was read, its connection is a stranger's: all of them at once would be more strangers than the door takes.
    await Promise.all(bodies.map(({ connected }) => connected));
    await waitsForStatus(performance.now() + 500, taskId);
    const heads = Array.from({ length: SOCKETS / 2 }, (_, n) =>
      drip(n, `POST /v3/uploads HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: `),
    );
    const busy = await waitsForStatus(performance.now() + 8000, taskId);
    for (const [drips, limitMs] of [
      [bodies, BODY_LIMIT_MS],
      [heads, HEADER_LIMIT_MS],
    ] as const)
      for (const { afterMs, answer } of await Promise.all(drips.map(({ closed }) => closed))) {
        expect(afterMs).toBeLessThan(limitMs + GRACE_MS);
        expect(afterMs).toBeGreaterThan(limitMs - 1000);
        expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"reason":"request_timeout"/);
      }
    // Before them and after them: what else the machine does comes and goes.
    const idle = [...before, ...(await undisturbed())];
    const words = (share: number): string =>
      `${quantile(idle, share).toFixed(1)} ms idle, ${quantile(busy, share).toFixed(1)} ms beside ${SOCKETS} dripping clients`;
    console.log(`a status: median ${words(0.5)}; p99 ${words(0.99)}`);
    // Twice, and the grain of a timer. The slowest ones are those of whatever else the machine does.
    expect(quantile(busy, 0.5)).toBeLessThan(2 * quantile(idle, 0.5) + 5);
    expect((await client.status(taskId)).status).toBe(200);
  },
);

test('a connection that never shakes hands is closed like a slow header (SEC24)', async () => {
  await using folder = await tempFolder();
  await using served = startIsoline(
    'serve',
    '--data-dir',
    join(folder.path, 'd'),
    '--port',
    '0',
    '--tls',
    'self-signed',
  );
  const { listening } = JSON.parse(await served.firstLine) as { listening: string };
  const startMs = performance.now();
  const socket = connect(Number(new URL(listening).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await new Promise((done) => socket.once('close', done));
  expect(performance.now() - startMs).toBeLessThan(HEADER_LIMIT_MS + GRACE_MS);
});

test.skipIf(process.platform !== 'linux')(
  'an address has 128 connections at most, all together 512 (D100)',
  async () => {
    const open = (count: number, host: string): Promise<Socket[]> =>
      Promise.all(
        Array.from(
          { length: count },
          () =>
            new Promise<Socket>((resolve) => {
              const socket = connect({
                port: Number(new URL(running.url).port),
                host: '127.0.0.1',
                localAddress: host,
              });
              socket.on('error', () => undefined);
              socket.on('connect', () => resolve(socket));
            }),
        ),
      );
    const sockets = await open(140, '127.0.0.9');
    await new Promise((done) => setTimeout(done, 300));
    expect(sockets.filter((socket) => !socket.closed && socket.readyState === 'open').length).toBe(128);
    expect((await client.get('/v3/none')).status).toBe(404);
    for (const socket of sockets) socket.destroy();
  },
);
