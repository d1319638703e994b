// Stretches without a beat in which the line is much longer than where beats are: noise hides them, or there are
// none. They are no pauses: nothing is known of them. Whatever is quieter stays a pause.

import { firstFrom } from '../../../shared/signal/first-from.ts';
import { median } from '../../../shared/signal/statistics.ts';
import type { LeadSet } from './lead-signals.ts';
import { joinRanges, outside, type Range, type TimeBase } from './time-base.ts';

const LEAST_SECONDS = 4;
/**
 * Times the line of seconds with beats. Noise that is there all the time makes that one longer as well: where the
 * beats can be read in spite of it, a stretch without them is a pause.
 */
const NOISY = 1.5;

const startOf = (second: number, sampleRateHz: number): number => Math.round(second * sampleRateHz);

/**
 * How long the line of all leads is in each second of a recording that begins in [from, to) of it.
 * @param set a window that holds them
 */
export function lineLengths({ coarse, startSample, sampleRateHz }: LeadSet, [from, to]: Range): number[] {
  const values: number[] = [];
  let second = Math.floor(from / sampleRateHz);
  while (startOf(second, sampleRateHz) < from) second++;
  for (; startOf(second, sampleRateHz) < to; second++) {
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

/** In order. */
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
  const known = joinRanges(explained);
  const ends = [0, ...beats, sampleCount];
  const least = LEAST_SECONDS * sampleRateHz;
  return ends.slice(1).flatMap((end, i) => {
    const start = ends[i] as number;
    if (end - start < least) return [];
    return outside([start, end], known).filter((left) => left[1] - left[0] >= least && isNoisy(left));
  });
}
