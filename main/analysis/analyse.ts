// The analysis from a recording to its result, stage after stage (analysis reference, section 1). Pure: the same recording gives
// the same result.

import type { AnalysisResult, Beat } from '../../shared/analysis-result.ts';
import type { AnalysisStage } from '../../shared/analysis-stage.ts';
import { fullYears } from '../../shared/civil-time.ts';
import type { PatientFacts, Recording, StartTime } from '../../shared/signal/recording.ts';
import { labelBeats } from './beat-labels.ts';
import { delineate } from './delineation.ts';
import { loadLeads } from './lead-signals.ts';
import { measure } from './measurements.ts';
import { buildMedianBeat } from './median-beat.ts';
import { pEvidence } from './p-evidence.ts';
import { detectQrs } from './qrs-detection.ts';
import { assessQuality } from './quality.ts';
import { baseRhythm, findPauses, isFibrillation, rhythmSegments } from './rhythm.ts';
import { interpret } from './statements.ts';

/** Changes with every change of results; stored with each result and printed on reports. */
export const ANALYSIS_VERSION = '0.1';

/** RFC 3339; a time without known zone carries none, because a wrong zone would be worse. */
export function formatStartTime(start: StartTime): string {
  const iso = new Date(start.utcMs).toISOString();
  return start.isZoneKnown ? iso : iso.slice(0, -1);
}

/** Age at the recording, from the date of birth where there is one; it wins over a stated age (D50). */
function ageAt(patient: PatientFacts, atMs: number | undefined): number | undefined {
  return patient.birthDate !== undefined && atMs !== undefined ? fullYears(patient.birthDate, atMs) : patient.ageYears;
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
  const detection = quality.grade === 'poor' ? { beats: [], bestLead: 0 } : detectQrs(set, quality);
  const { beats, dominant } = labelBeats(
    set,
    detection.beats.map((beat) => beat.sample),
  );
  const samples = beats.map((beat) => beat.sample);
  onStage('measuring');
  const medianBeat = buildMedianBeat(set, samples, dominant, detection.bestLead);
  const marks = medianBeat === undefined ? {} : delineate(medianBeat);
  const pShare = medianBeat === undefined ? 0 : pEvidence(set, medianBeat, marks);
  const isIrregularWithoutP = isFibrillation(beats, pShare);
  const measurements = measure({
    set,
    beats,
    beat: medianBeat,
    marks,
    pEvidence: pShare,
    isIrregularWithoutP,
    flagsOf: (index) => quality.leads[index]?.flags ?? [],
  });
  const base = baseRhythm(beats, measurements, pShare);
  const pauses = findPauses(beats, set);
  const durationSeconds = set.sampleCount / set.sampleRateHz;
  const interpretation = interpret({
    base,
    beats,
    pauses,
    measurements,
    quality,
    gender: facts.gender,
    ageYears: ageAt(facts, recording.startTime?.utcMs ?? createdMs),
    durationSeconds,
  });
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
    rhythms: beats.length === 0 ? [] : rhythmSegments(base, pauses, set),
    measurements,
    statements: [...interpretation.statements],
    quality: [...quality.leads],
    ...(interpretation.severity !== undefined && { severity: interpretation.severity }),
    warnings: [...recording.warnings, ...set.warnings],
    analysisVersion: ANALYSIS_VERSION,
  };
}
