// In atrial fibrillation no beat from above comes early: there is no rhythm that it could come before. What was called early there is a
// beat of the fibrillation.

import type { Beat, BeatLabel } from '../../../shared/analysis-result.ts';
import { type Range, touches } from '../signal/time-base.ts';

/** What the program takes a beat for, once it is known where the atria fibrillate. */
export const classInFibrillation = (
  label: BeatLabel,
  sample: number,
  fibrillation: readonly Range[],
): BeatLabel => (label === 'S' && touches(fibrillation, sample, sample + 1) ? 'N' : label);

/** A beat that a person stated stays what it is. */
export function beatsInFibrillation(beats: readonly Beat[], fibrillation: readonly Range[]): readonly Beat[] {
  if (fibrillation.length === 0) return beats;
  return beats.map((beat): Beat => {
    const label =
      beat.reason === 'person' ? beat.label : classInFibrillation(beat.label, beat.sample, fibrillation);
    return label === beat.label ? beat : { ...beat, label, reason: 'usual' };
  });
}
