// The minimal lower layer protocol of HL7 (MLLP, release 1): a byte before a message, two behind it. Messages may come in any
// pieces, and several at once; each is answered before the next one is looked at.

import type { Socket } from 'node:net';
import type { Door } from '../../door/door.ts';
import {
  type Address,
  ConnectionError,
  type ConnectionFault,
  connectTo,
  type Listener,
  listenAt,
  type Place,
  SentError,
} from '../connection.ts';

const START = 0x0b;
const END = 0x1c;
const RETURN = 0x0d;
/** Orders are smaller by far; answers too. */
const MOST_MESSAGE_BYTES = 4 << 20;
const ANSWER_MS = 60_000;
/** A message that was begun, and does not go on. */
const STALLED_MS = 30_000;

export const framed = (message: Uint8Array): Buffer =>
  Buffer.concat([Uint8Array.of(START), message, Uint8Array.of(END, RETURN)]);

/** Takes bytes as they come, and gives the messages that are whole. */
export class MllpReader {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #isInside = false;

  /** A message was begun, and is not whole. */
  get isInside(): boolean {
    return this.#isInside;
  }

  /** @throws ConnectionError `odd` for what is no MLLP, or too large */
  *read(bytes: Buffer): Generator<Buffer> {
    for (let at = 0; at < bytes.length; ) {
      if (!this.#isInside) {
        // Between messages some send line ends.
        const byte = bytes[at++];
        if (byte === START) this.#isInside = true;
        else if (byte !== RETURN && byte !== 0x0a && byte !== END) throw new ConnectionError('odd');
        continue;
      }
      const end = bytes.indexOf(END, at);
      const until = end < 0 ? bytes.length : end;
      this.#bytes += until - at;
      if (this.#bytes > MOST_MESSAGE_BYTES) throw new ConnectionError('odd');
      this.#pieces.push(Buffer.from(bytes.subarray(at, until)));
      at = until + 1;
      if (end < 0) return;
      const message = Buffer.concat(this.#pieces);
      this.#pieces = [];
      this.#bytes = 0;
      this.#isInside = false;
      yield message;
    }
  }
}

function answerTo(socket: Socket, message: Uint8Array, signal: AbortSignal | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const reader = new MllpReader();
    const fail = (fault: ConnectionFault, cause?: unknown): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      reject(new SentError(fault, cause));
    };
    const giveUp = (): void => fail('silent');
    const timer = setTimeout(giveUp, ANSWER_MS);
    signal?.addEventListener('abort', giveUp, { once: true });
    socket.on('data', (bytes: Buffer) => {
      try {
        for (const answer of reader.read(bytes)) return resolve(answer);
      } catch (error) {
        fail('odd', error);
      }
    });
    socket.on('error', (error) => fail('broken', error));
    // Also when it was answered: what waits is put away by it.
    socket.on('close', () => fail('broken'));
    socket.write(framed(message));
  });
}

/**
 * Sends a message and waits for what is said of it.
 * @throws ConnectionError; SentError where it may have arrived
 */
export async function sendMllp(address: Address, message: Uint8Array, signal?: AbortSignal): Promise<Buffer> {
  const socket = await connectTo(address, signal);
  try {
    return await answerTo(socket, message, signal);
  } finally {
    socket.destroy();
  }
}

export interface MllpListenerOptions extends Place {
  readonly door: Door;
  /** @returns what is said of a message; undefined hangs up */
  answer(message: Buffer): Promise<Uint8Array | undefined>;
}

function converse(socket: Socket, answer: MllpListenerOptions['answer'], isKnown: () => void): void {
  const reader = new MllpReader();
  const waiting: Buffer[] = [];
  let isAnswering = false;
  const answerAll = async (): Promise<void> => {
    if (isAnswering) return;
    isAnswering = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const said = await answer(next);
      if (said === undefined) return void socket.destroy();
      isKnown();
      socket.write(framed(said));
    }
    isAnswering = false;
    socket.resume();
  };
  socket.setTimeout(STALLED_MS, () => {
    if (reader.isInside) socket.destroy();
  });
  socket.on('data', (bytes: Buffer) => {
    try {
      for (const message of reader.read(bytes)) waiting.push(message);
    } catch {
      // Whoever speaks something else is hung up on.
      return void socket.destroy();
    }
    if (waiting.length === 0) return;
    // No further data is read until the messages so far are answered.
    socket.pause();
    answerAll().catch(() => socket.destroy());
  });
  socket.on('error', () => socket.destroy());
}

/** @throws Error of Node where the port cannot be had */
export const listenMllp = ({ answer, door, ...place }: MllpListenerOptions): Promise<Listener> =>
  listenAt(place, door, (socket, isKnown) => converse(socket, answer, isKnown));
