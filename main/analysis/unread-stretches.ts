// Stretches in which no beat was found because noise hides them: not pauses, and nothing is known of them. A
// heart that stands still while its atria go on leaves small waves, and stays a pause.

import { median } from '../../shared/signal/statistics.ts';
import type { LeadSet } from './lead-signals.ts';
import { firstFrom, joinRanges, type Range, type TimeBase } from './time-base.ts';

/** Longer than any pause that is told at the ends of a recording. */
const LEAST_SECONDS = 4;
/** Of the line of seconds with beats: P waves alone make a fifth of it, noise that hides beats as much or more. */
const NOISY = 0.8;

const startOf = (second: number, sampleRateHz: number): number => Math.round(second * sampleRateHz);

/**
 * How long the line of all leads is in each second of a recording that begins in [from, to) of it.
 * @param set a window that holds them
 */
export function lineLengths({ coarse, startSample, sampleRateHz }: LeadSet, [from, to]: Range): number[] {
  const values: number[] = [];
  for (let second = Math.ceil(from / sampleRateHz); startOf(second, sampleRateHz) < to; second++) {
    const [first, last] = [second, second + 1].map((each) =>
      Math.floor((startOf(each, sampleRateHz) - startSample) / coarse.step),
    ) as [number, number];
    if (last > coarse.sampleCount) break;
    let sum = 0;
    for (const { mv } of coarse.leads)
      for (let i = first + 1; i < last; i++) sum += Math.abs((mv[i] as number) - (mv[i - 1] as number));
    values.push(sum);
  }
  return values;
}

interface UnreadInput {
  readonly time: TimeBase;
  /** Samples of the beats, in order. */
  readonly beats: readonly number[];
  /** One a second, from the first of the recording on. */
  readonly lineLengths: readonly number[];
  /** Where it is known why there are no beats: missing samples, fibrillation, asystole. */
  readonly explained: readonly Range[];
}

/** What is left of a stretch beside those ranges. */
function outside([start, end]: Range, ranges: readonly Range[]): Range[] {
  const left: Range[] = [];
  let from = start;
  for (const [begin, stop] of joinRanges(ranges)) {
    if (stop <= from || begin >= end) continue;
    if (begin > from) left.push([from, begin]);
    from = Math.max(from, stop);
  }
  if (from < end) left.push([from, end]);
  return left;
}

/** In order; between two beats only where the line is as long as with beats, at the ends in any case. */
export function findUnread({ time, beats, lineLengths: lines, explained }: UnreadInput): Range[] {
  const { sampleRateHz, sampleCount } = time;
  if (beats.length === 0) return [];
  const secondsWithin = ([start, end]: Range): number[] =>
    lines.slice(Math.ceil(start / sampleRateHz), Math.floor(end / sampleRateHz));
  const usual = median(
    lines.filter((_, second) => {
      const start = startOf(second, sampleRateHz);
      return (beats[firstFrom(beats, start)] ?? sampleCount) < start + sampleRateHz;
    }),
  );
  const isNoisy = (range: Range): boolean =>
    (median(secondsWithin(range)) ?? 0) >= NOISY * (usual ?? Number.POSITIVE_INFINITY);
  const ends = [0, ...beats, sampleCount];
  const found: Range[] = [];
  for (let i = 1; i < ends.length; i++) {
    const stretch: Range = [ends[i - 1] as number, ends[i] as number];
    if (stretch[1] - stretch[0] < LEAST_SECONDS * sampleRateHz) continue;
    const isEnd = i === 1 || i === ends.length - 1;
    for (const left of outside(stretch, explained))
      if (left[1] - left[0] >= LEAST_SECONDS * sampleRateHz && (isEnd || isNoisy(left))) found.push(left);
  }
  return found;
}
