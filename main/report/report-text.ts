// The sentences on a report: who, when, what was measured and found. Dates carry the month in letters; a
// value that could not be measured is a dash (screens, sections 1.7 and 2.2).

import type { AnalysisResult, Measurements } from '../../shared/analysis-result.ts';
import { fullYears, letterDate, zonedTime } from '../../shared/civil-time.ts';
import type { Language } from '../../shared/language.ts';
import { displayName, plainText } from '../../shared/patient-text.ts';
import type { PatientFacts } from '../../shared/signal/recording.ts';
import { REPORT_WORDS, type ReportWords } from './report-words.ts';

/** When a recording began: RFC 3339, without zone where none is known; undefined where nothing is. */
export const instantOf = (startTime: string | undefined): number | undefined =>
  startTime === undefined ? undefined : Date.parse(startTime.endsWith('Z') ? startTime : `${startTime}Z`);

const DAY_MS = 86_400_000;
/** Below these, days and months count (screens, 1.7). */
const DAYS_UNTIL = 28;
const MONTHS_UNTIL = 24;

/** At the recording: in days, months or years. */
function ageText(birthDate: string, atMs: number, words: ReportWords): string | undefined {
  const days = Math.floor((atMs - Date.parse(birthDate)) / DAY_MS);
  if (days < 0) return undefined;
  if (days < DAYS_UNTIL) return `${days} ${words.days}`;
  const at = new Date(atMs);
  const [year = 0, month = 1, day = 1] = birthDate.split('-').map(Number);
  const isBefore = at.getUTCDate() < day ? 1 : 0;
  const months = 12 * (at.getUTCFullYear() - year) + at.getUTCMonth() + 1 - month - isBefore;
  return months < MONTHS_UNTIL
    ? `${months} ${words.monthsOfAge}`
    : `${fullYears(birthDate, atMs)} ${words.years}`;
}

/** `14 Mar 1951`, `75 y`, `female`, `ID 004817`: what is known of it. */
function identityParts(patient: PatientFacts, atMs: number | undefined, language: Language): string[] {
  const words = REPORT_WORDS[language];
  const { birthDate, gender, id, ageYears } = patient;
  const age =
    birthDate === undefined
      ? ageYears === undefined
        ? undefined
        : `${ageYears} ${words.years}`
      : atMs === undefined
        ? undefined
        : ageText(birthDate, atMs, words);
  return [
    birthDate === undefined ? undefined : letterDate(birthDate, words.months),
    age,
    gender === undefined ? undefined : words.gender[gender],
    id === undefined ? undefined : `ID ${id}`,
  ].filter((part) => part !== undefined);
}

/**
 * `HOFFMANN, Anneliese · 14 Mar 1951 · 75 y · female · ID 004817`.
 * @param atMs of the recording: the age is the one of then, not of today; without it no age follows from a date of birth.
 */
export function patientLine(patient: PatientFacts, atMs?: number, language: Language = 'en'): string {
  const name = displayName(patient) || REPORT_WORDS[language].nameNotGiven;
  return plainText([name, ...identityParts(patient, atMs, language)].join(' · '));
}

/** In years; undefined where it is not known. */
export function ageAtRecording(
  { birthDate, ageYears }: PatientFacts,
  { recording }: AnalysisResult,
  createdMs: number,
): number | undefined {
  return birthDate === undefined
    ? ageYears
    : fullYears(birthDate, instantOf(recording.startTime) ?? createdMs);
}

export interface Identity {
  readonly name: string;
  /** Under the name; without a birth date it says so. */
  readonly line: string;
}

/** Two identifiers on every page: where there is no name, the number of the recording stands for it. */
export function identityOf(
  patient: PatientFacts,
  { recording }: AnalysisResult,
  createdMs: number,
  taskId: number | undefined,
  language: Language,
): Identity {
  const words = REPORT_WORDS[language];
  const atMs = instantOf(recording.startTime) ?? createdMs;
  const known = identityParts(patient, atMs, language);
  const parts = [
    ...known,
    ...(patient.birthDate === undefined ? [words.birthDateUnknown] : []),
    ...(patient.id === undefined && taskId !== undefined ? [words.recordingNumber(taskId)] : []),
  ];
  return {
    name: plainText(displayName(patient) || words.nameNotGiven),
    line: plainText(parts.join(' · ')),
  };
}

/**
 * Start of the strip as people of the place read it. A time in UTC is shown in the recording's zone; a civil
 * time without zone is shown as it stands and says that its zone is not known.
 */
export function startLine(
  startTime: string | undefined,
  offsetSeconds: number,
  timeZone: string | undefined,
  language: Language = 'en',
): string {
  const words = REPORT_WORDS[language];
  const startMs = instantOf(startTime);
  if (startTime === undefined || startMs === undefined)
    return offsetSeconds > 0
      ? `${words.startNotRecorded}, ${words.fromSecond} ${Math.round(offsetSeconds)}`
      : words.startNotRecorded;
  const isUtc = startTime.endsWith('Z');
  const { isoDay, clock, zone } = zonedTime(
    startMs + 1000 * offsetSeconds,
    isUtc ? (timeZone ?? 'UTC') : 'UTC',
  );
  return `${letterDate(isoDay, words.months)}, ${clock} ${isUtc ? zone : `(${words.zoneNotRecorded})`}`;
}

/**
 * The clock time of a place in a recording, `14:07` or `14:07:56`, on the next day `14:07 +1`; where the start is not
 * known, the time since then.
 */
export function clockAt(
  startTime: string | undefined,
  seconds: number,
  timeZone: string | undefined,
  hasSeconds = false,
): string {
  const startMs = instantOf(startTime);
  const whole = Math.floor(seconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  if (startTime === undefined || startMs === undefined) {
    const text = `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}`;
    return hasSeconds ? `${text}:${two(whole % 60)}` : text;
  }
  const zone = startTime.endsWith('Z') ? (timeZone ?? 'UTC') : 'UTC';
  const [first, now] = [zonedTime(startMs, zone), zonedTime(startMs + 1000 * seconds, zone)];
  const days = Math.round((Date.parse(now.isoDay) - Date.parse(first.isoDay)) / DAY_MS);
  const clock = hasSeconds ? now.clock.slice(0, 8) : now.clock.slice(0, 5);
  return days === 0 ? clock : `${clock} +${days}`;
}

const DASH = '–';

const value = (number: number | undefined, unit: string): string =>
  number === undefined ? DASH : `${String(number).replace('-', '−')}${unit}`;

/** Label and value pairs in reading order, for a terminal. */
export function measurementCells(
  m: Measurements,
  language: Language = 'en',
): readonly (readonly [string, string])[] {
  const { measured } = REPORT_WORDS[language];
  return [
    [measured.rate, value(m.heartRateBpm, ' /min')],
    ['R-R', value(m.rrMs, ' ms')],
    [measured.p, value(m.pMs, ' ms')],
    [measured.pr, value(m.prMs, ' ms')],
    [measured.qrs, value(m.qrsMs, ' ms')],
    [measured.qt, value(m.qtMs, ' ms')],
    [measured.qtcB, value(m.qtcBazettMs, ' ms')],
    [measured.qtcF, value(m.qtcFridericiaMs, ' ms')],
    [measured.axes, [m.pAxisDeg, m.qrsAxisDeg, m.tAxisDeg].map((axis) => value(axis, '°')).join(' / ')],
  ];
}
