import { describe, expect, test } from 'vitest';
import {
  findAtrialFibrillation,
  lastingEpisodes,
} from '../../../main/analysis/rhythm/atrial-fibrillation.ts';
import { type BaseRhythm, baseRhythm, type RhythmInput } from '../../../main/analysis/rhythm/base-rhythm.ts';
import { rhythmSegments } from '../../../main/analysis/rhythm/rhythm-segments.ts';
import { findSinusMinutes } from '../../../main/analysis/rhythm/sinus-minutes.ts';
import type { Range } from '../../../main/analysis/signal/time-base.ts';
import { seededRandom } from '../../../main/signal/synthetic/random.ts';
import type { Beat } from '../../../shared/analysis-result.ts';

const RATE_HZ = 250;

/** Groups of beats with irregular intervals, `apartSeconds` between them. */
function groups(count: number, beatsEach: number, apartSeconds: number) {
  const beats: Beat[] = [];
  const between: Range[] = [];
  const random = seededRandom(7);
  let at = RATE_HZ;
  for (let group = 0; group < count; group++) {
    const size = Math.round(beatsEach * (0.5 + random() / 2));
    for (let i = 0; i < size; i++) {
      beats.push({ sample: at, label: 'N' });
      at += Math.round(RATE_HZ * (0.6 + 0.4 * random()));
    }
    between.push([at, at + RATE_HZ * apartSeconds - 50]);
    at += RATE_HZ * apartSeconds;
  }
  const time = { sampleRateHz: RATE_HZ, sampleCount: at + RATE_HZ, gaps: [] };
  const noP = { perBeat: new Float32Array(beats.length), share: 0, coherence: 0 };
  const unmarked = new Int8Array(beats.length).fill(-1);
  return { beats, between, time, noP, unmarked };
}

describe('atrial fibrillation', () => {
  test('is irregular beats without P waves', () => {
    const { beats, time, noP, unmarked } = groups(1, 60, 1);
    const [[start, end] = [0, 0], ...others] = findAtrialFibrillation(beats, noP, unmarked, time, []);
    expect(others).toEqual([]);
    expect(end - start).toBeGreaterThan(20 * RATE_HZ);
  });

  test.each(['fibrillation of the ventricles', 'missing samples'])('does not run across %s', (what) => {
    const { beats, between, time, noP, unmarked } = groups(9, 7, 3);
    const isGap = what === 'missing samples';
    expect(
      findAtrialFibrillation(
        beats,
        noP,
        unmarked,
        { ...time, gaps: isGap ? between : [] },
        isGap ? [] : between,
      ),
    ).toEqual([]);
    expect(findAtrialFibrillation(beats, noP, unmarked, time, [])).not.toEqual([]);
  });
});

test('parts of fibrillation with few beats between them are one episode; short ones are chance', () => {
  const beats = Array.from({ length: 400 }, (_, i): Beat => ({ sample: RATE_HZ * i, label: 'N' }));
  const seconds = (...ranges: [number, number][]): Range[] =>
    ranges.map(([start, end]) => [start * RATE_HZ, end * RATE_HZ]);
  const episodes = (parts: Range[]) => lastingEpisodes(parts, beats, { sampleRateHz: RATE_HZ });
  expect(episodes(seconds([10, 14], [20, 24], [100, 105]))).toEqual(seconds([10, 24]));
  expect(episodes(seconds([10, 14], [26, 30]))).toEqual([]);
});

describe('a recording of minutes', () => {
  const MINUTE = 60 * RATE_HZ;
  const beats = Array.from({ length: 300 }, (_, i): Beat => ({ sample: RATE_HZ * (i + 0.5), label: 'N' }));
  const minutes = [0, 1, 2, 3, 4].map((i): Range => [i * MINUTE, (i + 1) * MINUTE]);
  const input = {
    minutes,
    time: { sampleRateHz: RATE_HZ, sampleCount: 5 * MINUTE, gaps: [] },
    beats,
    sameWaves: new Float32Array(300).fill(1),
    others: [],
    hasAtrialWaves: [false, false, false, false, false],
    fastestBpm: 120,
  };

  test('has sinus rhythm in those with P waves, where nothing else goes on and no beat stays away', () => {
    expect(findSinusMinutes(input)).toEqual([[0, 5 * MINUTE]]);
    const without = new Float32Array(300).fill(1).fill(0, 60, 70);
    expect(findSinusMinutes({ ...input, sameWaves: without })).toEqual([
      minutes[0],
      [2 * MINUTE, 5 * MINUTE],
    ]);
    const unseen = new Float32Array(300).fill(1).fill(Number.NaN, 60, 118);
    expect(findSinusMinutes({ ...input, sameWaves: unseen })).toHaveLength(2);
    expect(findSinusMinutes({ ...input, others: [[MINUTE + 10, MINUTE + 20]] })).toHaveLength(2);
    expect(findSinusMinutes({ ...input, hasAtrialWaves: [false, true, false, false, false] })).toHaveLength(
      2,
    );
    const paused = beats.filter((_, i) => i !== 90);
    const same = new Float32Array(299).fill(1);
    expect(findSinusMinutes({ ...input, beats: paused, sameWaves: same })).toHaveLength(2);
    expect(findSinusMinutes({ ...input, fastestBpm: 60 })).toEqual([]);
    // Behind an ectopic beat a pause may be compensatory, but not as long as three intervals.
    const ectopic = (missing: number): Beat[] =>
      beats
        .map((beat, i): Beat => (i === 89 ? { ...beat, label: 'V' } : beat))
        .filter((_, i) => i < 90 || i >= 90 + missing);
    const alike = new Float32Array(300).fill(1);
    expect(findSinusMinutes({ ...input, beats: ectopic(1), sameWaves: alike })).toHaveLength(1);
    expect(findSinusMinutes({ ...input, beats: ectopic(2), sameWaves: alike })).toHaveLength(2);
  });

  test('has none beside minutes of twice the rate: every second P wave may be blocked', () => {
    const isBetween = ({ sample }: Beat): boolean => sample >= 2 * MINUTE && sample < 4 * MINUTE;
    const halved = beats.filter((beat, i) => !isBetween(beat) || i % 2 === 0);
    const same = new Float32Array(halved.length).fill(1);
    expect(findSinusMinutes({ ...input, beats: halved, sameWaves: same })).toEqual([
      [0, 2 * MINUTE],
      [4 * MINUTE, 5 * MINUTE],
    ]);
    // The atria go a little faster while every second of their beats is blocked.
    const faster = [
      ...beats.filter((beat) => !isBetween(beat)),
      ...Array.from({ length: 66 }, (_, i) => ({
        sample: 2 * MINUTE + Math.round((1.82 * i + 0.5) * input.time.sampleRateHz),
        label: 'N' as const,
      })),
    ].sort((a, b) => a.sample - b.sample);
    expect(findSinusMinutes({ ...input, beats: faster, sameWaves: same })).toHaveLength(2);
  });

  test('is told minute by minute, with what is over it', () => {
    const none = {
      time: input.time,
      beats,
      pauses: [],
      runs: [],
      supraventricularRuns: [],
      atrialFibrillation: [],
      ventricularFibrillation: [],
      asystole: [],
      unread: [],
    };
    const told = (base: 'N' | 'UNK' | 'AFIB', sinus: Range[], more = {}) =>
      rhythmSegments(base, { ...none, sinus, ...more }).map(({ startSample, endSample, code }) => [
        startSample / MINUTE,
        endSample / MINUTE,
        code,
      ]);
    expect(told('N', [[0, 5 * MINUTE]])).toEqual([[0, 5, 'N']]);
    expect(told('UNK', [])).toEqual([[0, 5, 'UNK']]);
    const sinus = [minutes[0]!, [2 * MINUTE, 5 * MINUTE] as const];
    expect(told('UNK', [...sinus], { atrialFibrillation: [minutes[1]] })).toEqual([
      [0, 1, 'N'],
      [1, 2, 'UNK'],
      [2, 5, 'N'],
      [1, 2, 'AFIB'],
    ]);
    const run = { startSample: 1.5 * MINUTE, endSample: 2 * MINUTE, durationMs: 30_000, beats: 75, bpm: 150 };
    expect(told('N', [[0, 5 * MINUTE]], { supraventricularRuns: [run] })).toEqual([
      [0, 5, 'N'],
      [1.5, 2, 'SVTA'],
    ]);
    expect(told('UNK', [minutes[0]!], { unread: [[3 * MINUTE, 5 * MINUTE]] })).toEqual([
      [0, 1, 'N'],
      [1, 3, 'UNK'],
      [3, 5, 'UNK'],
    ]);
  });
});

describe('fast beats without P waves whose QRS is wide by one of two measures', () => {
  /** @param longer in parts of the usual interval, each behind four usual ones */
  function base(longer: number, qrsMs?: number, qrsMsBySlopes = 124): BaseRhythm {
    const usual = 0.45 * RATE_HZ;
    const intervals = Array.from({ length: 22 }, (_, i) => (i % 5 === 4 ? longer * usual : usual));
    let at = RATE_HZ / 2;
    const beats = intervals.map((interval): Beat => {
      at += interval;
      return { sample: Math.round(at), label: 'N' };
    });
    const time = { sampleRateHz: RATE_HZ, sampleCount: Math.round(at) + RATE_HZ, gaps: [] };
    const nothing = { minutes: [], others: [], hasAtrialWaves: [], fibrillation: [], runs: [] };
    const input: Partial<RhythmInput> = {
      ...nothing,
      time,
      beats,
      measurements: {
        heartRateBpm: 132,
        ...(qrsMs !== undefined && { qrsMs }),
      } as RhythmInput['measurements'],
      qrsMsBySlopes,
      flutterPerMinute: undefined,
      repetition: 0,
      isPaced: false,
      isArrested: false,
      isMostlyUnread: false,
    };
    return baseRhythm(input as RhythmInput, []);
  }

  test('are a ventricular tachycardia until shown otherwise, also where beats were missed', () => {
    expect(base(1, undefined, 150)).toBe('VT');
    expect(base(2, undefined, 150)).toBe('VT');
    expect(base(1, 124)).toBe('VT');
    expect(base(1.45, 124)).toBe('VT');
    expect(base(1.45, undefined, 150)).toBe('VT');
  });

  test('are not called one where slopes alone make them hardly wide', () => {
    expect(base(1)).toBe('UNK');
    expect(base(1.45)).toBe('UNK');
  });
});
