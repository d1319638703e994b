// What the filters of the paper take away, and that they shift nothing and bridge no gap.

import { expect, test } from 'vitest';
import { filterForPaper, PAPER_FILTER_NAMES } from '../../renderer/trace/paper-filter.ts';

const RATE_HZ = 500;
const sine = (hz: number, seconds = 8): Float32Array =>
  Float32Array.from({ length: seconds * RATE_HZ }, (_, i) => Math.sin((2 * Math.PI * hz * i) / RATE_HZ));
/** The height in the middle, where the ends do not count. */
const height = (mv: Float32Array): number => Math.max(...mv.subarray(2 * RATE_HZ, 6 * RATE_HZ));

test('nothing is filtered unless it is chosen', () => {
  const signal = sine(10);
  expect(filterForPaper(signal, 'none', RATE_HZ)).toBe(signal);
});

test.each([
  ['mains50', 50, 0, 0.02],
  ['mains50', 45, 0.9, 1.01],
  ['mains60', 60, 0, 0.02],
  ['muscle40', 10, 0.97, 1.01],
  ['muscle40', 40, 0.45, 0.55],
  ['muscle40', 100, 0, 0.05],
  ['muscle25', 25, 0.45, 0.55],
  ['monitor', 0.1, 0, 0.05],
  ['monitor', 5, 0.97, 1.01],
] as const)('%s leaves of %d Hz between %d and %d', (name, hz, least, most) => {
  const left = height(filterForPaper(sine(hz), name, RATE_HZ));
  expect(left).toBeGreaterThanOrEqual(least);
  expect(left).toBeLessThanOrEqual(most);
});

test('a wave stays where it is', () => {
  const wave = Float32Array.from({ length: 8 * RATE_HZ }, (_, i) => Math.exp(-(((i - 2000) / 20) ** 2)));
  for (const name of PAPER_FILTER_NAMES) {
    const filtered = filterForPaper(wave, name, RATE_HZ);
    expect([name, filtered.indexOf(Math.max(...filtered))]).toEqual([name, 2000]);
  }
});

test('what is missing stays missing, and one side of a gap says nothing of the other', () => {
  const signal = sine(10);
  signal.fill(5, 2500);
  signal.fill(Number.NaN, 2000, 2500);
  const filtered = filterForPaper(signal, 'muscle25', RATE_HZ);
  expect(filtered.map(Number.isNaN as never).reduce((sum, each) => sum + each, 0)).toBe(500);
  expect(filtered[2500]).toBeCloseTo(5, 4);
});
