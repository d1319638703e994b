// Whether each conducted beat is preceded by the same P wave at the same distance: what separates sinus
// rhythm from rhythms without it. Every beat is held against the median of the others, over all leads;
// nothing is taken from the beats with the usual R-R alone, because in atrial fibrillation those are the ones
// that look alike by chance. Analysis reference, sections 6.2 (P) and 8.2 (last paragraph).

import { filterZeroPhase, highPass, lowPass } from '../../../shared/signal/butterworth.ts';
import type { CoarseSet } from '../signal/lead-signals.ts';
import { dot, meanEnergy, medianRow } from '../signal/sample-rows.ts';

/**
 * Stretch before the QRS onset in which a P wave lies. Its end leaves out what a 25 Hz low-pass smears of the
 * QRS.
 */
const FROM_MS = 240;
const TO_MS = 28;
const STEP_HZ = 125;
/** A P wave may come this much earlier or later and still be the same. */
const MAX_LAG_MS = 24;
const SEARCH_LAG_MS = 64;
const ALIKE = 0.7;
const MIN_GAIN = 0.4;
const MAX_GAIN = 2.5;
/** A median of more beats is no better. */
const MAX_REFERENCE = 60;
const MIN_BEATS = 3;
/** One beat, or one in ten, may be without the P wave of the others: noise hides some. */
const MAX_MISSING_SHARE = 0.1;
/** From here on the P waves of a stretch are the same ones. */
export const MIN_COHERENCE = 0.5;

export interface PEvidence {
  /** One a beat: 1 where the P wave is there, 0 where it is not, NaN where the beat was not looked at. */
  readonly perBeat: Float32Array;
  /** Share of the beats looked at that have it; 0 where there were too few. */
  readonly share: number;
  /**
   * Energy of the median P stretch divided by the mean energy of the single ones: near 1 where all are the
   * same, near 0 in chance.
   */
  readonly coherence: number;
  /** Somewhere in the recording they are the same ones. */
  readonly isClear: boolean;
}

/** Whether at most one of them, or one in ten, lacks the P wave. @param perBeat of some beats, at least so many looked at */
export function haveSameP(perBeat: ArrayLike<number>, least: number): boolean {
  let [seen, missing] = [0, 0];
  for (let i = 0; i < perBeat.length; i++) {
    if (Number.isNaN(perBeat[i])) continue;
    seen++;
    if (perBeat[i] === 0) missing++;
  }
  return seen >= least && missing <= Math.max(1, MAX_MISSING_SHARE * seen);
}

/** Frees a stretch of its mean and its straight line, in place. */
function detrend(values: Float32Array, from: number, length: number): void {
  let sum = 0;
  let tilt = 0;
  const middle = (length - 1) / 2;
  let norm = 0;
  for (let k = 0; k < length; k++) {
    sum += values[from + k] as number;
    tilt += (k - middle) * (values[from + k] as number);
    norm += (k - middle) ** 2;
  }
  const slope = norm > 0 ? tilt / norm : 0;
  for (let k = 0; k < length; k++)
    values[from + k] = (values[from + k] as number) - sum / length - slope * (k - middle);
}

interface Stretches {
  readonly width: number;
  readonly slack: number;
  readonly leads: number;
  /** One row a beat, leads one after another, with `slack` on both sides. */
  readonly rows: readonly (Float32Array | undefined)[];
}

function cut(
  set: CoarseSet,
  samples: readonly number[],
  isLookedAt: (beat: number) => boolean,
  onsetBeforeRSeconds: number,
): Stretches {
  const fs = set.sampleRateHz;
  const step = Math.max(1, Math.round(fs / STEP_HZ));
  const slack = Math.round(((SEARCH_LAG_MS / 1000) * fs) / step);
  const width = Math.round((((FROM_MS - TO_MS) / 1000) * fs) / step);
  const full = width + 2 * slack;
  const start = Math.round((onsetBeforeRSeconds + FROM_MS / 1000) * fs) + slack * step;
  const isInside = (sample: number): boolean => sample - start >= 0;
  const rows = samples.map((sample, beat) =>
    isLookedAt(beat) && isInside(sample) ? new Float32Array(full * set.leads.length) : undefined,
  );
  for (const [index, lead] of set.leads.entries()) {
    const filtered = filterZeroPhase(lead.mv, [highPass(1, fs), lowPass(25, fs)], fs);
    for (const [beat, row] of rows.entries()) {
      if (row === undefined) continue;
      const from = Math.round((samples[beat] as number) - start);
      for (let k = 0; k < full; k++)
        row[index * full + k] = filtered[Math.min(filtered.length - 1, from + k * step)] as number;
    }
  }
  return { width, slack, leads: set.leads.length, rows };
}

/** A beat's own stretch without its slack, each lead detrended. @param out where to put it */
function plain(
  { width, slack, leads }: Stretches,
  row: Float32Array,
  lag: number,
  out = new Float32Array(width * leads),
): Float32Array {
  const full = width + 2 * slack;
  for (let lead = 0; lead < leads; lead++) {
    const from = lead * full + slack + lag;
    for (let k = 0; k < width; k++) out[lead * width + k] = row[from + k] as number;
    detrend(out, lead * width, width);
  }
  return out;
}

/** The median of some of them at most. */
function medianOf(rows: readonly Float32Array[], leaveOut: number): Float32Array {
  const stride = Math.max(1, rows.length / MAX_REFERENCE);
  const chosen: Float32Array[] = [];
  for (let k = 0; Math.floor(k * stride) < rows.length; k++) {
    const index = Math.floor(k * stride);
    if (index !== leaveOut) chosen.push(rows[index] as Float32Array);
  }
  return medianRow(chosen);
}

/**
 * Whether the reference is found again in a beat's stretch, at nearly the same place and of nearly the same
 * size.
 */
function hasSame(stretches: Stretches, row: Float32Array, reference: Float32Array): boolean {
  const lagLimit = Math.round((MAX_LAG_MS / SEARCH_LAG_MS) * stretches.slack);
  const energy = dot(reference, reference);
  let best = -1;
  let bestLag = 0;
  let bestGain = 0;
  const own = new Float32Array(reference.length);
  for (let lag = -stretches.slack; lag <= stretches.slack; lag++) {
    plain(stretches, row, lag, own);
    const product = dot(own, reference);
    const own2 = dot(own, own);
    const correlation = own2 > 0 && energy > 0 ? product / Math.sqrt(own2 * energy) : 0;
    if (correlation > best) {
      best = correlation;
      bestLag = lag;
      bestGain = energy > 0 ? product / energy : 0;
    }
  }
  return best >= ALIKE && Math.abs(bestLag) <= lagLimit && bestGain >= MIN_GAIN && bestGain <= MAX_GAIN;
}

/** The beats of a section, cut and ready to be held against a P wave. */
export interface SectionStretches {
  readonly stretches: Stretches;
  /** Index of its first beat among all. */
  readonly first: number;
  /** Beats of the section that are looked at, and their stretches. */
  readonly looked: readonly number[];
  readonly plains: readonly Float32Array[];
  /** The median of them all. */
  readonly common: Float32Array;
}

/** What was seen so far. */
export interface WatchedP {
  readonly perBeat: Float32Array;
  waiting: SectionStretches[];
  /** The last clear P wave. */
  clear: Float32Array | undefined;
  looked: number;
  found: number;
  commonEnergy: number;
  meanEnergy: number;
}

/** Sections without a clear P wave of their own wait for one of these at most; each is below a megabyte. */
const MAX_WAITING = 12;

/**
 * Looks for the P waves of each section, held against that section's own; where this one shows none clearly, as
 * where it fibrillates for a while, against that of the nearest section that does as well.
 */
export class PWatch {
  readonly #isConducted: (beat: number) => boolean;
  readonly #onsetBeforeRSeconds: number | undefined;
  readonly state: WatchedP;

  /**
   * @param beats how many there are
   * @param isConducted false for beats that no P wave can be expected before
   * @param onsetBeforeRSeconds from the QRS onset to R; undefined when the onset is not known, and then no beat is judged
   * @param state of a watch that is gone on with
   */
  constructor(
    beats: number,
    isConducted: (beat: number) => boolean,
    onsetBeforeRSeconds: number | undefined,
    state?: WatchedP,
  ) {
    this.#isConducted = isConducted;
    this.#onsetBeforeRSeconds = onsetBeforeRSeconds;
    this.state = state ?? {
      perBeat: new Float32Array(beats).fill(Number.NaN),
      waiting: [],
      clear: undefined,
      looked: 0,
      found: 0,
      commonEnergy: 0,
      meanEnergy: 0,
    };
  }

  /** @param samples R of the beats of this section, in samples of `set` @param first index of the first one */
  add(set: CoarseSet, samples: readonly number[], first: number): void {
    if (this.#onsetBeforeRSeconds === undefined || set.leads.length === 0) return;
    const isConducted = (beat: number): boolean => this.#isConducted(first + beat);
    const stretches = cut(set, samples, isConducted, this.#onsetBeforeRSeconds);
    const looked = stretches.rows.flatMap((row, beat) => (row === undefined ? [] : [beat]));
    if (looked.length < MIN_BEATS) return;
    const plains = looked.map((beat) => plain(stretches, stretches.rows[beat] as Float32Array, 0));
    const common = medianOf(plains, -1);
    const energy = meanEnergy(plains);
    const commonEnergy = dot(common, common);
    const { state } = this;
    state.looked += looked.length;
    state.commonEnergy += looked.length * commonEnergy;
    state.meanEnergy += looked.length * energy;
    state.waiting.push({ stretches, first, looked, plains, common });
    if (commonEnergy >= MIN_COHERENCE * energy) {
      // The beats that waited for it are as near to it as to any.
      const own = state.waiting.pop() as SectionStretches;
      this.#judgeWaiting(common);
      this.#judge(own, undefined);
      state.clear = common;
    } else if (state.clear !== undefined || state.waiting.length > MAX_WAITING)
      this.#judgeWaiting(state.clear);
  }

  #judgeWaiting(clear: Float32Array | undefined): void {
    for (const section of this.state.waiting) this.#judge(section, clear);
    this.state.waiting = [];
  }

  #judge(
    { stretches, first, looked, plains, common }: SectionStretches,
    clear: Float32Array | undefined,
  ): void {
    for (const [index, beat] of looked.entries()) {
      const row = stretches.rows[beat] as Float32Array;
      const own = looked.length > MAX_REFERENCE ? common : medianOf(plains, index);
      const isSame = hasSame(stretches, row, own) || (clear !== undefined && hasSame(stretches, row, clear));
      this.state.perBeat[first + beat] = isSame ? 1 : 0;
      if (isSame) this.state.found++;
    }
  }

  /** Ends all sections; none can follow. */
  finish(): PEvidence {
    this.#judgeWaiting(this.state.clear);
    const { perBeat, looked, found, commonEnergy, meanEnergy, clear } = this.state;
    return {
      perBeat,
      share: looked > 0 ? found / looked : 0,
      coherence: meanEnergy > 0 ? commonEnergy / meanEnergy : 0,
      isClear: clear !== undefined,
    };
  }
}
