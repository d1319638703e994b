// A day by the hours of the clock, from beats of which all is known.

import { describe, expect, test } from 'vitest';
import { clockHours, type HourInput, hourTable } from '../../../shared/long/hour-table.ts';

const RATE_HZ = 100;
const HOUR = 3600 * RATE_HZ;

/** @param everySeconds between two beats @param letterOf each */
function beatsEvery(everySeconds: number, seconds: number, letterOf: (beat: number) => string = () => 'N') {
  const count = Math.floor(seconds / everySeconds);
  return {
    samples: Uint32Array.from({ length: count }, (_, i) => Math.round(i * everySeconds * RATE_HZ)),
    labels: Uint8Array.from({ length: count }, (_, i) => letterOf(i).charCodeAt(0)),
  };
}

const input = (parts: Partial<HourInput> = {}): HourInput => ({
  beats: beatsEvery(1, 7200),
  sampleRateHz: RATE_HZ,
  sampleCount: 2 * HOUR,
  unknown: [],
  fibrillation: [],
  pauses: [],
  ...parts,
});

describe('where hours begin', () => {
  test('at the full hours of the clock, the first one shorter', () => {
    const atMs = Date.UTC(2026, 10, 20, 9, 12);
    expect(clockHours(2 * HOUR, RATE_HZ, { atMs, timeZone: 'UTC' })).toEqual([
      0,
      48 * 60 * RATE_HZ,
      108 * 60 * RATE_HZ,
    ]);
    // Half an hour beside the others.
    expect(clockHours(HOUR, RATE_HZ, { atMs, timeZone: 'Asia/Kolkata' })).toEqual([0, 18 * 60 * RATE_HZ]);
  });

  test('without a known start, since the beginning', () => {
    expect(clockHours(2 * HOUR, RATE_HZ)).toEqual([0, HOUR]);
    expect(clockHours(0, RATE_HZ)).toEqual([0]);
  });
});

describe('what is told of an hour', () => {
  test('beats, classes, rates, and the whole as the sum of its hours', () => {
    const beats = beatsEvery(1, 7200, (i) => (i % 100 === 50 ? 'V' : i % 300 === 7 ? 'S' : 'N'));
    const { rows, whole } = hourTable([0, HOUR], input({ beats }));
    expect(rows).toMatchObject([
      {
        beats: 3600,
        ventricular: 36,
        supraventricular: 12,
        meanBpm: 60,
        minBpm: 60,
        maxBpm: 60,
        readShare: 1,
      },
      { beats: 3600, ventricular: 36, supraventricular: 12 },
    ]);
    expect(whole).toMatchObject({ beats: 7200, ventricular: 72, supraventricular: 24 });
  });

  test('fibrillation across two hours is told in both', () => {
    const fibrillation = [[HOUR - 60 * RATE_HZ, HOUR + 30 * RATE_HZ]] as const;
    const { rows, whole } = hourTable([0, HOUR], input({ fibrillation }));
    expect(rows.map(({ fibrillationSeconds }) => fibrillationSeconds)).toEqual([60, 30]);
    expect(whole.fibrillationSeconds).toBe(90);
  });

  test('an interval across noise, or longer than any rate, is none; one in which a pause was found counts', () => {
    const beats = beatsEvery(1, 7200);
    const samples = beats.samples.filter((sample) => sample <= 1000 * RATE_HZ || sample >= 1004 * RATE_HZ);
    const gone = { samples, labels: new Uint8Array(samples.length).fill('N'.charCodeAt(0)) };
    const gap = [1000 * RATE_HZ, 1004 * RATE_HZ] as const;
    const [unproven] = hourTable([0], input({ beats: gone })).rows;
    const [unknown] = hourTable([0], input({ beats: gone, unknown: [gap] })).rows;
    const [paused] = hourTable([0], input({ beats: gone, pauses: [gap] })).rows;
    expect([unproven?.minBpm, unknown?.minBpm]).toEqual([60, 60]);
    // Seven intervals of a second and one of four.
    expect(paused?.minBpm).toBe(Math.round((60 * 8) / 11));
    expect([unproven?.longestPauseMs, unknown?.longestPauseMs, paused?.longestPauseMs]).toEqual([
      undefined,
      undefined,
      4000,
    ]);
    expect(unknown?.readShare).toBeCloseTo(1 - 4 / 7200, 6);
  });

  test('with too few beats there is no rate, and without known minutes no ST', () => {
    const [row] = hourTable([0], input({ beats: beatsEvery(1, 6), stMv: [null, null] })).rows;
    expect(row).toMatchObject({ beats: 6, ventricular: 0 });
    expect(row).not.toHaveProperty('meanBpm');
    expect(row).not.toHaveProperty('stMv');
    const minutes = Array.from({ length: 120 }, (_, i) => (i < 60 ? 0.1 : -0.2));
    expect(hourTable([0, HOUR], input({ stMv: minutes })).rows.map(({ stMv }) => stMv)).toEqual([0.1, -0.2]);
  });
});
