import { describe, expect, test } from 'vitest';
import { fibrillationOfStrip } from '../../../main/analysis/rhythm/fibrillation-strip.ts';
import { coefficientOfSampleEntropy } from '../../../main/analysis/rhythm/sample-entropy.ts';
import type { Beat, BeatReason } from '../../../shared/analysis-result.ts';

const RATE_HZ = 500;

/** Numbers between 0 and 1 that look like chance, the same ones each time. */
function* chance(): Generator<number> {
  for (let state = 12345; ; state = (state * 1103515245 + 12345) % 2 ** 31) yield state / 2 ** 31;
}

function intervals(count: number, next: (random: number, index: number) => number): number[] {
  const random = chance();
  return Array.from({ length: count }, (_, i) => next(random.next().value, i));
}

const irregular = (count: number): number[] => intervals(count, (random) => 500 + 500 * random);
const regular = (count: number): number[] => intervals(count, (random) => 790 + 20 * random);
/** Sinus rhythm with an early beat and a pause now and then. */
const withEarlyBeats = (count: number): number[] =>
  intervals(count, (random, i) => (i % 6 === 4 ? 500 : i % 6 === 5 ? 1100 : 790 + 20 * random));

function stripOf(
  intervalsMs: readonly number[],
  { reason = 'usual', p = 0, leads = 1 }: { reason?: BeatReason; p?: number; leads?: number } = {},
) {
  let sample = RATE_HZ;
  const beats = [0, ...intervalsMs].map((ms): Beat => {
    sample += Math.round((ms * RATE_HZ) / 1000);
    return { sample, label: 'N', reason };
  });
  const time = { sampleRateHz: RATE_HZ, sampleCount: sample + RATE_HZ, gaps: [] };
  const perBeat = Int8Array.from(beats, (_, i) => (i % 10 < 10 * p ? 1 : 0));
  const evidence = { perBeat: new Float32Array(beats.length) };
  return fibrillationOfStrip({ beats, evidence, pTrain: { perBeat }, time, arrests: [], leads });
}

describe('the entropy of intervals', () => {
  test('is high in chance, and low in a regular rhythm with early beats', () => {
    expect(coefficientOfSampleEntropy(irregular(40))).toBeGreaterThan(-0.8);
    expect(coefficientOfSampleEntropy(regular(40))).toBeLessThan(-2);
    expect(coefficientOfSampleEntropy(withEarlyBeats(40))).toBeLessThan(-1.2);
  });

  test('is not known of a few intervals', () => {
    expect(coefficientOfSampleEntropy([800, 810, 790])).toBeUndefined();
  });
});

describe('fibrillation of the atria in a strip', () => {
  test('is said where all intervals differ and P is missing', () => {
    const [[start, end] = [0, 0], ...others] = stripOf(irregular(40));
    expect(others).toEqual([]);
    expect(end - start).toBeGreaterThan(25 * RATE_HZ);
  });

  test.each([
    ['early beats in sinus rhythm', withEarlyBeats(40), {}],
    ['a regular rhythm', regular(40), {}],
    ['P before most beats', irregular(40), { p: 0.6 }],
    [
      'beats that each have a shape of their own, as noise makes them',
      irregular(40),
      { reason: 'otherShape' },
    ],
  ] as const)('is not said of %s', (_, strip, more) => {
    expect(stripOf(strip, more)).toEqual([]);
  });

  test('is found in the half minute of a longer strip that has it', () => {
    const found = stripOf([...regular(60), ...irregular(45)]);
    expect(found).toHaveLength(1);
    const [[start, end] = [0, 0]] = found;
    expect(start).toBeGreaterThan(25 * RATE_HZ);
    expect(end).toBeGreaterThan(75 * RATE_HZ);
  });

  test('is not said of intervals that differ by a few percent, on one lead: a breathing heart does that', () => {
    const breathing = intervals(40, (random) => 800 + 250 * random);
    expect(coefficientOfSampleEntropy(breathing)).toBeGreaterThan(-1.2);
    expect(stripOf(breathing)).toEqual([]);
    expect(stripOf(breathing, { leads: 12 })).toHaveLength(1);
  });

  test('takes less irregular intervals where there is no P at all', () => {
    // As in one strip at 190/min; beats that come in turns lower the entropy.
    const fast = intervals(60, (random, i) => (i % 2 === 0 ? 280 : 360) + 80 * random);
    const entropy = coefficientOfSampleEntropy(fast)!;
    expect(entropy).toBeLessThan(-1.2);
    expect(entropy).toBeGreaterThan(-1.4);
    expect(stripOf(fast)).toHaveLength(1);
    expect(stripOf(fast, { p: 0.1 })).toEqual([]);
  });

  test('needs intervals like chance in a few seconds of one lead, too', () => {
    const halfRepeating = [800, 640, 820, 630, 900, 690, 850, 640, 810, 600, 830, 620, 880, 660, 800];
    expect(coefficientOfSampleEntropy(halfRepeating)).toBeLessThan(-1.1);
    expect(stripOf(halfRepeating)).toEqual([]);
    expect(stripOf(irregular(14))).toHaveLength(1);
  });
});
