// The base rhythm. Sinus rhythm is said only where it is proven; what cannot be told is "not determined". Codes are
// WFDB's where it has one. Analysis reference, section 8.

import type { Beat, Measurements } from '../../../shared/analysis-result.ts';
import {
  SINUS_P_AXIS_DEG,
  USUAL_RATE_BPM,
  VENTRICULAR_TACHYCARDIA_BPM,
  WIDE_QRS_MS,
} from '../../../shared/clinical-limits.ts';
import { mean } from '../../../shared/signal/statistics.ts';
import { haveSameP, MIN_COHERENCE, type PEvidence } from '../atria/p-evidence.ts';
import type { PTrain } from '../atria/p-train.ts';
import { IRREGULAR, scatterOf } from '../beats/beat-timing.ts';
import { knownSamples, lengthOf, type Range, type TimeBase } from '../signal/time-base.ts';
import { NO_MARKED_P_SHARE } from './atrial-fibrillation.ts';
import { MAX_REPETITION } from './atrial-wave-minutes.ts';
import { type BeatRun, fillsRecording } from './beat-runs.ts';
import { findSinusMinutes, isBeatDropped } from './sinus-minutes.ts';

const MIN_SEEN = 3;
/** More intervals with a second P wave are those of a block. */
const MAX_OTHER_P_SHARE = 0.5;
const MIN_BEATS = 8;

export type BaseRhythm = 'N' | 'SBR' | 'ST' | 'AFIB' | 'AFL' | 'VT' | 'P' | 'UNK';

export interface RhythmInput {
  readonly time: TimeBase;
  readonly beats: readonly Beat[];
  readonly measurements: Measurements;
  /** Pieces of about a minute each; a single one where the recording is shorter than two. */
  readonly minutes: readonly Range[];
  /** Fibrillation, arrests and runs. */
  readonly others: readonly Range[];
  /** One a minute: waves run on between the beats as in flutter. */
  readonly hasAtrialWaves: readonly boolean[];
  readonly evidence: PEvidence;
  readonly pTrain: PTrain;
  readonly isPTrainProven: boolean;
  /** How like the P wave is what lies on T halfway to the next beat, where it is taken for a second one. */
  readonly secondP: number | undefined;
  readonly qrsMsBySlopes: number | undefined;
  /** How far the signal between the beats repeats itself as flutter does. */
  readonly repetition: number;
  /** Waves of a flutter a minute, where the signal between the beats repeats itself over and over. */
  readonly flutterPerMinute: number | undefined;
  /** The learned decision calls this strip sinus rhythm. */
  readonly isSinusLearned: boolean;
  readonly isPaced: boolean;
  readonly fibrillation: readonly Range[];
  readonly runs: readonly BeatRun[];
  /** Ventricular fibrillation or asystole somewhere. */
  readonly isArrested: boolean;
  /** Noise hides the beats of more than half of the recording: the rhythm of the rest is not its rhythm. */
  readonly isMostlyUnread: boolean;
}

/** By P waves that are held against each other where they are expected, as long as nothing runs on between the beats. */
const isSameBeforeEachBeat = ({ evidence, repetition }: RhythmInput): boolean =>
  haveSameP(evidence.perBeat, MIN_SEEN) && evidence.coherence >= MIN_COHERENCE && repetition < MAX_REPETITION;

/** There is one P wave before a beat, at a distance that can be measured. */
const hasOneP = ({ measurements: { prMs }, pTrain, secondP }: RhythmInput): boolean =>
  prMs !== undefined && pTrain.otherShare <= MAX_OTHER_P_SHARE && secondP === undefined;

const isAxisOfSinus = (pAxisDeg: number): boolean =>
  pAxisDeg >= SINUS_P_AXIS_DEG.from && pAxisDeg <= SINUS_P_AXIS_DEG.to;

/** It comes from the sinus node, as far as the leads tell. */
const hasSinusP = (input: RhythmInput): boolean =>
  hasOneP(input) && isAxisOfSinus(input.measurements.pAxisDeg ?? 0);

const isSinusAllAlong = (input: RhythmInput): boolean =>
  input.beats.length >= MIN_SEEN &&
  (isSameBeforeEachBeat(input) || input.isPTrainProven) &&
  !isBeatDropped(input.beats, input.time);

/** The P waves before the beats would name the rhythm, were there no second one on T. */
export const isSecondPTheReason = (input: RhythmInput): boolean =>
  input.secondP !== undefined && input.others.length === 0 && isSinusAllAlong(input);

/** By the wider one of two measures. Where neither can be had, wide beats must not pass for narrow ones. */
function widthOf({ measurements, qrsMsBySlopes }: RhythmInput): { isWide: boolean; isKnown: boolean } {
  const widest = Math.max(measurements.qrsMs ?? 0, qrsMsBySlopes ?? 0);
  const isWide = widest >= WIDE_QRS_MS;
  return { isWide, isKnown: measurements.qrsMs !== undefined || (widest > 0 && !isWide) };
}

/** A flutter wave at the end of QRS makes it a little wider. */
const FLUTTER_QRS_MS = 130;
/**
 * Slopes alone prove a wide QRS from here on. Flutter waves, ST and a P on T run into them: of the ECGs of PTB-XL and Chapman in the
 * development half, the six whose slopes alone made a fast QRS wide were flutter, fibrillation, bigeminy and a narrow tachycardia;
 * five of them measured 120 to 140 ms.
 */
const WIDE_BY_SLOPES_MS = 145;

/** Fast and regular; whether wide or narrow is another question. */
const isRegularTachycardia = ({
  measurements: { heartRateBpm = 0 },
  beats,
  fibrillation,
}: RhythmInput): boolean =>
  heartRateBpm >= VENTRICULAR_TACHYCARDIA_BPM && scatterOf(beats) <= IRREGULAR && fibrillation.length === 0;

const isPlainlyWide = ({ measurements: { qrsMs }, qrsMsBySlopes = 0 }: RhythmInput): boolean =>
  qrsMs === undefined ? qrsMsBySlopes >= WIDE_BY_SLOPES_MS : Math.max(qrsMs, qrsMsBySlopes) >= WIDE_QRS_MS;

/** A fast rhythm without a name whose QRS cannot be measured: it may be a ventricular tachycardia, and is not said to be one. */
export const isTachycardiaOfUnknownWidth = (input: RhythmInput, base: BaseRhythm): boolean =>
  base === 'UNK' &&
  !input.isMostlyUnread &&
  !input.isArrested &&
  isRegularTachycardia(input) &&
  !widthOf(input).isKnown;

const isShortSinus = (input: RhythmInput): boolean => {
  const fastestBpm = widthOf(input).isKnown ? Number.POSITIVE_INFINITY : VENTRICULAR_TACHYCARDIA_BPM;
  const rate = input.measurements.heartRateBpm;
  return (
    hasSinusP(input) &&
    rate !== undefined &&
    rate < fastestBpm &&
    input.others.length === 0 &&
    isSinusAllAlong(input)
  );
};

/** The share of beats that must have a P mark above 100/min. */
const LEAST_MARKED = 0.5;

/**
 * The learned decision calls a strip sinus rhythm whose P waves the rules cannot prove, and no rule speaks against it: flutter waves,
 * a second P, a dropped beat, a fast heart. Above 100/min, T lies where P is looked for, so that P has to be marked as well.
 */
export const isSinusByLearning = (input: RhythmInput): boolean => {
  const { heartRateBpm: rate } = input.measurements;
  return (
    input.isSinusLearned &&
    !input.isPaced &&
    !input.isArrested &&
    !input.isMostlyUnread &&
    input.others.length === 0 &&
    input.flutterPerMinute === undefined &&
    input.secondP === undefined &&
    rate !== undefined &&
    rate < VENTRICULAR_TACHYCARDIA_BPM &&
    (rate <= USUAL_RATE_BPM.to || input.pTrain.share >= LEAST_MARKED) &&
    !isBeatDropped(input.beats, input.time) &&
    !isShortSinus(input)
  );
};

/**
 * Where there is sinus rhythm: all along or nowhere in a short recording, minute by minute in a longer one.
 */
export function sinusStretches(input: RhythmInput): Range[] {
  const { time, minutes, evidence, isPaced } = input;
  if (isPaced) return [];
  if (minutes.length === 1)
    return isShortSinus(input) || isSinusByLearning(input) ? [[0, time.sampleCount]] : [];
  if (!hasSinusP(input) || !evidence.isClear) return [];
  const fastestBpm = widthOf(input).isKnown ? Number.POSITIVE_INFINITY : VENTRICULAR_TACHYCARDIA_BPM;
  return findSinusMinutes({ ...input, sameWaves: evidence.perBeat, fastestBpm });
}

/** Few of its beats have a P mark at one distance. */
const hasFewP = ({ perBeat }: PTrain, most: number, least: number): boolean => {
  const known = perBeat.filter((value) => value >= 0);
  return known.length >= least && (mean(known) ?? 1) <= most;
};

/** Between wide beats, P on T repeats itself too, and the network does not mark it. */
function isFlutterProven({
  flutterPerMinute,
  pTrain,
  measurements: { qrsMs },
  isArrested,
}: RhythmInput): boolean {
  return (
    flutterPerMinute !== undefined &&
    !isArrested &&
    qrsMs !== undefined &&
    qrsMs < FLUTTER_QRS_MS &&
    hasFewP(pTrain, NO_MARKED_P_SHARE, MIN_BEATS)
  );
}

/** Where beats come from whose rhythm is neither sinus rhythm nor one of the others. */
export type BeatOrigin = 'ectopicAtrial' | 'flutterTwoToOne' | 'junctional' | 'ventricular';

const WITHOUT_P_BPM = { slowest: 30, fastest: 100 };
const WITHOUT_P_SCATTER = 0.03;
/** A few beats of noise look like those with P. */
const FEW_SAME = 0.25;

/**
 * Regular beats, with nothing before them that is the same each time or stands out of the line, and no wave that
 * runs on between them; by the limb leads, as one lead alone may not show P. Marks alone say nothing: the network
 * expects P before QRS.
 */
function isWithoutP(input: RhythmInput): boolean {
  const { beats, evidence, pTrain, measurements, repetition, fibrillation } = input;
  const { heartRateBpm: rate = 0 } = measurements;
  return (
    rate >= WITHOUT_P_BPM.slowest &&
    rate <= WITHOUT_P_BPM.fastest &&
    scatterOf(beats) <= WITHOUT_P_SCATTER &&
    fibrillation.length === 0 &&
    repetition < MAX_REPETITION &&
    evidence.share <= FEW_SAME &&
    evidence.coherence < MIN_COHERENCE &&
    !pTrain.isSeen &&
    measurements.qrsAxisDeg !== undefined
  );
}

/** A flutter of 240 to 350 waves a minute, of which every second one is conducted (analysis reference, section 8.4). */
const TWO_TO_ONE_BPM = { slowest: 120, fastest: 175 };
/** The network marks nothing that could be a P. */
const NONE_MARKED = 0.05;
/** Before most beats the same wave stands all the same. */
const MOST_SAME = 0.7;

/**
 * Fast and regular, with the same wave before the beats, and one that does not look like a P. It is said of 16 of 2,168
 * ECGs of the development half, by which it was made: six flutters, three supraventricular tachycardias, a fibrillation and six sinus
 * tachycardias.
 */
function mayBeTwoToOneFlutter(input: RhythmInput): boolean {
  const { measurements, evidence, pTrain } = input;
  const { heartRateBpm: rate = 0 } = measurements;
  return (
    rate <= TWO_TO_ONE_BPM.fastest &&
    rate >= TWO_TO_ONE_BPM.slowest &&
    isRegularTachycardia(input) &&
    evidence.share >= MOST_SAME &&
    evidence.coherence >= MIN_COHERENCE &&
    hasFewP(pTrain, NONE_MARKED, MIN_BEATS)
  );
}

/** @param base of the same input @returns undefined where the signal does not tell */
export function beatOrigin(input: RhythmInput, base: BaseRhythm): BeatOrigin | undefined {
  const { pAxisDeg } = input.measurements;
  if (base !== 'UNK' || input.isMostlyUnread || input.isArrested || input.others.length > 0) return undefined;
  if (isSinusAllAlong(input) && hasOneP(input) && pAxisDeg !== undefined && !isAxisOfSinus(pAxisDeg))
    return 'ectopicAtrial';
  if (mayBeTwoToOneFlutter(input)) return 'flutterTwoToOne';
  const { qrsMs } = input.measurements;
  if (qrsMs === undefined || !isWithoutP(input)) return undefined;
  return qrsMs < WIDE_QRS_MS ? 'junctional' : 'ventricular';
}

/** By its rate. */
export const sinusRhythm = (rateBpm: number): BaseRhythm =>
  rateBpm > USUAL_RATE_BPM.to ? 'ST' : rateBpm < USUAL_RATE_BPM.from ? 'SBR' : 'N';

export const isSinusRhythm = (base: BaseRhythm): boolean => base === 'N' || base === 'SBR' || base === 'ST';

/** A sinus rhythm that a person drew as the base fills the whole recording. */
export const drawnSinus = (drawn: BaseRhythm, sampleCount: number): Range[] =>
  isSinusRhythm(drawn) ? [[0, sampleCount]] : [];

/** So much of what is known of a recording is in the rhythm that is called its own. */
const MOST_OF_IT = 0.9;

/** @param sinus stretches of sinus rhythm */
export function baseRhythm(input: RhythmInput, sinus: readonly Range[]): BaseRhythm {
  const { fibrillation, measurements, time, isArrested } = input;
  const rate = measurements.heartRateBpm;
  if (input.isMostlyUnread) return 'UNK';
  if (input.isPaced) return 'P';
  if (
    !isArrested &&
    input.runs.some((run) => run.bpm >= VENTRICULAR_TACHYCARDIA_BPM && fillsRecording(run, time))
  )
    return 'VT';
  if (isFlutterProven(input)) return 'AFL';
  if (!isArrested && fibrillation.length > 0 && lengthOf(fibrillation) >= 0.5 * knownSamples(time))
    return 'AFIB';
  if (rate === undefined || isArrested) return 'UNK';
  if (lengthOf(sinus) >= MOST_OF_IT * knownSamples(time)) return sinusRhythm(rate);
  return isRegularTachycardia(input) && isPlainlyWide(input) ? 'VT' : 'UNK';
}
