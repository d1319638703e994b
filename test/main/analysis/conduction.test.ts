// Blocks of the bundle branches, from the deflections of QRS.

import { expect, test } from 'vitest';
import { type Deflection, deflectionsByLead } from '../../../main/analysis/measurements/lead-deflections.ts';
import type { Facts } from '../../../main/analysis/rules/facts.ts';
import { interpret } from '../../../main/analysis/rules/interpret.ts';
import type { Range } from '../../../main/analysis/signal/time-base.ts';
import { USUAL_FACTS } from '../../support/usual-facts.ts';

/** Heights in millivolts, one after the other and each 40 ms long. */
const deflections = (heightsMv: readonly number[]): Deflection[] =>
  heightsMv.map((peakMv, i) => ({ peakMv, peakMs: 40 * i + 20, onsetMs: 40 * i, durationMs: 40 }));

type Heights = Readonly<Record<string, readonly number[]>>;
const NORMAL: Heights = {
  I: [0.8],
  II: [1],
  III: [0.3],
  AVL: [0.3],
  AVF: [0.6],
  V1: [0.2, -0.9],
  V2: [0.4, -1],
  V5: [-0.1, 1.2],
  V6: [-0.1, 1],
};
const RIGHT: Heights = { ...NORMAL, I: [0.8, -0.3], V1: [0.2, -0.3, 0.9], V6: [0.9, -0.4] };
const LEFT: Heights = { ...NORMAL, V1: [-1.5], V5: [0.1, 1.3], V6: [0.1, 1.2], AVL: [0.7], I: [0.1, 0.9] };
const ANTERIOR: Heights = {
  ...NORMAL,
  II: [0.3, -0.8],
  III: [0.2, -1],
  AVF: [0.2, -0.9],
  AVL: [-0.1, 0.9],
};

const POSTERIOR: Heights = {
  ...NORMAL,
  I: [0.2, -0.6],
  AVL: [0.1, -0.9],
  III: [-0.1, 1.4],
  AVF: [-0.1, 1.2],
};

const factsOf = (heights: Heights, qrsMs: number, more: Partial<Facts> = {}): Facts => ({
  ...USUAL_FACTS,
  leads: Object.keys(heights).map((lead) => `MDC_ECG_LEAD_${lead}`),
  measurements: { heartRateBpm: 60, prMs: 160, qrsMs },
  deflections: new Map(
    Object.entries(heights).map(([lead, mv]) => [`MDC_ECG_LEAD_${lead}`, deflections(mv)]),
  ),
  ...more,
});

const CODES = ['CON-RBBB', 'CON-IRBBB', 'CON-LBBB', 'CON-LAFB', 'CON-LPFB', 'CON-BIF', 'CON-IVCD'];
const found = (facts: Facts): string[] =>
  interpret(facts)
    .statements.map(({ code }) => code)
    .filter((code) => CODES.includes(code));
const outcome = (facts: Facts, wanted: string) =>
  interpret(facts).assessments.find(({ code }) => code === wanted);

test.each([
  ['normal', NORMAL, 96, []],
  ['a late R in V1, S in V6', RIGHT, 140, ['CON-RBBB']],
  ['the same, but narrow', RIGHT, 118, ['CON-IRBBB']],
  ['without S in I and V6', { ...RIGHT, I: [0.8], V6: [0.9] }, 140, ['CON-IVCD']],
  ['the same, hardly wide', { ...RIGHT, I: [0.8], V6: [0.9] }, 130, ['CON-IRBBB']],
  ['R, notched, and R again', { ...RIGHT, V1: [0.3, 0.5] }, 110, ['CON-IRBBB']],
  ['a late R that is small', { ...RIGHT, V1: [0.2, -0.9, 0.1] }, 110, []],
  ['the late R in V2 alone', { ...RIGHT, V1: [-1], V2: [0.2, -0.3, 0.9] }, 140, ['CON-RBBB']],
  ['a small r′ in V1', { ...RIGHT, V1: [0.2, -0.9, 0.1] }, 140, ['CON-IVCD']],
  ['QS in V1, late R on the left', LEFT, 160, ['CON-LBBB']],
  ['the same, but 130 ms wide', LEFT, 130, ['CON-IVCD']],
  [
    'with q in I and the left leads',
    { ...LEFT, I: [-0.1, 0.9], AVL: [-0.1, 0.7], V5: [-0.1, 1.2] },
    160,
    ['CON-IVCD'],
  ],
  ['with R early on the left', { ...LEFT, I: [0.9], V5: [1.3], V6: [1.2] }, 160, ['CON-IVCD']],
  ['R in V1 as tall as S', { ...LEFT, V1: [1, -1] }, 160, ['CON-IVCD']],
  ['II, III and aVF down, aVL up', ANTERIOR, 100, ['CON-LAFB']],
  [
    'the same in right bundle branch block',
    { ...ANTERIOR, V1: RIGHT.V1!, V6: RIGHT.V6! },
    140,
    ['CON-RBBB', 'CON-LAFB', 'CON-BIF'],
  ],
  [
    'the same with the late S in I deeper than its R',
    { ...ANTERIOR, I: [0.4, -0.6], V1: RIGHT.V1!, V6: RIGHT.V6! },
    140,
    ['CON-RBBB', 'CON-LAFB', 'CON-BIF'],
  ],
  [
    'that block with S on the whole left, as in a heart that is turned',
    { ...ANTERIOR, I: [0.05, -0.9], AVL: [0.1, -0.6], V1: RIGHT.V1!, V6: RIGHT.V6! },
    140,
    ['CON-RBBB'],
  ],
  ['S in I deeper than its R without that block', { ...ANTERIOR, I: [0.4, -0.6] }, 100, []],
  ['I and aVL down, III and aVF up behind a small q', POSTERIOR, 100, ['CON-LPFB']],
  ['the same without q', { ...POSTERIOR, III: [1.4], AVF: [1.2] }, 100, []],
  ['the same with Q on the left, as behind a lateral infarction', { ...POSTERIOR, I: [-0.6, 0.2] }, 100, []],
  [
    'the same in right bundle branch block',
    { ...POSTERIOR, V1: RIGHT.V1!, V6: RIGHT.V6! },
    140,
    ['CON-RBBB', 'CON-LPFB', 'CON-BIF'],
  ],
  ['wide without the shape of either', NORMAL, 124, ['CON-IVCD']],
  ['QS in II and III, as behind an inferior infarction', { ...ANTERIOR, II: [-0.8], III: [-1] }, 100, []],
] as [string, Heights, number, string[]][])('%s', (_, heights, qrsMs, codes) => {
  expect(found(factsOf(heights, qrsMs))).toEqual(codes);
});

test('where QRS is wide beside an incomplete block, it is said to be', () => {
  const at = (qrsMs: number): string[] =>
    interpret(factsOf({ ...RIGHT, I: [0.8], V6: [0.9] }, qrsMs))
      .statements.map(({ code }) => code)
      .filter((code) => code === 'INT-QRS' || code === 'CON-IRBBB');
  expect([at(112), at(130)]).toEqual([['CON-IRBBB'], ['CON-IRBBB', 'INT-QRS']]);
});

test('the second R of an incomplete block is late', () => {
  const at = (peakMs: number): string[] => {
    const facts = factsOf(NORMAL, 100);
    const [r, s] = deflections([0.2, -0.9]);
    const second = { peakMv: 0.3, peakMs, onsetMs: peakMs - 10, durationMs: 20 };
    return found({
      ...facts,
      deflections: new Map([...facts.deflections, ['MDC_ECG_LEAD_V1', [r!, s!, second]]]),
    });
  };
  expect([at(50), at(56)]).toEqual([[], ['CON-IRBBB']]);
});

test('an axis up to 90 degrees, or a large right ventricle, is no posterior block', () => {
  const at = (qrsAxisDeg: number, more: Partial<Facts> = {}): string[] => {
    const facts = factsOf(POSTERIOR, 100, more);
    return found({ ...facts, measurements: { ...facts.measurements, qrsAxisDeg } });
  };
  expect(at(90)).toEqual([]);
  expect(at(110)).toEqual(['CON-LPFB']);
  const heights = { jMv: 0, j20Mv: 0, j60Mv: 0, j80Mv: 0 };
  const tallV1 = new Map([['MDC_ECG_LEAD_V1', { ...heights, deflections: deflections([0.9]) }]]);
  expect(at(110, { leadMeasurements: tallV1 })).toEqual([]);
});

test('a bifascicular block says which fascicle, and whether PR is long as well', () => {
  const heights = { ...ANTERIOR, V1: RIGHT.V1!, V6: RIGHT.V6! };
  const textOf = (facts: Facts): string | undefined =>
    interpret(facts).statements.find(({ code }) => code === 'CON-BIF')?.text;
  const facts = factsOf(heights, 140);
  expect(textOf(facts)).toBe('Bifascicular block (probable): right bundle branch and left anterior fascicle');
  expect(textOf({ ...facts, measurements: { ...facts.measurements, prMs: 240 } })).toBe(
    'Bifascicular block (probable): right bundle branch and left anterior fascicle, with first-degree AV block',
  );
});

test('a block takes the place of the wide QRS', () => {
  expect(outcome(factsOf(RIGHT, 140), 'INT-QRS')).toEqual({
    code: 'INT-QRS',
    outcome: 'notAssessed',
    suppressedBy: 'CON-RBBB',
  });
  expect(outcome(factsOf(NORMAL, 140), 'INT-QRS')?.suppressedBy).toBe('CON-IVCD');
  expect(outcome(factsOf(NORMAL, 140, { deflections: new Map() }), 'INT-QRS')?.outcome).toBe('present');
});

test.each([
  ['paced beats', { base: 'P' }, 'paced'],
  ['a ventricular tachycardia', { base: 'VT' }, 'rhythm'],
  ['a child', { ageYears: 8 }, 'child'],
  ['no V1', { deflections: new Map() }, 'leads'],
] as [string, Partial<Facts>, string][])('%s: not assessed, which is said', (_, more, reason) => {
  const { assessments, notAssessed } = interpret(factsOf(RIGHT, 140, more));
  for (const wanted of CODES)
    expect(assessments.find(({ code }) => code === wanted)).toEqual({
      code: wanted,
      outcome: 'notAssessed',
      reason,
    });
  expect(notAssessed).toContainEqual({ code: 'CONDUCTION', reason });
});

test('deflections are those between the marks, against the level before them; what grows at the end is ST', () => {
  const lead = new Float64Array(200).fill(0.3);
  const up = (from: number, to: number, mv: number): void => {
    for (let i = from; i < to; i++) lead[i] = 0.3 + mv * Math.sin((Math.PI * (i - from + 0.5)) / (to - from));
  };
  up(100, 110, -0.2);
  up(110, 130, 1);
  up(130, 145, -0.5);
  for (let i = 145; i < 160; i++) lead[i] = 0.3 + 0.02 * (i - 145);
  const names = ['MDC_ECG_LEAD_V1', 'V1 of somebody'];
  const leads = names.map((name, i) => ({
    name,
    isStandard: i === 0,
    isShapeKnown: i === 0,
    isCalibrated: true,
    isScaleKnown: true,
  }));
  const beat = { sampleRateHz: 500, fiducial: 120, rrMs: 1000, memberCount: 5, leads: [lead, lead] };
  const byLead = deflectionsByLead(leads, beat, { qrsOnset: 100, qrsOffset: 155, isTTrusted: false });
  expect([...byLead.keys()]).toEqual(['MDC_ECG_LEAD_V1']);
  const [q, r, s, ...others] = byLead.get('MDC_ECG_LEAD_V1')!;
  expect(others).toEqual([]);
  expect(q!.peakMv).toBeCloseTo(-0.2, 2);
  expect(r!.peakMv).toBeCloseTo(1, 2);
  expect(s!.peakMv).toBeCloseTo(-0.5, 2);
  expect([q!.durationMs, r!.durationMs, s!.durationMs]).toEqual([20, 40, 30]);
});

test('escapes below a passing block say nothing of the shape of the usual beat; without sinus rhythm they are it', () => {
  const withBlock = (blocked: Range[], sinus: Range[]): Facts =>
    factsOf(LEFT, 150, {
      sinus,
      avConduction: {
        kind: 'complete',
        atrialBpm: 80,
        bpm: 36,
        blocked: 40,
        ranges: blocked,
        unnamedSeconds: 0,
      },
    });
  expect(found(withBlock([[0, 1000]], [[1000, 5000]]))).toEqual(['CON-LBBB']);
  for (const facts of [
    withBlock([[0, 4000]], [[4000, 5000]]),
    // A block that fills the recording may have a blocked P wave in two of ten intervals.
    withBlock(
      [
        [0, 500],
        [2500, 3000],
      ],
      [],
    ),
  ]) {
    expect(found(facts)).toEqual([]);
    expect(outcome(facts, 'CON-LBBB')).toMatchObject({ outcome: 'notAssessed', reason: 'rhythm' });
  }
});
