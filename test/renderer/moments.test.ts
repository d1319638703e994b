// When something was: of a day by the clock of the place where it was recorded, of a short recording since its beginning.

import { readFileSync } from 'node:fs';
import i18next from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import { momentIn } from '../../renderer/screens/review/moments.ts';

beforeAll(async () => {
  const translation = JSON.parse(readFileSync('renderer/text/en.json', 'utf8')) as object;
  await i18next.init({ lng: 'en', resources: { en: { translation } } });
});

const day = (hours: number) => ({ sampleRateHz: 250, recordedSamples: hours * 3600 * 250 });
const at = (hours: number): number => hours * 3600 * 250;
const startMs = Date.UTC(2026, 2, 28, 20, 30);

test('of a day by its clock, with the day behind midnight, and through the change of the clocks', () => {
  const momentOf = momentIn(
    { recordingStartMs: startMs, isStartZoneKnown: true, timeZone: 'Europe/Berlin' },
    day(24),
  );
  expect([0, 1, 2.5, 4, 12].map((hours) => momentOf(at(hours)))).toEqual([
    '21:30:00',
    '22:30:00',
    '29 Mar 00:00:00',
    '29 Mar 01:30:00',
    '29 Mar 10:30:00',
  ]);
});

test('without a zone, the civil time stands as it was written', () => {
  const momentOf = momentIn({ recordingStartMs: startMs, isStartZoneKnown: false }, day(2));
  expect(momentOf(at(1) + 250)).toBe('21:30:01');
});

test.each([
  ['a short one', startMs, 0.5],
  ['one that tells no start', undefined, 24],
])('of %s since its beginning', (_which, recordingStartMs, hours) => {
  const start = recordingStartMs === undefined ? {} : { recordingStartMs };
  const momentOf = momentIn({ ...start, isStartZoneKnown: true }, day(hours));
  expect(momentOf(at(0.25))).toBe('15:00');
});
