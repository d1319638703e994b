// The median beat as it stands in a result: what screens and reports draw, and what its marks were measured in.

import type { StoredMedianBeat } from '../../../shared/analysis-result.ts';
import { MARK_NAMES } from '../../../shared/review/corrections.ts';
import type { Marks } from '../waves/median-marks.ts';
import type { MedianBeat } from './median-beat.ts';

const UV_PER_MV = 1000;

/** @param leads in the order of those of the beat */
export function storedMedianBeat(
  leads: readonly { readonly name: string; readonly isCalibrated: boolean }[],
  beat: MedianBeat | undefined,
  marks: Marks,
): StoredMedianBeat | undefined {
  if (beat === undefined) return undefined;
  const { sampleRateHz, fiducial, memberCount } = beat;
  return {
    sampleRateHz,
    beats: memberCount,
    rSample: fiducial,
    leads: leads.map(({ name, isCalibrated }, lead) => ({
      lead: name,
      ...(!isCalibrated && { isCalibrated }),
      uv: Array.from(beat.leads[lead] ?? [], (mv) => Math.round(UV_PER_MV * mv)),
    })),
    marksMs: Object.fromEntries(
      MARK_NAMES.flatMap((name) => {
        const at = marks[name];
        return at === undefined ? [] : [[name, Math.round((10_000 * (at - fiducial)) / sampleRateHz) / 10]];
      }),
    ),
  };
}
