// A second P wave that hides in T, halfway between two beats. With it, a 2:1 block, an atrial tachycardia or a flutter
// passes for sinus rhythm at half the rate of the atria (the Bix rule; Marriott, Practical Electrocardiography). T is
// smoother than P: once a polynomial is taken away from both places, what is left shows whether they hold the same wave.
// Analysis reference, section 8.4.

import { filterZeroPhase, lowPass } from '../../../shared/signal/butterworth.ts';
import type { MedianBeat } from '../measurements/median-beat.ts';
import { dot, likeness } from '../signal/sample-rows.ts';
import type { Marks } from '../waves/median-marks.ts';

const HIGH_HZ = 30;
/** On both sides of P. */
const MARGIN_SECONDS = 0.03;
/** The atria may be so much out of step. */
const REACH_SECONDS = 0.03;
const STEP_SECONDS = 0.004;
/** Nearer to QRS, its end and the beginning of T look like the edges of P. */
const BEHIND_QRS_SECONDS = 0.03;
/** A polynomial of this degree follows T, and the slope behind QRS, over the width of P. */
const DEGREE = 6;
/** It is as high as the first one, but for what the polynomial takes from T. */
const GAIN = { least: 0.65, most: 1.5 };
/** What is left of P must stand out of what is left of the stillest stretch, so that no noise is taken for it. */
const LEAST_TO_NOISE = 4;
/** On fewer, T is like P too often: 4 of 577 on the limb leads. */
export const LEAST_LEADS = 8;
/**
 * How alike both have to be, as a correlation over all leads. Of 620 sinus rhythms of the development half none reaches it,
 * and one 0.79; the sharper T of the simulated patient does so where it lies halfway, at 75 to 78/min, once in ten.
 * Of 563 with P waves of other beats put halfway between theirs, 21 % do.
 */
const LEAST = 0.8;

/** Polynomials of up to the degree over `width` samples, orthogonal, each of energy 1. */
function polynomials(width: number): Float32Array[] {
  const basis: Float32Array[] = [];
  const power = new Float32Array(width).fill(1);
  for (let degree = 0; degree <= DEGREE; degree++) {
    const row = power.slice();
    for (let k = 0; k < width; k++) power[k] = (power[k] as number) * ((2 * k) / (width - 1) - 1);
    takeAway(row, basis);
    const norm = Math.sqrt(dot(row, row));
    basis.push(row.map((value) => value / norm));
  }
  return basis;
}

/** What the polynomials can follow, in place. */
function takeAway(row: Float32Array, basis: readonly Float32Array[]): void {
  for (const one of basis) {
    const share = dot(row, one);
    for (let k = 0; k < row.length; k++) row[k] = (row[k] as number) - share * (one[k] as number);
  }
}

/** What no polynomial follows around a place, lead after lead; undefined beyond the beat. */
function rowAround(
  leads: readonly Float64Array[],
  middle: number,
  half: number,
  basis: readonly Float32Array[],
): Float32Array | undefined {
  const width = 2 * half + 1;
  const first = Math.round(middle) - half;
  if (first < 0 || first + width > (leads[0]?.length ?? 0)) return undefined;
  const row = new Float32Array(width * leads.length);
  for (const [index, lead] of leads.entries()) {
    const own = row.subarray(index * width, (index + 1) * width);
    own.set(lead.subarray(first, first + width));
    takeAway(own, basis);
  }
  return row;
}

/** The energy of the stillest stretch of the beat that is as wide as P. */
function noiseEnergy(leads: readonly Float64Array[], half: number, basis: readonly Float32Array[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let middle = half; middle + half < (leads[0]?.length ?? 0); middle += half) {
    const row = rowAround(leads, middle, half, basis);
    if (row !== undefined) least = Math.min(least, dot(row, row));
  }
  return least;
}

/**
 * Looks for the P wave of the usual beat halfway to the next one.
 *
 * @returns how like it is what was found there, as a correlation over all leads; undefined where that is no P wave, where P
 * or the place is not known or too near to QRS, or where there are too few leads to tell it from T
 */
export function findSecondP(
  { sampleRateHz: fs, rrMs, leads }: MedianBeat,
  { pOnset, pOffset, qrsOffset }: Marks,
): number | undefined {
  if (pOnset === undefined || pOffset === undefined || qrsOffset === undefined) return undefined;
  const middle = (pOnset + pOffset) / 2;
  const halfway = middle + ((rrMs / 1000) * fs) / 2;
  const half = Math.trunc((pOffset - pOnset) / 2 + MARGIN_SECONDS * fs);
  if (leads.length < LEAST_LEADS || halfway - half < qrsOffset + BEHIND_QRS_SECONDS * fs) return undefined;
  const smooth = leads.map((mv) => filterZeroPhase(mv, [lowPass(HIGH_HZ, fs)], fs));
  const basis = polynomials(2 * half + 1);
  const p = rowAround(smooth, middle, half, basis);
  if (p === undefined || dot(p, p) < LEAST_TO_NOISE * noiseEnergy(smooth, half, basis)) return undefined;
  const steps = Math.floor(REACH_SECONDS / STEP_SECONDS);
  let best = 0;
  for (let step = -steps; step <= steps; step++) {
    const row = rowAround(smooth, halfway + step * STEP_SECONDS * fs, half, basis);
    if (row !== undefined) best = Math.max(best, likeness(row, p, GAIN));
  }
  return best >= LEAST ? best : undefined;
}
