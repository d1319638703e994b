// Spikes of a pacemaker, told by all beats together: at the same place before each beat, the signal bends more sharply
// than anywhere around, beat after beat. The detector of the running signal needs spikes that stand out of each beat
// alone, and finds none in the paced recordings of LUDB and PTB-XL. Analysis reference, section 4.3.

import { median, quantile } from '../../shared/signal/statistics.ts';
import type { LeadReader, LeadSet } from './lead-signals.ts';
import { measuredSections } from './median-beat.ts';
import type { Section } from './sections.ts';
import type { Range } from './time-base.ts';

const FROM_SECONDS = -0.32;
/** The bend of R itself lies behind. */
const TO_SECONDS = -0.04;
/** What stands beside a spike, on both sides. */
const BESIDE_SECONDS = { from: 0.012, to: 0.03 };
/** Samples are too far apart to show a spike below. */
const LEAST_RATE_HZ = 400;
const LEAST_BEATS = 3;
/** Of each section, from its beginning. */
const PART_SECONDS = 60;
const MOST_BEATS = 60;
/**
 * How much sharper than what stands on both sides, and how sharp beside the height of QRS. In the development half so
 * much before the beats of four of seven paced recordings, and before those of no other of 532 (`npm run test:accuracy`).
 */
const SHARPER = 4;
const LEAST_BEND = 0.03;
/**
 * How much sharper than what stands before it, and how sharp beside the height of QRS: a pulse that lasts for 30 ms has its
 * own end behind it. In five paced recordings of the development half it is 27 times or more and 0.35 of the height; in 3 of
 * 865 others it is 20 times somewhere, and 0.006 of the height.
 */
const SHARPER_THAN_BEFORE = 20;
const LEAST_BEND_FROM_BEFORE = 0.1;
/**
 * A curve bends four times as much over twice the distance, an edge no more than over the first: so a sharp r ahead of a late
 * R is none. A pulse behind a low-pass of 150 Hz at 500 samples a second bends 2.7 times as much.
 */
const EDGE_SECONDS = 0.002;
const MOST_OF_AN_EDGE = 3.2;
/** A pulse is over so soon; its other end bends at least half as sharply. */
const LONGEST_PULSE_SECONDS = 0.04;
const SHARE_OF_OTHER_END = 0.5;
/** The bend before R may be one sample off, as R is. */
const JITTER_SAMPLES = 2;

/** The height of a beat on a lead, around R. */
function heightOf(mv: Float32Array, beats: readonly number[], rateHz: number): number {
  const [half, before] = [Math.round(0.06 * rateHz), Math.round(0.2 * rateHz)];
  const heights = beats.map((r) => {
    let most = 0;
    for (let k = -half; k <= half; k++)
      most = Math.max(most, Math.abs((mv[r + k] ?? 0) - (mv[r - before] ?? 0)));
    return most;
  });
  return median(heights) ?? 0;
}

/**
 * How sharply all leads bend at each place before R, in parts of the height of QRS: medians over the beats.
 * @param distance in samples, from the middle of a bend to its sides
 */
function bends({ leads, sampleRateHz }: LeadSet, beats: readonly number[], distance: number): Float64Array {
  const from = Math.round(FROM_SECONDS * sampleRateHz);
  const count = Math.round(TO_SECONDS * sampleRateHz) - from;
  const heights = leads.map(({ mv }) => heightOf(mv, beats, sampleRateHz));
  const bendAt = (i: number): number =>
    leads.reduce((sum, { mv }, lead) => {
      const [before, middle, behind] = [mv[i - distance], mv[i], mv[i + distance]] as [
        number,
        number,
        number,
      ];
      const height = heights[lead] as number;
      return height > 0 ? sum + Math.abs(before - 2 * middle + behind) / height : sum;
    }, 0) / leads.length;
  const rows = beats.map((r) =>
    Float64Array.from({ length: count + 2 * JITTER_SAMPLES }, (_, k) =>
      bendAt(r + from + k - JITTER_SAMPLES),
    ),
  );
  return Float64Array.from(
    { length: count },
    (_, k) =>
      median(
        rows.map((row) => row.subarray(k, k + 2 * JITTER_SAMPLES + 1).reduce((a, b) => Math.max(a, b))),
      ) ?? 0,
  );
}

/** The sharpest bend that no heart makes. @param profile bends before R */
function sharpestOf(
  profile: Float64Array,
  isEdge: (k: number) => boolean,
  rateHz: number,
): number | undefined {
  const near = Math.round(BESIDE_SECONDS.from * rateHz);
  const far = Math.round(BESIDE_SECONDS.to * rateHz);
  let best: number | undefined;
  for (let k = far; k < profile.length - far; k++) {
    const before = profile.subarray(k - far, k - near + 1);
    const beside = [...before, ...profile.subarray(k + near, k + far + 1)];
    const bend = profile[k] as number;
    const isSharp =
      bend >= Math.max(LEAST_BEND, SHARPER * (quantile(beside, 0.75) as number)) ||
      bend >= Math.max(LEAST_BEND_FROM_BEFORE, SHARPER_THAN_BEFORE * (quantile([...before], 0.75) as number));
    if (isSharp && bend > (best === undefined ? 0 : (profile[best] as number)) && isEdge(k)) best = k;
  }
  return best;
}

/** Both ends of a pulse, whichever of them is the sharper one. */
function pulseAround(profile: Float64Array, sharpest: number, rateHz: number): Range {
  const reach = Math.round(LONGEST_PULSE_SECONDS * rateHz);
  const least = Math.max(LEAST_BEND_FROM_BEFORE, SHARE_OF_OTHER_END * (profile[sharpest] as number));
  const isEnd = (k: number): boolean => k === sharpest || (profile[k] as number) >= least;
  let [start, end] = [Math.max(0, sharpest - reach), Math.min(profile.length - 1, sharpest + reach)];
  while (!isEnd(start)) start++;
  while (!isEnd(end)) end--;
  // The profile holds each bend for as long as R may be off.
  return [Math.min(sharpest, start + JITTER_SAMPLES), Math.max(sharpest, end - JITTER_SAMPLES)];
}

/** @returns how long before R the spike of each beat begins and ends, in samples; undefined where there is none */
function spikeBeforeR(set: LeadSet, samples: readonly number[]): Range | undefined {
  const { sampleRateHz, sampleCount } = set;
  const edge = Math.round(EDGE_SECONDS * sampleRateHz);
  const reach = Math.ceil(-FROM_SECONDS * sampleRateHz) + JITTER_SAMPLES + 2 * edge;
  const beats = samples.filter((r) => r > reach && r < sampleCount - reach).slice(0, MOST_BEATS);
  if (sampleRateHz < LEAST_RATE_HZ || beats.length < LEAST_BEATS || set.leads.length === 0) return undefined;
  const profile = bends(set, beats, 1);
  const [once, twice] = [bends(set, beats, edge), bends(set, beats, 2 * edge)];
  const isEdge = (k: number): boolean => (twice[k] as number) <= MOST_OF_AN_EDGE * (once[k] as number);
  const sharpest = sharpestOf(profile, isEdge, sampleRateHz);
  if (sharpest === undefined) return undefined;
  const from = -Math.round(FROM_SECONDS * sampleRateHz);
  const [start, end] = pulseAround(profile, sharpest, sampleRateHz);
  return [from - start, from - end];
}

/** Where the spike of a pacemaker stands before R. */
export interface SpikeBeforeR {
  readonly startMs: number;
  /** Smaller than the start, or the same. */
  readonly endMs: number;
}

/**
 * Spikes before the usual beats of most sections.
 * @param dominant indices into `samples`
 * @returns where they stand, medians over the sections; undefined where there are none
 */
export function findSpikesBeforeR(
  reader: LeadReader,
  sections: readonly Section[],
  samples: readonly number[],
  dominant: readonly number[],
): SpikeBeforeR | undefined {
  const { sampleRateHz } = reader;
  const measured = measuredSections(sections, samples, dominant);
  const found = measured.flatMap(({ core: [start, end], dominant: own }) => {
    const set = reader.window(start, Math.min(end, start + Math.round(PART_SECONDS * sampleRateHz)));
    const spike = spikeBeforeR(
      set,
      own.map((beat) => (samples[beat] as number) - start),
    );
    return spike === undefined ? [] : [spike];
  });
  if (2 * found.length <= measured.length) return undefined;
  const ms = (places: readonly number[]): number =>
    Math.round((1000 * (median(places) as number)) / sampleRateHz);
  return { startMs: ms(found.map(([start]) => start)), endMs: ms(found.map(([, end]) => end)) };
}
