// Finds QRS complexes while the signal runs. All leads together: band-pass 5 to 25 Hz, slope, energy over 80 ms, two thresholds that
// follow signal and noise, a search back where a beat is overdue. After Pan & Tompkins, IEEE Trans Biomed Eng 1985;32:230-236; the sum
// over leads instead of one lead is ours.

import { highPass, lowPass } from '../butterworth.ts';
import { RunningFilter } from '../running-filter.ts';

const LOW_HZ = 5;
const HIGH_HZ = 25;
const INTEGRATION_MS = 80;
const REFRACTORY_MS = 220;
/** A peak this soon behind a beat is its T wave unless it is about as strong. */
const T_WAVE_MS = 360;
const T_WAVE_SHARE = 0.5;
const OVERDUE = 1.66;
const LEARNING_MS = 1500;
/** Energy of the filters and the window, which the peak comes behind. */
const THRESHOLD_SHARE = 0.25;
const SLOW = 0.125;
const MEAN_RR = 8;

interface Peak {
  readonly sample: number;
  readonly energy: number;
}

export class BeatDetector {
  readonly #rateHz: number;
  readonly #filters: readonly (readonly [RunningFilter, RunningFilter])[];
  readonly #last: Float64Array;
  readonly #window: Float64Array;
  #windowSum = 0;
  #place = 0;
  #settled = false;
  #count = 0;
  #signal = 0;
  #noise = 0;
  #learned: number[] = [];
  #previous = 0;
  #rising = false;
  #candidate: Peak | undefined;
  #lastBeat: Peak | undefined;
  /** The strongest peak since the last beat that was taken for noise. */
  #missed: Peak | undefined;
  #intervals: number[] = [];

  /** @param leads how many go together. */
  constructor(rateHz: number, leads: number) {
    this.#rateHz = rateHz;
    this.#filters = Array.from({ length: leads }, () => [
      new RunningFilter(highPass(LOW_HZ, rateHz)),
      new RunningFilter(lowPass(HIGH_HZ, rateHz)),
    ]);
    this.#last = new Float64Array(leads);
    this.#window = new Float64Array(Math.max(2, Math.round((INTEGRATION_MS * rateHz) / 1000)));
  }

  /** The signal is interrupted: what comes next does not follow. */
  restart(): void {
    this.#settled = false;
    this.#window.fill(0);
    this.#windowSum = 0;
    this.#candidate = undefined;
    this.#lastBeat = undefined;
    this.#missed = undefined;
    this.#intervals = [];
  }

  /**
   * @param mv one value a lead; 0 for leads that do not count now.
   * @returns the sample of a beat that is certain now: some hundred milliseconds back.
   */
  next(mv: Float64Array, sample: number): number | undefined {
    let energy = 0;
    for (const [lead, [high, low]] of this.#filters.entries()) {
      const x = mv[lead] as number;
      if (!this.#settled) {
        high.settle(x);
        low.settle(0);
        this.#last[lead] = 0;
      }
      const y = low.next(high.next(x));
      const slope = y - (this.#last[lead] as number);
      this.#last[lead] = y;
      energy += slope * slope;
    }
    this.#settled = true;
    this.#windowSum += energy - (this.#window[this.#place] as number);
    this.#window[this.#place] = energy;
    this.#place = (this.#place + 1) % this.#window.length;
    this.#count++;
    return this.#look(Math.max(0, this.#windowSum), sample);
  }

  #ms(samples: number): number {
    return (1000 * samples) / this.#rateHz;
  }

  #look(value: number, sample: number): number | undefined {
    const isPeak = this.#rising && value < this.#previous;
    this.#rising = value > this.#previous || (this.#rising && value === this.#previous);
    const height = this.#previous;
    this.#previous = value;
    if (this.#ms(this.#count) < LEARNING_MS) {
      if (isPeak) this.#learned.push(height);
      return undefined;
    }
    if (this.#learned.length > 0) this.#learn();
    if (isPeak) this.#consider({ sample, energy: height });
    return this.#settle(sample) ?? this.#searchBack(sample);
  }

  #learn(): void {
    const sorted = this.#learned.sort((a, b) => a - b);
    this.#signal = 0.6 * (sorted.at(-1) ?? 0);
    this.#noise = sorted[sorted.length >> 1] ?? 0;
    this.#learned = [];
  }

  get #threshold(): number {
    return this.#noise + THRESHOLD_SHARE * Math.max(0, this.#signal - this.#noise);
  }

  #consider(peak: Peak): void {
    const candidate = this.#candidate;
    if (candidate !== undefined) {
      if (peak.energy > candidate.energy) this.#candidate = peak;
      return;
    }
    const sinceMs = this.#lastBeat === undefined ? Number.POSITIVE_INFINITY : this.#ms(peak.sample - this.#lastBeat.sample);
    const isTWave = sinceMs < T_WAVE_MS && peak.energy < T_WAVE_SHARE * (this.#lastBeat?.energy ?? 0);
    if (sinceMs > REFRACTORY_MS && peak.energy > this.#threshold && !isTWave) this.#candidate = peak;
    else if (sinceMs > REFRACTORY_MS) {
      this.#noise += SLOW * (peak.energy - this.#noise);
      if (this.#missed === undefined || peak.energy > this.#missed.energy) this.#missed = peak;
    }
  }

  /** A candidate is a beat when nothing stronger came within the refractory time. */
  #settle(sample: number): number | undefined {
    const candidate = this.#candidate;
    if (candidate === undefined || this.#ms(sample - candidate.sample) < REFRACTORY_MS) return undefined;
    this.#candidate = undefined;
    return this.#accept(candidate, SLOW);
  }

  #accept(beat: Peak, weight: number): number {
    this.#signal += weight * (beat.energy - this.#signal);
    if (this.#lastBeat !== undefined) {
      this.#intervals.push(beat.sample - this.#lastBeat.sample);
      if (this.#intervals.length > MEAN_RR) this.#intervals.shift();
    }
    this.#lastBeat = beat;
    this.#missed = undefined;
    return Math.round(beat.sample - this.#window.length / 2 - 0.008 * this.#rateHz);
  }

  #searchBack(sample: number): number | undefined {
    const missed = this.#missed;
    if (missed === undefined || this.#lastBeat === undefined || this.#intervals.length < 2) return undefined;
    const mean = this.#intervals.reduce((sum, each) => sum + each, 0) / this.#intervals.length;
    if (sample - this.#lastBeat.sample < OVERDUE * mean || missed.energy < this.#threshold / 2) return undefined;
    return this.#accept(missed, 2 * SLOW);
  }
}
