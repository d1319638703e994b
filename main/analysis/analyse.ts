// The analysis from a recording to its result, stage after stage (analysis reference, section 1). Pure: the
// same recording gives the same result.

import type { AnalysisResult, Beat, BeatLabel, Families } from '../../shared/analysis-result.ts';
import type { AnalysisProgress } from '../../shared/analysis-stage.ts';
import { fullYears } from '../../shared/civil-time.ts';
import { given } from '../../shared/given.ts';
import type { Constraints } from '../../shared/review/constraints.ts';
import type { PatientFacts, Recording, StartTime, Warning } from '../../shared/signal/recording.ts';
import { warning } from '../../shared/warnings/warning.ts';
import { scatterOf } from './beats/beat-timing.ts';
import { withFamilies } from './beats/families.ts';
import { type BeatDecision, LEARNED_BEATS } from './decisions/beat-classes.ts';
import { electrodeOrder } from './electrodes/electrode-order.ts';
import { findEpisodes } from './long/episodes.ts';
import { drawFamilies } from './long/family-pictures.ts';
import { holterOf } from './long/holter.ts';
import { deflectionsByLead } from './measurements/lead-deflections.ts';
import { storedLeadMeasurements } from './measurements/lead-measurements.ts';
import { storedMedianBeat } from './measurements/stored-median-beat.ts';
import { beatsInFibrillation, classInFibrillation } from './rhythm/beats-in-fibrillation.ts';
import { ectopyPatterns } from './rhythm/ectopy-patterns.ts';
import { rhythmSegments } from './rhythm/rhythm-segments.ts';
import type { Facts } from './rules/facts.ts';
import { interpret, RULES } from './rules/interpret.ts';
import { SUSPICION_RULES } from './rules/suspicion-rules.ts';
import type { LeadReader } from './signal/lead-signals.ts';
import { type TimeBase, touches } from './signal/time-base.ts';
import type { Waypoints } from './signal/walk.ts';
import { type BeatStage, findBeatsOf, type StageInput } from './stages/beat-stage.ts';
import { findRhythm, type RhythmStage } from './stages/rhythm-stage.ts';
import { measureWaves, type WaveStage } from './stages/wave-stage.ts';
import { productNetwork } from './waves/product-network.ts';
import { storedWaves } from './waves/stored-waves.ts';
import type { WaveScores } from './waves/wave-network.ts';

/** Changes with every change of results; stored with each result and printed on reports. */
export const ANALYSIS_VERSION = '0.26';

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
  /** Classes the beats; tests pass another than the product's own, to judge patients that this one was trained with. */
  readonly beatDecision?: BeatDecision | undefined;
  /** Where what is found is laid aside; a long analysis that was broken off goes on from there. */
  readonly waypoints?: Waypoints | undefined;
}

/** What the rules go by. */
function factsOf(
  { recording, constraints }: StageInput,
  { reader, scan, found, time }: BeatStage,
  measured: WaveStage,
  { events, ...rhythm }: RhythmStage,
  patient: Pick<Facts, 'gender' | 'ageYears'>,
): Facts {
  const { usual, marks, evidence, flutterPerMinute, electrodes, measurements, leadMeasurements } = measured;
  const { leads } = reader;
  return {
    ...events,
    ...rhythm,
    leads: leads.map(({ name }) => name),
    flutterPerMinute,
    scatter: scatterOf(found.beats),
    patterns: ectopyPatterns(found.beats, time),
    pWaves: evidence,
    electrodes,
    electrodeOrder: electrodeOrder(leads, usual.medianBeat, marks),
    measurements,
    deflections: deflectionsByLead(leads, usual.medianBeat, marks),
    leadMeasurements,
    isScaleAssumed: recording.warnings.some(({ code }) => code === 'gains_contradict'),
    rejected: new Set(constraints.rejected),
    quality: scan.quality,
    ...patient,
  };
}

/** The parts of a result that say what was found in the signal, without what is stated of it. */
function foundInSignal(
  { constraints }: StageInput,
  { reader, scan, found, arrests }: BeatStage,
  { usual, marks, waves, electrodes, st, measurements, leadMeasurements }: WaveStage,
  { base, events }: RhythmStage,
  families: Families | undefined,
) {
  const { beats } = found;
  const isAnythingKnown = beats.length > 0 || arrests.length > 0;
  return {
    beats: beats as Beat[],
    rhythms: isAnythingKnown ? rhythmSegments(base, events) : [],
    unread: events.unread.map(([start, end]): [number, number] => [start, end]),
    fibrillation: events.atrialFibrillation.map(([start, end]): [number, number] => [start, end]),
    measurements: { ...measurements, ...storedLeadMeasurements(leadMeasurements) },
    ...given({ medianBeat: storedMedianBeat(reader.leads, usual.shownBeat, marks) }),
    ...(electrodes.spikes.length > 0 && { paceSpikes: [...electrodes.spikes] }),
    waves: storedWaves(
      waves,
      reader,
      beats,
      ({ label, sample }) => label !== 'V' && !touches(events.atrialFibrillation, sample, sample + 1),
    ),
    ...(scan.parts.length > 1 && { episodes: findEpisodes(events, constraints) }),
    ...given({ holter: holterOf(events, electrodes.isPaced ? undefined : st), families }),
    quality: [...scan.quality.leads],
  };
}

/** What has no heartbeats and is not called an ECG may be none. */
function doubtsOf({ reader, samples }: BeatStage): Warning[] {
  if (reader.isCalledEcg || reader.leads.length === 0 || samples.length > 0) return [];
  return [warning('perhaps_no_ecg', { labels: reader.leads.map(({ name }) => `"${name}"`).join(', ') })];
}

/** The beats as they are called beside fibrillation, with their families. */
function withFibrillationKnown(stage: BeatStage, { atrialFibrillation }: WaveStage): BeatStage {
  const { beats, familyGrounds, nextLikely } = stage.found;
  const called = beatsInFibrillation(beats, atrialFibrillation);
  const classOf = (beat: number, label: BeatLabel): BeatLabel =>
    classInFibrillation(label, (beats[beat] as Beat).sample, atrialFibrillation);
  // There, an early beat cannot be told from a normal one, nor need it.
  const isSettled = (beat: number, next: BeatLabel | undefined): boolean =>
    next !== 'V' &&
    called[beat]?.label !== 'V' &&
    touches(atrialFibrillation, (beats[beat] as Beat).sample, (beats[beat] as Beat).sample + 1);
  return {
    ...stage,
    found: {
      ...stage.found,
      nextLikely: nextLikely.map((next, beat) => (isSettled(beat, next) ? undefined : next)),
      beats: familyGrounds === undefined ? called : withFamilies(called, familyGrounds, classOf),
    },
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
    beatDecision = LEARNED_BEATS,
    waypoints,
  }: AnalysisOptions = {},
): AnalysisResult {
  const input: StageInput = { recording, constraints, network, beatDecision, waypoints, onProgress };
  const who: PatientFacts = { ...recording.patient, ...patient };
  const first = findBeatsOf(input);
  const measured = measureWaves(input, first);
  const found = withFibrillationKnown(first, measured);
  const rhythm = findRhythm(input, found, measured);
  const families = drawFamilies(
    {
      reader: found.reader,
      beats: found.found.beats,
      leadWeights: found.scan.leadWeights,
      usual: measured.usual.medianBeat,
    },
    found.sections,
    found.found.nextLikely,
    waypoints,
  );
  const interpretation = interpret(
    factsOf(input, found, measured, rhythm, {
      gender: who.gender,
      ageYears: ageAt(who, recording.startTime?.utcMs ?? createdMs),
    }),
    withSuspicions ? [...RULES, ...SUSPICION_RULES] : RULES,
  );
  return {
    recording: recordingFacts(recording, found.reader, found.scan.time),
    patient: who,
    ...foundInSignal(input, found, measured, rhythm, families),
    statements: [...interpretation.statements],
    assessments: [...interpretation.assessments],
    notAssessed: [...interpretation.notAssessed],
    ...given({ severity: interpretation.severity }),
    warnings: [...recording.warnings, ...found.reader.warnings, ...doubtsOf(found)],
    analysisVersion: ANALYSIS_VERSION,
  };
}
