// The clock along a day that somebody wore a recorder, through the nights in which clocks go forward and back.

import { expect, test } from 'vitest';
import {
  clockAt,
  clockTicks,
  sampleAtClock,
  sampleNearClock,
} from '../../../renderer/screens/holter/clock.ts';

const RATE_HZ = 250;
const HOUR = 3600 * RATE_HZ;

type Clock = Parameters<typeof clockAt>[0];

/** @param start undefined: the recorder had no clock */
const clockOf = (start: string | undefined, hours: number, timeZone = 'Europe/Berlin'): Clock => ({
  startMs: start === undefined ? undefined : Date.parse(start),
  timeZone,
  reading: { day: { sampleRateHz: RATE_HZ, samples: hours * HOUR } } as Clock['reading'],
});

const wordsOf = (clock: Clock, hours: number, most: number): string[] =>
  clockTicks(clock, 0, hours * HOUR, most).map(({ words, isMidnight }) => (isMidnight ? 'midnight' : words));

test('a usual day has full hours, and midnight as a date', () => {
  const clock = clockOf('2026-11-20T08:12:00Z', 24);
  expect(wordsOf(clock, 24, 12)).toEqual([
    ...['10:00', '12:00', '14:00', '16:00', '18:00', '20:00', '22:00'],
    'midnight',
    ...['02:00', '04:00', '06:00', '08:00'],
  ]);
});

test('little more than an hour has ticks of minutes', () => {
  const clock = clockOf('2026-11-20T08:12:00Z', 1.2);
  expect(wordsOf(clock, 1.2, 8)).toEqual(['09:20', '09:30', '09:40', '09:50', '10:00', '10:10', '10:20']);
});

test('without a clock the time since the beginning is shown, and typed', () => {
  const clock = clockOf(undefined, 4);
  expect(wordsOf(clock, 4, 4)).toEqual(['0:00', '1:00', '2:00', '3:00']);
  expect(sampleAtClock(clock, '1:30', 0)).toBe(1.5 * HOUR);
});

test('in the night in which clocks go back, what is typed is found where the clock shows it, the hour that comes twice both times', () => {
  // 22:00 in summer time; at 03:00 the clock goes back to 02:00.
  const clock = clockOf('2026-10-24T20:00:00Z', 24);
  expect(sampleAtClock(clock, '04:30', 0)).toBe(7.5 * HOUR);
  expect(sampleAtClock(clock, '02:30', 0)).toBe(4.5 * HOUR);
  expect(sampleAtClock(clock, '02:30', 5 * HOUR)).toBe(5.5 * HOUR);
  expect(sampleNearClock(clock, '12:00', 0)).toBe(15 * HOUR);
  for (const text of ['23:15', '01:59', '02:00', '03:00', '20:59'])
    expect(clockAt(clock, sampleAtClock(clock, text, 0) ?? 0)).toBe(`${text}:00`);
  expect(wordsOf(clock, 24, 12)).toEqual([
    '22:00',
    'midnight',
    ...['02:00', '04:00', '06:00', '08:00', '10:00', '12:00', '14:00', '16:00', '18:00', '20:00'],
  ]);
});

test('in the night in which clocks go forward, the hour that is skipped is nowhere', () => {
  // 22:00 in winter time; at 02:00 the clock goes forward to 03:00.
  const clock = clockOf('2026-03-28T21:00:00Z', 24);
  expect(sampleAtClock(clock, '02:30', 0)).toBeUndefined();
  expect(sampleAtClock(clock, '03:30', 0)).toBe(4.5 * HOUR);
  expect(sampleNearClock(clock, '12:00', 0)).toBe(13 * HOUR);
  expect(wordsOf(clock, 24, 12).slice(0, 4)).toEqual(['22:00', 'midnight', '04:00', '06:00']);
});

test('a week has a tick a day, whatever the clocks do', () => {
  for (const start of ['2026-03-26T12:00:00Z', '2026-10-22T12:00:00Z'])
    expect(clockTicks(clockOf(start, 168), 0, 168 * HOUR, 7).every(({ isMidnight }) => isMidnight)).toBe(
      true,
    );
});

test('what is no time, and a time that the recording does not reach, is nowhere', () => {
  const clock = clockOf('2026-11-20T08:12:00Z', 2);
  for (const text of ['', 'noon', '14', '08:00', '20:00'])
    expect(sampleAtClock(clock, text, 0), text).toBeUndefined();
});
