// Intervals between two normal beats, as heart rate variability is measured on (Task Force of ESC and NASPE,
// Circulation 1996;93:1043-1065; analysis reference, section 13).

import type { Beat } from '../../../shared/analysis-result.ts';
import { median } from '../../../shared/signal/statistics.ts';
import { outside, type Range, spansGap, type TimeBase } from '../signal/time-base.ts';

export interface NnIntervals {
  /** Where the later beat of each lies, in seconds of the recording. */
  readonly atSeconds: Float64Array;
  readonly ms: Float64Array;
  /** Whether the interval before ends where this one begins. */
  readonly isNext: Uint8Array;
}

const AROUND = 5;
/** Farther from the median of the eleven around it, an interval holds a beat that was missed or is none. */
const MOST_AWAY = 0.2;

/** @param sinus stretches of sinus rhythm: elsewhere the sinus node does not set the intervals, or nobody knows */
export function nnIntervals(beats: readonly Beat[], time: TimeBase, sinus: readonly Range[]): NnIntervals {
  const atSeconds: number[] = [];
  const ms: number[] = [];
  const first: number[] = [];
  for (let i = 1; i < beats.length; i++) {
    const [before, now] = [beats[i - 1] as Beat, beats[i] as Beat];
    if (before.label !== 'N' || now.label !== 'N') continue;
    if (spansGap(time, before.sample, now.sample) || outside([before.sample, now.sample], sinus).length > 0)
      continue;
    atSeconds.push(now.sample / time.sampleRateHz);
    ms.push((1000 * (now.sample - before.sample)) / time.sampleRateHz);
    first.push(i - 1);
  }
  const kept = ms.flatMap((interval, i) => {
    const around = median(ms.slice(Math.max(0, i - AROUND), i + AROUND + 1)) as number;
    return Math.abs(interval - around) <= MOST_AWAY * around ? [i] : [];
  });
  const isNext = kept.map((i, k) =>
    k > 0 && first[i] === (first[kept[k - 1] as number] as number) + 1 ? 1 : 0,
  );
  return {
    atSeconds: Float64Array.from(kept, (i) => atSeconds[i] as number),
    ms: Float64Array.from(kept, (i) => ms[i] as number),
    isNext: Uint8Array.from(isNext),
  };
}
