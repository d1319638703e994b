// What must never come out of a signal without a heart in it.

import type { AnalysisResult } from '../../../shared/analysis-result.ts';

/** Neither names a rhythm: the one says that none was determined, the other that the line is still. */
const NO_RHYTHM: ReadonlySet<string> = new Set(['UNK', 'ASYS']);

/** The rate or rhythm that a result claims; undefined where it claims none. */
export function rhythmOfNoise({ measurements, rhythms }: AnalysisResult): string | undefined {
  if (measurements.heartRateBpm !== undefined) return `${measurements.heartRateBpm}/min`;
  return rhythms.find(({ code }) => !NO_RHYTHM.has(code))?.code;
}
