// The minimal lower layer protocol of HL7 (MLLP, release 1): a byte before a message, two behind it. Messages may come in any
// pieces, and several at once; each is answered before the next one is looked at.

import { connect as connectPlain, createServer, isIP, type Socket } from 'node:net';
import { connect as connectTls, getCACertificates } from 'node:tls';

const START = 0x0b;
const END = 0x1c;
const RETURN = 0x0d;
/** Orders are smaller by far; answers too. */
export const MOST_MESSAGE_BYTES = 4 << 20;
const MOST_CONNECTIONS = 32;
const CONNECT_MS = 10_000;
const ANSWER_MS = 60_000;
/** A message that was begun, and does not go on. */
const STALLED_MS = 30_000;

export type MllpFault = 'offline' | 'broken' | 'silent' | 'certificate' | 'notTls' | 'odd';

export class MllpError extends Error {
  readonly fault: MllpFault;
  /** All of the message may have arrived. */
  readonly isSent: boolean;

  constructor(fault: MllpFault, isSent: boolean, cause?: unknown) {
    super(`the connection is ${fault}`, { cause });
    this.fault = fault;
    this.isSent = isSent;
  }
}

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

  /** @throws MllpError `odd` for what is no MLLP, or too large */
  *read(bytes: Buffer): Generator<Buffer> {
    for (let at = 0; at < bytes.length; ) {
      if (!this.#isInside) {
        // Between messages some send line ends.
        const byte = bytes[at++];
        if (byte === START) this.#isInside = true;
        else if (byte !== RETURN && byte !== 0x0a && byte !== END) throw new MllpError('odd', false);
        continue;
      }
      const end = bytes.indexOf(END, at);
      const until = end < 0 ? bytes.length : end;
      this.#bytes += until - at;
      if (this.#bytes > MOST_MESSAGE_BYTES) throw new MllpError('odd', false);
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

export interface MllpPeer {
  readonly host: string;
  readonly port: number;
  readonly tls?: {
    /** Trusted beside those of the system, PEM. */
    readonly certificates?: readonly string[];
  };
}

function open({ host, port, tls }: MllpPeer): Socket {
  if (tls === undefined) return connectPlain({ host, port });
  const ca = [...getCACertificates('default'), ...getCACertificates('system'), ...(tls.certificates ?? [])];
  // A number is no name that a certificate could be chosen by.
  return connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }), ca });
}

const CERTIFICATE_CODES = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/;

function faultOf(error: NodeJS.ErrnoException, isOpen: boolean): MllpFault {
  const code = error.code ?? '';
  if (CERTIFICATE_CODES.test(code)) return 'certificate';
  if (/^(ERR_SSL|EPROTO)/.test(code)) return 'notTls';
  return isOpen ? 'broken' : 'offline';
}

/** Sends a message and waits for what is said of it. @throws MllpError */
export function sendMllp(peer: MllpPeer, message: Uint8Array, signal?: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = open(peer);
    const reader = new MllpReader();
    let isOpen = false;
    const end = (error?: MllpError, answer?: Buffer): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      socket.destroy();
      if (answer === undefined) reject(error ?? new MllpError('broken', isOpen));
      else resolve(answer);
    };
    const giveUp = (): void => end(new MllpError(isOpen ? 'silent' : 'offline', isOpen));
    let timer = setTimeout(giveUp, CONNECT_MS);
    signal?.addEventListener('abort', giveUp, { once: true });
    socket.once(peer.tls === undefined ? 'connect' : 'secureConnect', () => {
      isOpen = true;
      clearTimeout(timer);
      timer = setTimeout(giveUp, ANSWER_MS);
      socket.write(framed(message));
    });
    socket.on('data', (bytes: Buffer) => {
      try {
        for (const answer of reader.read(bytes)) return end(undefined, answer);
      } catch (error) {
        end(new MllpError('odd', true, error));
      }
    });
    socket.on('error', (error) => end(new MllpError(faultOf(error, isOpen), isOpen, error)));
    socket.on('close', () => end());
  });
}

export interface MllpListener extends AsyncDisposable {
  readonly port: number;
}

export interface MllpListenerOptions {
  readonly host: string;
  readonly port: number;
  /** @returns what is said of a message; undefined hangs up */
  answer(message: Buffer): Promise<Uint8Array | undefined>;
}

function converse(socket: Socket, answer: MllpListenerOptions['answer']): void {
  const reader = new MllpReader();
  const waiting: Buffer[] = [];
  let isAnswering = false;
  const answerAll = async (): Promise<void> => {
    if (isAnswering) return;
    isAnswering = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const said = await answer(next);
      if (said === undefined) return void socket.destroy();
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
    // What is not answered yet is all that is taken.
    socket.pause();
    answerAll().catch(() => socket.destroy());
  });
  socket.on('error', () => socket.destroy());
}

/** @throws Error of Node where the port cannot be had */
export async function listenMllp({ host, port, answer }: MllpListenerOptions): Promise<MllpListener> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    converse(socket, answer);
  });
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
