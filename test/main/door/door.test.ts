// Strangers at a port never keep a known peer out, and one that only sits there makes room.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Door, type DoorBounds } from '../../../main/door/door.ts';

const BOUNDS: DoorBounds = {
  most: 8,
  mostPerAddress: 5,
  mostStrangers: 6,
  mostStrangersPerAddress: 3,
  silentMs: 600_000,
};
/** Longer than nobody has to make room. */
const LONG_MS = 1100;

let server: Server;
let turnedAway: string[];
let nowMs: number;
let sockets: Socket[];
beforeEach(() => {
  turnedAway = [];
  sockets = [];
  nowMs = 0;
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

/** Whoever says `known` is known; whoever says anything is heard. */
async function open(bounds = BOUNDS): Promise<void> {
  const door = new Door({
    name: 'hl7',
    bounds,
    nowMs: () => nowMs,
    onTurnedAway: (name, address) => turnedAway.push(`${name} ${address}`),
  });
  server = createServer((socket) => {
    if (!door.admit(socket)) return;
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      if (String(bytes) === 'known') door.know(socket);
      else door.heard(socket);
      socket.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** From an address of this computer. @param says undefined: nothing */
async function come(localAddress: string, says?: string): Promise<Socket> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (says !== undefined) {
    socket.write(says);
    await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  } else await wait(20);
  return socket;
}
const isIn = (socket: Socket): boolean => !socket.destroyed && !socket.readableEnded;

test('one address has only so much room, and the one that was silent for longest makes it', async () => {
  await open();
  const first = await come('127.0.0.2');
  const second = await come('127.0.0.2');
  await come('127.0.0.2', 'hello');
  const early = await come('127.0.0.2', 'too early');
  expect([isIn(early), isIn(first)]).toEqual([false, true]);
  nowMs += LONG_MS;
  const late = await come('127.0.0.2', 'later');
  await expect.poll(() => [first, second, late].map(isIn)).toEqual([false, true, true]);
  expect(turnedAway).toEqual(['hl7 127.0.0.2', 'hl7 127.0.0.2']);
});

test('whoever has said something goes behind those that were silent', async () => {
  await open();
  const talking = await come('127.0.0.2');
  const silent = await come('127.0.0.2');
  talking.write('something');
  await once(talking, 'data');
  await come('127.0.0.2');
  nowMs += LONG_MS;
  await come('127.0.0.2');
  await expect.poll(() => [talking, silent].map(isIn)).toEqual([true, false]);
});

test('known peers make no room for strangers, and strangers of elsewhere make it for them', async () => {
  await open();
  const known = [await come('127.0.0.9', 'known'), await come('127.0.0.9', 'known')];
  for (const address of ['127.0.0.2', '127.0.0.2', '127.0.0.2', '127.0.0.3', '127.0.0.3', '127.0.0.4'])
    await come(address);
  nowMs += LONG_MS;
  // Eight are in, six of them strangers.
  known.push(await come('127.0.0.9', 'known'), await come('127.0.0.9', 'known'));
  expect(known.map(isIn)).toEqual([true, true, true, true]);
  // The most crowded address was asked.
  expect(turnedAway).toEqual(['hl7 127.0.0.2', 'hl7 127.0.0.2']);
});

test('however often a crowd of several addresses comes again, one that comes alone gets in at once', async () => {
  await open();
  for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.4'])
    for (let i = 0; i < 4; i++) await come(address);
  expect(isIn(await come('127.0.0.9', 'hello'))).toBe(true);
});

test('a crowd at one address takes nothing from another', async () => {
  await open();
  for (let i = 0; i < 40; i++) await come('127.0.0.2');
  const other = await come('127.0.0.3', 'hello');
  expect(isIn(other)).toBe(true);
});

test('whoever says nothing at all is hung up on', async () => {
  await open({ ...BOUNDS, silentMs: 200 });
  const silent = await come('127.0.0.2');
  const heard = await come('127.0.0.2', 'hello');
  await expect.poll(() => [silent, heard].map(isIn)).toEqual([false, true]);
});
