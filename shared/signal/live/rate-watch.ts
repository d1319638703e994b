// Alarms of the rate while it runs: very slow, very fast, and pauses. Limits are those from which on a result is critical
// (D63), and three seconds for a pause (analysis reference, 8.5). Where no lead is readable, or something as steep as
// half a beat stands in between, there is none: a beat that noise hides, or that was missed, is no pause.

import { median } from '../statistics.ts';
import { Steepness } from './steepness.ts';

export const RATE_ALARMS = ['pause', 'verySlow', 'veryFast'] as const;
export type RateAlarm = (typeof RATE_ALARMS)[number];

const PAUSE_MS = 3000;
/** Beats this far apart as a rule are a slow rate, and no pauses. */
const LONGEST_USUAL_RR_MS = 2000;
const SLOW_BPM = 35;
const FAST_BPM = 180;
/** A pause is told for so long after it has ended. */
const TOLD_MS = 10_000;
const BEATS_KEPT = 6;
const LEAST_BEATS = 4;

export class RateWatch {
  readonly #rateHz: number;
  readonly #steepness: Steepness;
  #beats: number[] = [];
  /** Where the last pause ended. */
  #pauseEnd: number | undefined;

  constructor(rateHz: number, leads: number) {
    this.#rateHz = rateHz;
    this.#steepness = new Steepness(rateHz, leads);
  }

  /** Missing samples are no pause. */
  restart(): void {
    this.#beats = [];
    this.#pauseEnd = undefined;
    this.#steepness.restart();
  }

  next(mv: Float64Array, sample: number): void {
    this.#steepness.next(mv, sample);
  }

  #ms(samples: number): number {
    return (1000 * samples) / this.#rateHz;
  }

  /** Whether the time since the last beat is a pause, beside the intervals before. */
  #isPause(sample: number): boolean {
    const last = this.#beats.at(-1);
    if (last === undefined || this.#beats.length < LEAST_BEATS || this.#ms(sample - last) < PAUSE_MS)
      return false;
    const intervals = this.#beats.slice(1).map((beat, i) => this.#ms(beat - (this.#beats[i] as number)));
    return (median(intervals) as number) < LONGEST_USUAL_RR_MS && !this.#steepness.hasBeenSteep;
  }

  beat(sample: number): void {
    if (this.#isPause(sample)) this.#pauseEnd = sample;
    this.#steepness.beat(sample);
    this.#beats.push(sample);
    if (this.#beats.length > BEATS_KEPT) this.#beats.shift();
  }

  /** @param nowSample the newest sample @param bpm the rate, where it is valid */
  alarm(nowSample: number, bpm: number | undefined): RateAlarm | undefined {
    const isTold = this.#pauseEnd !== undefined && this.#ms(nowSample - this.#pauseEnd) <= TOLD_MS;
    if (isTold || this.#isPause(nowSample)) return 'pause';
    if (bpm === undefined) return undefined;
    return bpm < SLOW_BPM ? 'verySlow' : bpm > FAST_BPM ? 'veryFast' : undefined;
  }
}
