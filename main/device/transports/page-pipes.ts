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

const notHere = (path: string): IsolineError =>
  new IsolineError(
    'bluetooth_not_paired',
    `${readBluetoothPath(path)?.deviceName ?? 'The device'} is not connected by Bluetooth. Pair it on the devices screen.`,
  );

export class PagePipes {
  readonly #pipes = new Map<string, Pipe>();
  readonly #send: (path: string, bytes: Uint8Array) => void;

  /** @param send tells the pages what goes to the device */
  constructor(send: (path: string, bytes: Uint8Array) => void) {
    this.#send = send;
  }

  /** A device that is paired again at another page comes from there. */
  begin(path: string, session: string): void {
    this.end(path);
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

  /** Nobody wants the device any more: its page lets go of it. */
  letGo(path: string): void {
    if (!this.#pipes.delete(path)) return;
    this.#send(path, new Uint8Array(0));
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
        this.#send(path, bytes);
      },
      setBaud: async () => undefined,
      discard: async () => undefined,
      close: async () => {
        if (pipe.events === events) pipe.events = undefined;
      },
    };
  };
}
