// Until when a recording with a report is kept.

import { expect, test } from 'vitest';
import { keptUntilMs } from '../../../../main/clinic/tasks/retention.ts';

const at = (day: string): number => Date.parse(day);
const settings = (years: number, untilAge: number) => ({
  'storage.retentionYears': years,
  'storage.minorsUntilAge': untilAge,
});

test.each([
  ['an adult', '1951-03-14', 10, 28, '2036-11-25'],
  ['nobody knows how old', undefined, 10, 28, '2036-11-25'],
  ['a child of two', '2024-05-01', 10, 28, '2052-05-01'],
  ['the day before the eighteenth birthday', '2008-11-26', 10, 28, '2036-11-26'],
  ['on the eighteenth birthday', '2008-11-25', 10, 28, '2036-11-25'],
  ['a child, where years reach further', '2010-01-01', 30, 28, '2056-11-25'],
  ['a child, without a rule of its own', '2024-05-01', 10, 0, '2036-11-25'],
  ['a child born on a leap day', '2024-02-29', 10, 27, '2051-03-01'],
] as const)('%s', (_who, birthDate, years, untilAge, until) => {
  expect(keptUntilMs(at('2026-11-25'), birthDate, settings(years, untilAge))).toBe(at(until));
});
