// A second-order section that runs along a signal, sample by sample, and keeps its state between pieces.

import type { Biquad } from './butterworth.ts';

export class RunningFilter {
  readonly #section: Biquad;
  #z1 = 0;
  #z2 = 0;

  constructor(section: Biquad) {
    this.#section = section;
  }

  next(x: number): number {
    const { b0, b1, b2, a1, a2 } = this.#section;
    const y = b0 * x + this.#z1;
    this.#z1 = b1 * x - a1 * y + this.#z2;
    this.#z2 = b2 * x - a2 * y;
    return y;
  }

  /** As if the signal had always been at this value. */
  settle(x: number): void {
    const { b0, b1, b2, a1, a2 } = this.#section;
    const y = (x * (b0 + b1 + b2)) / (1 + a1 + a2);
    this.#z2 = b2 * x - a2 * y;
    this.#z1 = b1 * x - a1 * y + this.#z2;
  }
}
