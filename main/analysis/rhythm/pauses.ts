// Pauses: beats farther apart than two seconds. Analysis reference, section 8.5.

import type { Beat } from '../../../shared/analysis-result.ts';
import { PAUSE_MS } from '../../../shared/clinical-limits.ts';
import { type Range, spansGap, type TimeBase } from '../signal/time-base.ts';

export interface Pause {
  readonly startSample: number;
  readonly endSample: number;
  readonly durationMs: number;
}

export const rangeOf = ({ startSample, endSample }: Pause): Range => [startSample, endSample];

/**
 * R-R above 2 s with signal all the way: a gap in the recording is no pause of the heart, and neither is
 * fibrillation.
 */
export function findPauses(beats: readonly Beat[], time: TimeBase, arrests: readonly Range[]): Pause[] {
  const pauses: Pause[] = [];
  for (let i = 1; i < beats.length; i++) {
    const startSample = (beats[i - 1] as Beat).sample;
    const endSample = (beats[i] as Beat).sample;
    const durationMs = (1000 * (endSample - startSample)) / time.sampleRateHz;
    if (durationMs <= PAUSE_MS || arrests.some(([start, end]) => start < endSample && end > startSample))
      continue;
    if (!spansGap(time, startSample, endSample)) pauses.push({ startSample, endSample, durationMs });
  }
  return pauses;
}
