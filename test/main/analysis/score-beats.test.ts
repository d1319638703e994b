// The scorer itself: what it pairs, what it leaves out, what counts as false.

import { expect, test } from 'vitest';
import type { BeatLabel } from '../../../shared/analysis-result.ts';
import {
  f1,
  positivePredictivity,
  qrsScore,
  scoreBeats,
  sensitivity,
  supraventricularScore,
  ventricularScore,
} from '../../accuracy/score-beats.ts';
import { scoreRuns } from '../../accuracy/score-runs.ts';
import { scoreTime } from '../../accuracy/stretches.ts';

const beats = (text: string): { sample: number; label: BeatLabel }[] =>
  text.split(' ').map((part) => ({ sample: Number(part.slice(1)), label: part[0] as BeatLabel }));

test('beats are pairs within 150 ms, the nearest first, each once', () => {
  const table = scoreBeats(beats('N100 V200 N300'), beats('N110 N205 V236 N400'), 250);
  // 236 is nearer to nothing that is free: 200 has 205. 300 and 400 are 400 ms apart.
  expect(table).toEqual({ NN: 1, VN: 1, 'N-': 1, '-V': 1, '-N': 1 });
  expect(qrsScore(table)).toEqual({ right: 2, missed: 1, false: 2 });
  expect(f1(qrsScore(table))).toBeCloseTo(4 / 7);
});

test('what is marked as flutter of the ventricles is not scored', () => {
  const table = scoreBeats(beats('N100 V500'), beats('N100 N520 N560'), 250, [[450, 600]]);
  expect(table).toEqual({ NN: 1 });
});

test('fusion and unclassified beats may be called ventricular; normal ones and noise may not', () => {
  const table = scoreBeats(
    beats('F100 Q400 N700 S1000 V1300 V1600'),
    beats('V100 V400 V700 S1000 V1300 N1600 V2000'),
    250,
  );
  expect(ventricularScore(table)).toEqual({ right: 1, missed: 1, false: 2 });
  expect(sensitivity(ventricularScore(table))).toBe(0.5);
  expect(positivePredictivity(ventricularScore(table))).toBeCloseTo(1 / 3);
  expect(supraventricularScore(table)).toEqual({ right: 1, missed: 0, false: 0 });
});

test('time counts once, however it is cut into stretches; episodes count from their least length on', () => {
  expect(
    scoreTime(
      [
        [0, 100],
        [50, 150],
        [300, 340],
        [400, 410],
      ],
      [
        [100, 200],
        [140, 160],
      ],
      40,
    ),
  ).toEqual({
    reference: 200,
    found: 100,
    both: 50,
    episodes: 2,
    episodesFound: 1,
  });
});

test('runs are of three beats, fusions among them; slower ones need not be found, and are no false ones', () => {
  const marked = beats('N0 V250 F400 V550 N800 V1000 V1150 N1400 V2000 V2300 V2600 N2900');
  const run = [240, 560] as const;
  expect(scoreRuns(marked, [run], 250, [])).toEqual({ marked: 1, markedFound: 1, found: 1, foundMarked: 1 });
  expect(scoreRuns(marked, [[2000, 2600]], 250, [])).toMatchObject({ markedFound: 0, foundMarked: 1 });
  expect(scoreRuns(marked, [[1000, 1150]], 250, [])).toMatchObject({ markedFound: 0, foundMarked: 0 });
  expect(scoreRuns(marked, [run], 250, [[0, 700]])).toMatchObject({ marked: 0, found: 0 });
});
