// Which ECG an ECG is compared with first, and what its measurements did over the years.

import { expect, test } from 'vitest';
import {
  asRead,
  earlierOf,
  type PatientEcg,
  timeBetween,
  trendOf,
  usualOf,
} from '../../renderer/screens/compare/patient-ecgs.ts';

const DAY_MS = 86_400_000;

interface Made {
  readonly day: number;
  readonly leads?: number;
  readonly by?: string;
  readonly qtc?: number;
  readonly isSimulated?: boolean;
  readonly isStartUnknown?: boolean;
  readonly differs?: PatientEcg['differs'];
}

/** Named by the day. */
const ecg = ({
  day,
  leads = 12,
  by,
  qtc,
  isSimulated = false,
  isStartUnknown = false,
  differs = [],
}: Made): PatientEcg => ({
  row: {
    taskId: day,
    state: 'COMPLETED',
    createdMs: day * DAY_MS,
    patient: { birthDate: '1951-03-14', gender: 'FEMALE' },
    leadCount: leads,
    ...(isSimulated && { isSimulated }),
    ...(!isStartUnknown && { recordingStartMs: day * DAY_MS, isStartZoneKnown: true, timeZone: 'UTC' }),
  },
  atMs: day * DAY_MS,
  values: qtc === undefined ? {} : { qtcFridericiaMs: qtc },
  differs,
  ...(by !== undefined && { approvedBy: by }),
});
const newestFirst = (...made: Made[]): PatientEcg[] => made.map(ecg).sort((a, b) => b.atMs - a.atMs);
const before = (ecgs: readonly PatientEcg[], day: number): number | undefined =>
  earlierOf(ecgs, day)?.row.taskId;

test('an ECG is compared with the newest before it that was approved, else with the newest', () => {
  expect(before(newestFirst({ day: 10 }, { day: 20 }, { day: 30 }), 30)).toBe(20);
  expect(before(newestFirst({ day: 10, by: 'Dr. Lind' }, { day: 20 }, { day: 30 }), 30)).toBe(10);
  expect(before(newestFirst({ day: 10 }, { day: 20 }, { day: 30 }), 20)).toBe(10);
});

test('twelve leads are compared with twelve, as long as there are any', () => {
  expect(before(newestFirst({ day: 10 }, { day: 20, leads: 1, by: 'Dr. Lind' }, { day: 30 }), 30)).toBe(10);
  expect(before(newestFirst({ day: 20, leads: 1 }, { day: 30 }), 30)).toBe(20);
  expect(before(newestFirst({ day: 10 }, { day: 20, leads: 1 }, { day: 30, leads: 1 }), 30)).toBe(20);
});

test('not with one of the simulator, one of which nobody knows when it was, or one under another name', () => {
  const real = { day: 10 };
  for (const other of [
    { day: 20, isSimulated: true },
    { day: 20, isStartUnknown: true },
    { day: 20, differs: ['name'] as const },
  ])
    expect(before(newestFirst(real, { ...other } as Made, { day: 30 }), 30)).toBe(10);
  expect(before(newestFirst({ day: 20, isSimulated: true }, { day: 30, isSimulated: true }), 30)).toBe(20);
});

test('an ECG under another name is a gap in the trend', () => {
  const ecgs = newestFirst({ day: 20, qtc: 420, differs: ['name'] }, { day: 30, qtc: 440 });
  expect(trendOf(ecgs, 'qtc', 30, 20).map(({ value }) => value)).toEqual([undefined, 440]);
});

test('what was corrected and is not approved yet is what counts, a rejected finding included', () => {
  const reading: Parameters<typeof asRead>[1] = {
    revision: 1,
    version: 1,
    corrections: [],
    isCorrected: true,
    undoneCount: 0,
    measurements: { qtcFridericiaMs: 452 },
    statements: [],
    rejected: [],
    notAssessed: [],
    severity: 'LOW',
  };
  const stored: PatientEcg = {
    ...ecg({ day: 30, qtc: 498 }),
    statement: { code: 'REP-LQT', text: 'Long QT', severity: 'MODERATE', certainty: 'definite' },
  };
  const read = asRead(stored, reading);
  expect(read).toMatchObject({ values: { qtcFridericiaMs: 452 }, row: { severity: 'LOW' } });
  expect(read.statement).toBeUndefined();
});

test('the first ECG has none before it', () => {
  expect(before(newestFirst({ day: 10 }, { day: 20 }), 10)).toBeUndefined();
  expect(before([], 10)).toBeUndefined();
});

test('a trend goes forwards in time; what was not measured is a gap', () => {
  const ecgs = newestFirst({ day: 10, qtc: 420 }, { day: 20 }, { day: 30, qtc: 440 });
  expect(trendOf(ecgs, 'qtc', 30, 10)).toMatchObject([
    { atMs: 10 * DAY_MS, value: 420, role: 'before' },
    { atMs: 20 * DAY_MS, value: undefined, role: undefined },
    { atMs: 30 * DAY_MS, value: 440, role: 'now' },
  ]);
});

test('what is usual is that of the age at the ECG', () => {
  expect(usualOf(ecg({ day: 20_000 }), 'qtc')).toEqual({ to: 460 });
  // In 1965 she was a child.
  expect(usualOf({ ...ecg({ day: 1 }), atMs: Date.UTC(1965, 0, 1) }, 'qtc')).toEqual({});
});

test.each([
  [5 * 3_600_000, 'hours', 5],
  [-3 * DAY_MS, 'days', 3],
  [61 * DAY_MS, 'months', 2],
  [610 * DAY_MS, 'months', 20],
  [731 * DAY_MS, 'years', 2],
])('the time between two ECGs: %d ms', (ms, unit, count) => {
  expect(timeBetween(ms)).toEqual({ unit, count });
});
