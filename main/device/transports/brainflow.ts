// What BrainFlow sends through the network, as a transport: `brainflow:225.1.1.1:6677`, the address that its program
// was told to stream to.

import { createSocket, type Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { IsolineError } from '../../../shared/errors.ts';
import { otherSender, senders } from './same-sender.ts';
import type { OpenTransport } from './transport.ts';

const SCHEME = 'brainflow:';
const ADDRESS = /^(\d{1,3}(?:\.\d{1,3}){3}):(\d{1,5})$/;
/** Numbers of 64 bits make up all that BrainFlow sends. */
const NUMBER_BYTES = 8;
/** What comes on two ways comes twice within these. */
const PACKETS_COMPARED = 16;
/** Some seconds of the fastest board, should this program be busy. */
const KEPT_BYTES = 4 << 20;

export const isBrainFlowPath = (path: string): boolean => path.startsWith(SCHEME);

interface Address {
  readonly host: string;
  readonly port: number;
}

/** @throws IsolineError `stream_address_invalid` */
function readBrainFlowPath(path: string): Address {
  const [, host = '', port = ''] = ADDRESS.exec(path.slice(SCHEME.length)) ?? [];
  const isValid =
    host.split('.').every((part) => Number(part) <= 255) && Number(port) > 0 && Number(port) < 65_536;
  if (host === '' || !isValid)
    throw new IsolineError(
      'stream_address_invalid',
      'Type the address as BrainFlow has it: four numbers, a colon and the port, such as 225.1.1.1:6677.',
    );
  return { host, port: Number(port) };
}

/** Groups that many may listen to (RFC 5771). */
const isGroup = (host: string): boolean => /^(22[4-9]|23\d)\./.test(host);

/** On every network of this computer, so that it does not matter on which one the other program is. */
function join(socket: Socket, group: string): void {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  for (const { family, address } of own) {
    if (family !== 'IPv4') continue;
    try {
      socket.addMembership(group, address);
    } catch {
      // Some networks have no groups.
    }
  }
}

async function listen({ host, port }: Address): Promise<Socket> {
  // A group may be listened to by several programs; an address of this computer by one.
  const socket = createSocket({ type: 'udp4', reuseAddr: isGroup(host) });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once('error', reject);
  // Bound to the group itself, it hears no other one on this port; Windows has no such thing.
  socket.bind(port, isGroup(host) && process.platform === 'win32' ? undefined : host, resolve);
  try {
    await promise;
  } catch (cause) {
    socket.close();
    const isUsed = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
    throw new IsolineError(
      isUsed ? 'device_in_use' : 'stream_address_invalid',
      isUsed
        ? `Port ${port} is used by another program: close that, or let BrainFlow stream to another port.`
        : `${host} is neither an address of this computer nor a group. Type the address that BrainFlow streams to.`,
      {},
      { cause },
    );
  }
  return socket;
}

/** Packets that came before: each row has its time, so that no two packets are the same. */
class Twins {
  readonly #packets: Buffer[] = [];

  /** Whether it came already; it is known from now on. */
  has(packet: Buffer): boolean {
    if (this.#packets.some((before) => before.equals(packet))) return true;
    this.#packets.push(packet);
    if (this.#packets.length > PACKETS_COMPARED) this.#packets.shift();
    return false;
  }
}

export const openBrainFlow: OpenTransport = async (path, _options, events) => {
  const address = readBrainFlowPath(path);
  const socket = await listen(address);
  let isClosing = false;
  const close = (): void => {
    if (isClosing) return;
    isClosing = true;
    socket.close();
  };
  socket.setRecvBufferSize(KEPT_BYTES);
  if (isGroup(address.host)) join(socket, address.host);
  socket.on('error', () => {
    if (isClosing) return;
    close();
    events.onGone();
  });
  const twins = new Twins();
  socket.on('message', (bytes, { address: from }) => {
    const nowMs = performance.now();
    if (isClosing || bytes.length % NUMBER_BYTES !== 0) return;
    if (!senders.isSame(path, from, nowMs)) events.onNotice?.(otherSender(from));
    else if (!twins.has(bytes)) events.onBytes(bytes, nowMs);
  });
  return {
    isDeaf: true,
    write: async () => undefined,
    setBaud: async () => undefined,
    discard: async () => undefined,
    close: async () => close(),
  };
};
