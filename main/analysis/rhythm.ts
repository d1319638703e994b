// The base rhythm in its first, careful version, and pauses. Codes are WFDB's where it has one. Analysis reference, section 8.

import type { Beat, Measurements, RhythmSegment } from '../../shared/analysis-result.ts';
import { IRREGULAR, irregularity } from './beat-labels.ts';
import { type LeadSet, spansGap } from './lead-signals.ts';

const SINUS_P_SHARE = 0.8;
const NO_P_SHARE = 0.4;
const MIN_BEATS = 8;
const PAUSE_MS = 2000;

export type BaseRhythm = 'N' | 'SBR' | 'ST' | 'AFIB' | 'UNK';

/** Irregular intervals between beats that are not ventricular, without P waves: analysis reference, 8.2, in its short form. */
export function isFibrillation(beats: readonly Beat[], pShare: number): boolean {
  const conducted = beats.filter((beat) => beat.label !== 'V').length;
  const scatter = irregularity(
    beats.map((beat) => beat.sample),
    beats.map((beat) => beat.label),
  );
  return conducted >= MIN_BEATS && scatter > IRREGULAR && pShare < NO_P_SHARE;
}

export function baseRhythm(beats: readonly Beat[], measurements: Measurements, pShare: number): BaseRhythm {
  if (isFibrillation(beats, pShare)) return 'AFIB';
  const axis = measurements.pAxisDeg;
  const isSinusAxis = axis === undefined || (axis >= -30 && axis <= 100);
  const rate = measurements.heartRateBpm;
  if (rate === undefined || beats.length < 3 || pShare < SINUS_P_SHARE || measurements.prMs === undefined || !isSinusAxis) return 'UNK';
  if (rate > 100) return 'ST';
  return rate < 60 ? 'SBR' : 'N';
}

export interface Pause {
  readonly startSample: number;
  readonly endSample: number;
  readonly durationMs: number;
}

/** R-R above 2 s with signal all the way: a gap in the recording is no pause of the heart. */
export function findPauses(beats: readonly Beat[], set: LeadSet): Pause[] {
  const pauses: Pause[] = [];
  for (let i = 1; i < beats.length; i++) {
    const startSample = (beats[i - 1] as Beat).sample;
    const endSample = (beats[i] as Beat).sample;
    const durationMs = (1000 * (endSample - startSample)) / set.sampleRateHz;
    if (durationMs > PAUSE_MS && !spansGap(set, startSample, endSample)) pauses.push({ startSample, endSample, durationMs });
  }
  return pauses;
}

export function rhythmSegments(base: BaseRhythm, pauses: readonly Pause[], set: LeadSet): RhythmSegment[] {
  const whole = { startSample: 0, endSample: set.sampleCount, code: base };
  return [whole, ...pauses.map(({ startSample, endSample }) => ({ startSample, endSample, code: 'PAUSE' }))];
}
