// Devices that a page has paired, as transports: what the page brings goes to the link, what the link sends goes to the
// page (`shared/bluetooth-pipes.ts`). A pipe ends with its page.

import { readBluetoothPath } from '../../../shared/bluetooth-pipes.ts';
import { IsolineError } from '../../../shared/errors.ts';
import type { OpenTransport, TransportEvents } from './transport.ts';

interface Pipe {
  /** The page that brings it. */
  readonly session: string;
  events: TransportEvents | undefined;
}

/** Where a device was brought from, which outlives its pipe: it may come again. */
interface Owner {
  readonly session: string;
  /** Undefined at the workstation itself. */
  readonly seatId: number | undefined;
}

const notHere = (path: string): IsolineError =>
  new IsolineError(
    'bluetooth_not_paired',
    `${readBluetoothPath(path)?.deviceName ?? 'The device'} is not connected by Bluetooth. Pair it on the devices screen.`,
  );

/** Tells a page that nobody wants its device any more. */
const LET_GO = new Uint8Array(0);

export class PagePipes {
  readonly #pipes = new Map<string, Pipe>();
  readonly #owners = new Map<string, Owner>();
  readonly #send: (session: string, path: string, bytes: Uint8Array) => void;

  /** @param send tells a page what goes to its device */
  constructor(send: (session: string, path: string, bytes: Uint8Array) => void) {
    this.#send = send;
  }

  /** Whether the page has brought it before, or one at the same seat has. */
  isOwner(path: string, session: string, seatId: number | undefined): boolean {
    const owner = this.#owners.get(path);
    return owner !== undefined && (owner.session === session || owner.seatId === seatId);
  }

  /** A device that is paired again at another page comes from there, and the one before lets go of it. */
  begin(path: string, session: string, seatId: number | undefined): void {
    this.end(path);
    const before = this.#owners.get(path)?.session;
    if (before !== undefined && before !== session) this.#send(before, path, LET_GO);
    this.#owners.set(path, { session, seatId });
    this.#pipes.set(path, { session, events: undefined });
  }

  /** @throws IsolineError `bluetooth_not_paired` where the page does not bring this device */
  receive(path: string, session: string, bytes: Uint8Array): void {
    const pipe = this.#pipes.get(path);
    if (pipe?.session !== session) throw notHere(path);
    pipe.events?.onBytes(bytes, performance.now());
  }

  /** @param session only where it is this page's */
  end(path: string, session?: string): void {
    const pipe = this.#pipes.get(path);
    if (pipe === undefined || (session !== undefined && pipe.session !== session)) return;
    this.#pipes.delete(path);
    pipe.events?.onGone();
  }

  /** Nobody wants the device any more: its page lets go of it, also where it is only being looked for. */
  letGo(path: string): void {
    this.#pipes.delete(path);
    const owner = this.#owners.get(path);
    this.#owners.delete(path);
    if (owner !== undefined) this.#send(owner.session, path, LET_GO);
  }

  pageLeft(session: string): void {
    for (const [path, pipe] of [...this.#pipes]) if (pipe.session === session) this.end(path);
  }

  readonly open: OpenTransport = async (path, _options, events) => {
    const pipe = this.#pipes.get(path);
    if (pipe === undefined) throw notHere(path);
    pipe.events = events;
    return {
      write: async (bytes) => {
        if (this.#pipes.get(path) !== pipe)
          throw new IsolineError('device_lost', 'The Bluetooth connection ended.');
        this.#send(pipe.session, path, bytes);
      },
      setBaud: async () => undefined,
      discard: async () => undefined,
      close: async () => {
        if (pipe.events === events) pipe.events = undefined;
      },
    };
  };
}
