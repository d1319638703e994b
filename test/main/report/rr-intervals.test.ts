// What lies between two beats on a report: nothing across missing or unread time.

import { expect, test } from 'vitest';
import { rrSeconds } from '../../../main/report/rr-intervals.ts';
import type { AnalysisResult } from '../../../shared/analysis-result.ts';

const RATE = 100;
const resultWith = (
  samples: readonly number[],
  more: { gaps?: [number, number][]; unread?: [number, number][]; pauses?: [number, number][] } = {},
): AnalysisResult => {
  const { gaps = [], unread = [], pauses = [] } = more;
  return {
    beats: samples.map((sample) => ({ sample, label: 'N' })),
    recording: { sampleRateHz: RATE, gaps, samples: 100_000 },
    rhythms: pauses.map(([startSample, endSample]) => ({ startSample, endSample, code: 'PAUSE' })),
    statements: unread.length === 0 ? [] : [{ code: 'QUAL-UNREAD', evidence: { ranges: unread } }],
  } as unknown as AnalysisResult;
};

test('seconds from beat to beat; before the first one there is none', () => {
  expect([...rrSeconds(resultWith([100, 180, 290]))]).toEqual([Number.NaN, 0.8, 1.1]);
});

test('none across a gap, and none across what was not read', () => {
  const samples = [100, 200, 300, 400, 500];
  const intervals = rrSeconds(resultWith(samples, { gaps: [[210, 290]], unread: [[410, 420]] }));
  expect([...intervals]).toEqual([Number.NaN, 1, Number.NaN, 1, Number.NaN]);
});

test('a long one only where a pause was found', () => {
  const samples = [100, 500, 600, 1000];
  expect([...rrSeconds(resultWith(samples))]).toEqual([Number.NaN, Number.NaN, 1, Number.NaN]);
  expect([...rrSeconds(resultWith(samples, { pauses: [[600, 1000]] }))]).toEqual([
    Number.NaN,
    Number.NaN,
    1,
    4,
  ]);
});
