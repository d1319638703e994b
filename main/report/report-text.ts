// The sentences on a report: who, when, what was measured and found. Dates carry the month in letters; a
// value that could not be measured is a dash (screens, sections 1.7 and 2.2).

import type { AnalysisResult, Measurements } from '../../shared/analysis-result.ts';
import { fullYears, letterDate, zonedTime } from '../../shared/civil-time.ts';
import { isRetired } from '../../shared/findings/codes.ts';
import { findingText, notAssessedText } from '../../shared/findings/finding-text.ts';
import type { Language } from '../../shared/language.ts';
import { displayName, plainText } from '../../shared/patient-text.ts';
import { severityRank } from '../../shared/severity.ts';
import type { PatientFacts } from '../../shared/signal/recording.ts';
import { REPORT_WORDS } from './report-words.ts';

const DASH = '–';

/** When a recording began: RFC 3339, without zone where none is known; undefined where nothing is. */
const instantOf = (startTime: string | undefined): number | undefined =>
  startTime === undefined ? undefined : Date.parse(startTime.endsWith('Z') ? startTime : `${startTime}Z`);

/**
 * `HOFFMANN, Anneliese · 14 Mar 1951 · 75 y · female · ID 004817`.
 * @param atMs of the recording: the age is the one of then, not of today; without it no age follows from a
 * date of birth.
 */
export function patientLine(patient: PatientFacts, atMs?: number, language: Language = 'en'): string {
  const words = REPORT_WORDS[language];
  const { birthDate, gender, id } = patient;
  const parts = [displayName(patient) || words.nameNotGiven];
  if (birthDate !== undefined) parts.push(letterDate(birthDate, words.months));
  const age =
    birthDate === undefined ? patient.ageYears : atMs === undefined ? undefined : fullYears(birthDate, atMs);
  if (age !== undefined && age >= 0) parts.push(`${age} ${words.years}`);
  if (gender !== undefined) parts.push(words.gender[gender]);
  if (id !== undefined) parts.push(`ID ${id}`);
  return plainText(parts.join(' · '));
}

/** Who a report is of, with the age at its recording. */
export const reportedPatient = (
  patient: PatientFacts,
  { recording }: AnalysisResult,
  createdMs: number,
  language: Language,
): string => patientLine(patient, instantOf(recording.startTime) ?? createdMs, language);

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

const value = (number: number | undefined, unit: string): string =>
  number === undefined ? DASH : `${String(number).replace('-', '−')}${unit}`;

/** Label and value pairs in reading order. */
export function measurementCells(
  m: Measurements,
  language: Language = 'en',
): readonly (readonly [string, string])[] {
  const { cells } = REPORT_WORDS[language];
  return [
    [cells.heartRateBpm, value(m.heartRateBpm, ' /min')],
    [cells.rrMs, value(m.rrMs, ' ms')],
    [cells.pMs, value(m.pMs, ' ms')],
    [cells.prMs, value(m.prMs, ' ms')],
    [cells.qrsMs, value(m.qrsMs, ' ms')],
    [cells.qtMs, value(m.qtMs, ' ms')],
    [cells.qtcBazettMs, value(m.qtcBazettMs, ' ms')],
    [cells.qtcFridericiaMs, value(m.qtcFridericiaMs, ' ms')],
    [cells.pAxisDeg, [m.pAxisDeg, m.qrsAxisDeg, m.tAxisDeg].map((axis) => value(axis, '°')).join(' / ')],
  ];
}

export const SEVERITY_WORDS = REPORT_WORDS.en.severities;

/**
 * At most `most` statements and how many more there are; where some must go, the least urgent ones do. What is
 * critical and what is said of the rhythm stands first.
 */
export function statementLines(result: AnalysisResult, most: number, language: Language = 'en'): string[] {
  const statements = result.statements.filter(({ code }) => !isRetired(code));
  const textOf = (statement: AnalysisResult['statements'][number]): string =>
    findingText(statement, language);
  if (statements.length <= most) return statements.map(textOf);
  const place = ({ code, severity }: AnalysisResult['statements'][number]): number =>
    severity === 'CRITICAL' ? 0 : code.startsWith('RHY-') ? 1 : 2;
  const urgent = [...statements].sort(
    (a, b) => place(a) - place(b) || severityRank(b.severity) - severityRank(a.severity),
  );
  const shown = urgent.slice(0, most - 1);
  return [...shown.map(textOf), REPORT_WORDS[language].more(statements.length - shown.length)];
}

export const notAssessedLine = (result: AnalysisResult, language: Language = 'en'): string =>
  notAssessedText(result.notAssessed, language);
