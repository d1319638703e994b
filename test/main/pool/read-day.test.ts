// What a page gets of a day: its stored result, rows of its signal, pictures of beats.

import { beforeAll, describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { readBeatPictures } from '../../../main/pool/read-beat-pictures.ts';
import { readDay, readRows } from '../../../main/pool/read-day.ts';
import type { AnalysisResult } from '../../../shared/analysis-result.ts';
import { type MadeDay, madeDay } from '../../support/made-day.ts';

const LEAD_II = 'MDC_ECG_LEAD_II';
const RATE_HZ = 125;

let day: MadeDay;
let result: AnalysisResult;
beforeAll(() => {
  day = madeDay({ hours: 1, ventricular: 40, supraventricular: 10 });
  result = analyse(day.recording);
});

const stored = (changed: Partial<AnalysisResult> = {}) =>
  readDay(new TextEncoder().encode(JSON.stringify({ ...result, ...changed })));
const words = (bytes: Uint8Array): number[] => [...new Uint32Array(Uint8Array.from(bytes).buffer)];

describe('a stored result', () => {
  test('is told beat by beat', () => {
    const read = stored();
    expect(words(read.beatSamples)).toEqual(result.beats.map(({ sample }) => sample));
    expect(read.beatLabels).toBe(result.beats.map(({ label }) => label).join(''));
    expect(words(read.beatFamilies)).toEqual(result.beats.map(({ family }) => family ?? 0xffffffff));
    expect(read.likeness).toHaveLength(result.beats.length);
    expect(read.pictures.map(({ family }) => family)).toEqual(
      result.families!.pictures.map(({ family }) => family),
    );
    expect(read.unread).toEqual(result.unread);
  });

  test('of a version without pictures has none, and nothing that is unsure', () => {
    const { families: _families, ...old } = result;
    const read = readDay(new TextEncoder().encode(JSON.stringify(old)));
    expect([read.pictures, read.pictureLeads]).toEqual([[], []]);
    expect(new Set(read.nextLikely)).toEqual(new Set(['-']));
  });

  test('tells of all pauses, however many are listed', () => {
    const episodes = result.episodes!.filter(({ code }) => code !== 'PAUSE');
    expect(stored({ episodes }).episodes.map(({ code, startSample }) => `${code} ${startSample}`)).toEqual(
      result.episodes!.map(({ code, startSample }) => `${code} ${startSample}`),
    );
  });

  test('without spikes nobody says that nothing is paced where nobody could see', () => {
    // At 125 Hz no spike can be seen.
    expect(stored().isPaced).toBeUndefined();
    const seen = { notAssessed: result.notAssessed.filter(({ code }) => code !== 'PACING') };
    expect(stored(seen).isPaced).toBe(false);
  });
});

describe('rows', () => {
  const rowsOf = (lead: string, startSample: number, sampleCount: number, columns: number) => {
    const { mv, ...rest } = readRows(day.recording, {
      lead,
      spans: [{ startSample, sampleCount }],
      columns,
    });
    return { ...rest, mv: new Float32Array(Uint8Array.from(mv).buffer) };
  };
  const signal = (start: number, count: number): number[] => {
    const raw = new Int32Array(count);
    day.recording.channels[0]!.read(start, raw);
    return [...raw].map((uv) => uv / 1000);
  };

  test('each column goes from the least to the greatest of its samples', () => {
    const { lead, isCalibrated, mv } = rowsOf(LEAD_II, 5000, 3000, 100);
    expect([lead, isCalibrated]).toEqual([LEAD_II, true]);
    const samples = signal(5000, 3000);
    for (let column = 0; column < 100; column++) {
      const own = samples.slice(column * 30, (column + 1) * 30);
      expect(mv[2 * column]).toBeCloseTo(Math.min(...own), 4);
      expect(mv[2 * column + 1]).toBeCloseTo(Math.max(...own), 4);
    }
  });

  test('with more columns than samples, what lies between two is on the line', () => {
    const { mv } = rowsOf(LEAD_II, 5000, 50, 100);
    const samples = signal(5000, 50);
    expect(mv[0]).toBeCloseTo(samples[0]!, 4);
    expect(mv[2]).toBeCloseTo((samples[0]! + samples[1]!) / 2, 4);
    expect(mv[4]).toBeCloseTo(samples[1]!, 4);
  });

  test('behind the end there is nothing, and another lead stands for one that is not there', () => {
    const end = 3600 * RATE_HZ;
    const { mv, lead } = rowsOf('MDC_ECG_LEAD_V6', end - 100, 200, 100);
    expect(lead).toBe(LEAD_II);
    expect(mv.slice(0, 100).every(Number.isFinite)).toBe(true);
    expect(mv.slice(100).every(Number.isNaN)).toBe(true);
    expect(rowsOf(LEAD_II, 2 * end, 200, 10).mv.every(Number.isNaN)).toBe(true);
  });
});

describe('pictures of beats', () => {
  const picturesOf = (samples: readonly number[], isHalved: boolean) => {
    const { leads, cellMv } = result.families!;
    return readBeatPictures(day.recording, {
      leads,
      cellMv,
      isHalved,
      samples: new Uint8Array(Uint32Array.from(samples).buffer),
    });
  };
  const samplesOf = (family: number): number[] =>
    result.beats.filter((beat) => beat.family === family).map(({ sample }) => sample);

  test('are those that the analysis has drawn', () => {
    const [first, second] = result.families!.pictures;
    for (const { family, density } of [first!, second!]) {
      const { pictures } = picturesOf(samplesOf(family), false);
      expect(pictures.map(({ beats }) => beats)).toEqual([samplesOf(family).length]);
      expect(pictures[0]!.density.map((bytes) => Buffer.from(bytes).toString('base64'))).toEqual(density);
    }
  });

  test('two shapes together are halved into them', () => {
    const ventricular = result.families!.pictures.find(({ family }) =>
      result.beats.some((beat) => beat.family === family && beat.label === 'V' && family < 100),
    )!;
    const few = samplesOf(ventricular.family);
    const many = samplesOf(0).slice(0, 4 * few.length);
    const both = [...few, ...many].sort((a, b) => a - b);
    const { half, pictures } = picturesOf(both, true);
    expect(both.filter((_, i) => half[i] === 1)).toEqual(few);
    expect(pictures.map(({ beats }) => beats)).toEqual([many.length, few.length]);
  });
});
