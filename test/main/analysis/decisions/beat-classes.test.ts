import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type BeatDecision,
  classesOf,
  decideBeats,
  SUPRAVENTRICULAR_INPUTS,
  VENTRICULAR_INPUTS,
} from '../../../../main/analysis/decisions/beat-classes.ts';
import { BEAT_INPUTS, type BeatInputName } from '../../../../main/analysis/decisions/beat-inputs.ts';
import { SUPRAVENTRICULAR_BEATS } from '../../../../main/analysis/decisions/supraventricular-trees.ts';
import { VENTRICULAR_BEATS } from '../../../../main/analysis/decisions/ventricular-trees.ts';
import type { BeatLabel } from '../../../../shared/analysis-result.ts';
import { projectRoot } from '../../../support/test-data.ts';

const RATE_HZ = 250;

const placeOf = (name: BeatInputName): number => BEAT_INPUTS.indexOf(name);
const LIKELY = placeOf('tremor');

/** Rows that say by one value how likely each beat is ventricular; above 1, how likely it is early, one more. */
const READ: BeatDecision = {
  ventricular: (row) => ((row[LIKELY] as number) > 1 ? 0 : (row[LIKELY] as number)),
  supraventricular: (row) => ((row[LIKELY] as number) > 1 ? (row[LIKELY] as number) - 1 : 0),
};

function rowOf(likely: number, before = 0.7, pCorrelation = 0.5): Float64Array {
  const row = new Float64Array(BEAT_INPUTS.length);
  row[LIKELY] = likely;
  row[placeOf('before')] = before;
  row[placeOf('pShiftedCorrelation')] = pCorrelation;
  return row;
}

/** @param likely one a beat, as `READ` reads it @param intervalsMs before each beat but the first */
function classes(
  likely: readonly number[],
  groups: readonly number[] = likely.map((_, i) => i),
  intervalsMs: readonly number[] = likely.slice(1).map(() => 800),
  leadCount = 2,
): string {
  const samples = [0];
  for (const ms of intervalsMs) samples.push((samples.at(-1) as number) + Math.round((ms * RATE_HZ) / 1000));
  const row = (beat: number): Float64Array => rowOf(likely[beat] as number);
  return classesOf({ samples, groupOf: Int32Array.from(groups), leadCount, row }, READ).join('');
}

describe('classes of beats', () => {
  test('a shape that comes once has to be surer than one that comes often', () => {
    expect(classes([0, 0.69, 0, 0.7])).toBe('NNNV');
    expect(classes([0.59, 0.59, 0.6, 0.6], [0, 0, 1, 1])).toBe('NNVV');
    expect(classes([0.49, 0.49, 0.49, 0.5, 0.5, 0.5], [0, 0, 0, 1, 1, 1])).toBe('NNNVVV');
  });

  test('and on more than two leads hardly surer, because noise on one does not show on the others', () => {
    expect(classes([0, 0.59, 0, 0.6], undefined, undefined, 3)).toBe('NNNV');
    expect(classes([0, 0.6, 0, 0], undefined, undefined, 2)).toBe('NNNN');
  });

  test('a beat is drawn towards what is likely of its group', () => {
    expect(classes([0.3, 0.9, 0.9, 0.9, 0.9], [0, 0, 0, 0, 0])).toBe('VVVVV');
    expect(classes([0.6, 0.01, 0.01, 0.01, 0.01], [0, 0, 0, 0, 0])).toBe('NNNNN');
    expect(classes([1, 1, 1], [0, 0, 0])).toBe('VVV');
  });

  test('a beat in no group has no class, and is not asked about', () => {
    const asked: number[] = [];
    const row = (beat: number): Float64Array => {
      asked.push(beat);
      return rowOf(0);
    };
    const undecided = { samples: [0, 200, 400], groupOf: Int32Array.of(0, -1, 0), leadCount: 2, row };
    expect(classesOf(undecided, READ)).toEqual(['N', 'Q', 'N']);
    expect(asked).toEqual([0, 2]);
    expect(classesOf({ samples: [], groupOf: new Int32Array(0), leadCount: 2, row }, READ)).toEqual([]);
  });

  test('what a person states goes before it all, and no run begins at a beat that a person calls usual', () => {
    const run = [800, 800, 500, 480, 510, 800];
    const likely = [0, 0, 0, 1.9, 0, 0, 0];
    const samples = [0];
    for (const ms of run) samples.push((samples.at(-1) as number) + (ms * RATE_HZ) / 1000);
    const of = (states: Readonly<Record<number, BeatLabel>>): string =>
      classesOf(
        {
          samples,
          groupOf: Int32Array.from(samples, (_, i) => i),
          leadCount: 2,
          row: (beat) => rowOf(likely[beat] as number),
          stated: (beat) => states[beat],
        },
        READ,
      ).join('');
    expect(of({})).toBe('NNNSSSN');
    expect(of({ 3: 'N' })).toBe('NNNNNNN');
    expect(of({ 4: 'N' })).toBe('NNNSNNN');
    expect(of({ 1: 'V' })).toBe('NVNSSSN');
  });

  test('an early beat needs a half, and those at its pace go on with it', () => {
    expect(classes([0, 0, 1.49, 0], undefined, [800, 500, 900])).toBe('NNNN');
    expect(classes([0, 0, 1.5, 0], undefined, [800, 500, 900])).toBe('NNSN');
    const run = [800, 800, 500, 480, 510, 716, 720, 500];
    expect(classes([0, 0, 0, 1.9, 0, 0, 0, 0, 0], undefined, run)).toBe('NNNSSSSNN');
    // A ventricular beat ends the run.
    expect(classes([0, 0, 0, 1.9, 0, 0.99, 0, 0, 0], undefined, run)).toBe('NNNSSVNNN');
  });
});

test.each([
  [10, 0.84, 0.5, 'S'],
  [10, 0.85, 0.5, 'N'],
  [59, 0.85, 0.5, 'N'],
  [60, 0.85, 0.5, 'S'],
  [60, 0.8, 0.85, 'N'],
  [60, 0.79, 0.85, 'S'],
  [60, 0.8, 0.84, 'S'],
])(
  'of %i beats, one at %d of the usual interval with a P like theirs by %d is %s',
  (count, before, p, label) => {
    const samples = Array.from({ length: count }, (_, i) => 200 * i);
    const groupOf = Int32Array.from(samples, (_, i) => i);
    const row = (beat: number): Float64Array => (beat === 5 ? rowOf(1.9, before, p) : rowOf(0));
    expect(classesOf({ samples, groupOf, leadCount: 2, row }, READ)[5]).toBe(label);
  },
);

describe('what was learned of beats', () => {
  test.each([
    ['ventricular', VENTRICULAR_BEATS, VENTRICULAR_INPUTS],
    ['supraventricular', SUPRAVENTRICULAR_BEATS, SUPRAVENTRICULAR_INPUTS],
  ] as const)(
    'the %s trees are those that were made, for the numbers that there are',
    (name, model, inputs) => {
      const { nodes, ...rest } = model;
      const sha256 = createHash('sha256').update(JSON.stringify(rest)).update(nodes).digest('hex');
      const file = join(projectRoot, `main/analysis/decisions/${name}-trees.ts`);
      expect(readFileSync(file, 'utf8')).toContain(`SHA-256 ${sha256}`);
      expect(model.inputs).toEqual(inputs);
      expect(model.classes).toHaveLength(1);
      for (const input of inputs) expect(BEAT_INPUTS).toContain(input);
    },
  );
});

describe('which class is nearly as likely', () => {
  const nextOf = (likely: readonly number[]): string => {
    const row = (beat: number): Float64Array => rowOf(likely[beat] as number);
    const samples = likely.map((_, i) => 200 * i);
    const groupOf = Int32Array.from(likely, (_, i) => i);
    const { nextLikely } = decideBeats({ samples, groupOf, leadCount: 2, row }, READ);
    return nextLikely.map((label) => label ?? '-').join('');
  };

  test('where two lie near to each other the other one is named, else none', () => {
    expect(nextOf([0.1, 0.5, 0.62, 0.9])).toBe('-VV-');
    expect(nextOf([0.1, 0.1, 0.1, 0.75])).toBe('----');
    // Early, if it is not ventricular, and hardly more likely so.
    expect(nextOf([0.1, 1.55, 1.45, 1.9])).toBe('-NS-');
  });
});
