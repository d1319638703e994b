// The time of which nothing is known.

import { expect, test } from 'vitest';
import { fibrillationOf, joined, unknownOf, unreadRanges } from '../../../shared/long/known-time.ts';

test('ranges that touch or overlap are one', () => {
  expect(
    joined([
      [50, 60],
      [10, 20],
      [20, 30],
      [55, 58],
    ]),
  ).toEqual([
    [10, 30],
    [50, 60],
  ]);
});

test('a lost packet breaks nothing, and what is missing and unread is counted once', () => {
  const gaps = [
    [0, 15],
    [100, 200],
  ] as const;
  expect(unknownOf(gaps, [[150, 400]], 100)).toEqual([[100, 400]]);
});

test('results of older versions tell of noise and fibrillation by their statements and rhythms', () => {
  const statements = [
    {
      code: 'QUAL-UNREAD',
      text: '',
      severity: 'LOW',
      certainty: 'definite',
      evidence: { leads: [], ranges: [[5, 9]], values: {} },
    },
  ] as never;
  expect(unreadRanges({ statements })).toEqual([[5, 9]]);
  expect(unreadRanges({ statements, unread: [] })).toEqual([]);
  const rhythms = [{ code: 'AFIB', startSample: 1, endSample: 4 }];
  expect(fibrillationOf({ rhythms })).toEqual([[1, 4]]);
  expect(fibrillationOf({ rhythms, fibrillation: [[2, 3]] })).toEqual([[2, 3]]);
});
