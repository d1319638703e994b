// How a beat lies in time among its neighbours.

import type { Beat } from '../../../shared/analysis-result.ts';
import { median } from '../../../shared/signal/statistics.ts';

const NEIGHBOURS = 10;

/**
 * The usual R-R around each beat: the median, over its neighbours, of half the time between the beat before
 * and the beat behind each. In bigeminy, where short and long intervals take turns, the median of single ones
 * would be one of the two.
 */
function usualIntervals(samples: readonly number[]): Float64Array {
  const usual = new Float64Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    const around: number[] = [];
    for (let k = Math.max(1, i - NEIGHBOURS); k <= Math.min(samples.length - 2, i + NEIGHBOURS); k++)
      around.push(((samples[k + 1] as number) - (samples[k - 1] as number)) / 2);
    usual[i] = median(around) ?? 0;
  }
  return usual;
}

export interface BeatTiming {
  /** R-R before each beat in parts of the usual one; 1 at the first beat. */
  readonly before: Float64Array;
  /** R-R behind each beat in parts of the usual one; NaN at the last beat. */
  readonly behind: Float64Array;
}

export function beatTiming(samples: readonly number[]): BeatTiming {
  const usual = usualIntervals(samples);
  const before = new Float64Array(samples.length).fill(1);
  const behind = new Float64Array(samples.length).fill(Number.NaN);
  for (let i = 1; i < samples.length; i++) {
    const interval = (samples[i] as number) - (samples[i - 1] as number);
    if ((usual[i] as number) > 0) before[i] = interval / (usual[i] as number);
    if ((usual[i - 1] as number) > 0) behind[i - 1] = interval / (usual[i - 1] as number);
  }
  return { before, behind };
}

export interface Pace {
  /** Median R-R in samples; undefined where there is none. */
  readonly usual: number | undefined;
  /** Median change from one R-R to the next, in parts of the usual one. */
  readonly scatter: number;
}

/**
 * The usual R-R and its scatter, median |ΔRR| / median RR, which single ectopic beats don't move (analysis
 * reference, 8.2), over intervals between two beats that both count.
 */
export function paceOf(
  samples: readonly number[],
  isCounted: (beat: number) => boolean,
  from = 0,
  to = samples.length,
): Pace {
  const intervals: number[] = [];
  const changes: number[] = [];
  let previous: number | undefined;
  for (let i = Math.max(1, from); i < to; i++) {
    const interval =
      isCounted(i) && isCounted(i - 1) ? (samples[i] as number) - (samples[i - 1] as number) : undefined;
    if (interval !== undefined) intervals.push(interval);
    if (interval !== undefined && previous !== undefined) changes.push(Math.abs(interval - previous));
    previous = interval;
  }
  const usual = median(intervals);
  return { usual, scatter: (median(changes) ?? 0) / (usual ?? 1) };
}

export const irregularity = (...args: Parameters<typeof paceOf>): number => paceOf(...args).scatter;

/** How much the intervals between beats scatter, leaving out ventricular ones. */
export const scatterOf = (beats: readonly Beat[]): number =>
  irregularity(
    beats.map((beat) => beat.sample),
    (beat) => beats[beat]?.label !== 'V',
  );

/** Above this scatter of the usual beats, being early proves nothing. */
export const SCATTERED = 0.1;
/** Above this scatter, without P waves, a rhythm may be atrial fibrillation. */
export const IRREGULAR = 0.08;
