// A connection over which DICOM messages go, from either side: units become messages, and a message goes out in as many units
// as the other side wants (PS3.8, 9.3.5; PS3.7, 6.3.1). Nothing waits for ever, and nothing grows without bound.

import type { Socket } from 'node:net';
import { IMPLEMENTATION } from '../../formats/dicom/dicom-uids.ts';
import { ConnectionError } from '../connection.ts';
import { type CommandSet, decodeCommand, encodeCommand, NO_DATASET, WITH_DATASET } from './command-set.ts';
import {
  DATA_OVERHEAD_BYTES,
  type DataPiece,
  dataHead,
  encodePdu,
  type Pdu,
  PduError,
  PduReader,
} from './pdu.ts';

/** The largest dataset that may come in: answers of a worklist, results of a commitment. */
const MOST_DATASET_BYTES = 4 << 20;
const MOST_COMMAND_BYTES = 64 << 10;
/** Each piece costs so much beside what it holds. */
const PIECE_BYTES = 128;
/** What is not read yet; a peer that sends on regardless is no peer. */
const MOST_WAITING = 4096;
const MOST_WAITING_BYTES = 16 << 20;
/** As much as goes out at once, where the other side has no limit. */
const USUAL_UNIT_BYTES = 64 << 10;
export const OWN_MOST_BYTES = 128 << 10;
const LEAST_UNIT_BYTES = 1 << 10;

export interface Message {
  readonly contextId: number;
  readonly command: CommandSet;
  readonly dataset: Buffer | undefined;
}

export type Received = Message | Exclude<Pdu, { kind: 'data' }>;

export const isMessage = (received: Received): received is Message => 'command' in received;

const IMPLEMENTATION_FACTS = { uid: IMPLEMENTATION, version: 'ISOLINE' };

/** A message whose pieces are still coming in. */
class Assembly {
  #command: Buffer[] = [];
  #dataset: Buffer[] = [];
  #bytes = 0;
  #whole: CommandSet | undefined;

  /** @throws PduError, RangeError */
  take({ contextId, isCommand, isLast, bytes }: DataPiece): Message | undefined {
    this.#bytes += bytes.length + PIECE_BYTES;
    // A piece of nothing costs something all the same, and nobody needs it.
    if (bytes.length === 0 && !isLast) throw new PduError('a piece of data is empty');
    if (this.#bytes > (isCommand ? MOST_COMMAND_BYTES : MOST_DATASET_BYTES))
      throw new PduError('the message is too large');
    (isCommand ? this.#command : this.#dataset).push(Buffer.from(bytes));
    if (!isLast) return undefined;
    if (isCommand) this.#whole = decodeCommand(Buffer.concat(this.#command));
    if (this.#whole === undefined) throw new PduError('a dataset came without its command');
    if (isCommand && this.#whole.datasetType !== NO_DATASET) return undefined;
    const message = {
      contextId,
      command: this.#whole,
      dataset: isCommand ? undefined : Buffer.concat(this.#dataset),
    };
    this.#command = [];
    this.#dataset = [];
    this.#bytes = 0;
    this.#whole = undefined;
    return message;
  }
}

export class DicomChannel implements Disposable {
  readonly #socket: Socket;
  readonly #reader = new PduReader();
  readonly #assembly = new Assembly();
  readonly #waiting: Received[] = [];
  #waitingBytes = 0;
  /** Both sides have agreed to talk; before that, no data is taken. */
  isOpen = false;
  #wake: (() => void) | undefined;
  #fault: ConnectionError | undefined;
  /** The largest unit that the other side takes. */
  mostBytes = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('error', (error) => this.#end(new ConnectionError('broken', error)));
    socket.on('close', () => this.#end(new ConnectionError('broken')));
    socket.on('drain', () => this.#wakeUp());
  }

  #take(bytes: Buffer): void {
    try {
      for (const pdu of this.#reader.read(bytes)) {
        if (pdu.kind === 'accept') this.isOpen = true;
        if (pdu.kind !== 'data') this.#waiting.push(pdu);
        else if (!this.isOpen) throw new PduError('data come before the association');
        else
          for (const piece of pdu.pieces) {
            const message = this.#assembly.take(piece);
            if (message === undefined) continue;
            this.#waiting.push(message);
            this.#waitingBytes += message.dataset?.length ?? 0;
          }
        if (this.#waiting.length > MOST_WAITING || this.#waitingBytes > MOST_WAITING_BYTES)
          throw new PduError('messages come that nobody waits for');
      }
      this.#wakeUp();
    } catch (error) {
      if (!(error instanceof PduError) && !(error instanceof RangeError)) throw error;
      this.#end(new ConnectionError('odd', error));
      this.#socket.destroy();
    }
  }

  #end(fault: ConnectionError): void {
    this.#fault ??= fault;
    this.#wakeUp();
  }

  #wakeUp(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  /** Until something happens at the socket. @throws ConnectionError `silent` */
  async #wait(untilMs: number): Promise<void> {
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) throw new ConnectionError('silent');
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, leftMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** @throws ConnectionError */
  async receive(patienceMs: number): Promise<Received> {
    for (const untilMs = performance.now() + patienceMs; ; ) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        if (isMessage(next)) this.#waitingBytes -= next.dataset?.length ?? 0;
        return next;
      }
      if (this.#fault !== undefined) throw this.#fault;
      await this.#wait(untilMs);
    }
  }

  async #write(bytes: Uint8Array, untilMs: number): Promise<void> {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#socket.write(bytes)) return;
    while (this.#socket.writableNeedDrain) {
      if (this.#fault !== undefined) throw this.#fault;
      await this.#wait(untilMs);
    }
  }

  /** @throws ConnectionError */
  async sendPdu(pdu: Exclude<Pdu, { kind: 'data' }>, patienceMs: number): Promise<void> {
    await this.#write(encodePdu(pdu, IMPLEMENTATION_FACTS), performance.now() + patienceMs);
  }

  get #pieceBytes(): number {
    const most = this.mostBytes === 0 ? USUAL_UNIT_BYTES : Math.min(USUAL_UNIT_BYTES, this.mostBytes);
    return Math.max(LEAST_UNIT_BYTES, most) - DATA_OVERHEAD_BYTES;
  }

  async #sendPieces(
    contextId: number,
    isCommand: boolean,
    bytes: Uint8Array,
    isEnd: boolean,
    patienceMs: number,
  ): Promise<void> {
    const step = this.#pieceBytes;
    for (let at = 0; at < bytes.length || (isEnd && at === 0); at += step) {
      const part = bytes.subarray(at, at + step);
      const isLast = isEnd && at + step >= bytes.length;
      const untilMs = performance.now() + patienceMs;
      await this.#write(dataHead({ contextId, isCommand, isLast, bytes: part }), untilMs);
      await this.#write(part, untilMs);
    }
  }

  /**
   * @param dataset in pieces, of which no more than one is in memory
   * @param patienceMs for each piece
   * @throws ConnectionError
   */
  async sendMessage(
    contextId: number,
    command: CommandSet,
    dataset: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined,
    patienceMs: number,
  ): Promise<void> {
    const datasetType = dataset === undefined ? NO_DATASET : WITH_DATASET;
    await this.#sendPieces(contextId, true, encodeCommand({ ...command, datasetType }), true, patienceMs);
    if (dataset === undefined) return;
    // The last piece says that it is: it is known to be the last only when no other follows.
    let held: Uint8Array | undefined;
    for await (const bytes of dataset) {
      if (held !== undefined) await this.#sendPieces(contextId, false, held, false, patienceMs);
      held = bytes;
    }
    await this.#sendPieces(contextId, false, held ?? new Uint8Array(), true, patienceMs);
  }

  /** At once; what is on its way is given up. */
  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  /** What was written goes out first. */
  end(): void {
    this.#socket.end();
  }
}
