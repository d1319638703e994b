// The vector of the median beat: where its loops lie, and when there is none.

import { describe, expect, test } from 'vitest';
import { medianVector } from '../../renderer/screens/review/vector/median-vector.ts';
import { VECTOR_SOURCES } from '../../renderer/screens/review/vector/vector-leads.ts';
import type { StoredMedianBeat } from '../../shared/analysis-result.ts';

/** QRS from 100 to 200 ms and T from 200 to 400 ms, each as high in every lead as is said. */
function beatOf(qrsUv: number, tUv: number): StoredMedianBeat {
  const uv = Array.from(
    { length: 500 },
    (_, i) => 40 + (i >= 110 && i < 200 ? qrsUv : i >= 210 && i < 400 ? tUv : 0),
  );
  return {
    sampleRateHz: 1000,
    beats: 10,
    rSample: 150,
    leads: VECTOR_SOURCES.map((lead) => ({ lead, uv })),
    marksMs: { qrsOnset: -50, qrsOffset: 50, tEnd: 260 },
  };
}

describe('the vector of the median beat', () => {
  test('lies at its level where QRS begins, whatever the baseline', () => {
    const vector = medianVector(beatOf(1000, 200))!;
    expect(vector.qrs[0]).toEqual([0, 0, 0]);
    // The weights of all leads together: X 0.96, Y 0.87, Z −0.75.
    for (const [i, value] of [960, 870, -750].entries()) expect(vector.qrs[50]![i]).toBeCloseTo(value, 1);
    expect(vector.p).toEqual([]);
  });

  test('knows the angle between QRS and T: none where they go the same way, 180° where they are opposed', () => {
    expect(medianVector(beatOf(1000, 200))!.qrsTDeg).toBeCloseTo(0, 3);
    expect(medianVector(beatOf(1000, -200))!.qrsTDeg).toBeCloseTo(180, 3);
    expect(medianVector({ ...beatOf(1000, 200), marksMs: { qrsOnset: -50, qrsOffset: 50 } })!.qrsTDeg).toBe(
      undefined,
    );
  });

  test('is none where a lead is missing, has no scale, or QRS is not marked', () => {
    const beat = beatOf(1000, 200);
    expect(medianVector({ ...beat, leads: beat.leads.slice(1) })).toBeUndefined();
    const [first, ...others] = beat.leads;
    expect(medianVector({ ...beat, leads: [{ ...first!, isCalibrated: false }, ...others] })).toBeUndefined();
    expect(medianVector({ ...beat, marksMs: { qrsOnset: -50 } })).toBeUndefined();
  });
});
