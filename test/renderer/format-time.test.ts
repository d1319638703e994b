import { expect, test } from 'vitest';
import { duration, runningTime } from '../../renderer/parts/format-time.ts';

test.each([
  [0, '00:00.0'],
  [4299, '00:04.2'],
  [59_999, '00:59.9'],
  [60_000, '01:00.0'],
  [3_599_900, '59:59.9'],
  [3_600_000, '1:00:00.0'],
  [36_061_500, '10:01:01.5'],
])('%i ms of recording run as %s', (ms, text) => {
  expect(runningTime(ms)).toBe(text);
});

test.each([
  [4200, '4.2 s'],
  [10_000, '10 s'],
  [59_000, '59 s'],
  [60_000, '1 min'],
  [252_000, '4 min 12 s'],
  [3_600_000, '1 h'],
  [5_400_000, '1 h 30 min'],
  [86_400_000, '24 h'],
])('%i ms last %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});
