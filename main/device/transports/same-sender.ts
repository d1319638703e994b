// Which computer a network stream came from. Names and addresses of streams are often copied with the program that sends them: what stops
// in one room must not go on with the heart of another.

import { IsolineError } from '../../../shared/errors.ts';

/** A program that starts again has the same computer; an address that somebody else gets later is another's. */
const REMEMBERED_MS = 600_000;

interface Sender {
  readonly address: string;
  heardMs: number;
}

class SameSender {
  readonly #byPath = new Map<string, Sender>();

  /** @returns whether it comes from where the stream came from before, if that was lately */
  isSame(path: string, address: string, nowMs: number): boolean {
    const known = this.#byPath.get(path);
    if (known === undefined || nowMs - known.heardMs > REMEMBERED_MS) {
      this.#byPath.set(path, { address, heardMs: nowMs });
      return true;
    }
    if (known.address !== address) return false;
    known.heardMs = nowMs;
    return true;
  }

  /** The next connection may come from any computer: a person has disconnected it, or connects it by hand. */
  forget(path: string): void {
    this.#byPath.delete(path);
  }
}

export const senders = new SameSender();

export const otherSender = (address: string): IsolineError =>
  new IsolineError(
    'stream_of_two_computers',
    `Another computer, ${address}, sends the same stream. It is not recorded. If it is the one that is meant, disconnect and connect again.`,
  );
