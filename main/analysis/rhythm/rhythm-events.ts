// What happened in a recording, for those who tell it: rhythm segments, episodes, hours.

import type { Beat } from '../../../shared/analysis-result.ts';
import type { Range, TimeBase } from '../signal/time-base.ts';
import type { BeatRun } from './beat-runs.ts';
import type { Pause } from './pauses.ts';

export interface RhythmEvents {
  readonly time: TimeBase;
  readonly beats: readonly Beat[];
  /** Where there is sinus rhythm. */
  readonly sinus: readonly Range[];
  readonly pauses: readonly Pause[];
  /** The runs of ventricular beats. */
  readonly runs: readonly BeatRun[];
  readonly supraventricularRuns: readonly BeatRun[];
  readonly atrialFibrillation: readonly Range[];
  readonly ventricularFibrillation: readonly Range[];
  readonly asystole: readonly Range[];
  /** Where noise hides the beats. */
  readonly unread: readonly Range[];
}
