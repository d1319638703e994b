// The analysis from a recording to its result, stage after stage (analysis reference, section 1). Pure: the
// same recording gives the same result.

import type { AnalysisResult, Beat } from '../../shared/analysis-result.ts';
import type { AnalysisProgress } from '../../shared/analysis-stage.ts';
import { fullYears } from '../../shared/civil-time.ts';
import { given } from '../../shared/given.ts';
import type { Constraints } from '../../shared/review/constraints.ts';
import type { PatientFacts, Recording, StartTime } from '../../shared/signal/recording.ts';
import { isProven } from './atria/p-train.ts';
import { findSecondP } from './atria/second-p.ts';
import { scatterOf } from './beats/beat-timing.ts';
import { type FoundBeats, findBeats } from './beats/find-beats.ts';
import { scanSignal } from './beats/signal-scan.ts';
import { constrainRanges, drawnBase, drawnRanges, outsideDrawn } from './constraints.ts';
import { electrodeOrder } from './electrodes/electrode-order.ts';
import { findSpikesBeforeR } from './electrodes/paced-beats.ts';
import { findEpisodes } from './long/episodes.ts';
import { holterOf } from './long/holter.ts';
import { deflectionsByLead } from './measurements/lead-deflections.ts';
import { measureLeads, storedLeadMeasurements } from './measurements/lead-measurements.ts';
import { measure } from './measurements/measurements.ts';
import { storedMedianBeat } from './measurements/stored-median-beat.ts';
import { findUsualBeat } from './measurements/usual-beat.ts';
import { findAtrialBeats } from './rhythm/atrial-beats.ts';
import { findAtrialFibrillation, lastingEpisodes } from './rhythm/atrial-fibrillation.ts';
import { MAX_REPETITION, minutesWithAtrialWaves, SURE_REPETITION } from './rhythm/atrial-wave-minutes.ts';
import { type AvConduction, avConduction } from './rhythm/av-conduction.ts';
import {
  baseRhythm,
  beatOrigin,
  drawnSinus,
  isSecondPTheReason,
  type RhythmInput,
  sinusStretches,
} from './rhythm/base-rhythm.ts';
import { type BeatRun, drawnRuns, findRuns, isFastRun } from './rhythm/beat-runs.ts';
import { ectopyPatterns } from './rhythm/ectopy-patterns.ts';
import { fibrillationOfStrip } from './rhythm/fibrillation-strip.ts';
import { findPauses, rangeOf } from './rhythm/pauses.ts';
import type { RhythmEvents } from './rhythm/rhythm-events.ts';
import { rhythmSegments } from './rhythm/rhythm-segments.ts';
import { isMostlyUnread } from './rules/facts.ts';
import { interpret, RULES } from './rules/interpret.ts';
import { SUSPICION_RULES } from './rules/suspicion-rules.ts';
import { type LeadReader, openLeads } from './signal/lead-signals.ts';
import { type Section, sectionsOf } from './signal/sections.ts';
import { joinRanges, knownSamples, lengthOf, outside, type TimeBase, touches } from './signal/time-base.ts';
import type { Waypoints } from './signal/walk.ts';
import { watchSignal } from './watch-signal.ts';
import type { BeatWaves } from './waves/beat-waves.ts';
import { productNetwork } from './waves/product-network.ts';
import { storedWaves } from './waves/stored-waves.ts';
import type { WaveScores } from './waves/wave-network.ts';

/** Changes with every change of results; stored with each result and printed on reports. */
export const ANALYSIS_VERSION = '0.22';

/** RFC 3339; a time without known zone carries none, because a wrong zone would be worse. */
function formatStartTime(start: StartTime): string {
  const iso = new Date(start.utcMs).toISOString();
  return start.isZoneKnown ? iso : iso.slice(0, -1);
}

/** Below this age, months count. */
const SMALL_CHILD_YEARS = 3;
const YEAR_MS = 365.25 * 24 * 3_600_000;

/** Age at the recording, from the date of birth where there is one; it wins over a stated age (D50). */
function ageAt(patient: PatientFacts, atMs: number | undefined): number | undefined {
  if (patient.birthDate === undefined || atMs === undefined) return patient.ageYears;
  const years = fullYears(patient.birthDate, atMs);
  if (years < 0 || years >= SMALL_CHILD_YEARS) return years;
  return Math.max(1, atMs - Date.parse(patient.birthDate)) / YEAR_MS;
}

/** Ventricular runs that are found, and those that a person drew; slow ones are no tachycardia. */
function allRuns(
  { beats, tachycardia }: FoundBeats,
  time: TimeBase,
  isPaced: boolean,
  constraints: Constraints,
): { runs: BeatRun[]; slowRuns: BeatRun[] } {
  const found = findRuns(beats, time, 'V', (ranges) => outsideDrawn(ranges, constraints)).filter(
    // A paced beat looks like a ventricular one; a run that looked like fibrillation is said all the same.
    ({ startSample, endSample }) => !isPaced || touches(tachycardia, startSample, endSample),
  );
  const drawn = drawnRuns(drawnRanges(constraints, 'VT'), beats, time);
  return {
    runs: [...found.filter(isFastRun), ...drawn].sort((a, b) => a.startSample - b.startSample),
    slowRuns: found.filter((run) => !isFastRun(run)),
  };
}

function recordingFacts(
  recording: Recording,
  { leads }: LeadReader,
  time: TimeBase,
): AnalysisResult['recording'] {
  const { sampleRateHz, sampleCount, gaps } = time;
  const durationSeconds = sampleRateHz > 0 ? sampleCount / sampleRateHz : recording.durationSeconds;
  return {
    format: recording.format,
    sampleRateHz,
    leads: leads.map(({ name }) => name),
    samples: sampleCount,
    durationMs: Math.round(1000 * durationSeconds),
    ...(recording.startTime !== undefined && { startTime: formatStartTime(recording.startTime) }),
    ...(recording.deviceId !== undefined && { deviceId: recording.deviceId }),
    gaps: gaps.map(([start, end]) => [start, end]),
  };
}

/**
 * The conduction from atria to ventricles in a recording that is read as one piece.
 * @param onsetBeforeR in samples
 */
function avConductionOf(
  reader: LeadReader,
  { beats, dominant }: FoundBeats,
  waves: readonly BeatWaves[],
  onsetBeforeR: number,
  time: TimeBase,
): AvConduction | undefined {
  const { coarse } = reader.window(0, reader.sampleCount);
  const samples = beats.map(({ sample }) => sample);
  return avConduction(findAtrialBeats(coarse, samples, dominant, waves), beats, onsetBeforeR, time);
}

/** Fibrillation that fills less than this share of a recording of minutes leaves enough beats with P to measure. */
const MOSTLY = 0.5;

/** Shorter recordings are analysed before anybody has read how far they are. */
const MINUTES_TOLD = 30;

export interface AnalysisOptions {
  /** What is known beside the file; it wins over what the file says. */
  readonly patient?: PatientFacts | undefined;
  /** Stands for the time of a recording that states none. */
  readonly createdMs?: number | undefined;
  /** Hears when the next stage begins, and how far it is in a recording of several sections. */
  readonly onProgress?: (progress: AnalysisProgress) => void;
  /** What a person has corrected or marked. */
  readonly constraints?: Constraints;
  /** Also states patterns that no labelled recordings were at hand to judge by. */
  readonly withSuspicions?: boolean | undefined;
  /** Marks the waves; tests pass another than the product's own, to judge records that this one was trained with. */
  readonly network?: WaveScores | undefined;
  /** Where what is found is laid aside; a long analysis that was broken off goes on from there. */
  readonly waypoints?: Waypoints | undefined;
}

/** Tells how many minutes of a recording of several sections a stage is through with. */
function progressIn(
  stage: AnalysisProgress['stage'],
  { sampleCount, sampleRateHz }: LeadReader,
  tell: (progress: AnalysisProgress) => void,
): (section: Section) => void {
  const minutesOf = (samples: number): number => Math.round(samples / sampleRateHz / 60);
  return ({ core: [, end] }) => {
    const ofMinutes = minutesOf(sampleCount);
    if (ofMinutes >= MINUTES_TOLD) tell({ stage, minute: minutesOf(end), ofMinutes });
  };
}

export function analyse(
  recording: Recording,
  {
    patient,
    createdMs,
    onProgress = () => undefined,
    constraints = {},
    withSuspicions = false,
    network = productNetwork(),
    waypoints,
  }: AnalysisOptions = {},
): AnalysisResult {
  const facts: PatientFacts = { ...recording.patient, ...patient };
  const reader = openLeads(recording);
  const sections = reader.leads.length === 0 ? [] : sectionsOf(reader.sampleCount, reader.sampleRateHz);
  const within = (stage: AnalysisProgress['stage']) => progressIn(stage, reader, onProgress);
  onProgress({ stage: 'beats' });
  const scan = scanSignal(reader, sections, within('beats'), waypoints);
  const { quality } = scan;
  const found = findBeats(reader, sections, scan, constraints, network, waypoints);
  const { beats, ventricularFibrillation, asystole, unread } = found;
  // Where noise hides the beats, nothing is known of them, as where samples are missing.
  const time = { ...scan.time, gaps: joinRanges([...scan.time.gaps, ...unread]) };
  const isArrested = ventricularFibrillation.length > 0 || asystole.length > 0;
  onProgress({ stage: 'measuring' });
  const samples = beats.map(({ sample }) => sample);
  // Whoever draws sinus rhythm over most of it says that no pacemaker makes these beats.
  const spike =
    lengthOf(drawnRanges(constraints, 'N')) >= MOSTLY * reader.sampleCount
      ? undefined
      : findSpikesBeforeR(reader, sections, samples, found.dominant);
  const usual = findUsualBeat({ reader, sections, scan, found, spike, constraints, network });
  const {
    repetition: atrial,
    repetitions,
    evidence,
    ...watched
  } = watchSignal(
    { reader, sections, beats, dominant: found.dominant, usual },
    within('measuring'),
    waypoints,
  );
  const { medianBeat, qrsMsBySlopes, onsetBeforeR } = usual;
  // A wave of a flutter before each QRS looks like a P wave.
  const { marks, waves, pTrain } = (atrial.wavesPerMinute === undefined && usual.withHiddenP) || usual;
  const electrodes = {
    ...watched.electrodes,
    spikeBeforeRMs: spike?.startMs,
    isPaced: watched.electrodes.isPaced || spike !== undefined,
  };
  const repetition = atrial.best;
  const isPTrainProven = isProven(pTrain) && repetition < SURE_REPETITION;
  const hasAtrialWaves = repetition >= MAX_REPETITION && !isPTrainProven;
  const arrests = [...ventricularFibrillation, ...asystole];
  const atrialFibrillation = constrainRanges(
    electrodes.isPaced
      ? []
      : scan.parts.length === 1
        ? fibrillationOfStrip({ beats, evidence, pTrain, time, arrests, leads: reader.leads.length })
        : lastingEpisodes(
            findAtrialFibrillation(beats, evidence, pTrain.perBeat, time, arrests),
            beats,
            time,
          ),
    constraints,
    'AFIB',
  );
  const measurements = measure({
    time,
    leads: reader.leads,
    beats,
    beat: medianBeat,
    marks,
    qrsMsBySlopes,
    pShare: evidence.share,
    isPTrainProven,
    isIrregularWithoutP:
      scan.parts.length > 1
        ? lengthOf(atrialFibrillation) >= MOSTLY * knownSamples(time)
        : atrialFibrillation.length > 0,
    isRateUnclear: isArrested || found.tachycardia.length > 0,
    hasAtrialWaves,
    flagsOf: (index) => quality.leads[index]?.flags ?? [],
  });
  const leadMeasurements = measureLeads({
    leads: reader.leads,
    beat: medianBeat,
    marks,
    qrsEndOf: usual.qrsEndOf,
    quality,
  });
  const pauses = findPauses(beats, time, arrests);
  const { runs, slowRuns } = allRuns(found, time, electrodes.isPaced, constraints);
  const minutes = scan.parts.map(({ range }) => range);
  // The usual beat of a longer recording says nothing of each of its minutes.
  const secondP = scan.parts.length === 1 && medianBeat ? findSecondP(medianBeat, marks) : undefined;
  const rhythmInput: RhythmInput = {
    time,
    beats,
    measurements,
    minutes,
    others: joinRanges([...atrialFibrillation, ...arrests, ...runs.map(rangeOf)]),
    hasAtrialWaves: minutesWithAtrialWaves({ sections, minutes, repetitions, pTrain, samples }),
    evidence,
    pTrain,
    isPTrainProven,
    secondP,
    qrsMsBySlopes,
    repetition,
    flutterPerMinute: atrial.wavesPerMinute,
    isPaced: electrodes.isPaced,
    fibrillation: atrialFibrillation,
    runs,
    isArrested,
    isMostlyUnread: isMostlyUnread({ unread, time }),
  };
  const drawn = drawnBase(constraints, {
    sampleCount: time.sampleCount,
    rateBpm: measurements.heartRateBpm,
    isArrested,
  });
  const sinus = joinRanges(
    (drawn === undefined ? sinusStretches(rhythmInput) : drawnSinus(drawn, time.sampleCount)).flatMap(
      (range) => outside(range, unread),
    ),
  );
  const base = drawn ?? baseRhythm(rhythmInput, sinus);
  const conduction =
    base === 'UNK' && sections.length === 1 && onsetBeforeR !== undefined
      ? avConductionOf(reader, found, waves, onsetBeforeR, time)
      : undefined;
  const events: RhythmEvents = {
    time,
    beats,
    sinus,
    pauses,
    runs,
    // What a person drew over a run replaces it.
    supraventricularRuns: findRuns(beats, time, 'S', (ranges) =>
      outsideDrawn(ranges, constraints, () => true),
    ).filter(isFastRun),
    atrialFibrillation,
    ventricularFibrillation,
    asystole,
    unread,
  };
  const rules = withSuspicions ? [...RULES, ...SUSPICION_RULES] : RULES;
  const interpretation = interpret(
    {
      ...events,
      leads: reader.leads.map(({ name }) => name),
      base,
      beatOrigin: beatOrigin(rhythmInput, base),
      flutterPerMinute: atrial.wavesPerMinute,
      avConduction: conduction,
      slowRuns,
      scatter: scatterOf(beats),
      patterns: ectopyPatterns(beats, time),
      pWaves: evidence,
      secondP: isSecondPTheReason(rhythmInput) ? secondP : undefined,
      electrodes,
      electrodeOrder: electrodeOrder(reader.leads, medianBeat, marks),
      measurements,
      deflections: deflectionsByLead(reader.leads, medianBeat, marks),
      leadMeasurements,
      isScaleAssumed: recording.warnings.some(({ code }) => code === 'gains_contradict'),
      rejected: new Set(constraints.rejected),
      quality,
      gender: facts.gender,
      ageYears: ageAt(facts, recording.startTime?.utcMs ?? createdMs),
    },
    rules,
  );
  const isAnythingKnown = beats.length > 0 || isArrested;
  return {
    recording: recordingFacts(recording, reader, scan.time),
    patient: facts,
    beats: beats as Beat[],
    rhythms: isAnythingKnown ? rhythmSegments(base, events) : [],
    measurements: { ...measurements, ...storedLeadMeasurements(leadMeasurements) },
    ...given({ medianBeat: storedMedianBeat(reader.leads, usual.shownBeat, marks) }),
    ...(electrodes.spikes.length > 0 && { paceSpikes: [...electrodes.spikes] }),
    waves: storedWaves(
      waves,
      reader,
      beats,
      ({ label, sample }) => label !== 'V' && !touches(atrialFibrillation, sample, sample + 1),
    ),
    ...(scan.parts.length > 1 && { episodes: findEpisodes(events) }),
    ...given({ holter: holterOf(events, electrodes.isPaced ? undefined : watched.st) }),
    statements: [...interpretation.statements],
    assessments: [...interpretation.assessments],
    notAssessed: [...interpretation.notAssessed],
    quality: [...quality.leads],
    ...(interpretation.severity !== undefined && { severity: interpretation.severity }),
    warnings: [...recording.warnings, ...reader.warnings],
    analysisVersion: ANALYSIS_VERSION,
  };
}
