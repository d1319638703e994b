// An hour of a made heart: the pictures of its families, and what is said of its beats in fibrillation.

import { beforeAll, describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { beatsInFibrillation } from '../../../main/analysis/rhythm/beats-in-fibrillation.ts';
import {
  type AnalysisResult,
  type Beat,
  FAMILY_PICTURE,
  type Families,
  NO_LIKENESS,
} from '../../../shared/analysis-result.ts';
import { constraintsOf } from '../../../shared/review/constraints.ts';
import { type MadeDay, madeDay } from '../../support/made-day.ts';

let day: MadeDay;
let result: AnalysisResult;
let families: Families;
beforeAll(() => {
  day = madeDay({ hours: 1, ventricular: 40, supraventricular: 20 });
  result = analyse(day.recording);
  families = result.families!;
});

const bytes = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const labelsOf = (family: number): string =>
  [...new Set(result.beats.filter((beat) => beat.family === family).map(({ label }) => label))].join('');

describe('pictures of families', () => {
  test('each family of the beats has one, of as many beats as it has', () => {
    const counts = new Map<number, number>();
    for (const { family } of result.beats)
      if (family !== undefined) counts.set(family, (counts.get(family) ?? 0) + 1);
    expect(new Map(families.pictures.map(({ family, beats }) => [family, beats]))).toEqual(counts);
    expect(families.leads).toHaveLength(2);
  });

  test('where all beats run through, it is full, and nobody’s cells are empty', () => {
    const { density, meanUv } = families.pictures.find(({ family }) => family === 0)!;
    for (const [lead, text] of density.entries()) {
      const cells = bytes(text);
      expect(cells).toHaveLength(FAMILY_PICTURE.columns * FAMILY_PICTURE.rows);
      expect(Math.max(...cells)).toBe(255);
      expect(cells.filter((cell) => cell === 0).length).toBeGreaterThan(cells.length / 2);
      // The mean runs where most beats run.
      for (const column of [0, FAMILY_PICTURE.rColumn, FAMILY_PICTURE.columns - 1]) {
        const row =
          FAMILY_PICTURE.zeroRow - Math.round((meanUv[lead]?.[column] ?? 0) / 1000 / families.cellMv);
        const near = [-1, 0, 1].map((k) => cells[(row + k) * FAMILY_PICTURE.columns + column] as number);
        expect(Math.max(...near)).toBeGreaterThan(100);
      }
    }
  });

  test('a ventricular family stands apart, and its beats are like it', () => {
    const ventricular = families.pictures.filter(({ family }) => family < 100 && labelsOf(family) === 'V');
    expect(ventricular).toHaveLength(2);
    const likeness = bytes(families.likeness);
    const own = result.beats.flatMap(({ family }, i) =>
      ventricular.some((each) => each.family === family) ? [likeness[i] as number] : [],
    );
    expect(Math.min(...own)).toBeGreaterThan(90);
    for (const [i, { family }] of result.beats.entries())
      expect(likeness[i] === NO_LIKENESS).toBe(family === undefined);
  });

  test('a letter a beat says which class is nearly as likely', () => {
    expect(families.nextLikely).toHaveLength(result.beats.length);
    expect(families.nextLikely).toMatch(/^[NSV-]+$/);
  });

  test('shorter recordings have none', () => {
    expect(
      analyse(madeDay({ hours: 0.2, ventricular: 5, supraventricular: 0 }).recording).families,
    ).toBeUndefined();
  });
});

describe('beats in fibrillation', () => {
  test('none of them comes early, and none of their runs is a tachycardia of its own', () => {
    const episodes = result.episodes!;
    const fibrillation = episodes.filter(({ code }) => code === 'AFIB');
    expect(fibrillation.length).toBeGreaterThan(0);
    for (const { startSample, endSample } of fibrillation) {
      const own = result.beats.filter(({ sample }) => sample >= startSample && sample < endSample);
      expect(own.length).toBeGreaterThan(30);
      expect(own.filter(({ label }) => label === 'S')).toEqual([]);
    }
    expect(episodes.map(({ code }) => code)).not.toContain('SVTA');
  });

  test('what a person stated stays, and ventricular beats are ventricular there as well', () => {
    const beats: Beat[] = [
      { sample: 10, label: 'S', reason: 'early' },
      { sample: 110, label: 'S', reason: 'early' },
      { sample: 120, label: 'S', reason: 'person' },
      { sample: 130, label: 'V', reason: 'noPWave' },
    ];
    const letters = (found: readonly Beat[]): string => found.map(({ label }) => label).join('');
    expect(letters(beatsInFibrillation(beats, [[100, 200]]))).toBe('SNSV');
    expect(beatsInFibrillation(beats, [])).toBe(beats);
  });
});

describe('what somebody rejects', () => {
  test('a pause that was none is gone from the episodes and the findings, and fibrillation likewise', () => {
    const [pause] = result.episodes!.filter(({ code, isBest }) => code === 'PAUSE' && isBest);
    const fibrillation = result.episodes!.filter(({ code }) => code === 'AFIB');
    const rejected = [pause!, ...fibrillation].map(({ code, startSample, endSample }) => ({
      kind: 'episodeRejected' as const,
      code,
      startSample,
      endSample,
    }));
    const after = analyse(day.recording, { constraints: constraintsOf(rejected) });
    const pausesOf = ({ episodes = [] }: AnalysisResult): number =>
      episodes.filter(({ code }) => code === 'PAUSE').length;
    expect(pausesOf(after)).toBe(pausesOf(result) - 1);
    expect(after.episodes!.map(({ code }) => code)).not.toContain('AFIB');
    expect(after.statements.map(({ code }) => code)).not.toContain('RHY-AFIBEPI');
    expect(result.statements.map(({ code }) => code)).toContain('RHY-AFIBEPI');
  });
});
