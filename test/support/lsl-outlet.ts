// A program that sends a stream with Lab Streaming Layer, as its protocol 1.10 is published: answers searches, tells what it
// sends, and sends it to whoever asks. Everything stays on this computer.

import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type Server, type Socket } from 'node:net';
import type { ValueFormat } from '../../main/device/drivers/lsl/stream-info.ts';

const HOST = '127.0.0.1';
const FIRST_PORT = 16_572;
const PORTS = 32;
const EVERY_MS = 20;
const TEST_BASE: Readonly<Record<ValueFormat, number>> = {
  float32: 0,
  double64: 16_777_217,
  int8: 1,
  int16: 257,
  int32: 65_537,
  int64: 2_147_483_649,
};
const LARGEST: Partial<Record<ValueFormat, number>> = { int8: 127, int16: 32_767, int32: 2_147_483_647 };
const BYTES: Readonly<Record<ValueFormat, number>> = {
  float32: 4,
  double64: 8,
  int8: 1,
  int16: 2,
  int32: 4,
  int64: 8,
};

export interface OutletOptions {
  readonly name: string;
  readonly type?: string;
  readonly sourceId?: string;
  /** What its computer calls itself. */
  readonly hostname?: string;
  readonly rateHz: number;
  /** `string` for a stream of words. */
  readonly valueFormat?: ValueFormat | 'string';
  readonly isBigEndian?: boolean;
  readonly channels: readonly { readonly label?: string; readonly unit?: string; readonly type?: string }[];
  /** In the unit of the channel. */
  value(sample: number, channel: number): number;
  /** What is wrong with it. */
  readonly fault?: 'test' | 'version' | 'tag';
}

export class LslOutlet implements AsyncDisposable {
  readonly #options: OutletOptions;
  readonly #udp: UdpSocket;
  readonly #tcp: Server;
  readonly #uid = crypto.randomUUID();
  readonly #listeners = new Set<Socket>();
  readonly #sockets = new Set<Socket>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #startMs = performance.now();
  #sent = 0;
  /** Not one sample is sent, and none is kept. */
  isPaused = false;
  /** Samples are made, and sent when this ends. */
  isHeldUp = false;
  #kept: Buffer[] = [];

  static async start(options: OutletOptions): Promise<LslOutlet> {
    const udp = createSocket('udp4');
    await bindInRange(udp);
    const tcp = createServer();
    await new Promise<void>((resolve) => tcp.listen(0, HOST, resolve));
    return new LslOutlet(options, udp, tcp);
  }

  private constructor(options: OutletOptions, udp: UdpSocket, tcp: Server) {
    this.#options = options;
    this.#udp = udp;
    this.#tcp = tcp;
    udp.on('message', (question, from) => this.#answer(question.toString(), from.address));
    tcp.on('connection', (socket) => this.#serve(socket));
    this.#timer = setInterval(() => this.#advance(), EVERY_MS);
  }

  /** @param isWhole with its channels */
  #info(isWhole: boolean): string {
    const {
      name,
      type = 'ECG',
      sourceId = '',
      hostname = 'here',
      rateHz,
      valueFormat = 'float32',
      channels,
    } = this.#options;
    const address = this.#tcp.address() as { port: number };
    const tag = (key: string, value: string | number): string =>
      `<${key}>${String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${key}>`;
    const desc = channels.map(
      ({ label = '', unit = '', type: kind = '' }) =>
        `<channel>${tag('label', label)}${tag('unit', unit)}${tag('type', kind)}</channel>`,
    );
    return [
      '<?xml version="1.0"?>\n<info>',
      tag('name', name),
      tag('type', type),
      tag('channel_count', channels.length),
      tag('channel_format', valueFormat),
      tag('source_id', sourceId),
      tag('nominal_srate', rateHz),
      '<version>1.1000000000000001</version><created_at>1.0</created_at>',
      tag('uid', this.#uid),
      '<session_id>default</session_id><v4address />',
      tag('hostname', hostname),
      tag('v4data_port', address.port),
      isWhole ? `<desc><channels>${desc.join('')}</channels></desc>` : '<desc />',
      '</info>\n',
    ].join('\n\t');
  }

  #answer(question: string, address: string): void {
    const [method, , back = ''] = question.split('\r\n');
    const [port, id] = back.split(' ');
    if (method === 'LSL:shortinfo') this.#udp.send(`${id}\r\n${this.#info(false)}`, Number(port), address);
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#listeners.delete(socket);
      this.#sockets.delete(socket);
    });
    let asked = '';
    socket.on('data', (bytes) => {
      asked += bytes.toString();
      if (asked === 'LSL:fullinfo\r\n') socket.end(this.#info(true));
      else if (asked.startsWith('LSL:streamfeed/110 ') && asked.endsWith('\r\n\r\n')) {
        socket.write(this.#head(asked.includes(this.#uid)));
        this.#listeners.add(socket);
      }
    });
  }

  #head(isKnown: boolean): Buffer {
    if (!isKnown) return Buffer.from('LSL/110 404 Not found');
    const { isBigEndian = false, fault } = this.#options;
    const answer = [
      'LSL/110 200 OK',
      `UID: ${this.#uid}`,
      `Byte-Order: ${isBigEndian ? 4321 : 1234}`,
      'Suppress-Subnormals: 0',
      `Data-Protocol-Version: ${fault === 'version' ? 100 : 110}`,
      '\r\n',
    ].join('\r\n');
    return Buffer.concat([
      Buffer.from(answer),
      this.#testSample(4),
      this.#testSample(fault === 'test' ? 3 : 2),
    ]);
  }

  #testSample(offset: number): Buffer {
    const format = this.#format;
    const values = this.#options.channels.map((_, k) => {
      const base = k + offset + TEST_BASE[format];
      const value = LARGEST[format] === undefined ? base : base % LARGEST[format];
      return k % 2 === 0 ? value : -value;
    });
    return this.#sample(values, 123_456.789);
  }

  get #format(): ValueFormat {
    const { valueFormat = 'float32' } = this.#options;
    return valueFormat === 'string' ? 'float32' : valueFormat;
  }

  #sample(values: readonly number[], timeS: number | undefined): Buffer {
    const { isBigEndian = false, fault } = this.#options;
    const size = BYTES[this.#format];
    const bytes = Buffer.alloc((timeS === undefined ? 1 : 9) + values.length * size);
    bytes[0] = fault === 'tag' && this.#sent > 300 ? 7 : timeS === undefined ? 1 : 2;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    if (timeS !== undefined) view.setFloat64(1, timeS, !isBigEndian);
    const first = bytes.length - values.length * size;
    for (const [i, value] of values.entries()) this.#write(view, first + i * size, value, !isBigEndian);
    return bytes;
  }

  #write(view: DataView, at: number, value: number, isLittle: boolean): void {
    const format = this.#format;
    if (format === 'float32') view.setFloat32(at, value, isLittle);
    else if (format === 'double64') view.setFloat64(at, value, isLittle);
    else if (format === 'int8') view.setInt8(at, value);
    else if (format === 'int16') view.setInt16(at, value, isLittle);
    else if (format === 'int32') view.setInt32(at, value, isLittle);
    else view.setBigInt64(at, BigInt(value), isLittle);
  }

  /** In pieces, of which the first sample alone brings its time, as programs send them. */
  #advance(): void {
    const { rateHz, channels, value } = this.#options;
    const due = Math.floor(((performance.now() - this.#startMs) * rateHz) / 1000);
    if (this.isPaused) {
      this.#sent = due;
      return;
    }
    let isFirst = true;
    for (; this.#sent < due; this.#sent++, isFirst = false)
      this.#kept.push(
        this.#sample(
          channels.map((_, channel) => value(this.#sent, channel)),
          isFirst ? this.#sent / rateHz + 1000 : undefined,
        ),
      );
    if (this.isHeldUp) return;
    const piece = Buffer.concat(this.#kept);
    this.#kept = [];
    if (piece.length > 0) for (const socket of this.#listeners) socket.write(piece);
  }

  /** Its program ends, or the network does. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    for (const socket of this.#sockets) socket.destroy();
    this.#udp.close();
    await new Promise<void>((resolve) => this.#tcp.close(() => resolve()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

async function bindInRange(socket: UdpSocket): Promise<void> {
  // Tests run beside each other: each begins somewhere else.
  const first = Math.floor(Math.random() * PORTS);
  for (let i = 0; i < PORTS; i++) {
    const isBound = await new Promise<boolean>((resolve) => {
      const fail = (): void => resolve(false);
      socket.once('error', fail);
      socket.bind(FIRST_PORT + ((first + i) % PORTS), HOST, () => {
        socket.off('error', fail);
        resolve(true);
      });
    });
    if (isBound) return;
  }
  throw new Error('all ports of streams are used');
}
