// A long recording hour by hour, as the clock on the wall has them, from the samples and classes of its beats. Screens count it anew with
// every change of a class; the report prints it.

import { zonedTime } from '../civil-time.ts';
import { firstFrom } from '../signal/first-from.ts';
import { median } from '../signal/statistics.ts';

export type SampleRange = readonly [startSample: number, endSample: number];

export interface LabelledBeats {
  /** In order. */
  readonly samples: Uint32Array;
  /** The code of a letter each: N, S, V, F, Q. */
  readonly labels: Uint8Array;
}

export interface HourInput {
  readonly beats: LabelledBeats;
  readonly sampleRateHz: number;
  readonly sampleCount: number;
  /** Where samples are missing, or noise hides the beats; in order, none over another. */
  readonly unknown: readonly SampleRange[];
  readonly fibrillation: readonly SampleRange[];
  readonly pauses: readonly SampleRange[];
  /** The level of ST on one lead, a value a minute; null where it is not known. */
  readonly stMv?: readonly (number | null)[] | undefined;
}

export interface HourRow {
  readonly startSample: number;
  readonly endSample: number;
  readonly beats: number;
  /** The rate over all intervals; absent, as the next two, where too few beats follow each other. */
  readonly meanBpm?: number;
  /** The slowest rate over eight intervals in a row, and the fastest. */
  readonly minBpm?: number;
  readonly maxBpm?: number;
  readonly ventricular: number;
  readonly supraventricular: number;
  readonly fibrillationSeconds: number;
  readonly longestPauseMs?: number;
  readonly stMv?: number;
  /** What was there and read, as a part of what was recorded. */
  readonly readShare: number;
}

const HOUR_SECONDS = 3600;
const RATE_INTERVALS = 8;
/** Longer than this, an interval is either a pause that was found, or time that was not read. */
const LONGEST_UNPROVEN_SECONDS = 2;
const [V, S] = ['V', 'S'].map((letter) => letter.charCodeAt(0)) as [number, number];

/** Where each hour of the clock begins in the recording; without a known start, hours since its beginning. */
export function clockHours(
  sampleCount: number,
  sampleRateHz: number,
  start?: { readonly atMs: number; readonly timeZone: string | undefined },
): number[] {
  let intoHourSeconds = 0;
  if (start !== undefined) {
    const [, minutes = 0, seconds = 0] = zonedTime(start.atMs, start.timeZone).clock.split(':').map(Number);
    intoHourSeconds = 60 * minutes + seconds;
  }
  const starts = [0];
  for (let at = HOUR_SECONDS - intoHourSeconds; at * sampleRateHz < sampleCount; at += HOUR_SECONDS)
    starts.push(Math.round(at * sampleRateHz));
  return starts;
}

/** How much of a stretch lies in some others. */
export function overlapOf(ranges: readonly SampleRange[], from: number, to: number): number {
  let sum = 0;
  for (const [start, end] of ranges) sum += Math.max(0, Math.min(end, to) - Math.max(start, from));
  return sum;
}

/**
 * Tells of one interval after another, in order, whether nothing is known of it: samples are missing, noise hides the beats, or it is
 * longer than any heart rate, and no pause was found there.
 */
export function unknownIntervals({
  unknown,
  pauses,
  sampleRateHz,
}: Pick<HourInput, 'unknown' | 'pauses' | 'sampleRateHz'>): (from: number, to: number) => boolean {
  const isUnknown = meeting(unknown);
  const isPause = meeting(pauses);
  return (from, to) =>
    isUnknown(from, to) || (to - from > LONGEST_UNPROVEN_SECONDS * sampleRateHz && !isPause(from, to));
}

/** Whether [from, to) meets one of some ranges in order; to be asked with rising places. */
function meeting(ranges: readonly SampleRange[]): (from: number, to: number) => boolean {
  let next = 0;
  return (from, to) => {
    while ((ranges[next]?.[1] ?? Number.POSITIVE_INFINITY) <= from) next++;
    return (ranges[next]?.[0] ?? Number.POSITIVE_INFINITY) < to;
  };
}

interface Rates {
  readonly meanBpm: number;
  readonly minBpm: number;
  readonly maxBpm: number;
}

/** @param first of its beats @param end behind its last */
function ratesOf(input: HourInput, first: number, end: number): Rates | undefined {
  const { beats, sampleRateHz } = input;
  const { samples } = beats;
  const last = new Float64Array(RATE_INTERVALS);
  let [sum, count, run, eight] = [0, 0, 0, 0];
  let [slowest, fastest] = [0, Number.POSITIVE_INFINITY];
  const isUnknown = unknownIntervals(input);
  for (let i = first + 1; i < end; i++) {
    const [before, now] = [samples[i - 1] as number, samples[i] as number];
    if (isUnknown(before, now)) {
      run = 0;
      eight = 0;
      continue;
    }
    const interval = now - before;
    sum += interval;
    count++;
    const place = run % RATE_INTERVALS;
    eight += interval - (run >= RATE_INTERVALS ? (last[place] as number) : 0);
    last[place] = interval;
    run++;
    if (run < RATE_INTERVALS) continue;
    slowest = Math.max(slowest, eight);
    fastest = Math.min(fastest, eight);
  }
  if (slowest === 0) return undefined;
  const bpm = (samplesOfEight: number): number =>
    Math.round((60 * RATE_INTERVALS * sampleRateHz) / samplesOfEight);
  return {
    meanBpm: Math.round((60 * sampleRateHz * count) / sum),
    minBpm: bpm(slowest),
    maxBpm: bpm(fastest),
  };
}

function stOf({ stMv, sampleRateHz }: HourInput, from: number, to: number): number | undefined {
  const minute = (sample: number): number => Math.floor(sample / sampleRateHz / 60);
  const known = (stMv ?? [])
    .slice(minute(from), Math.max(minute(from) + 1, minute(to)))
    .filter((value) => value !== null);
  return known.length === 0 ? undefined : median(known);
}

function rowOf(input: HourInput, startSample: number, endSample: number): HourRow {
  const { beats, sampleRateHz, unknown, fibrillation, pauses } = input;
  const [first, end] = [firstFrom(beats.samples, startSample), firstFrom(beats.samples, endSample)];
  let [ventricular, supraventricular] = [0, 0];
  for (let i = first; i < end; i++) {
    const label = beats.labels[i];
    if (label === V) ventricular++;
    else if (label === S) supraventricular++;
  }
  let longest = 0;
  for (const [from, to] of pauses)
    if (from >= startSample && from < endSample) longest = Math.max(longest, to - from);
  const st = stOf(input, startSample, endSample);
  return {
    startSample,
    endSample,
    beats: end - first,
    ...ratesOf(input, first, end),
    ventricular,
    supraventricular,
    fibrillationSeconds: overlapOf(fibrillation, startSample, endSample) / sampleRateHz,
    ...(longest > 0 && { longestPauseMs: Math.round((1000 * longest) / sampleRateHz) }),
    ...(st !== undefined && { stMv: st }),
    readShare: 1 - overlapOf(unknown, startSample, endSample) / Math.max(1, endSample - startSample),
  };
}

/** @param starts where each row begins, the first at 0 @returns a row each, and the whole recording as one */
export function hourTable(starts: readonly number[], input: HourInput): { rows: HourRow[]; whole: HourRow } {
  return {
    rows: starts.map((start, i) => rowOf(input, start, starts[i + 1] ?? input.sampleCount)),
    whole: rowOf(input, 0, input.sampleCount),
  };
}
