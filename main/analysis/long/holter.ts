// What is told of a recording of an hour or more: its hours, how often ectopic beats and fibrillation come, and how the
// rate varies. Analysis reference, section 13.

import type { Holter } from '../../../shared/analysis-result.ts';
import { given } from '../../../shared/given.ts';
import type { RhythmEvents } from '../rhythm/rhythm-events.ts';
import { knownSamples, lengthOf } from '../signal/time-base.ts';
import { heartRateVariability } from './heart-rate-variability.ts';
import { hoursOf } from './hours.ts';
import { nnIntervals } from './nn-intervals.ts';
import type { StTrendMv } from './st-trend.ts';

export const HOLTER_SECONDS = 3600;

/** @param st undefined where ST was not measured @returns undefined for shorter recordings */
export function holterOf(events: RhythmEvents, st?: StTrendMv): Holter | undefined {
  const { beats, time, atrialFibrillation, sinus } = events;
  if (time.sampleCount < HOLTER_SECONDS * time.sampleRateHz || beats.length === 0) return undefined;
  const percentOfBeats = (label: 'V' | 'S'): number =>
    Math.round((1000 * beats.filter((beat) => beat.label === label).length) / beats.length) / 10;
  return {
    hours: hoursOf(events),
    ventricularPercent: percentOfBeats('V'),
    supraventricularPercent: percentOfBeats('S'),
    fibrillationPercent: Math.round((1000 * lengthOf(atrialFibrillation)) / knownSamples(time)) / 10,
    ...given({ stMv: st, hrv: heartRateVariability(nnIntervals(beats, time, sinus)) }),
  };
}
