// Whether each conducted beat is preceded by the same P wave at the same distance: what separates sinus
// rhythm from rhythms without it. Every beat is held against the median of the others, over all leads;
// nothing is taken from the beats with the usual R-R alone, because in atrial fibrillation those are the ones
// that look alike by chance. Analysis reference, sections 6.2 (P) and 8.2 (last paragraph).

import { filterZeroPhase, highPass, lowPass } from '../../shared/signal/butterworth.ts';
import { median } from '../../shared/signal/statistics.ts';
import type { LeadSet } from './lead-signals.ts';

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
}

const NONE = (count: number): PEvidence => ({
  perBeat: new Float32Array(count).fill(Number.NaN),
  share: 0,
  coherence: 0,
});

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
  set: LeadSet,
  samples: readonly number[],
  isLookedAt: (beat: number) => boolean,
  onsetBeforeR: number,
): Stretches {
  const fs = set.sampleRateHz;
  const step = Math.max(1, Math.round(fs / STEP_HZ));
  const slack = Math.round(((SEARCH_LAG_MS / 1000) * fs) / step);
  const width = Math.round((((FROM_MS - TO_MS) / 1000) * fs) / step);
  const full = width + 2 * slack;
  const start = Math.round(onsetBeforeR + (FROM_MS / 1000) * fs) + slack * step;
  const isInside = (sample: number): boolean => sample - start >= 0;
  const rows = samples.map((sample, beat) =>
    isLookedAt(beat) && isInside(sample) ? new Float32Array(full * set.leads.length) : undefined,
  );
  for (const [index, lead] of set.leads.entries()) {
    const filtered = filterZeroPhase(lead.mv, [highPass(1, fs), lowPass(25, fs)], fs);
    for (const [beat, row] of rows.entries()) {
      if (row === undefined) continue;
      const from = (samples[beat] as number) - start;
      for (let k = 0; k < full; k++)
        row[index * full + k] = filtered[Math.min(filtered.length - 1, from + k * step)] as number;
    }
  }
  return { width, slack, leads: set.leads.length, rows };
}

/** A beat's own stretch without its slack, each lead detrended. */
function plain({ width, slack, leads }: Stretches, row: Float32Array, lag: number): Float32Array {
  const full = width + 2 * slack;
  const out = new Float32Array(width * leads);
  for (let lead = 0; lead < leads; lead++) {
    out.set(row.subarray(lead * full + slack + lag, lead * full + slack + lag + width), lead * width);
    detrend(out, lead * width, width);
  }
  return out;
}

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
};

function medianOf(rows: readonly Float32Array[], leaveOut: number): Float32Array {
  const first = rows[0] as Float32Array;
  const stride = Math.max(1, rows.length / MAX_REFERENCE);
  const chosen: Float32Array[] = [];
  for (let k = 0; Math.floor(k * stride) < rows.length; k++) {
    const index = Math.floor(k * stride);
    if (index !== leaveOut) chosen.push(rows[index] as Float32Array);
  }
  const column = new Float64Array(chosen.length);
  return first.map((_, i) => {
    for (const [index, row] of chosen.entries()) column[index] = row[i] as number;
    return median(column) ?? 0;
  });
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
  for (let lag = -stretches.slack; lag <= stretches.slack; lag++) {
    const own = plain(stretches, row, lag);
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

/**
 * @param samples R of every beat
 * @param isConducted false for beats that no P wave can be expected before
 * @param onsetBeforeR samples from the QRS onset to R
 */
export function pEvidence(
  set: LeadSet,
  samples: readonly number[],
  isConducted: (beat: number) => boolean,
  onsetBeforeR: number | undefined,
): PEvidence {
  if (onsetBeforeR === undefined || set.leads.length === 0) return NONE(samples.length);
  const stretches = cut(set, samples, isConducted, onsetBeforeR);
  const looked = stretches.rows.flatMap((row, beat) => (row === undefined ? [] : [beat]));
  if (looked.length < MIN_BEATS) return NONE(samples.length);
  const plains = looked.map((beat) => plain(stretches, stretches.rows[beat] as Float32Array, 0));
  const common = medianOf(plains, -1);
  const perBeat = new Float32Array(samples.length).fill(Number.NaN);
  for (const [index, beat] of looked.entries()) {
    const reference = looked.length > MAX_REFERENCE ? common : medianOf(plains, index);
    perBeat[beat] = hasSame(stretches, stretches.rows[beat] as Float32Array, reference) ? 1 : 0;
  }
  const meanEnergy = plains.reduce((sum, row) => sum + dot(row, row), 0) / plains.length;
  return {
    perBeat,
    share: looked.reduce((sum, beat) => sum + (perBeat[beat] as number), 0) / looked.length,
    coherence: meanEnergy > 0 ? dot(common, common) / meanEnergy : 0,
  };
}
