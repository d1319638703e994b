// Second stage: the usual beat and its waves, what the atria do between the beats, and what is measured. Analysis
// reference, sections 6 and 7.

import type { Beat, Measurements } from '../../../shared/analysis-result.ts';
import type { PEvidence } from '../atria/p-evidence.ts';
import { isProven, type PTrain } from '../atria/p-train.ts';
import { constrainRanges, drawnRanges } from '../constraints.ts';
import type { StripFacts } from '../decisions/strip-inputs.ts';
import {
  decideStrip,
  isFibrillationDenied,
  isFibrillationLearned,
  type StripDecision,
} from '../decisions/strip-rhythm.ts';
import type { ElectrodeFaults } from '../electrodes/electrode-faults.ts';
import { findSpikesBeforeR } from '../electrodes/paced-beats.ts';
import type { StTrendMv } from '../long/st-trend.ts';
import { type LeadMeasurements, measureLeads } from '../measurements/lead-measurements.ts';
import { measure } from '../measurements/measurements.ts';
import { findUsualBeat, type UsualBeat } from '../measurements/usual-beat.ts';
import { findAtrialFibrillation, lastingEpisodes, seriesOf } from '../rhythm/atrial-fibrillation.ts';
import { MAX_REPETITION, SURE_REPETITION } from '../rhythm/atrial-wave-minutes.ts';
import { fibrillationOfStrip } from '../rhythm/fibrillation-strip.ts';
import { knownSamples, lengthOf, type Range } from '../signal/time-base.ts';
import { watchSignal } from '../watch-signal.ts';
import type { BeatWaves } from '../waves/beat-waves.ts';
import type { Marks } from '../waves/median-marks.ts';
import { type BeatStage, progressIn, type StageInput } from './beat-stage.ts';

export interface WaveStage {
  readonly usual: UsualBeat;
  /** The usual beat's, with P waves that the network did not mark where the signal proves them. */
  readonly marks: Marks;
  readonly waves: readonly BeatWaves[];
  readonly pTrain: PTrain;
  readonly isPTrainProven: boolean;
  readonly evidence: PEvidence;
  /** How far the signal between the beats repeats itself as flutter does, in all and in each minute. */
  readonly repetition: number;
  readonly repetitions: readonly number[];
  /** Waves of a flutter a minute. */
  readonly flutterPerMinute: number | undefined;
  readonly electrodes: ElectrodeFaults;
  readonly st: StTrendMv | undefined;
  /** The learned decision about a strip; undefined for longer recordings and for more than two leads. */
  readonly decided: StripDecision | undefined;
  readonly atrialFibrillation: readonly Range[];
  readonly measurements: Measurements;
  readonly leadMeasurements: ReadonlyMap<string, LeadMeasurements>;
}

/** A rhythm that fills this share of a recording counts as its rhythm. */
const MOSTLY = 0.5;

/** Whoever draws sinus rhythm over most of a recording says that no pacemaker makes its beats. */
const isDrawnSinus = ({ constraints }: StageInput, { reader }: BeatStage): boolean =>
  lengthOf(drawnRanges(constraints, 'N')) >= MOSTLY * reader.sampleCount;

/** With more leads, the rules decide alone. */
const FEW_LEADS = 2;

type StripWaves = Pick<WaveStage, 'waves' | 'pTrain' | 'evidence' | 'repetition' | 'usual' | 'marks'>;

/** What the rhythm of a strip is decided by. */
export const stripFactsOf = ({ scan, found, time }: BeatStage, waves: StripWaves): StripFacts => ({
  beats: found.beats,
  dominant: found.dominant,
  time,
  quality: scan.quality,
  medianBeat: waves.usual.medianBeat,
  ...waves,
});

const decisionOf = (stage: BeatStage, waves: StripWaves): StripDecision | undefined =>
  stage.scan.parts.length !== 1 || stage.reader.leads.length > FEW_LEADS
    ? undefined
    : decideStrip(stripFactsOf(stage, waves));

type FibrillationEvidence = Pick<WaveStage, 'evidence' | 'pTrain' | 'electrodes' | 'decided'>;

function fibrillationOf(stage: BeatStage, known: FibrillationEvidence): readonly Range[] {
  const { scan, found, reader, time, arrests } = stage;
  const { beats } = found;
  const { evidence, pTrain, electrodes, decided } = known;
  if (electrodes.isPaced) return [];
  if (scan.parts.length > 1)
    return lastingEpisodes(
      findAtrialFibrillation(beats, evidence, pTrain.perBeat, time, arrests),
      beats,
      time,
    );
  const ruled = fibrillationOfStrip({ beats, evidence, pTrain, time, arrests, leads: reader.leads.length });
  if (decided === undefined) return ruled;
  if (ruled.length > 0) return isFibrillationDenied(decided, ruled, time.sampleCount) ? [] : ruled;
  if (!isFibrillationLearned(decided)) return [];
  return seriesOf(beats, time, arrests)
    .map(([from, to]): Range => [(beats[from] as Beat).sample, (beats[to - 1] as Beat).sample])
    .filter(([start, end]) => end > start);
}

/** In a recording of minutes, fibrillation that fills less than most of it leaves enough beats with P to measure. */
const isIrregularWithoutP = ({ scan, time }: BeatStage, fibrillation: readonly Range[]): boolean =>
  scan.parts.length > 1 ? lengthOf(fibrillation) >= MOSTLY * knownSamples(time) : fibrillation.length > 0;

export function measureWaves(input: StageInput, stage: BeatStage): WaveStage {
  const { constraints, network, waypoints, onProgress } = input;
  const { reader, sections, scan, found, samples, time, arrests } = stage;
  const { beats, dominant } = found;
  onProgress({ stage: 'measuring' });
  const spike = isDrawnSinus(input, stage)
    ? undefined
    : findSpikesBeforeR(reader, sections, samples, dominant);
  const usual = findUsualBeat({ reader, sections, scan, found, spike, constraints, network });
  const watched = watchSignal(
    { reader, sections, beats, dominant, usual },
    progressIn('measuring', reader, onProgress),
    waypoints,
  );
  const { evidence, repetitions, st } = watched;
  const { best: repetition, wavesPerMinute: flutterPerMinute } = watched.repetition;
  // A wave of a flutter before each QRS looks like a P wave.
  const { marks, waves, pTrain } = (flutterPerMinute === undefined && usual.withHiddenP) || usual;
  const electrodes = {
    ...watched.electrodes,
    spikeBeforeRMs: spike?.startMs,
    isPaced: watched.electrodes.isPaced || spike !== undefined,
  };
  const isPTrainProven = isProven(pTrain) && repetition < SURE_REPETITION;
  const decided = decisionOf(stage, { waves, pTrain, evidence, repetition, usual, marks });
  const atrialFibrillation = constrainRanges(
    fibrillationOf(stage, { evidence, pTrain, electrodes, decided }),
    constraints,
    'AFIB',
  );
  const measurements = measure({
    time,
    leads: reader.leads,
    beats,
    beat: usual.medianBeat,
    marks,
    qrsMsBySlopes: usual.qrsMsBySlopes,
    pShare: evidence.share,
    isPTrainProven,
    isIrregularWithoutP: isIrregularWithoutP(stage, atrialFibrillation),
    isRateUnclear: arrests.length > 0 || found.tachycardia.length > 0,
    hasAtrialWaves: repetition >= MAX_REPETITION && !isPTrainProven,
    quality: scan.quality,
  });
  const leadMeasurements = measureLeads({
    leads: reader.leads,
    beat: usual.medianBeat,
    marks,
    qrsEndOf: usual.qrsEndOf,
    quality: scan.quality,
  });
  return {
    usual,
    marks,
    waves,
    pTrain,
    isPTrainProven,
    evidence,
    repetition,
    repetitions,
    flutterPerMinute,
    electrodes,
    st,
    decided,
    atrialFibrillation,
    measurements,
    leadMeasurements,
  };
}
