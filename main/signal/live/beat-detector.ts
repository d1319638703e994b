// Finds QRS complexes while the signal runs. All leads together: band-pass 7 to 25 Hz, slope, its RMS over 80
// ms, a threshold that follows signal and noise, falls where beats stay away, and never falls below what a
// heart does; a search back where a beat is overdue. After Pan & Tompkins, IEEE Trans Biomed Eng
// 1985;32:230-236. The mean over leads instead of one lead is ours; so is that a lead counts by how far its
// peaks stand out of the rest, so that one noisy or loose lead has next to no say.

import { highPass, lowPass } from '../../../shared/signal/butterworth.ts';
import { RunningFilter } from '../../../shared/signal/running-filter.ts';

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
/** The share of the way from noise to signal. */
const THRESHOLD_SHARE = 0.3;
/** RMS of the slope, in mV/s and a lead, below which nothing is a beat: a QRS of 0.1 mV has about this. */
const FLOOR_MV_PER_S = 1.5;
/**
 * A peak that stands out less from the mean of the last two seconds is noise. The waves of a ventricular
 * tachycardia reach 1.5.
 */
const LEAST_CONTRAST = 1.4;
/** Without a beat for so long, the level of the beats before means less and less. */
const FORGET_AFTER_MS = 1500;
const FORGET_TIME_MS = 1500;
/** Peak over mean of a lead's slope: QRS complexes have 4 and more, noise and hum below 2. */
const CONTRAST_OF_NOISE = 2;
const CONTRAST_OF_ECG = 4;
const LEAST_WEIGHT = 0.001;
/** Leads weigh as if all were of one size; below this a lead is too small for that. */
const MIN_MEAN_MV_PER_S = 0.5;
/** Within which a lead's peak and mean follow. */
const CONTRAST_TIME_MS = 2000;
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
  /** Squared slopes of the last 80 ms, one a lead, and their sums. */
  readonly #windows: readonly Float64Array[];
  readonly #sums: Float64Array;
  readonly #peaks: Float64Array;
  readonly #means: Float64Array;
  readonly #windowSamples: number;
  readonly #pace: number;
  #place = 0;
  #settled = false;
  #count = 0;
  #start = 0;
  #signal = 0;
  /** The mean energy of all leads together. */
  #mean = 0;
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
    this.#windowSamples = Math.max(2, Math.round((INTEGRATION_MS * rateHz) / 1000));
    this.#windows = Array.from({ length: leads }, () => new Float64Array(this.#windowSamples));
    this.#sums = new Float64Array(leads);
    this.#peaks = new Float64Array(leads);
    this.#means = new Float64Array(leads);
    this.#pace = 1 - Math.exp(-1000 / CONTRAST_TIME_MS / rateHz);
  }

  /** The signal is interrupted: what comes next does not follow. */
  restart(): void {
    this.#settled = false;
    for (const window of this.#windows) window.fill(0);
    for (const sums of [this.#sums, this.#peaks, this.#means]) sums.fill(0);
    this.#candidate = undefined;
    this.#lastBeat = undefined;
    this.#missed = undefined;
    this.#intervals = [];
  }

  /**
   * @param mv one value a lead
   * @param isCounted 1 for leads that count now; the others are only followed, so that nothing jumps when
   * they count again
   * @returns the sample of a beat that is certain now: some hundred milliseconds back.
   */
  next(mv: Float64Array, sample: number, isCounted: Uint8Array): number | undefined {
    let sum = 0;
    let weights = 0;
    for (let lead = 0; lead < this.#highPasses.length; lead++) {
      const energy = this.#follow(lead, mv[lead] as number);
      if (isCounted[lead] !== 1) continue;
      const weight = this.#weightOf(lead);
      sum += weight * energy;
      weights += weight;
    }
    if (!this.#settled) this.#start = sample;
    this.#settled = true;
    this.#place = (this.#place + 1) % this.#windowSamples;
    this.#count++;
    return this.#look(weights > 0 ? sum / weights : 0, sample);
  }

  /** @returns the RMS of the slope of a lead over the window, in mV/s. */
  #follow(lead: number, mv: number): number {
    const high = this.#highPasses[lead] as RunningFilter;
    const low = this.#lowPasses[lead] as RunningFilter;
    const window = this.#windows[lead] as Float64Array;
    if (!this.#settled) {
      high.settle(mv);
      low.settle(0);
      this.#last[lead] = 0;
    }
    const y = low.next(high.next(mv));
    const slope = y - (this.#last[lead] as number);
    this.#last[lead] = y;
    this.#sums[lead] = (this.#sums[lead] as number) + slope * slope - (window[this.#place] as number);
    window[this.#place] = slope * slope;
    const energy = this.#rateHz * Math.sqrt(Math.max(0, this.#sums[lead] as number) / this.#windowSamples);
    this.#means[lead] = (this.#means[lead] as number) + this.#pace * (energy - (this.#means[lead] as number));
    this.#peaks[lead] = Math.max(energy, (this.#peaks[lead] as number) * (1 - this.#pace));
    return energy;
  }

  #weightOf(lead: number): number {
    const mean = this.#means[lead] as number;
    const contrast = mean > 0 ? (this.#peaks[lead] as number) / mean : 0;
    const share = Math.min(
      1,
      Math.max(0, (contrast - CONTRAST_OF_NOISE) / (CONTRAST_OF_ECG - CONTRAST_OF_NOISE)),
    );
    return LEAST_WEIGHT + (share * share) / Math.max(mean, MIN_MEAN_MV_PER_S);
  }

  #ms(samples: number): number {
    return (1000 * samples) / this.#rateHz;
  }

  #look(value: number, sample: number): number | undefined {
    this.#mean += Math.max(this.#pace, 1 / this.#count) * (value - this.#mean);
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
    return Math.max(
      FLOOR_MV_PER_S,
      LEAST_CONTRAST * this.#mean,
      this.#noise + THRESHOLD_SHARE * Math.max(0, this.#signal - this.#noise),
    );
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
    const sinceMs =
      this.#lastBeat === undefined ? Number.POSITIVE_INFINITY : this.#ms(peak.sample - this.#lastBeat.sample);
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
    return Math.round(beat.sample - this.#windowSamples / 2 - (FILTER_DELAY_MS * this.#rateHz) / 1000);
  }

  #searchBack(sample: number): number | undefined {
    const missed = this.#missed;
    if (missed === undefined || this.#lastBeat === undefined || this.#intervals.length < 2) return undefined;
    const mean = this.#intervals.reduce((sum, each) => sum + each, 0) / this.#intervals.length;
    if (
      sample - this.#lastBeat.sample < OVERDUE * mean ||
      missed.energy < Math.max(FLOOR_MV_PER_S, LEAST_CONTRAST * this.#mean, this.#threshold / 2)
    )
      return undefined;
    return this.#accept(missed, 2 * SLOW);
  }
}
