// The rules for fields of a task that need more than a schema: days that exist, instants, time zones, text without control
// characters. D13, D50, D51, D52.

import { civilDateMs } from '../civil-time.ts';
import { IsolineError, type Reason } from '../errors.ts';
import type { TaskRequest } from './v3.ts';

const DAY_MS = 86_400_000;

const refuse = (field: string, why: string): never => {
  throw new IsolineError(`invalid_${field}` as Reason, `The field "${field}" ${why}.`);
};

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

/** RFC 3339 with a zone to milliseconds UTC; undefined for everything else. `Date.parse` alone would accept 30 February. */
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

const TEXT_FIELDS = [
  'investigation_id',
  'device_id',
  'patient_id',
  'patient_first_name',
  'patient_last_name',
  'recording_time_zone',
] as const;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: tab and line feed are allowed in indications
const CONTROL_BUT_TAB_AND_LINE = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/** No control characters, no halves of letters. */
export const isPlain = (text: string): boolean => !CONTROL.test(text) && text.isWellFormed();

function checkTexts(request: TaskRequest): void {
  for (const field of TEXT_FIELDS) {
    const value = request[field];
    if (value !== undefined && !isPlain(value)) refuse(field, 'contains control characters or broken letters');
  }
  for (const field of ['indications', 'searching_tags'] as const) {
    const pattern = field === 'indications' ? CONTROL_BUT_TAB_AND_LINE : CONTROL;
    if (request[field]?.some((item) => pattern.test(item) || !item.isWellFormed()))
      refuse(field, 'contains control characters or broken letters');
  }
}

function checkBirthDate(text: string, nowMs: number): void {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const ms = civilDateMs(year, month, day);
  if (ms === undefined || year < 1850 || ms > nowMs + DAY_MS)
    refuse('patient_birth_date', 'must be an existing day from 1850-01-01 to tomorrow, as YYYY-MM-DD');
}

/** Task fields after the checks, with the start as an instant. Lists are cleaned: empty indications and repeated tags go. */
export interface TaskFields extends Omit<TaskRequest, 'upload_id' | 'auto_complete' | 'recording_start_time'> {
  readonly recording_start_ms?: number;
}

/**
 * @param request passed its schema.
 * @param nowMs births and recordings can't lie in the future.
 * @throws IsolineError `invalid_<field>` for the first field that breaks its rule.
 */
export function checkTaskFields(request: TaskRequest, nowMs: number): TaskFields {
  checkTexts(request);
  if (request.patient_birth_date !== undefined) checkBirthDate(request.patient_birth_date, nowMs);
  if (request.recording_time_zone !== undefined && !isTimeZone(request.recording_time_zone))
    refuse('recording_time_zone', 'must be an IANA time zone such as Europe/Riga');
  const startMs = request.recording_start_time === undefined ? undefined : parseInstant(request.recording_start_time);
  if (request.recording_start_time !== undefined && (startMs === undefined || startMs < 0 || startMs > nowMs + DAY_MS)) {
    refuse('recording_start_time', 'must be a UTC time such as 2026-11-21T14:32:11Z, not in the future');
  }
  const { upload_id: _upload, auto_complete: _auto, recording_start_time: _start, indications, searching_tags, ...rest } = request;
  return {
    ...rest,
    ...(indications !== undefined && { indications: indications.filter((item) => item.trim() !== '') }),
    ...(searching_tags !== undefined && { searching_tags: [...new Set(searching_tags.filter((tag) => tag !== ''))] }),
    ...(startMs !== undefined && { recording_start_ms: startMs }),
  };
}
