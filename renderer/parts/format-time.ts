// Times and durations as people read them (screens, section 1.7): the month in letters, the zone named or
// said to be unknown.

import { t } from 'i18next';
import { letterDate, type ZonedTime, zonedTime } from '../../shared/civil-time.ts';
import { decimalText } from './format-number.ts';

const pad = (value: number): string => String(value).padStart(2, '0');

/** `14 Mar 1951`, `14 mar 1951`. */
export const letterDay = (isoDay: string): string => letterDate(isoDay, t('months').split(' '));

/** The day of an instant on the calendar here. */
export const dayOf = (ms: number): string => letterDay(zonedTime(ms).isoDay);

/** `14 Mar 1951, 09:12`. */
export function dayAndTime(ms: number): string {
  const { isoDay, clock } = zonedTime(ms);
  return `${letterDay(isoDay)}, ${clock.slice(0, 5)}`;
}

/** Short time of a list row: the clock today, the day before that. */
export function rowTime(ms: number, nowMs: number): string {
  const then = zonedTime(ms);
  return then.isoDay === zonedTime(nowMs).isoDay ? then.clock.slice(0, 5) : letterDay(then.isoDay);
}

/** The moment in a list row: the clock, and the day below it, with the year only where it is not this one. */
export function rowMoment(
  ms: number,
  nowMs: number,
  timeZone?: string,
): { readonly clock: string; readonly day: string } {
  const { isoDay, clock } = zonedTime(ms, timeZone);
  const day = letterDay(isoDay);
  const year = isoDay.slice(0, 4);
  const isThisYear = Number(year) === new Date(nowMs).getFullYear();
  return { clock: clock.slice(0, 5), day: isThisYear ? day.replace(` ${year}`, '') : day };
}

export function clockTime(nowMs: number): ZonedTime {
  return zonedTime(nowMs);
}

/** Its day, in the same way as its start. */
export const recordedDay = (startMs: number, isZoneKnown: boolean, timeZone: string | undefined): string =>
  letterDay(zonedTime(startMs, isZoneKnown ? timeZone : 'UTC').isoDay);

/** Start of a recording in its own zone; a civil time without zone stands as it was written. */
export function recordedTime(startMs: number, isZoneKnown: boolean, timeZone: string | undefined): string {
  const { isoDay, clock, zone } = zonedTime(startMs, isZoneKnown ? timeZone : 'UTC');
  const day = letterDay(isoDay);
  return isZoneKnown ? `${day}, ${clock} ${zone}` : `${day}, ${clock}`;
}

/** `10 s`, `4 min 12 s`, `1 h 30 min`, `24 h`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${ms < 10_000 ? decimalText(ms / 1000, 1) : seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
}

/** `< 1 min`, `12 min`, `1 h 30 min`. */
export function waitedText(sinceMs: number, nowMs: number): string {
  const minutes = Math.max(0, Math.floor((nowMs - sinceMs) / 60_000));
  return minutes < 1 ? '< 1 min' : duration(minutes * 60_000);
}

/** `00:04.2`: how much is recorded. */
export function runningTime(ms: number): string {
  const tenths = Math.floor(ms / 100);
  const [hours, minutes] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60];
  const seconds = `${pad(Math.floor(tenths / 10) % 60)}.${tenths % 10}`;
  return hours === 0 ? `${pad(minutes)}:${seconds}` : `${hours}:${pad(minutes)}:${seconds}`;
}
