import { describe, expect, test } from 'vitest';
import { supraventricularBeats } from '../../../main/analysis/beats/supraventricular-beats.ts';
import type { BeatLabel } from '../../../shared/analysis-result.ts';

const RATE_HZ = 250;

/**
 * Which beats come early from above, of beats so many milliseconds apart.
 *
 * @param otherP beats with another P wave
 * @param others beats with a class
 */
function early(
  intervalsMs: readonly number[],
  otherP: readonly number[] = [],
  others: Readonly<Record<number, BeatLabel>> = {},
): number[] {
  const samples = [0];
  for (const ms of intervalsMs) samples.push((samples.at(-1) as number) + Math.round((ms * RATE_HZ) / 1000));
  const labels = samples.map((_, i): BeatLabel => others[i] ?? 'N');
  const pCorrelation = Float32Array.from(samples, (_, i) => (otherP.includes(i) ? 0.5 : 0.95));
  return supraventricularBeats(samples, labels, pCorrelation, RATE_HZ);
}

/** A steady heart, with a few percent of scatter. */
const steady = (count: number, ms: number): number[] =>
  Array.from({ length: count }, (_, i) => ms + [0, 12, -8, 16, -12][i % 5]!);

describe('beats that come early from above', () => {
  test('are found one by one', () => {
    expect(early([...steady(10, 800), 500, 1000, ...steady(10, 800)])).toEqual([11]);
  });

  test('are found in a strip of ten seconds, which they make irregular themselves', () => {
    expect(early([800, 830, 790, 520, 1080, 820, 800, 840])).toEqual([4]);
  });

  test('are found right behind the first beat, by the intervals that follow', () => {
    expect(early([560, ...steady(8, 800)])).toEqual([1]);
    // As early as sinus arrhythmia has it.
    expect(early([640, ...steady(8, 800)])).toEqual([]);
    // Nothing follows at its usual time, or what is usual cannot be told.
    expect(early([560, 680, ...steady(8, 800)])).toEqual([]);
    expect(early([560, 800, 600, 960, 640, 1000, 700, 900])).toEqual([]);
    expect(early([560, ...steady(4, 800)])).toEqual([]);
    // A 2:1 block begins.
    expect(early([800, ...steady(8, 1600)])).toEqual([]);
    expect(early([880, ...steady(8, 1600)])).toEqual([]);
    // Ventricular beats leave too few.
    expect(early([560, ...steady(8, 800)], [], { 4: 'V', 7: 'V' })).toEqual([]);
    // Noise at the beginning may be no beat at all.
    expect(early([560, ...steady(8, 800)], [], { 0: 'Q' })).toEqual([]);
  });

  test('go on as a tachycardia, longer than what is usual around them', () => {
    const found = early([...steady(30, 800), ...steady(150, 420), ...steady(30, 800)]);
    expect(found).toHaveLength(150);
    expect(found[0]).toBe(31);
  });

  test('are none where the heart goes on a little faster', () => {
    expect(early([...steady(30, 900), ...steady(150, 680), ...steady(30, 900)])).toEqual([]);
  });

  test('need a P wave of their own where they are hardly early, and no faster beat behind them', () => {
    const hardly = [...steady(10, 800), 690, 800, ...steady(10, 800)];
    expect(early(hardly)).toEqual([]);
    expect(early(hardly, [11])).toEqual([11]);
    expect(early([...steady(10, 800), 690, 700, ...steady(10, 800)], [11])).toEqual([]);
  });

  test('need none where the heart takes longer behind them, and is steady otherwise', () => {
    expect(early([...steady(10, 800), 690, 900, ...steady(10, 800)])).toEqual([11]);
    const unsteady = Array.from({ length: 10 }, (_, i) => 800 + [0, 60, -40, 80, -60][i % 5]!);
    expect(early([...unsteady, 690, 900, ...unsteady])).toEqual([]);
  });

  test('come at half the usual interval, however irregular the rhythm is, one by one', () => {
    const irregular = Array.from({ length: 20 }, (_, i) => [620, 900, 740, 1040, 680, 820][i % 6]!);
    expect(early([...irregular, 340, 900, ...irregular])).toEqual([21]);
    expect(early([...irregular, 340, 330, 900, ...irregular])).not.toContain(21);
    expect(early([...irregular, 500, 900, ...irregular])).toEqual([]);
  });
});
