// A stream of Lab Streaming Layer as a transport: found by name, then its description and its samples one after
// the other (liblsl, protocol 1.10, `data_receiver`).

import { connect, type Socket } from 'node:net';
import { IsolineError } from '../../../shared/errors.ts';
import { type LslInfo, VALUE_BYTES } from '../drivers/lsl/stream-info.ts';
import { type FoundStream, findLslStreams } from './find-lsl-streams.ts';
import { isMeant, type LslPath, readLslPath } from './lsl-path.ts';
import { otherSender, senders } from './same-sender.ts';
import type { OpenTransport } from './transport.ts';

const SEARCH_MS = 2500;
const CONNECT_MS = 3000;
const PROTOCOL = 110;
/** What its program keeps for us while the network is slow. */
const KEPT_SECONDS = 360;
/** After the first one that is meant, another of the same name gets so long to answer. */
const OTHERS_MS = 600;
const LITTLE_ENDIAN = 1234;
const MAX_DESCRIPTION_BYTES = 1 << 20;

const gone = ({ name, uid }: LslPath): IsolineError =>
  new IsolineError(
    'network_stream_not_found',
    // What names no source is another stream each time that its program starts.
    `The stream${name === undefined ? '' : ` "${name}"`} is not on the network. Start its program, then ${uid === undefined ? 'connect again' : 'search again'}.`,
  );

/** Two that nothing tells apart may be of two patients. */
const twice = (streams: readonly FoundStream[]): IsolineError =>
  new IsolineError(
    'stream_of_two_computers',
    `Two streams are called "${streams[0]?.info.name}", from ${streams.map(({ address }) => address).join(' and ')}. Stop the one that is not meant, or give their programs different names.`,
  );

/** @throws IsolineError `network_stream_not_found`; `stream_of_two_computers` where there is more than one, or one of another computer than before */
async function findStream(path: string): Promise<FoundStream> {
  const wanted = readLslPath(path);
  const found = await findLslStreams(wanted.host, SEARCH_MS, ({ info }) => isMeant(wanted, info), OTHERS_MS);
  const meant = found.filter(({ info }) => isMeant(wanted, info));
  const [stream, ...others] = meant;
  if (stream === undefined) throw gone(wanted);
  if (others.length > 0) throw twice(meant);
  if (!senders.isSame(path, stream.address, performance.now())) throw otherSender(stream.address);
  return stream;
}

async function connectTo({ info, address }: FoundStream): Promise<Socket> {
  const socket = connect({ host: address, port: info.dataPort, noDelay: true });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once('connect', resolve);
  socket.once('error', reject);
  const limit = setTimeout(() => socket.destroy(new Error('no answer')), CONNECT_MS);
  try {
    await promise;
  } catch (cause) {
    throw new IsolineError(
      'network_stream_not_found',
      `The computer of the stream "${info.name}" does not answer. Check its firewall and the network.`,
      {},
      { cause },
    );
  } finally {
    clearTimeout(limit);
  }
  socket.on('error', () => {
    // Its end tells whoever listens.
  });
  return socket;
}

/** The whole description: the answer to a search leaves the channels out. */
async function askDescription(stream: FoundStream): Promise<Buffer> {
  const socket = await connectTo(stream);
  const limit = setTimeout(() => socket.destroy(), CONNECT_MS);
  try {
    socket.write('LSL:fullinfo\r\n');
    const pieces: Buffer[] = [];
    let sizeBytes = 0;
    for await (const piece of socket) {
      pieces.push(piece as Buffer);
      sizeBytes += (piece as Buffer).length;
      if (sizeBytes > MAX_DESCRIPTION_BYTES) break;
    }
    return Buffer.concat(pieces);
  } catch (cause) {
    throw new IsolineError(
      'device_lost',
      `The stream "${stream.info.name}" ended while it was being connected. Connect it again.`,
      {},
      { cause },
    );
  } finally {
    clearTimeout(limit);
    socket.destroy();
  }
}

const requestFor = ({ uid, valueFormat, rateHz, hostname, sourceId }: LslInfo): string =>
  [
    `LSL:streamfeed/${PROTOCOL} ${uid}`,
    `Native-Byte-Order: ${LITTLE_ENDIAN}`,
    'Endian-Performance: 0',
    'Has-IEEE754-Floats: 1',
    'Supports-Subnormals: 1',
    `Value-Size: ${valueFormat === undefined ? 0 : VALUE_BYTES[valueFormat]}`,
    `Data-Protocol-Version: ${PROTOCOL}`,
    `Max-Buffer-Length: ${Math.max(1000, Math.ceil(KEPT_SECONDS * rateHz))}`,
    'Max-Chunk-Length: 0',
    `Hostname: ${hostname}`,
    `Source-Id: ${sourceId}`,
    'Session-Id: default',
    '\r\n',
  ].join('\r\n');

export const openLslStream: OpenTransport = async (path, _options, events) => {
  const stream = await findStream(path);
  const description = await askDescription(stream);
  const socket = await connectTo(stream);
  let isClosing = false;
  events.onBytes(description, performance.now());
  socket.on('data', (bytes) => {
    if (!isClosing) events.onBytes(bytes, performance.now());
  });
  socket.on('close', () => {
    if (!isClosing) events.onGone();
  });
  socket.write(requestFor(stream.info));
  return {
    isDeaf: true,
    write: async () => undefined,
    setBaud: async () => undefined,
    discard: async () => undefined,
    close: async () => {
      isClosing = true;
      socket.destroy();
    },
  };
};
