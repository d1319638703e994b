// The time line of a recording: its rate, its length, and where nothing was recorded.

import { firstFrom } from '../../../shared/signal/first-from.ts';

export type Range = readonly [startSample: number, endSample: number];

export interface TimeBase {
  readonly sampleRateHz: number;
  readonly sampleCount: number;
  /** [start, end) where no lead has a sample; in order, none touching the next. */
  readonly gaps: readonly Range[];
}

/**
 * A gap longer than this breaks an R-R interval; a shorter one can hide no beat (analysis reference, section
 * 2).
 */
const GAP_BREAKS_SECONDS = 0.2;

/** Index of the first range that ends behind a sample. A day has thousands of gaps, and is asked at each beat. */
function firstEndingAfter(ranges: readonly Range[], sample: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle] as Range)[1] > sample) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether one of the ranges has a sample of [from, to). */
export function touches(ranges: readonly Range[], from: number, to: number): boolean {
  const next = ranges[firstEndingAfter(ranges, from)];
  return next !== undefined && next[0] < to;
}

/** Whether signal is missing for so long between two beats that another one may hide there. */
export function spansGap({ gaps, sampleRateHz }: TimeBase, from: number, to: number): boolean {
  const least = GAP_BREAKS_SECONDS * sampleRateHz;
  for (let i = firstEndingAfter(gaps, from); i < gaps.length; i++) {
    const [start, end] = gaps[i] as Range;
    if (start >= to) return false;
    if (end - start > least) return true;
  }
  return false;
}

/** Appends a range behind others in order; one that touches the last makes it longer. */
export function appendRange(ranges: [number, number][], [start, end]: Range): void {
  const last = ranges.at(-1);
  if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
  else if (end > start) ranges.push([start, end]);
}

/** The same ranges in order, those that touch joined. */
export function joinRanges(ranges: readonly Range[]): Range[] {
  const all: [number, number][] = [];
  for (const range of [...ranges].sort((a, b) => a[0] - b[0])) appendRange(all, range);
  return all;
}

/** The samples, given in order, that lie in [start, end), counted from `origin`. */
export const samplesWithin = (samples: readonly number[], [start, end]: Range, origin = start): number[] =>
  samples.slice(firstFrom(samples, start), firstFrom(samples, end)).map((sample) => sample - origin);

/** What is left of a range beside others, which are in order and do not overlap. */
export function outside([start, end]: Range, ranges: readonly Range[]): Range[] {
  const left: Range[] = [];
  let from = start;
  for (let i = firstEndingAfter(ranges, start); i < ranges.length; i++) {
    const [begin, stop] = ranges[i] as Range;
    if (begin >= end) break;
    if (begin > from) left.push([from, begin]);
    from = Math.max(from, stop);
  }
  if (from < end) left.push([from, end]);
  return left;
}

export const lengthOf = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, [start, end]) => sum + end - start, 0);

/** So much of a recording is there, and was read where `gaps` hold what was not. */
export const knownSamples = ({ sampleCount, gaps }: TimeBase): number => sampleCount - lengthOf(gaps);
