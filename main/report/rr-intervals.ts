// The intervals between beats that were measured: none across missing or unread time, which is no rate and no pause.

import type { AnalysisResult } from '../../shared/analysis-result.ts';
import { unreadRanges } from '../../shared/long/known-time.ts';

/** Longer than this, an interval is either a pause that was found, or time that was not read. */
const LONGEST_UNPROVEN_SECONDS = 2;

/** Whether [start, end) meets one of some ranges in order; goes along with rising starts. */
class Meeting {
  readonly #ranges: readonly (readonly [number, number])[];
  #next = 0;

  constructor(ranges: readonly (readonly [number, number])[]) {
    this.#ranges = ranges.toSorted((a, b) => a[0] - b[0]);
  }

  meets(start: number, end: number): boolean {
    while ((this.#ranges[this.#next]?.[1] ?? Number.POSITIVE_INFINITY) <= start) this.#next++;
    return (this.#ranges[this.#next]?.[0] ?? Number.POSITIVE_INFINITY) < end;
  }
}

/** @returns seconds before each beat; NaN where the interval was not measured */
export function rrSeconds(result: AnalysisResult): Float64Array {
  const { beats, recording, rhythms } = result;
  const broken = new Meeting([...recording.gaps, ...unreadRanges(result)]);
  const pauses = new Meeting(
    rhythms.flatMap(({ code, startSample, endSample }) =>
      code === 'PAUSE' || code === 'ASYS' ? [[startSample, endSample] as const] : [],
    ),
  );
  const intervals = new Float64Array(beats.length).fill(Number.NaN);
  for (let i = 1; i < beats.length; i++) {
    const [from, to] = [beats[i - 1]?.sample as number, beats[i]?.sample as number];
    const seconds = (to - from) / recording.sampleRateHz;
    if (broken.meets(from, to)) continue;
    if (seconds > LONGEST_UNPROVEN_SECONDS && !pauses.meets(from, to)) continue;
    intervals[i] = seconds;
  }
  return intervals;
}
