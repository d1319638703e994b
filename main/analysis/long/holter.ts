// What is told of a recording of an hour or more: its hours, how often ectopic beats and fibrillation come, and how the
// rate varies. Analysis reference, section 13.

import type { Holter } from '../../../shared/analysis-result.ts';
import { given } from '../../../shared/given.ts';
import { joinRanges, knownSamples, lengthOf } from '../time-base.ts';
import type { EpisodeInput } from './episodes.ts';
import { heartRateVariability } from './heart-rate-variability.ts';
import { hoursOf } from './hours.ts';
import { nnIntervals } from './nn-intervals.ts';

const LEAST_SECONDS = 3600;

/** Undefined for shorter recordings. */
export function holterOf(input: EpisodeInput, isPaced: boolean): Holter | undefined {
  const { beats, time, fibrillation, ventricularFibrillation, asystole } = input;
  if (time.sampleCount < LEAST_SECONDS * time.sampleRateHz || beats.length === 0) return undefined;
  const percentOfBeats = (label: 'V' | 'S'): number =>
    Math.round((1000 * beats.filter((beat) => beat.label === label).length) / beats.length) / 10;
  const others = joinRanges([...fibrillation, ...ventricularFibrillation, ...asystole]);
  return {
    hours: hoursOf(input),
    ventricularPercent: percentOfBeats('V'),
    supraventricularPercent: percentOfBeats('S'),
    fibrillationPercent: Math.round((1000 * lengthOf(fibrillation)) / knownSamples(time)) / 10,
    // The sinus node sets neither the beats of a pacemaker nor those of fibrillation.
    ...given({ hrv: isPaced ? undefined : heartRateVariability(nnIntervals(beats, time, others)) }),
  };
}
