// Whose turn it is among the workers.

import type { AnalysisLane } from '../../../shared/analysis-lane.ts';
import type { RecordingFacts } from './records.ts';

/** What an analysis is to the workers: whom it goes before, and whether others may not have to wait for it. */
export interface Turn {
  readonly lane: AnalysisLane;
  /** It takes many seconds: one worker is always left for the short ones. */
  readonly isLong: boolean;
}

/** What somebody waits for at a screen. */
export const AWAITED: Turn = { lane: 'awaited', isLong: false };

/** About three seconds of one worker: half an hour of six leads. */
const LONG_LEAD_SECONDS = 10_000;
export const isLong = (leadSeconds: number): boolean => leadSeconds > LONG_LEAD_SECONDS;

export const isLongRecording = ({ durationMs, leadCount }: RecordingFacts): boolean =>
  isLong((durationMs / 1000) * leadCount);
