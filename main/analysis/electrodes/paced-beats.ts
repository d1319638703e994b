// Spikes of a pacemaker, told by all beats together: at the same place before each beat, the signal bends more sharply
// than anywhere around, beat after beat. The detector of the running signal needs spikes that stand out of each beat
// alone, and finds none in the paced recordings of LUDB and PTB-XL. Analysis reference, section 4.3.

import { median, quantile } from '../../../shared/signal/statistics.ts';
import { measuredSections } from '../measurements/median-beat.ts';
import type { LeadReader, LeadSet } from '../signal/lead-signals.ts';
import type { Section } from '../signal/sections.ts';

const FROM_SECONDS = -0.32;
/** The bend of R itself lies behind. */
const TO_SECONDS = -0.04;
/** What stands beside a spike, on both sides. */
const BESIDE_SECONDS = { from: 0.012, to: 0.03 };
/** Samples are too far apart to show a spike below, unless it is a large one. */
export const LEAST_SPIKE_RATE_HZ = 400;
const LEAST_BEATS = 3;
/** The first seconds of each section, which are looked at. */
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
 * Over twice the distance a curve bends four times as much, an edge no more: so a sharp r ahead of a late R is none. A pulse
 * behind a low-pass of 150 Hz, at 500 samples a second, bends 2.7 times as much.
 */
const EDGE_SECONDS = 0.002;
const MOST_OF_AN_EDGE = 3.2;
/** No pulse lasts longer, and its other end is an edge at least half as sharp. */
const LONGEST_PULSE_SECONDS = 0.04;
const SHARE_OF_OTHER_END = 0.5;
/** Sections whose spikes stand no farther apart are paced alike. */
const SAME_PLACE_MS = 10;
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

/** The beats in front of which spikes are looked for: the sample of each R in `set`, and the height of QRS on each lead. */
interface Approach {
  readonly set: LeadSet;
  readonly beats: readonly number[];
  readonly heights: readonly number[];
}

/**
 * How sharply all leads bend at `count` places from `from` on, in parts of the height of QRS: medians over the beats.
 * @param from in samples behind R @param distance in samples, from the middle of a bend to its sides
 */
function bends(
  { set: { leads }, beats, heights }: Approach,
  from: number,
  count: number,
  distance: number,
): Float64Array {
  const bendAt = (i: number): number => {
    let sum = 0;
    for (const [lead, { mv }] of leads.entries()) {
      const [before, middle, behind] = [mv[i - distance] ?? 0, mv[i] ?? 0, mv[i + distance] ?? 0];
      const height = heights[lead] as number;
      if (height > 0) sum += Math.abs(before - 2 * middle + behind) / height;
    }
    return sum / leads.length;
  };
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

/** Both ends of a pulse, whichever of them is the sharper one: places in the profile. */
function pulseAround(
  profile: Float64Array,
  sharpest: number,
  isEdge: (k: number) => boolean,
  rateHz: number,
): { readonly start: number; readonly end: number } {
  const reach = Math.round(LONGEST_PULSE_SECONDS * rateHz);
  const least = Math.max(LEAST_BEND_FROM_BEFORE, SHARE_OF_OTHER_END * (profile[sharpest] as number));
  const isEnd = (k: number): boolean => k === sharpest || ((profile[k] as number) >= least && isEdge(k));
  let [start, end] = [Math.max(0, sharpest - reach), Math.min(profile.length - 1, sharpest + reach)];
  while (!isEnd(start)) start++;
  while (!isEnd(end)) end--;
  // The profile holds each bend for as long as R may be off.
  return { start: Math.min(sharpest, start + JITTER_SAMPLES), end: Math.max(sharpest, end - JITTER_SAMPLES) };
}

/** Where the spike of a pacemaker stands before R. */
export interface SpikeBeforeR {
  readonly startMs: number;
  /** Smaller than the start, or the same. */
  readonly endMs: number;
}

/** @param samples of the beats in `set` @returns undefined where there is none */
function spikeBeforeR(set: LeadSet, samples: readonly number[]): SpikeBeforeR | undefined {
  const { leads, sampleRateHz, sampleCount } = set;
  const edge = Math.round(EDGE_SECONDS * sampleRateHz);
  const from = Math.round(FROM_SECONDS * sampleRateHz);
  const reach = JITTER_SAMPLES + 2 * edge - from;
  const beats = samples.filter((r) => r > reach && r < sampleCount - reach).slice(0, MOST_BEATS);
  if (beats.length < LEAST_BEATS || leads.length === 0) return undefined;
  const approach = { set, beats, heights: leads.map(({ mv }) => heightOf(mv, beats, sampleRateHz)) };
  const profile = bends(approach, from, Math.round(TO_SECONDS * sampleRateHz) - from, 1);
  const bendAcross = (k: number, distance: number): number =>
    bends(approach, from + k, 1, distance)[0] as number;
  const isEdge = (k: number): boolean => bendAcross(k, 2 * edge) <= MOST_OF_AN_EDGE * bendAcross(k, edge);
  const sharpest = sharpestOf(profile, isEdge, sampleRateHz);
  if (sharpest === undefined) return undefined;
  const { start, end } = pulseAround(profile, sharpest, isEdge, sampleRateHz);
  const ms = (k: number): number => (-1000 * (from + k)) / sampleRateHz;
  return { startMs: ms(start), endMs: ms(end) };
}

/** The place that most sections share: a median of several places can lie where no spike is. */
function commonPlace(found: readonly SpikeBeforeR[]): SpikeBeforeR {
  const groups = found.map(({ startMs }) =>
    found.filter((other) => Math.abs(other.startMs - startMs) <= SAME_PLACE_MS),
  );
  const largest = groups.reduce((most, group) => (group.length > most.length ? group : most));
  const middle = (of: keyof SpikeBeforeR): number =>
    Math.round(median(largest.map((spike) => spike[of])) as number);
  return { startMs: middle('startMs'), endMs: middle('endMs') };
}

/**
 * Spikes before the usual beats of most sections.
 * @param dominant indices into `samples`
 * @returns where most of them stand; undefined where there are none
 */
export function findSpikesBeforeR(
  reader: LeadReader,
  sections: readonly Section[],
  samples: readonly number[],
  dominant: readonly number[],
): SpikeBeforeR | undefined {
  const { sampleRateHz } = reader;
  if (sampleRateHz < LEAST_SPIKE_RATE_HZ) return undefined;
  const measured = measuredSections(sections, samples, dominant);
  const found = measured.flatMap(({ core: [start, end], dominant: own }) => {
    const set = reader.window(start, Math.min(end, start + Math.round(PART_SECONDS * sampleRateHz)));
    const spike = spikeBeforeR(
      set,
      own.map((beat) => (samples[beat] as number) - start),
    );
    return spike === undefined ? [] : [spike];
  });
  return 2 * found.length > measured.length ? commonPlace(found) : undefined;
}
