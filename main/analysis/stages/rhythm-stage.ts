// Third stage: the rhythm of the recording, and what happens in it. Analysis reference, section 8.

import type { Constraints } from '../../../shared/review/constraints.ts';
import { findSecondP } from '../atria/second-p.ts';
import { drawnBase, drawnRanges, outsideDrawn, rejectedRanges, withoutRejected } from '../constraints.ts';
import { isFibrillationLearned, isSinusLearned, type StripDecision } from '../decisions/strip-rhythm.ts';
import { minutesWithAtrialWaves } from '../rhythm/atrial-wave-minutes.ts';
import {
  type BaseRhythm,
  type BeatOrigin,
  baseRhythm,
  beatOrigin,
  drawnSinus,
  isSecondPTheReason,
  isSinusByLearning,
  isTachycardiaOfUnknownWidth,
  type RhythmInput,
  sinusStretches,
} from '../rhythm/base-rhythm.ts';
import { type BeatRun, drawnRuns, findRuns, isFastRun } from '../rhythm/beat-runs.ts';
import { type FoundConduction, findConduction } from '../rhythm/find-conduction.ts';
import { findPauses, rangeOf } from '../rhythm/pauses.ts';
import type { RhythmEvents } from '../rhythm/rhythm-events.ts';
import { isMostlyUnread } from '../rules/facts.ts';
import { joinRanges, outside, type Range, touches } from '../signal/time-base.ts';
import type { BeatStage, StageInput } from './beat-stage.ts';
import type { WaveStage } from './wave-stage.ts';

export interface RhythmStage {
  readonly base: BaseRhythm;
  readonly beatOrigin: BeatOrigin | undefined;
  readonly isTachycardiaOfUnknownWidth: boolean;
  readonly avConduction: FoundConduction | undefined;
  /** Ventricular beats in a row below 100/min. */
  readonly slowRuns: readonly BeatRun[];
  /** How like the P wave a second one on T is, where it keeps the rhythm from being named. */
  readonly secondP: number | undefined;
  /** The learned decision, where it named the rhythm or bears it out. */
  readonly learned: StripDecision | undefined;
  readonly events: RhythmEvents;
}

/** Ventricular runs that are found, and those that a person drew; slow ones are no tachycardia. */
function ventricularRuns(
  { found: { beats, tachycardia }, time }: BeatStage,
  isPaced: boolean,
  constraints: Constraints,
): { runs: BeatRun[]; slowRuns: BeatRun[] } {
  const found = findRuns(beats, time, 'V', (ranges) =>
    withoutRejected(outsideDrawn(ranges, constraints), constraints, 'VT'),
  ).filter(
    // A paced beat looks like a ventricular one; a run that looked like fibrillation is said all the same.
    ({ startSample, endSample }) => !isPaced || touches(tachycardia, startSample, endSample),
  );
  const drawn = drawnRuns(withoutRejected(drawnRanges(constraints, 'VT'), constraints, 'VT'), beats, time);
  return {
    runs: [...found.filter(isFastRun), ...drawn].sort((a, b) => a.startSample - b.startSample),
    slowRuns: found.filter((run) => !isFastRun(run)),
  };
}

/** Where the rhythm has no name: a short recording as a whole, and of a longer one what neither the program nor a person has named. */
function unnamedStretches(
  { constraints }: StageInput,
  { scan, time, found: { unread } }: BeatStage,
  { others, isPaced }: RhythmInput,
  base: BaseRhythm,
  sinus: readonly Range[],
): Range[] {
  const whole: Range = [0, time.sampleCount];
  if (scan.parts.length === 1) return base === 'UNK' ? outsideDrawn([whole], constraints, () => true) : [];
  if (isPaced || base === 'P' || base === 'VT' || base === 'AFL') return [];
  const unnamed = outside(whole, joinRanges([...sinus, ...others, ...unread, ...time.gaps]));
  return outsideDrawn(unnamed, constraints, () => true);
}

/** The conduction from atria to ventricles, where the rhythm has no name. */
function conductionOf(
  { reader, time, found: { beats, dominant } }: BeatStage,
  { waves, marks, evidence, usual: { onsetBeforeR, medianBeat } }: WaveStage,
  stretches: readonly Range[],
): FoundConduction | undefined {
  if (onsetBeforeR === undefined || medianBeat === undefined) return undefined;
  const { fiducial } = medianBeat;
  const usualP: Range | undefined =
    marks.pOnset === undefined || marks.pOffset === undefined
      ? undefined
      : [marks.pOnset - fiducial, marks.pOffset - fiducial];
  const known = { waves, usualP, hasP: evidence.perBeat };
  return findConduction({ reader, time, beats, dominant, onsetBeforeR, ...known }, stretches);
}

function rhythmInput(stage: BeatStage, measured: WaveStage, runs: readonly BeatRun[]): RhythmInput {
  const { scan, found, samples, sections, time, arrests } = stage;
  const { usual, marks, pTrain, repetitions, electrodes, atrialFibrillation } = measured;
  const { medianBeat } = usual;
  const minutes = scan.parts.map(({ range }) => range);
  return {
    time,
    beats: found.beats,
    measurements: measured.measurements,
    minutes,
    others: joinRanges([...atrialFibrillation, ...arrests, ...runs.map(rangeOf)]),
    hasAtrialWaves: minutesWithAtrialWaves({ sections, minutes, repetitions, pTrain, samples }),
    evidence: measured.evidence,
    pTrain,
    isPTrainProven: measured.isPTrainProven,
    // The usual beat of a longer recording says nothing of each of its minutes.
    secondP: minutes.length === 1 && medianBeat ? findSecondP(medianBeat, marks) : undefined,
    qrsMsBySlopes: usual.qrsMsBySlopes,
    repetition: measured.repetition,
    flutterPerMinute: measured.flutterPerMinute,
    isSinusLearned: measured.decided !== undefined && isSinusLearned(measured.decided),
    isPaced: electrodes.isPaced,
    fibrillation: atrialFibrillation,
    runs,
    isArrested: arrests.length > 0,
    isMostlyUnread: isMostlyUnread({ unread: found.unread, time }),
  };
}

/** The base rhythm and its sinus stretches; what a person drew over most of the recording goes before what was found. */
function nameRhythm(
  { constraints }: StageInput,
  { time, found: { unread } }: BeatStage,
  input: RhythmInput,
): { base: BaseRhythm; sinus: Range[]; isDrawn: boolean } {
  const drawn = drawnBase(constraints, {
    sampleCount: time.sampleCount,
    rateBpm: input.measurements.heartRateBpm,
    isArrested: input.isArrested,
  });
  const stretches = drawn === undefined ? sinusStretches(input) : drawnSinus(drawn, time.sampleCount);
  // Where a person saw that it is no such rhythm, nobody has said that it is sinus rhythm.
  const unnamed = joinRanges([...unread, ...rejectedRanges(constraints, 'AFIB', 'VT', 'SVTA', 'VF', 'ASYS')]);
  const sinus = joinRanges(stretches.flatMap((range) => outside(range, unnamed)));
  return { base: drawn ?? baseRhythm(input, sinus), sinus, isDrawn: drawn !== undefined };
}

/** What a person drew, and what rules name against the learned decision, does not rest on it. */
function learnedOf(
  input: RhythmInput,
  base: BaseRhythm,
  decided: StripDecision | undefined,
): StripDecision | undefined {
  if (decided === undefined) return undefined;
  const isBorneOut = base === 'AFIB' ? isFibrillationLearned(decided) : isSinusByLearning(input);
  return isBorneOut ? decided : undefined;
}

export function findRhythm(input: StageInput, stage: BeatStage, measured: WaveStage): RhythmStage {
  const { found, time, arrests } = stage;
  const { beats, ventricularFibrillation, asystole, unread } = found;
  const { runs, slowRuns } = ventricularRuns(stage, measured.electrodes.isPaced, input.constraints);
  const facts = rhythmInput(stage, measured, runs);
  const { base, sinus, isDrawn } = nameRhythm(input, stage, facts);
  return {
    base,
    beatOrigin: beatOrigin(facts, base),
    isTachycardiaOfUnknownWidth: isTachycardiaOfUnknownWidth(facts, base),
    avConduction: conductionOf(stage, measured, unnamedStretches(input, stage, facts, base, sinus)),
    slowRuns,
    learned: isDrawn ? undefined : learnedOf(facts, base, measured.decided),
    secondP: isSecondPTheReason(facts) ? facts.secondP : undefined,
    events: {
      time,
      beats,
      sinus,
      pauses: findPauses(beats, time, arrests),
      runs,
      // What a person drew over a run replaces it.
      supraventricularRuns: findRuns(beats, time, 'S', (ranges) =>
        withoutRejected(
          outsideDrawn(ranges, input.constraints, () => true),
          input.constraints,
          'SVTA',
        ),
      ).filter(isFastRun),
      atrialFibrillation: measured.atrialFibrillation,
      ventricularFibrillation,
      asystole,
      unread,
    },
  };
}
