// Instants and time zones as texts say them (D51, D52).

import { civilDateMs } from './civil-time.ts';

const DAY_MS = 86_400_000;

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * RFC 3339 with a zone to milliseconds UTC; undefined for everything else. `Date.parse` alone would accept 30
 * February.
 */
export function parseInstant(text: string): number | undefined {
  const match = INSTANT.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const dayMs = civilDateMs(year, month, day);
  if (dayMs === undefined || hour > 23 || minute > 59) return undefined;
  const zone = match[8] as string;
  const zoneHours = /^z$/i.test(zone) ? 0 : Number(zone.slice(1, 3));
  const zoneMinutes = /^z$/i.test(zone) ? 0 : Number(zone.slice(4, 6));
  if (zoneHours > 23 || zoneMinutes > 59) return undefined;
  const offsetMs = (zone.startsWith('-') ? -1 : 1) * (zoneHours * 60 + zoneMinutes) * 60_000;
  const minuteMs = dayMs + (hour * 60 + minute) * 60_000 - offsetMs;
  // A leap second can only stand at the end of a UTC day and is stored as its last millisecond (D51).
  if (second === 60) return (minuteMs + 60_000) % DAY_MS === 0 ? minuteMs + 59_999 : undefined;
  if (second > 59) return undefined;
  return minuteMs + second * 1000 + Number((match[7] ?? '').slice(1, 4).padEnd(3, '0'));
}

/** An IANA zone that this machine knows. The constructor alone would also take `+03:00` (D52). */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
