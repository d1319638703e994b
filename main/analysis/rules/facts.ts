// What is known of a recording when its statements are made. Rules read nothing else.

import type { Measurements } from '../../../shared/analysis-result.ts';
import { ADULT_YEARS, type ChildLimits, childLimits, WIDE_QRS_MS } from '../../../shared/clinical-limits.ts';
import type { PatientFacts } from '../../../shared/signal/recording.ts';
import type { PEvidence } from '../atria/p-evidence.ts';
import type { StripDecision } from '../decisions/strip-rhythm.ts';
import type { ElectrodeFaults } from '../electrodes/electrode-faults.ts';
import type { ElectrodeOrder } from '../electrodes/electrode-order.ts';
import type { Deflection } from '../measurements/lead-deflections.ts';
import type { LeadMeasurements } from '../measurements/lead-measurements.ts';
import { type BaseRhythm, type BeatOrigin, isSinusRhythm } from '../rhythm/base-rhythm.ts';
import type { BeatRun } from '../rhythm/beat-runs.ts';
import type { EctopyPatterns } from '../rhythm/ectopy-patterns.ts';
import type { FoundConduction } from '../rhythm/find-conduction.ts';
import type { RhythmEvents } from '../rhythm/rhythm-events.ts';
import type { QualityReport } from '../signal/quality.ts';
import { lengthOf, type Range } from '../signal/time-base.ts';

export interface Facts extends RhythmEvents {
  /** Names of the leads that were analysed. */
  readonly leads: readonly string[];
  readonly base: BaseRhythm;
  /** Where its beats come from, as far as the signal tells; only where the base has no name. */
  readonly beatOrigin: BeatOrigin | undefined;
  /** It is fast and has no name, and its QRS cannot be measured. */
  readonly isTachycardiaOfUnknownWidth: boolean;
  /** Waves of a flutter a minute. */
  readonly flutterPerMinute: number | undefined;
  /** P waves that are not conducted; undefined where none is known. */
  readonly avConduction: FoundConduction | undefined;
  /** Ventricular beats in a row below 100/min. */
  readonly slowRuns: readonly BeatRun[];
  /** Median change from one R-R to the next, in parts of the usual one. */
  readonly scatter: number;
  readonly patterns: EctopyPatterns;
  readonly pWaves: Pick<PEvidence, 'share' | 'coherence'>;
  /** How like the P wave a second one on T is, where it keeps the rhythm from being named. */
  readonly secondP: number | undefined;
  /** The learned decision, where it named the rhythm of a strip or bears it out. */
  readonly learned: StripDecision | undefined;
  readonly electrodes: ElectrodeFaults;
  readonly electrodeOrder: ElectrodeOrder;
  readonly measurements: Measurements;
  /** The deflections of QRS, by the names of those leads that are what they are called. */
  readonly deflections: ReadonlyMap<string, readonly Deflection[]>;
  /** By the names of those leads whose heights can be trusted. */
  readonly leadMeasurements: ReadonlyMap<string, LeadMeasurements>;
  /** The file's own millivolts contradict each other, and others were taken in their place. */
  readonly isScaleAssumed: boolean;
  /** Codes of statements that a person rejected: what they say is not so. */
  readonly rejected: ReadonlySet<string>;
  readonly quality: QualityReport;
  readonly gender: PatientFacts['gender'];
  /**
   * At the time of the recording, with its fraction for small children. Absent where neither date of birth nor age is
   * known; adult limits apply then.
   */
  readonly ageYears: number | undefined;
}

const MOST_UNREAD = 0.5;

/** 0 where there is no lead at all. */
export const durationSeconds = ({ time }: Facts): number =>
  time.sampleRateHz > 0 ? time.sampleCount / time.sampleRateHz : 0;
export const hasBeats = ({ quality, beats }: Facts): boolean => quality.grade !== 'poor' && beats.length > 0;
export const isArrested = ({ ventricularFibrillation, asystole }: Facts): boolean =>
  ventricularFibrillation.length > 0 || asystole.length > 0;
/** What is said of the rest is not said of the recording. */
export const isMostlyUnread = ({ unread, time }: Pick<Facts, 'unread' | 'time'>): boolean =>
  lengthOf(unread) > MOST_UNREAD * time.sampleCount;
export const isChild = ({ ageYears }: Facts): boolean => ageYears !== undefined && ageYears < ADULT_YEARS;
export const limitsOfChild = ({ ageYears }: Pick<Facts, 'ageYears'>): ChildLimits | undefined =>
  childLimits(ageYears);
export const isSinus = ({ base }: Facts): boolean => isSinusRhythm(base);

export const oneDecimal = (value: number): number => Math.round(10 * value) / 10;
export const secondsOf = (ranges: readonly Range[], sampleRateHz: number): number =>
  oneDecimal(ranges.reduce((sum, [start, end]) => sum + end - start, 0) / sampleRateHz);

export const isNarrow = ({ measurements: { qrsMs } }: Facts): boolean =>
  qrsMs !== undefined && qrsMs < WIDE_QRS_MS;
