// The analysis from a recording to its result, stage after stage (analysis reference, section 1). Pure: the
// same recording gives the same result.

import type { AnalysisResult, Beat } from '../../shared/analysis-result.ts';
import type { AnalysisStage } from '../../shared/analysis-stage.ts';
import { fullYears } from '../../shared/civil-time.ts';
import type { PatientFacts, Recording, StartTime } from '../../shared/signal/recording.ts';
import { findAsystole } from './asystole.ts';
import { atrialRepetition } from './atrial-waves.ts';
import { type LabelledBeats, labelBeats } from './beat-labels.ts';
import { delineate, NO_MARKS } from './delineation.ts';
import { findElectrodeFaults } from './electrode-faults.ts';
import { proveBeats } from './heartbeat-proof.ts';
import { type LeadSet, loadLeads } from './lead-signals.ts';
import { measure } from './measurements.ts';
import { buildMedianBeat } from './median-beat.ts';
import { pEvidence } from './p-evidence.ts';
import { detectQrs, NO_DETECTION } from './qrs-detection.ts';
import { assessQuality, type QualityReport } from './quality.ts';
import {
  baseRhythm,
  findAtrialFibrillation,
  findPauses,
  findVentricularRuns,
  MAX_REPETITION,
  type Pause,
  type Range,
  rhythmSegments,
} from './rhythm.ts';
import { interpret } from './statements.ts';
import { areRegularBeats, findVentricularWaves } from './ventricular-waves.ts';

/** Changes with every change of results; stored with each result and printed on reports. */
export const ANALYSIS_VERSION = '0.3';

/** RFC 3339; a time without known zone carries none, because a wrong zone would be worse. */
export function formatStartTime(start: StartTime): string {
  const iso = new Date(start.utcMs).toISOString();
  return start.isZoneKnown ? iso : iso.slice(0, -1);
}

/** Age at the recording, from the date of birth where there is one; it wins over a stated age (D50). */
function ageAt(patient: PatientFacts, atMs: number | undefined): number | undefined {
  return patient.birthDate !== undefined && atMs !== undefined
    ? fullYears(patient.birthDate, atMs)
    : patient.ageYears;
}

interface FoundBeats extends LabelledBeats {
  readonly bestLead: number;
  readonly ventricularFibrillation: readonly Range[];
  /** Short runs that look like fibrillation but for their beats. */
  readonly tachycardia: readonly Range[];
  readonly asystole: readonly Range[];
}

/**
 * Beats that are proven to be some, outside of fibrillation; and where the heart stands still or fibrillates.
 */
function findBeats(set: LeadSet, quality: QualityReport): FoundBeats {
  const {
    beats: found,
    bestLead,
    fused,
    leadWeights,
  } = quality.grade === 'poor' ? NO_DETECTION : detectQrs(set, quality);
  const proven = proveBeats(
    set,
    found.map((beat) => beat.sample),
    fused,
  );
  const waves = findVentricularWaves(set);
  const areBeats = waves.map(([start, end]) =>
    areRegularBeats(
      set,
      proven.samples.filter((sample) => sample >= start && sample < end),
    ),
  );
  const fibrillation = waves.filter((_, i) => !areBeats[i]);
  const tachycardia = waves.filter((_, i) => areBeats[i]);
  const isOutside = proven.samples.map(
    (sample) => !fibrillation.some(([start, end]) => sample >= start && sample < end),
  );
  const outside = proven.samples.filter((_, i) => isOutside[i]);
  return {
    ...labelBeats(
      set,
      outside,
      proven.isSteady.filter((_, i) => isOutside[i]),
      leadWeights,
      tachycardia,
    ),
    bestLead,
    ventricularFibrillation: fibrillation,
    tachycardia,
    asystole: findAsystole(set, outside),
  };
}

/**
 * @param patient what is known beside the file; it wins over what the file says.
 * @param createdMs stands for the time of a recording that states none.
 * @param onStage hears when the next stage begins
 */
export function analyse(
  recording: Recording,
  patient: PatientFacts = {},
  createdMs?: number,
  onStage: (stage: AnalysisStage) => void = () => undefined,
): AnalysisResult {
  const facts: PatientFacts = { ...recording.patient, ...patient };
  const set = loadLeads(recording);
  onStage('beats');
  const quality = assessQuality(set);
  const { beats, dominant, bestLead, ventricularFibrillation, tachycardia, asystole } = findBeats(
    set,
    quality,
  );
  const isArrested = ventricularFibrillation.length > 0 || asystole.length > 0;
  const samples = beats.map((beat) => beat.sample);
  const electrodes = findElectrodeFaults(set, samples);
  onStage('measuring');
  const medianBeat = buildMedianBeat(set, samples, dominant, bestLead);
  const marks = medianBeat === undefined ? NO_MARKS : delineate(medianBeat);
  const onsetBeforeR =
    medianBeat === undefined || marks.qrsOnset === undefined
      ? undefined
      : medianBeat.fiducial - marks.qrsOnset;
  const evidence = pEvidence(set, samples, (beat) => beats[beat]?.label !== 'V', onsetBeforeR);
  const repetition = atrialRepetition(set, samples);
  const atrialFibrillation = electrodes.isPaced ? [] : findAtrialFibrillation(beats, evidence);
  const measurements = measure({
    set,
    beats,
    beat: medianBeat,
    marks,
    pShare: evidence.share,
    isIrregularWithoutP: atrialFibrillation.length > 0,
    isArrested,
    hasAtrialWaves: repetition >= MAX_REPETITION,
    flagsOf: (index) => quality.leads[index]?.flags ?? [],
  });
  const base = baseRhythm({
    set,
    beats,
    measurements,
    evidence,
    repetition,
    isPaced: electrodes.isPaced,
    fibrillation: atrialFibrillation,
    isArrested,
    durationSamples: set.sampleCount,
  });
  const pauses = findPauses(beats, set, [...ventricularFibrillation, ...asystole]);
  // A paced beat looks like a ventricular one; a run that looked like fibrillation is said all the same.
  const runs = findVentricularRuns(beats, set).filter(
    ({ startSample, endSample }) =>
      !electrodes.isPaced || tachycardia.some(([start, end]) => startSample < end && endSample > start),
  );
  const durationSeconds = set.sampleCount / set.sampleRateHz;
  const interpretation = interpret({
    base,
    beats,
    pauses,
    runs,
    atrialFibrillation,
    ventricularFibrillation,
    asystole,
    electrodes,
    measurements,
    quality,
    gender: facts.gender,
    ageYears: ageAt(facts, recording.startTime?.utcMs ?? createdMs),
    sampleRateHz: set.sampleRateHz,
    durationSeconds,
  });
  const rangeOf = ({ startSample, endSample }: Pause): Range => [startSample, endSample];
  const isAnythingKnown = beats.length > 0 || isArrested;
  return {
    recording: {
      format: recording.format,
      sampleRateHz: set.sampleRateHz,
      leads: set.leads.map((lead) => lead.name),
      samples: set.sampleCount,
      durationMs: Math.round(1000 * durationSeconds),
      ...(recording.startTime !== undefined && { startTime: formatStartTime(recording.startTime) }),
      ...(recording.deviceId !== undefined && { deviceId: recording.deviceId }),
      gaps: set.gaps.map(([start, end]) => [start, end]),
    },
    patient: facts,
    beats: beats as Beat[],
    rhythms: isAnythingKnown
      ? rhythmSegments(
          base,
          {
            pauses: pauses.map(rangeOf),
            runs: runs.map(rangeOf),
            fibrillation: atrialFibrillation,
            ventricularFibrillation,
            asystole,
          },
          set.sampleCount,
        )
      : [],
    measurements,
    statements: [...interpretation.statements],
    notAssessed: [...interpretation.notAssessed],
    quality: [...quality.leads],
    ...(interpretation.severity !== undefined && { severity: interpretation.severity }),
    warnings: [...recording.warnings, ...set.warnings],
    analysisVersion: ANALYSIS_VERSION,
  };
}
