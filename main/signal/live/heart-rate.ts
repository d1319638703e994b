// Heart rate from the last beats, or why there is none. An old rate is never shown as the present one.

import type { NoRateReason } from '../../../shared/signal/live/live-findings.ts';
import { median } from '../../../shared/signal/statistics.ts';

const MAX_BEATS = 9;
const MIN_BEATS = 4;
const STARTING_MS = 4000;
/** Beats this far apart belong to no rate. */
const LONGEST_RR_MS = 4000;
const OVERDUE = 3;

export type HeartRate = { readonly bpm: number } | { readonly reason: NoRateReason };

export class HeartRateMeter {
  readonly #rateHz: number;
  #beats: number[] = [];
  #startSample = 0;

  constructor(rateHz: number) {
    this.#rateHz = rateHz;
  }

  restart(sample: number): void {
    this.#beats = [];
    this.#startSample = sample;
  }

  add(beatSample: number): void {
    this.#beats.push(beatSample);
    if (this.#beats.length > MAX_BEATS) this.#beats.shift();
  }

  /** @param nowSample the newest sample. */
  rateAt(nowSample: number): HeartRate {
    const ms = (samples: number): number => (1000 * samples) / this.#rateHz;
    const intervals = this.#beats.slice(1).map((beat, i) => ms(beat - (this.#beats[i] as number)));
    const usual = median(Float64Array.from(intervals));
    const sinceMs = ms(nowSample - (this.#beats.at(-1) ?? nowSample));
    const isOverdue = sinceMs > Math.min(LONGEST_RR_MS, OVERDUE * (usual ?? LONGEST_RR_MS));
    if (usual !== undefined && this.#beats.length >= MIN_BEATS && !isOverdue)
      return { bpm: Math.round(60_000 / usual) };
    return { reason: ms(nowSample - this.#startSample) < STARTING_MS ? 'starting' : 'tooFewBeats' };
  }
}
