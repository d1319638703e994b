import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  appendRange,
  type Range,
  samplesWithin,
  spansGap,
  touches,
} from '../../../main/analysis/signal/time-base.ts';
import { firstFrom } from '../../../shared/signal/first-from.ts';

/** Ranges in order, none touching the next. */
const ranges = fc
  .uniqueArray(fc.integer({ min: 0, max: 500 }), { maxLength: 20 })
  .map((ends) => ends.sort((a, b) => a - b))
  .map((ends): Range[] =>
    Array.from({ length: ends.length >> 1 }, (_, i) => [ends[2 * i] as number, ends[2 * i + 1] as number]),
  );
const stretch = fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 60 }));

test('a range touches a stretch when they share a sample', () => {
  fc.assert(
    fc.property(ranges, stretch, (given, [from, length]) => {
      const shares = given.some(([start, end]) => start < from + length && end > from);
      expect(touches(given, from, from + length)).toBe(shares);
    }),
  );
});

test('an interval spans a gap when one longer than 0.2 s lies in it', () => {
  fc.assert(
    fc.property(ranges, stretch, (gaps, [from, length]) => {
      const time = { sampleRateHz: 100, sampleCount: 1000, gaps };
      const spans = gaps.some(([start, end]) => end - start > 20 && start < from + length && end > from);
      expect(spansGap(time, from, from + length)).toBe(spans);
    }),
  );
});

test('a range that touches the last one makes it longer', () => {
  const found: [number, number][] = [];
  for (const range of [
    [0, 5],
    [5, 9],
    [7, 8],
    [10, 12],
  ] as const)
    appendRange(found, range);
  expect(found).toEqual([
    [0, 9],
    [10, 12],
  ]);
});

test('samples within a range are counted from its start, or from a place that is given', () => {
  const samples = [3, 10, 20, 30];
  expect(firstFrom(samples, 10)).toBe(1);
  expect(firstFrom(samples, 31)).toBe(4);
  expect(samplesWithin(samples, [10, 30])).toEqual([0, 10]);
  expect(samplesWithin(samples, [10, 31], 5)).toEqual([5, 15, 25]);
});
