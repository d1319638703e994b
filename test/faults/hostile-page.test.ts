// A page that nobody is signed in at throws everything it has at the workstation while a recording runs
// (issue SEC12, SEC15): nothing of the recording is lost, and the program stays as small as it was.

import { readFileSync } from 'node:fs';
import { encode } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { seededRandom } from '../../main/signal/synthetic/random.ts';
import { CALLS } from '../../shared/bridge/contract.ts';
import { openPage, openSocket } from '../support/page-of-program.ts';
import { startIsoline } from '../support/run-isoline.ts';
import { tempFolder } from '../support/temp-folder.ts';

const MESSAGES = 10_000;
const MOST_RSS_MB = 600;
const PASSWORD = 'correct horse battery';
const NAMES = [...Object.keys(CALLS), 'nothing', '__proto__', 'constructor', ''];

function bomb(head: number, count: number, item: number): Buffer {
  const bytes = Buffer.alloc(5 + count, item);
  bytes[0] = head;
  bytes.writeUInt32BE(count, 1);
  return bytes;
}

const BOMBS: readonly (() => Buffer)[] = [
  () => bomb(0xdd, 16_000_000, 0x80),
  () => bomb(0xdd, 1_000_000, 0x80),
  () => bomb(0xdd, 1_100_000, 0x90),
  () => bomb(0xdf, 500_000, 0xa0),
  () => Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]),
  () => Buffer.alloc(900_000, 0x91),
  () => Buffer.from(encode({ kind: 'call', id: 1, name: 'task.list', input: 'x'.repeat(1_000_000) })),
  () =>
    Buffer.from(
      encode({ kind: 'call', id: 1, name: 'import.write', input: { bytes: new Uint8Array(1_000_000) } }),
    ),
];

/** Something that a page could send: mostly calls of ours with inputs that are not. */
function message(random: () => number, id: number): Buffer {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  if (random() < 0.01) return pick(BOMBS)();
  if (random() < 0.05)
    return Buffer.from(
      Array.from({ length: 1 + Math.floor(random() * 200) }, () => Math.floor(random() * 256)),
    );
  const inputs: unknown[] = [
    {},
    null,
    [],
    'x',
    { taskId: 1 },
    { id: 'path:x' },
    { port: '/etc/passwd' },
    { port: `simulator:cyton?seed=${id}` },
    { limit: 1e9 },
  ];
  return Buffer.from(
    encode(
      {
        kind: pick(['call', 'call', 'call', 'cancel', 'subscribe', 'unsubscribe', 'x']),
        id,
        name: pick(NAMES),
        input: pick(inputs),
      },
      { ignoreUndefined: true },
    ),
  );
}

const peakRssMb = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

test.skipIf(process.platform !== 'linux')(
  'ten thousand messages of a page that is not signed in cost the recording nothing (left out but on Linux)',
  async () => {
    await using folder = await tempFolder();
    await using program = startIsoline(
      'start',
      '--browser',
      '--data-dir',
      folder.path,
      '--service-port',
      '0',
    );
    const page = await openPage((await program.match(/Isoline is open at (\S+)/))[1]!);
    const { bridge, origin, secret } = page;
    const admin = await bridge.call('user.add', { name: 'A', role: 'administrator', secret: PASSWORD });
    await bridge.call('session.signIn', { userId: admin.userId, secret: PASSWORD });
    const { id } = await bridge.call('desk.connect', { port: 'simulator:isoline-idp' });
    const { taskId } = await bridge.call('desk.record', { id });

    const random = seededRandom(23);
    let socket = await openSocket(origin, secret);
    for (let sent = 0; sent < MESSAGES; sent++) {
      // What is no message of ours ends the socket; the page comes back.
      if (socket.readyState !== WebSocket.OPEN) socket = await openSocket(origin, secret);
      socket.send(message(random, sent + 1));
      if (sent % 100 === 99) await new Promise((done) => setTimeout(done, 20));
    }
    socket.terminate();

    const running = (await bridge.call('desk.list', {})).devices.find((device) => device.id === id);
    expect(running?.recording).toMatchObject({ taskId, lostShare: 0 });
    await bridge.call('desk.stop', { id });
    expect((await bridge.call('task.get', { taskId })).state).not.toBe('RECEIVING');
    expect(running!.recording!.recordedMs).toBeGreaterThan(2000);
    expect(
      (await bridge.call('desk.list', {})).devices.filter(({ isSimulated }) => isSimulated),
    ).toHaveLength(1);
    const rss = peakRssMb(program.child.pid!);
    console.log(`peak resident memory: ${rss.toFixed(0)} MB`);
    expect(rss).toBeLessThan(MOST_RSS_MB);
    page.close();
  },
  180_000,
);
