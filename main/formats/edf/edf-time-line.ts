// Where the data records of an EDF file lie in time: one after another, or, in EDF+D, in stretches with gaps
// between them that the time-keeping annotations tell. Formats reference, section 1.5.

import type { Gap } from '../../../shared/signal/recording.ts';

/** Data records that follow one another without a gap. */
export interface Stretch {
  readonly firstRecord: number;
  readonly recordCount: number;
  /** From the first sample of the file. */
  readonly startSeconds: number;
}

export interface TimeLine {
  readonly stretches: readonly Stretch[];
  readonly durationSeconds: number;
  readonly gaps: readonly Gap[];
  /** Records whose stated time lies before the end of the record before them. */
  readonly overlaps: number;
  /** Records whose stated time can't be. */
  readonly implausible: number;
}

/** No recording spans more (D54); a time-keeper that says so is damaged. */
const MAX_SPAN_SECONDS = 35 * 86_400;

/**
 * @param onsets stated start of each record in seconds, NaN where it states none; empty for files without
 * time-keepers
 * @param toleranceSeconds how far a record may be off and still follow the one before
 */
export function layTimeLine(
  onsets: Float64Array,
  recordCount: number,
  recordSeconds: number,
  toleranceSeconds: number,
): TimeLine {
  const stretches: { firstRecord: number; recordCount: number; startSeconds: number }[] = [];
  const gaps: Gap[] = [];
  let overlaps = 0;
  let implausible = 0;
  let endSeconds = 0;
  // Where the next record should be by the last one that states its time: clocks drift, and drift is no gap.
  let expectedSeconds = 0;
  let stretch = { firstRecord: 0, recordCount: 0, startSeconds: 0 };
  const origin = onsets.length > 0 && Number.isFinite(onsets[0]) ? (onsets[0] as number) : 0;
  for (let record = 0; record < recordCount; record++) {
    const stated = record < onsets.length ? (onsets[record] as number) - origin : Number.NaN;
    const jump = stated - expectedSeconds;
    const isPossible = stated <= MAX_SPAN_SECONDS;
    if (jump > toleranceSeconds && isPossible && stated > endSeconds) {
      gaps.push({ startSeconds: endSeconds, endSeconds: stated });
      stretches.push(stretch);
      stretch = { firstRecord: record, recordCount: 0, startSeconds: stated };
    } else if (jump > toleranceSeconds && !isPossible) implausible++;
    else if (jump < -toleranceSeconds) overlaps++;
    expectedSeconds = (Number.isFinite(stated) && isPossible ? stated : expectedSeconds) + recordSeconds;
    stretch.recordCount++;
    endSeconds = stretch.startSeconds + stretch.recordCount * recordSeconds;
  }
  stretches.push(stretch);
  return { stretches, durationSeconds: endSeconds, gaps, overlaps, implausible };
}
