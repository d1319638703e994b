// BrainFlow with a streamer to this computer: rows of numbers of 64 bits in UDP packets of three rows, as it sends them.

import { createSocket, type Socket } from 'node:dgram';
import { BRAINFLOW_BOARDS } from '../../main/device/drivers/brainflow/boards.ts';

const HOST = '127.0.0.1';
const ROWS_A_PACKET = 3;
const EVERY_MS = 12;

export class BrainFlowStreamer implements Disposable {
  readonly #socket: Socket = createSocket('udp4');
  readonly #board: (typeof BRAINFLOW_BOARDS)[number];
  readonly #port: number;
  readonly #value: (sample: number, channel: number) => number;
  readonly #timer: ReturnType<typeof setInterval>;
  #startMs = performance.now();
  #sent = 0;
  /** Packets that the network loses from here on. */
  loses = 0;
  /** Each packet comes on two ways, with what is none of it between them. */
  isTwice = false;

  /** @param from the address of its computer */
  constructor(
    boardId: string,
    port: number,
    value: (sample: number, channel: number) => number,
    from = HOST,
  ) {
    this.#board = BRAINFLOW_BOARDS.find(({ variant }) => variant.id === boardId)!;
    this.#port = port;
    this.#value = value;
    this.#socket.bind(0, from);
    this.#timer = setInterval(() => this.#advance(), EVERY_MS);
  }

  row(sample: number): Buffer {
    const { rows, signalRows, timeRow } = this.#board;
    const numbers = new Float64Array(rows);
    numbers[0] = sample % 256;
    for (const [channel, row] of signalRows.entries()) numbers[row] = this.#value(sample, channel);
    numbers[timeRow] = Date.now() / 1000;
    return Buffer.from(numbers.buffer);
  }

  #advance(): void {
    const rateHz = this.#board.variant.format?.rateHz ?? 250;
    const due = Math.floor(((performance.now() - this.#startMs) * rateHz) / 1000);
    for (; this.#sent + ROWS_A_PACKET <= due; this.#sent += ROWS_A_PACKET) {
      const packet = Buffer.concat(Array.from({ length: ROWS_A_PACKET }, (_, i) => this.row(this.#sent + i)));
      if (this.loses > 0) this.loses--;
      else this.#send(packet);
    }
  }

  #send(packet: Buffer): void {
    this.#socket.send(packet, this.#port, HOST);
    if (!this.isTwice) return;
    this.#socket.send(Buffer.from([1]), this.#port, HOST);
    this.#socket.send(packet, this.#port, HOST);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#socket.close();
  }
}
