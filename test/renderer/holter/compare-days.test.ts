// What has changed between two days: no more than two days of the same heart differ by.

import { expect, test } from 'vitest';
import {
  compareDays,
  type DayNumbers,
  notCompared,
} from '../../../renderer/screens/holter/model/compare-days.ts';

const day = (changed: Partial<DayNumbers> = {}): DayNumbers => ({
  hours: 24,
  ventricularShare: 0.01,
  supraventricularShare: 0.002,
  meanBpm: 72,
  fibrillationShare: 0,
  longestPauseMs: 2100,
  ...changed,
});
const names = (now: Partial<DayNumbers>, before: Partial<DayNumbers> = {}): string[] =>
  compareDays(day(now), day(before)).map(({ name }) => name);

test('twice the ectopic beats are no change, three times are, unless they are few', () => {
  expect(names({ ventricularShare: 0.02 })).toEqual([]);
  expect(names({ ventricularShare: 0.03 })).toEqual(['ventricular']);
  expect(names({ ventricularShare: 0.003 })).toEqual(['ventricular']);
  expect(names({ supraventricularShare: 0.006 })).toEqual([]);
  expect(names({ ventricularShare: 0 }, { ventricularShare: 0.004 })).toEqual([]);
});

test('any fibrillation where there was none is new, and none where there was some is news as well', () => {
  expect(names({ fibrillationShare: 0.001 })).toEqual(['fibrillation']);
  expect(names({}, { fibrillationShare: 0.001 })).toEqual(['fibrillation']);
  expect(names({ fibrillationShare: 0.105 }, { fibrillationShare: 0.1 })).toEqual([]);
});

test('rate and longest pause, from their limits on', () => {
  expect(names({ meanBpm: 81, longestPauseMs: 2500 })).toEqual([]);
  expect(names({ meanBpm: 62, longestPauseMs: 2600 })).toEqual(['rate', 'pause']);
});

test('what one of both has not assessed is not compared, and said so', () => {
  const { fibrillationShare: _none, ...paced } = day({ ventricularShare: 0.05 });
  expect(compareDays(paced, day({ fibrillationShare: 0.2 })).map(({ name }) => name)).toEqual([
    'ventricular',
  ]);
  expect(notCompared(paced, day())).toEqual(['fibrillation']);
  expect(notCompared(day(), day())).toEqual([]);
});
