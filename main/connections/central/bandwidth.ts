// A bound on what is sent in a second, for a clinic that shares its line: bodies go out in slices, each when
// its turn has come.

import { setTimeout as wait } from 'node:timers/promises';

const SLICE_BYTES = 16 << 10;

export class Bandwidth {
  readonly #kbps: () => number;
  /** When the line is free again. */
  #freeMs = 0;

  /** @param kbps kilobits a second; 0 = no bound */
  constructor(kbps: () => number) {
    this.#kbps = kbps;
  }

  get isBound(): boolean {
    return this.#kbps() > 0;
  }

  /** So long a body takes at most, also where others share the line. */
  mostMs(bytes: number, sharers: number): number {
    const kbps = this.#kbps();
    return kbps > 0 ? Math.ceil((sharers * bytes * 8) / kbps) : 0;
  }

  async *slices(body: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let offset = 0; offset < body.length; offset += SLICE_BYTES) {
      const slice = body.subarray(offset, offset + SLICE_BYTES);
      const nowMs = performance.now();
      const startMs = Math.max(nowMs, this.#freeMs);
      const kbps = this.#kbps();
      this.#freeMs = startMs + (kbps > 0 ? (slice.length * 8) / kbps : 0);
      if (startMs > nowMs) await wait(startMs - nowMs);
      yield slice;
    }
  }
}
