// How a beat lies in time among its neighbours.

import { median } from '../../shared/signal/statistics.ts';

const NEIGHBOURS = 10;

/**
 * The usual R-R around each beat: the median, over its neighbours, of half the time between the beat before
 * and the beat behind each. In bigeminy, where short and long intervals take turns, the median of single ones
 * would be one of the two.
 */
export function usualIntervals(samples: readonly number[]): Float64Array {
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

/**
 * Scatter of successive R-R that single ectopic beats don't move: median |ΔRR| / median RR (analysis
 * reference, 8.2), over intervals between two beats that both count.
 */
export function irregularity(
  samples: readonly number[],
  isCounted: (beat: number) => boolean,
  from = 0,
  to = samples.length,
): number {
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
  return (median(changes) ?? 0) / (median(intervals) ?? 1);
}

/** Above this scatter "early" means nothing: atrial fibrillation. */
export const IRREGULAR = 0.08;
