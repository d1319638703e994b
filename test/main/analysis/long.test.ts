// Long recordings: hours, episodes, and how the rate varies.

import { expect, test } from 'vitest';
import { findEpisodes } from '../../../main/analysis/long/episodes.ts';
import { heartRateVariability } from '../../../main/analysis/long/heart-rate-variability.ts';
import { holterOf } from '../../../main/analysis/long/holter.ts';
import { hoursOf } from '../../../main/analysis/long/hours.ts';
import { lombScargle } from '../../../main/analysis/long/lomb-scargle.ts';
import { nnIntervals } from '../../../main/analysis/long/nn-intervals.ts';
import { findRuns, isFastRun } from '../../../main/analysis/rhythm/beat-runs.ts';
import type { RhythmEvents } from '../../../main/analysis/rhythm/rhythm-events.ts';
import type { TimeBase } from '../../../main/analysis/signal/time-base.ts';
import type { Beat } from '../../../shared/analysis-result.ts';

const RATE_HZ = 250;

/** @param msAt the interval that begins at a second */
function beatsOf(seconds: number, msAt: (second: number) => number, label: Beat['label'] = 'N'): Beat[] {
  const beats: Beat[] = [];
  for (let at = 0.5; at < seconds; at += msAt(at) / 1000)
    beats.push({ sample: Math.round(at * RATE_HZ), label });
  return beats;
}

const timeOf = (seconds: number): TimeBase => ({
  sampleRateHz: RATE_HZ,
  sampleCount: seconds * RATE_HZ,
  gaps: [],
});

const inputOf = (
  beats: readonly Beat[],
  seconds: number,
  more: Partial<RhythmEvents> = {},
): RhythmEvents => ({
  beats,
  time: timeOf(seconds),
  pauses: [],
  runs: [],
  supraventricularRuns: findRuns(beats, timeOf(seconds), 'S', (ranges) => ranges).filter(isFastRun),
  sinus: [[0, seconds * RATE_HZ]],
  unread: [],
  atrialFibrillation: [],
  ventricularFibrillation: [],
  asystole: [],
  ...more,
});

test('a wave of a known size has its power at its frequency, though its values lie at unequal distances', () => {
  const seconds = Array.from({ length: 300 }, (_, i) => i + 0.3 * Math.sin(i * i));
  const powers = lombScargle(
    seconds,
    seconds.map((at) => 30 * Math.sin(2 * Math.PI * 0.1 * at + 1)),
    1 / 300,
    120,
  );
  const at = powers.indexOf(Math.max(...powers));
  expect((at + 1) / 300).toBeCloseTo(0.1, 3);
  expect(powers[at]! / 450).toBeCloseTo(1, 1);
});

test('intervals between normal beats alone: not around ectopic ones, gaps, fibrillation, or where a beat was missed', () => {
  const beats = beatsOf(60, () => 800);
  beats[10] = { ...beats[10]!, label: 'V' };
  const missed = beats.filter((_, i) => i !== 30);
  const { ms, isNext } = nnIntervals(missed, { ...inputOf([], 60).time, gaps: [[8000, 8200]] }, [
    [0, 10_000],
    [11_000, 15_000],
  ]);
  expect([...ms].every((value) => Math.abs(value - 800) < 5)).toBe(true);
  const all = missed.length - 1;
  const inFibrillation = missed
    .slice(1)
    .filter((beat, i) => beat.sample > 10_000 && (missed[i]?.sample ?? 0) < 11_000);
  expect(ms.length).toBe(all - 2 - 1 - 2 - inFibrillation.length);
  expect([...isNext].filter((value) => value === 0).length).toBe(5);
});

test('variability by its definition, in time and frequency', () => {
  const hours = 20;
  const beats = beatsOf(
    hours * 3600,
    (at) => 900 + 40 * Math.sin(2 * Math.PI * 0.1 * at) + 20 * Math.sin(2 * Math.PI * 0.25 * at),
  );
  const hrv = heartRateVariability(
    nnIntervals(beats, inputOf(beats, hours * 3600).time, [[0, hours * 3600 * RATE_HZ]]),
  )!;
  expect(hrv.hours).toBe(hours);
  // Half the square of each amplitude.
  expect(hrv.lfMs2 / 800).toBeCloseTo(1, 1);
  expect(hrv.hfMs2 / 200).toBeCloseTo(1, 1);
  expect(hrv.lfToHf).toBeCloseTo(4, 0);
  expect(hrv.sdnnMs! / Math.sqrt(1000)).toBeCloseTo(1, 1);
  expect(hrv.sdannMs).toBeLessThan(3);
  expect(hrv.pnn50Percent).toBeLessThan(20);
  const short = heartRateVariability(
    nnIntervals(
      beatsOf(7200, () => 900),
      inputOf([], 7200).time,
      [[0, 7200 * RATE_HZ]],
    ),
  )!;
  expect(short).toMatchObject({ hours: 2, rmssdMs: expect.any(Number) });
  expect(short).not.toHaveProperty('sdnnMs');
  expect(
    heartRateVariability(
      nnIntervals(
        beatsOf(1800, () => 900),
        inputOf([], 1800).time,
        [[0, 1800 * RATE_HZ]],
      ),
    ),
  ).toBeUndefined();
});

test('hour by hour: rates, ectopic beats, pauses, fibrillation and what was read', () => {
  const beats = beatsOf(5400, (at) => (at < 3600 ? 1000 : 500));
  beats[100] = { ...beats[100]!, label: 'V' };
  beats[4000] = { ...beats[4000]!, label: 'S' };
  const minute = 60 * RATE_HZ;
  const input = inputOf(beats, 5400, {
    atrialFibrillation: [[59 * minute, 62 * minute]],
    pauses: [{ startSample: 10 * minute, endSample: 10 * minute + 700, durationMs: 2800 }],
  });
  const [first, second, ...others] = hoursOf({ ...input, time: { ...input.time, gaps: [[0, 6 * minute]] } });
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    startSample: 0,
    endSample: 60 * minute,
    meanBpm: 60,
    ventricular: 1,
    supraventricular: 0,
    pauses: 1,
    fibrillationMinutes: 1,
    readShare: 0.9,
  });
  expect(second).toMatchObject({
    meanBpm: 120,
    minBpm: 120,
    supraventricular: 1,
    pauses: 0,
    fibrillationMinutes: 2,
  });
  expect(hoursOf(inputOf([], 3700))).toHaveLength(2);
  expect(hoursOf(inputOf([], 3700))[0]).not.toHaveProperty('meanBpm');
});

test('an hour has a table, less has none; without sinus rhythm there is no variability', () => {
  const beats = beatsOf(7200, () => 900);
  expect(holterOf(inputOf(beats.slice(0, 1000), 3599))).toBeUndefined();
  expect(holterOf(inputOf(beats, 7200))).toMatchObject({ ventricularPercent: 0, hrv: { hours: 2 } });
  expect(holterOf(inputOf(beats, 7200, { sinus: [] }))).not.toHaveProperty('hrv');
  const fibrillating = inputOf(beats, 7200, { sinus: [], atrialFibrillation: [[0, 7200 * RATE_HZ]] });
  expect(holterOf(fibrillating)).toMatchObject({ fibrillationPercent: 100 });
});

test('episodes: slow and fast stretches that last, runs, pauses; the most telling of each kind is marked', () => {
  const beats = beatsOf(300, (at) =>
    at > 60 && at < 100 ? 1300 : at > 150 && at < 168 ? 1600 : at > 200 && at < 240 ? 500 : 900,
  );
  const pauses = [2100, 3000].map((durationMs, i) => ({
    startSample: (100 + 50 * i) * RATE_HZ,
    endSample: (100 + 50 * i) * RATE_HZ + (durationMs * RATE_HZ) / 1000,
    durationMs,
  }));
  const found = findEpisodes(inputOf(beats, 300, { pauses, atrialFibrillation: [[0, 2500]] }));
  expect(found.map(({ code, isBest }) => [code, isBest])).toEqual([
    ['AFIB', true],
    ['BRADY', false],
    ['PAUSE', false],
    ['BRADY', true],
    ['PAUSE', true],
    ['TACHY', true],
  ]);
  const fast = found.find(({ code }) => code === 'TACHY')!;
  expect(Math.abs(fast.bpm! - 118)).toBeLessThan(4);
  for (const { strip, startSample, endSample } of found) {
    expect(strip[1] - strip[0]).toBe(10 * RATE_HZ);
    expect(strip[0]).toBeLessThan(endSample);
    expect(strip[1]).toBeGreaterThan(startSample);
  }
});

test('three supraventricular beats in a row, fast, are an episode; two, or slow ones, are none', () => {
  const beats = beatsOf(60, () => 500);
  const marked = (count: number, all = beats) =>
    all.map((beat, i) => (i >= 20 && i < 20 + count ? { ...beat, label: 'S' as const } : beat));
  const codes = (some: readonly Beat[]) =>
    findEpisodes(inputOf(some, 60))
      .map(({ code }) => code)
      .filter((code) => code === 'SVTA');
  expect(codes(marked(3))).toEqual(['SVTA']);
  expect(codes(marked(2))).toEqual([]);
  expect(
    codes(
      marked(
        3,
        beatsOf(60, () => 800),
      ),
    ),
  ).toEqual([]);
});

test('of more episodes than anybody would look at, the most telling one stays', () => {
  const pauses = Array.from({ length: 300 }, (_, i) => ({
    startSample: 1000 * i,
    endSample: 1000 * i + (i === 250 ? 990 : 600),
    durationMs: i === 250 ? 3960 : 2400,
  }));
  const found = findEpisodes(inputOf([], 1500, { pauses }));
  expect(found).toHaveLength(201);
  expect(found.filter(({ isBest }) => isBest)).toEqual([expect.objectContaining({ startSample: 250_000 })]);
});
