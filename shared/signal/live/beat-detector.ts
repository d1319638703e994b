// Finds QRS complexes while the signal runs. All leads together: band-pass 7 to 25 Hz, slope, its RMS over 80 ms, a threshold that follows
// signal and noise, falls where beats stay away, and never falls below what a heart does; a search back where a beat is overdue. After
// Pan & Tompkins, IEEE Trans Biomed Eng 1985;32:230-236; the sum over leads instead of one lead is ours.

import { highPass, lowPass } from '../butterworth.ts';
import { RunningFilter } from '../running-filter.ts';

const LOW_HZ = 7;
const HIGH_HZ = 25;
const INTEGRATION_MS = 80;
const REFRACTORY_MS = 220;
/** A peak this soon behind a beat is its T wave unless it is about as strong. */
const T_WAVE_MS = 440;
const T_WAVE_SHARE = 0.7;
const OVERDUE = 1.66;
const LEARNING_MS = 1500;
/** What the filters delay a QRS by. */
const FILTER_DELAY_MS = 8;
/** Of the way from noise to signal. */
const THRESHOLD_SHARE = 0.3;
/** RMS of the slope, in mV/s and a lead, below which nothing is a beat: a QRS of 0.1 mV has about this. */
const FLOOR_MV_PER_S = 1.5;
/** Without a beat for so long, the level of the beats before means less and less. */
const FORGET_AFTER_MS = 1500;
const FORGET_TIME_MS = 1500;
const SLOW = 0.125;
const MEAN_RR = 8;

interface Peak {
  readonly sample: number;
  readonly energy: number;
}

export class BeatDetector {
  readonly #rateHz: number;
  /** One a lead. */
  readonly #highPasses: readonly RunningFilter[];
  readonly #lowPasses: readonly RunningFilter[];
  readonly #last: Float64Array;
  readonly #window: Float64Array;
  #windowSum = 0;
  #place = 0;
  #settled = false;
  #count = 0;
  #start = 0;
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
    this.#highPasses = Array.from({ length: leads }, () => new RunningFilter(highPass(LOW_HZ, rateHz)));
    this.#lowPasses = Array.from({ length: leads }, () => new RunningFilter(lowPass(HIGH_HZ, rateHz)));
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
    for (let lead = 0; lead < this.#highPasses.length; lead++) {
      const high = this.#highPasses[lead] as RunningFilter;
      const low = this.#lowPasses[lead] as RunningFilter;
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
    if (!this.#settled) this.#start = sample;
    this.#settled = true;
    this.#windowSum += energy - (this.#window[this.#place] as number);
    this.#window[this.#place] = energy;
    this.#place = (this.#place + 1) % this.#window.length;
    this.#count++;
    const { length } = this.#window;
    return this.#look(this.#rateHz * Math.sqrt(Math.max(0, this.#windowSum) / length / this.#highPasses.length), sample);
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
    this.#forget(sample);
    return this.#settle(sample) ?? this.#searchBack(sample);
  }

  #learn(): void {
    const sorted = this.#learned.sort((a, b) => a - b);
    this.#signal = 0.6 * (sorted.at(-1) ?? 0);
    this.#noise = sorted[sorted.length >> 1] ?? 0;
    this.#learned = [];
  }

  get #threshold(): number {
    return Math.max(FLOOR_MV_PER_S, this.#noise + THRESHOLD_SHARE * Math.max(0, this.#signal - this.#noise));
  }

  #forget(sample: number): void {
    if (this.#ms(sample - (this.#lastBeat?.sample ?? this.#start)) > FORGET_AFTER_MS)
      this.#signal *= Math.exp(-1000 / this.#rateHz / FORGET_TIME_MS);
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
    return Math.round(beat.sample - this.#window.length / 2 - (FILTER_DELAY_MS * this.#rateHz) / 1000);
  }

  #searchBack(sample: number): number | undefined {
    const missed = this.#missed;
    if (missed === undefined || this.#lastBeat === undefined || this.#intervals.length < 2) return undefined;
    const mean = this.#intervals.reduce((sum, each) => sum + each, 0) / this.#intervals.length;
    if (sample - this.#lastBeat.sample < OVERDUE * mean || missed.energy < Math.max(FLOOR_MV_PER_S, this.#threshold / 2)) return undefined;
    return this.#accept(missed, 2 * SLOW);
  }
}
