// Seats without a browser: what one does over the network, and what others might.

import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { decode, encode } from '@msgpack/msgpack';
import { WebSocket } from 'ws';
import type { Desk } from '../../main/device/desk.ts';
import { attachDesk } from '../../main/host/desk-host.ts';
import type { PageFiles } from '../../main/host/page/renderer-files.ts';
import { keepSeatDoor, type SeatDoor } from '../../main/host/seats/seat-door.ts';
import { BridgeClient } from '../../shared/bridge/client.ts';
import { protocolsWith } from '../../shared/bridge/page.ts';
import { eventually, type RunningWorkstation } from './running-workstation.ts';

export const PASSWORD = 'correct horse battery';
export const PIN = '135790';

const NO_PAGES: PageFiles = new Map([
  ['/index.html', { bytes: Buffer.from('<!doctype html>'), type: 'text/html; charset=utf-8' }],
]);

export const SEATS_ON = [
  ['storage.reserve', '0'],
  ['seats.on', 'true'],
  ['seats.host', '127.0.0.1'],
  ['seats.port', '0'],
] as const;

/** An administrator, who is signed in, a technician and a physician. */
export async function addPeople(bridge: BridgeClient): Promise<void> {
  const { userId } = await bridge.call('user.add', { name: 'Ada', role: 'administrator', secret: PASSWORD });
  await bridge.call('session.signIn', { userId, secret: PASSWORD });
  await bridge.call('user.add', { name: 'Tom', role: 'technician', secret: PIN });
  await bridge.call('user.add', { name: 'Dr. Lind', role: 'reviewer', secret: PIN });
}

/** With people of each kind. */
export async function openSeats(
  running: RunningWorkstation,
  desk: Desk,
  pages = NO_PAGES,
): Promise<SeatDoor> {
  await addPeople(running.bridge);
  const door = keepSeatDoor(running.workstation, attachDesk(desk), pages);
  await eventually(async () => door.port, 'the door to the seats');
  return door;
}

export const certificateOf = ({ dataDir }: RunningWorkstation): string =>
  readFileSync(join(dataDir, 'tls', 'certificate.pem'), 'utf8');

export interface Approach {
  readonly port: number;
  /** What the caller trusts. */
  readonly certificate: string;
  /** The origin of the page that asks. */
  readonly origin?: string;
  readonly host?: string;
}

const hostOf = ({ port, host }: Approach): string => host ?? `127.0.0.1:${port}`;
const originOf = (approach: Approach): string => approach.origin ?? `https://127.0.0.1:${approach.port}`;

/** The secret of a seat for the code of an invitation; a status where there is none. */
export async function pair(approach: Approach, code: string): Promise<string | number> {
  const { promise, resolve, reject } = Promise.withResolvers<string | number>();
  const asked = request(
    {
      host: '127.0.0.1',
      port: approach.port,
      ca: approach.certificate,
      method: 'POST',
      path: '/session',
      // The door is to refuse a foreign name by itself.
      ...(approach.host !== undefined && { checkServerIdentity: () => undefined }),
      headers: { Host: hostOf(approach), Origin: originOf(approach), 'Content-Type': 'text/plain' },
      agent: false,
    },
    (response) => {
      let text = '';
      response.on('data', (bytes: Buffer) => {
        text += bytes.toString();
      });
      response.on('end', () => resolve(response.statusCode === 200 ? text : (response.statusCode ?? 0)));
    },
  );
  asked.on('error', reject);
  asked.end(code);
  return promise;
}

export interface OpenSeat {
  readonly bridge: BridgeClient;
  readonly socket: WebSocket;
  readonly closed: Promise<void>;
}

/** @throws Error where the door refuses */
export async function sitDown(approach: Approach, secret: string): Promise<OpenSeat> {
  const socket = new WebSocket(`wss://127.0.0.1:${approach.port}/bridge`, protocolsWith(secret), {
    ca: approach.certificate,
    headers: { Host: hostOf(approach), Origin: originOf(approach) },
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  const bridge = new BridgeClient({
    post: (message) => socket.send(encode(message, { ignoreUndefined: true })),
    onMessage: (listener) => void socket.on('message', (data: Buffer) => listener(decode(data))),
    onClose: (listener) => void socket.on('close', () => listener()),
    close: () => socket.close(),
  });
  return { bridge, socket, closed };
}

/** Adds a seat at the workstation, and opens it. */
export async function newSeat(
  { bridge }: RunningWorkstation,
  approach: Approach,
  name: string,
): Promise<OpenSeat & { readonly secret: string; readonly seatId: number }> {
  const { code } = await bridge.call('seat.invite', { name });
  const secret = await pair(approach, code);
  if (typeof secret !== 'string') throw new Error(`refused: ${secret}`);
  const seat = await sitDown(approach, secret);
  const { seats } = await bridge.call('seat.list', {});
  return { ...seat, secret, seatId: seats.find((each) => each.name === name)?.seatId ?? 0 };
}

/** By the name of the account. */
export async function signIn({ bridge }: OpenSeat, name: string): Promise<void> {
  const { users } = await bridge.call('session.get', {});
  const userId = users.find((user) => user.name === name)?.userId ?? 0;
  await bridge.call('session.signIn', { userId, secret: name === 'Ada' ? PASSWORD : PIN });
}
