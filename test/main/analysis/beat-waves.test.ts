// Which waves belong to a beat, on leads whose scores are drawn by hand.

import { describe, expect, test } from 'vitest';
import { type BeatWaves, beatWaves, leadMark, markOf } from '../../../main/analysis/waves/beat-waves.ts';
import { medianMarks } from '../../../main/analysis/waves/median-marks.ts';
import { NETWORK_SAMPLES, SCORES, type WaveScores } from '../../../main/analysis/waves/wave-network.ts';

type Kind = 'P' | 'QRS' | 'T';
const KINDS: readonly Kind[] = ['P', 'QRS', 'T'];
/** From one sample to another at 250 Hz; a faint one stays below the score of no wave. */
type Drawn = readonly [kind: Kind, onset: number, end: number, isFaint?: 'faint' | undefined];

/** Gives the scores of one lead after the other. */
class DrawnScores implements WaveScores {
  readonly #leads: readonly (readonly Drawn[])[];
  #next = 0;

  constructor(leads: readonly (readonly Drawn[])[]) {
    this.#leads = leads;
  }

  scores(): Float32Array {
    const scores = new Float32Array(SCORES * NETWORK_SAMPLES).fill(-9);
    for (let i = 0; i < NETWORK_SAMPLES; i++) scores[SCORES * i] = 0;
    for (const [kind, onset, end, isFaint] of this.#leads[this.#next++] ?? [])
      for (let i = onset; i <= end; i++)
        scores[SCORES * i + 1 + KINDS.indexOf(kind)] = isFaint === 'faint' ? -1 : 1;
    return scores;
  }
}

const R = [300, 550, 800];
/** A beat at each R: P 100 ms, PR 160 ms, QRS 80 ms. */
const beatAt = (r: number, p: 'faint' | 'clear' | 'none' = 'clear', qrsEnd = 10): Drawn[] => [
  ...(p === 'none' ? [] : [['P', r - 50, r - 25, p === 'faint' ? 'faint' : undefined] as const]),
  ['QRS', r - 10, r + qrsEnd],
  ['T', r + 40, r + 80],
];

function wavesOf(leads: readonly (readonly Drawn[])[]): BeatWaves[] {
  const set = {
    step: 1,
    sampleRateHz: 250,
    sampleCount: 1000,
    leads: leads.map((_, lead) => ({
      name: `${lead}`,
      isStandard: false,
      isShapeKnown: false,
      isCalibrated: true,
      isScaleKnown: true,
      mv: new Float32Array(1000),
    })),
  };
  return beatWaves(
    new DrawnScores(leads),
    set,
    0,
    R.map((sample) => ({ sample })),
    [0, 1, 2],
  );
}

test('each beat has its own waves', () => {
  for (const [i, one] of wavesOf([R.flatMap((r) => beatAt(r))]).entries()) {
    const r = R[i] ?? 0;
    expect(markOf(one, 'pOnset')).toBeCloseTo(r - 50, 0);
    expect(markOf(one, 'qrsOnset')).toBeCloseTo(r - 10, 0);
    expect(markOf(one, 'qrsEnd')).toBeCloseTo(r + 10, 0);
    expect(markOf(one, 'tEnd')).toBeCloseTo(r + 80, 0);
  }
});

test('a faint P counts where other leads show it', () => {
  const clear = R.flatMap((r) => beatAt(r));
  const faint = R.flatMap((r) => beatAt(r, 'faint'));
  for (const one of wavesOf([clear, clear, faint]))
    expect(leadMark(one, 2, 'pOnset')).toBeCloseTo(leadMark(one, 0, 'pOnset'), 0);
});

test('a faint P counts where the other beats show it, and alone it does not', () => {
  const [first = 0, second = 0, third = 0] = R;
  const one = wavesOf([[...beatAt(first), ...beatAt(second, 'faint'), ...beatAt(third)]]);
  expect(one.map((beat) => Number.isNaN(markOf(beat, 'pOnset')))).toEqual([false, false, false]);
  const alone = wavesOf([R.flatMap((r) => beatAt(r, 'faint'))]);
  expect(alone.map((beat) => Number.isNaN(markOf(beat, 'pOnset')))).toEqual([true, true, true]);
});

test('a wave that too few leads show is none', () => {
  const [clear, none] = [R.flatMap((r) => beatAt(r)), R.flatMap((r) => beatAt(r, 'none'))];
  for (const one of wavesOf([clear, none, none, none])) expect(markOf(one, 'pOnset')).toBeNaN();
});

test('leads without QRS in most beats have no say', () => {
  const clear = R.flatMap((r) => beatAt(r));
  for (const one of wavesOf([clear, clear, [], [], [], []])) expect(markOf(one, 'pOnset')).not.toBeNaN();
});

test('of four leads, one whose QRS ends 100 ms late is brought within 25 ms of the others', () => {
  const usual = R.flatMap((r) => beatAt(r));
  const late = R.flatMap((r) => beatAt(r, 'clear', 35));
  for (const [i, one] of wavesOf([usual, usual, usual, late]).entries()) {
    expect(leadMark(one, 3, 'qrsEnd')).toBeCloseTo((R[i] ?? 0) + 10 + 6.25, 0);
    expect(markOf(one, 'qrsEnd') - (R[i] ?? 0)).toBeLessThan(16);
  }
});

describe('P of the usual beat', () => {
  const FIDUCIAL = 100;
  /** Leads whose P waves lie where they are told to, from R on, and are seen in the signal. */
  const marksOf = (leads: readonly (readonly [pOnset: number, pEnd: number])[]) =>
    medianMarks(
      wavesOf(
        leads.map(([onset, end]) =>
          R.flatMap((r) => [['P', r + onset, r + end] as const, ...beatAt(r, 'none')]),
        ),
      ),
      R,
      {
        sampleRateHz: 250,
        fiducial: FIDUCIAL,
        rrMs: 1000,
        memberCount: R.length,
        leads: leads.map(() => Float64Array.from({ length: 250 }, (_, i) => (i > 55 && i < 68 ? 0.1 : 0))),
      },
    );
  const plain = Array.from({ length: 9 }, () => [-50, -30] as const);

  test('ends where a tenth of the leads still shows it, and begins where a quarter does', () => {
    const marks = marksOf([...plain, [-54, -26], [-54, -26]]);
    expect([marks.pOnset, marks.pOffset].map((at) => Math.round((at ?? 0) - FIDUCIAL))).toEqual([-50, -26]);
    expect(Math.round((marks.pOffsetOfMost ?? 0) - FIDUCIAL)).toBe(-30);
  });

  test('ends before QRS begins', () => {
    const marks = marksOf([...plain.map(() => [-50, -12] as const), [-50, -7], [-50, -7]]);
    expect(marks.pOffset).toBeLessThanOrEqual(marks.qrsOnset as number);
  });
});
