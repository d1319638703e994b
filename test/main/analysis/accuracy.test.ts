// Five records of DS1 that are hard each in its own way; `npm run test:accuracy` has them all, and more
// databases.

import { expect, test } from 'vitest';
import { ds1Path } from '../../accuracy/databases.ts';
import {
  addTables,
  f1,
  positivePredictivity,
  qrsScore,
  sensitivity,
  ventricularScore,
} from '../../accuracy/score-beats.ts';
import { scoreRecord } from '../../accuracy/score-record.ts';
import { beatLines } from '../../accuracy/tables.ts';

/** Noise under bigeminy, T waves above the QRS, fibrillation with runs, fusion, ventricular runs. */
const HARD = ['106', '108', '203', '208', '223'];

test('beats of five hard recordings are found and told apart (left out where the shelf is not beside the project)', () => {
  const paths = HARD.map((name) => ds1Path(name));
  if (paths.includes(undefined)) {
    console.log('Left out: beats of five hard recordings; the shelf is not beside the project.');
    return;
  }
  const scores = paths.map((path) => scoreRecord(path as string));
  console.log(beatLines(scores).join('\n'));
  for (const { name, beats } of scores) expect([name, f1(qrsScore(beats)) > 0.99]).toEqual([name, true]);
  const all = addTables(scores.map(({ beats }) => beats));
  expect(f1(qrsScore(all))).toBeGreaterThan(0.995);
  expect(sensitivity(ventricularScore(all))).toBeGreaterThan(0.95);
  expect(positivePredictivity(ventricularScore(all))).toBeGreaterThan(0.97);
}, 120_000);
