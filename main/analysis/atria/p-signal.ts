// The signal as P waves are looked for in it: all leads together, between 1 and 25 Hz, in rows around a place.

import { filterZeroPhase, highPass, lowPass } from '../../../shared/signal/butterworth.ts';
import { type CoarseSet, toCoarse } from '../signal/lead-signals.ts';
import { dot, type GainLimits, likeness } from '../signal/sample-rows.ts';

const LOW_HZ = 1;
const HIGH_HZ = 25;
const STEP_HZ = 125;
/** How large a wave may be beside the usual one. */
export const USUAL_GAIN: GainLimits = { least: 0.5, most: 2 };

/** The leads of a part, filtered, at a step that P needs. */
export class PSignal {
  readonly #leads: readonly Float64Array[];
  readonly #step: number;
  readonly #set: CoarseSet;
  readonly #start: number;
  /** How many places a row has on each side of its middle. */
  readonly #half: number;

  /** @param start of the set in the recording @param halfSeconds of a row */
  constructor(set: CoarseSet, start: number, halfSeconds: number) {
    const fs = set.sampleRateHz;
    this.#set = set;
    this.#start = start;
    this.#step = Math.max(1, Math.round(fs / STEP_HZ));
    this.#half = Math.round((halfSeconds * fs) / this.#step);
    this.#leads = set.leads.map(({ mv }) =>
      filterZeroPhase(mv, [highPass(LOW_HZ, fs), lowPass(HIGH_HZ, fs)], fs),
    );
  }

  /** In samples of the recording. */
  get stepSamples(): number {
    return this.#step * this.#set.step;
  }

  get leadCount(): number {
    return this.#leads.length;
  }

  get halfSamples(): number {
    return this.#half * this.stepSamples;
  }

  /** Around a sample of the recording, lead after lead, each freed of its straight line; undefined beyond the part. */
  row(middle: number): Float32Array | undefined {
    const at = Math.round(toCoarse(middle - this.#start, this.#set));
    const width = 2 * this.#half + 1;
    const first = at - this.#half * this.#step;
    if (first < 0 || at + this.#half * this.#step >= this.#set.sampleCount) return undefined;
    const row = new Float32Array(width * this.#leads.length);
    for (const [index, lead] of this.#leads.entries()) {
      for (let k = 0; k < width; k++) row[index * width + k] = lead[first + k * this.#step] as number;
      levelEnds(row.subarray(index * width, (index + 1) * width));
    }
    return row;
  }

  /** How like a wave the signal is around a sample; 0 where it is much smaller or larger, and beyond the part. */
  likenessAt(middle: number, wave: Float32Array, gain = USUAL_GAIN): number {
    const row = this.row(middle);
    return row === undefined || dot(wave, wave) === 0 ? 0 : likeness(row, wave, gain);
  }
}

/** Takes away the straight line between both ends, in place. */
function levelEnds(values: Float32Array): void {
  const last = values.length - 1;
  const [from, to] = [values[0] as number, values[last] as number];
  for (let k = 0; k <= last; k++)
    values[k] = (values[k] as number) - from - ((to - from) * k) / Math.max(1, last);
}
