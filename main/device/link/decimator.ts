// Many samples become one: for devices that sample far faster than an ECG needs. A linear-phase low-pass
// (windowed sinc, Hamming) before every nth sample is taken; the constant delay of half its length is the
// same for all that the device sends.

import { INVALID_SAMPLE } from '../../../shared/signal/recording.ts';

/** −6 dB; what an ECG needs and what half of the lower rate leaves room for. */
const CUTOFF_HZ = 150;
/** Lengths of the lower rate's step that the filter spans. */
const SPAN = 10;
/** Finer steps than the converter's, because the mean of many samples is finer. */
export const DECIMATED_STEPS = 16;

function lowPassTaps(rateHz: number, length: number): Float64Array {
  const taps = new Float64Array(length);
  const middle = (length - 1) / 2;
  const cutoff = CUTOFF_HZ / rateHz;
  let sum = 0;
  for (let i = 0; i < length; i++) {
    const x = i - middle;
    const sinc = x === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * x) / (Math.PI * x);
    taps[i] = sinc * (0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (length - 1)));
    sum += taps[i] as number;
  }
  return taps.map((tap) => tap / sum);
}

/**
 * One channel. Samples are counted from the first one of the device; those with a number that the factor
 * divides come out.
 */
export class Decimator {
  readonly #factor: number;
  readonly #taps: Float64Array;
  readonly #past: Float64Array;
  #place = 0;
  #isEmpty = true;

  constructor(rateHz: number, factor: number) {
    this.#factor = factor;
    this.#taps = lowPassTaps(rateHz, SPAN * factor + 1);
    this.#past = new Float64Array(this.#taps.length);
  }

  /** Starts over: the next samples do not continue the last ones. */
  restart(): void {
    this.#isEmpty = true;
  }

  /** @returns the samples whose numbers the factor divides, in steps of 1 / DECIMATED_STEPS. */
  take(codes: Int32Array, firstSample: number): Int32Array {
    const length =
      Math.floor((firstSample + codes.length - 1) / this.#factor) -
      Math.floor((firstSample - 1) / this.#factor);
    const result = new Int32Array(Math.max(0, length));
    let count = 0;
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] as number;
      if (code !== INVALID_SAMPLE) this.#add(code);
      if ((firstSample + i) % this.#factor === 0)
        result[count++] =
          code === INVALID_SAMPLE ? INVALID_SAMPLE : Math.round(DECIMATED_STEPS * this.#filtered());
    }
    return result;
  }

  #add(code: number): void {
    if (this.#isEmpty) this.#past.fill(code);
    this.#isEmpty = false;
    this.#past[this.#place] = code;
    this.#place = (this.#place + 1) % this.#past.length;
  }

  #filtered(): number {
    const { length } = this.#past;
    let [sum, at] = [0, this.#place];
    for (let i = 0; i < length; i++) {
      sum += (this.#taps[i] as number) * (this.#past[at] as number);
      at = at + 1 === length ? 0 : at + 1;
    }
    return sum;
  }
}
