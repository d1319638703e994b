import { describe, expect, test } from 'vitest';
import { type MarkedBeat, steadyMarks } from '../../../main/analysis/waves/steady-marks.ts';

/** Beats of one lead, a second apart, with P at these places before R and everything else as usual. */
const withP = (pOnsets: readonly number[], shapes: readonly (number | undefined)[] = []): MarkedBeat[] =>
  pOnsets.map((pOnset, i) => ({
    r: i + 1,
    shape: i in shapes ? shapes[i] : 0,
    leadMarks: Float64Array.from([pOnset, -0.08, -0.04, 0.04, 0.2, 0.36], (place) => i + 1 + place),
  }));

function steadied(beats: MarkedBeat[]): number[] {
  steadyMarks(beats);
  return beats.map(({ r, leadMarks }) => Math.round(1000 * ((leadMarks[0] as number) - r)));
}

describe('marks beside those of the beats around', () => {
  test('are moved part of the way to the middle one', () => {
    expect(steadied(withP([-0.16, -0.16, -0.18, -0.16, -0.16]))).toEqual([-160, -160, -168, -160, -160]);
  });

  test('are moved from up to 50 ms away', () => {
    expect(steadied(withP([-0.16, -0.16, -0.209, -0.16, -0.16]))[2]).toBe(-180);
    expect(steadied(withP([-0.16, -0.16, -0.211, -0.16, -0.16]))[2]).toBe(-211);
  });

  test('stay where they are far away from it, as when PR grows from beat to beat', () => {
    expect(steadied(withP([-0.16, -0.16, -0.25, -0.16, -0.16]))[2]).toBe(-250);
  });

  test('are held against beats of the same shape only', () => {
    const beats = withP([-0.16, -0.18, -0.16, -0.18, -0.16, -0.18], [0, 1, 0, 1, 0, 1]);
    expect(steadied(beats)).toEqual([-160, -180, -160, -180, -160, -180]);
    expect(steadied(withP([-0.16, -0.18, -0.16], [undefined, undefined, undefined]))[1]).toBe(-180);
  });

  test('need neighbours, and leave out those without the wave', () => {
    expect(steadied(withP([-0.16, -0.18]))).toEqual([-160, -180]);
    expect(steadied(withP([-0.16, Number.NaN, -0.18, -0.16, -0.16]))).toEqual([
      -160,
      Number.NaN,
      -168,
      -160,
      -160,
    ]);
  });
});
