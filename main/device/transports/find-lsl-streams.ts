// Asks the network for streams of Lab Streaming Layer: one question by UDP to the groups where their programs listen, and
// to the ports of one computer where that is named (liblsl, `resolve_attempt_udp`, and its page "Network connectivity").

import { createSocket, type Socket } from 'node:dgram';
import { type LslInfo, readStreamInfo } from '../drivers/lsl/stream-info.ts';

const GROUP_PORT = 16_571;
/** This computer, everybody on the same link, and everybody on the same site. */
const GROUPS = ['127.0.0.1', '224.0.0.1', '224.0.0.183', '239.255.172.215', '255.255.255.255'];
/** Where the programs of one computer listen. */
const FIRST_PORT = 16_572;
const PORTS = 32;
const SITE_HOPS = 24;
const ASK_AGAIN_MS = 400;
const MOST_STREAMS = 200;
/** Every stream has a name. */
const EVERY_STREAM = 'count(name)>0';

export interface FoundStream {
  readonly info: LslInfo;
  readonly address: string;
}

interface Target {
  readonly address: string;
  readonly port: number;
}

const targetsOf = (host: string | undefined): readonly Target[] =>
  host === undefined
    ? GROUPS.map((address) => ({ address, port: GROUP_PORT }))
    : Array.from({ length: PORTS }, (_, i) => ({ address: host, port: FIRST_PORT + i }));

function readAnswer(answer: Buffer, questionId: string): LslInfo | undefined {
  const text = answer.toString('utf8');
  const lineEnd = text.indexOf('\n');
  return text.slice(0, lineEnd).trim() === questionId ? readStreamInfo(text.slice(lineEnd + 1)) : undefined;
}

async function listen(host: string | undefined): Promise<Socket> {
  const socket = createSocket('udp4');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once('error', reject);
  // What is asked of this computer alone goes no further.
  socket.bind(0, host === '127.0.0.1' ? host : undefined, resolve);
  await promise;
  socket.on('error', () => undefined);
  return socket;
}

function ask(socket: Socket, host: string | undefined, questionId: string): void {
  const question = `LSL:shortinfo\r\n${EVERY_STREAM}\r\n${socket.address().port} ${questionId}\r\n`;
  // A computer without a network, or a group that no way leads to, has nothing to answer.
  for (const { address, port } of targetsOf(host)) socket.send(question, port, address, () => undefined);
}

/**
 * @param host one computer; undefined: the whole network
 * @param isEnough ends the search before its time
 * @param othersMs how long behind that others may still answer
 */
export async function findLslStreams(
  host: string | undefined,
  limitMs: number,
  isEnough: (stream: FoundStream) => boolean = () => false,
  othersMs = 0,
): Promise<FoundStream[]> {
  const socket = await listen(host);
  const found = new Map<string, FoundStream>();
  const questionId = String(Math.floor(Math.random() * 2 ** 48));
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  let waiting: ReturnType<typeof setTimeout> | undefined;
  socket.on('message', (answer, { address }) => {
    const info = readAnswer(answer, questionId);
    if (info === undefined || found.size >= MOST_STREAMS) return;
    // One that answers on several ways keeps the first, which was the fastest.
    const stream = found.get(info.uid) ?? { info, address };
    found.set(info.uid, stream);
    if (isEnough(stream)) waiting ??= setTimeout(end, othersMs);
  });
  if (host === undefined) {
    socket.setBroadcast(true);
    socket.setMulticastTTL(SITE_HOPS);
  }
  ask(socket, host, questionId);
  const again = setInterval(() => ask(socket, host, questionId), ASK_AGAIN_MS);
  const limit = setTimeout(end, limitMs);
  await over;
  clearInterval(again);
  clearTimeout(limit);
  clearTimeout(waiting);
  socket.close();
  return [...found.values()];
}
