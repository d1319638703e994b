// Start times as files write them, with or without a zone.

import { civilDateMs } from '../../shared/civil-time.ts';
import { parseInstant } from '../../shared/instant.ts';
import type { StartTime } from '../../shared/signal/recording.ts';

/** RFC 3339; without a zone it is the civil time at the place of the recording. */
export function parseIsoStart(text: string): StartTime | undefined {
  const zoned = parseInstant(text);
  if (zoned !== undefined) return { utcMs: zoned, isZoneKnown: true };
  const civil = parseInstant(`${text}Z`);
  return civil === undefined ? undefined : { utcMs: civil, isZoneKnown: false };
}

/** What `parseIsoStart` reads. */
export function formatIsoStart(start: StartTime): string {
  const text = new Date(start.utcMs).toISOString();
  return start.isZoneKnown ? text : text.slice(0, -1);
}

/** `YYYYMMDD[HHMM[SS[.fff]]][±ZZZZ]`, as HL7 and DICOM write it; a date alone is no start time. */
export function parseCompactStart(text: string): StartTime | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(?:(\d\d)(\.\d+)?)?(?:([+-])(\d\d)(\d\d))?$/.exec(
    text.trim(),
  );
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '0', sign, zoneHours, zoneMinutes] =
    match;
  const dayMs = civilDateMs(Number(year), Number(month), Number(day));
  if (dayMs === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return undefined;
  const civilMs =
    dayMs +
    ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 +
    Math.floor(1000 * Number(fraction));
  if (sign === undefined) return { utcMs: civilMs, isZoneKnown: false };
  const eastMs = (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  return { utcMs: civilMs - eastMs, isZoneKnown: true };
}

/** `YYYYMMDD` of a day that exists, as YYYY-MM-DD. */
export function parseCompactDate(text: string): string | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)/.exec(text.trim());
  const ms = match === null ? undefined : civilDateMs(Number(match[1]), Number(match[2]), Number(match[3]));
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 10);
}
