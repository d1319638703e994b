// How good each lead's signal is now, from the last two seconds: its range, what is faster than an ECG, and
// whether it is at a limit.

import type { QualityWord } from '../../../shared/signal/live/live-findings.ts';

const WINDOW_MS = 2000;
/** Less than this is no signal of a heart. */
const FLAT_MV = 0.02;
/** RMS of what a straight line through neighbours does not explain. */
const NOISY_MV = 0.03;
const VERY_NOISY_MV = 0.1;
const WILD_RANGE_MV = 8;
/** Neighbours this far apart: fast against an ECG, slow against mains and muscles. */
const STEP_MS = 5;

export class LeadQuality {
  readonly #step: number;
  readonly #windowSamples: number;
  readonly #past: Float64Array;
  #place = 0;
  #count = 0;
  #minimum = Number.POSITIVE_INFINITY;
  #maximum = Number.NEGATIVE_INFINITY;
  #power = 0;
  word: QualityWord = 'pending';

  constructor(rateHz: number) {
    this.#step = Math.max(1, Math.round((STEP_MS * rateHz) / 1000));
    this.#windowSamples = Math.round((WINDOW_MS * rateHz) / 1000);
    this.#past = new Float64Array(2 * this.#step + 1);
  }

  /** @param isUsable false where the device has no contact or is at its limit. */
  next(mv: number, isUsable: boolean): void {
    if (!isUsable) {
      this.word = 'noSignal';
      this.#clear();
      return;
    }
    const { length } = this.#past;
    this.#past[this.#place] = mv;
    this.#place = (this.#place + 1) % length;
    this.#count++;
    this.#minimum = Math.min(this.#minimum, mv);
    this.#maximum = Math.max(this.#maximum, mv);
    if (this.#count >= length) {
      const oldest = this.#past[this.#place] as number;
      const middle = this.#past[(this.#place + this.#step) % length] as number;
      const bend = middle - (oldest + mv) / 2;
      // A QRS bends, too, and briefly: what counts is what is there all the time.
      this.#power += Math.min(Math.abs(bend), VERY_NOISY_MV * 2);
    }
    if (this.#count >= this.#windowSamples) this.#judge();
  }

  restart(): void {
    this.word = 'pending';
    this.#clear();
  }

  #judge(): void {
    const noise = this.#power / this.#count;
    const range = this.#maximum - this.#minimum;
    if (range < FLAT_MV) this.word = 'noSignal';
    else if (noise > VERY_NOISY_MV || range > WILD_RANGE_MV) this.word = 'veryNoisy';
    else this.word = noise > NOISY_MV ? 'noisy' : 'good';
    this.#clear();
  }

  #clear(): void {
    this.#count = 0;
    this.#power = 0;
    this.#minimum = Number.POSITIVE_INFINITY;
    this.#maximum = Number.NEGATIVE_INFINITY;
  }
}
