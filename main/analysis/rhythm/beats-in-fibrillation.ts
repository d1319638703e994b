// In atrial fibrillation no beat from above comes early: there is no rhythm that it could come before. What was called early there is a
// beat of the fibrillation.

import type { Beat } from '../../../shared/analysis-result.ts';
import { type Range, touches } from '../signal/time-base.ts';

/** A beat that a person stated stays what it is. */
export function beatsInFibrillation(beats: readonly Beat[], fibrillation: readonly Range[]): readonly Beat[] {
  if (fibrillation.length === 0) return beats;
  return beats.map((beat): Beat => {
    const isEarly = beat.label === 'S' && beat.reason !== 'person';
    return isEarly && touches(fibrillation, beat.sample, beat.sample + 1)
      ? { ...beat, label: 'N', reason: 'usual' }
      : beat;
  });
}
