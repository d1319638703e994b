// The words on a report: who, when, what was measured. Dates carry the month in letters; a value that could not be measured is
// a dash (screens, sections 1.7 and 2.2).

import type { AnalysisResult, Measurements } from '../../shared/analysis-result.ts';
import { letterDate, zonedTime } from '../../shared/civil-time.ts';
import { displayName, plainText } from '../../shared/patient-text.ts';
import { severityRank } from '../../shared/severity.ts';
import type { PatientFacts } from '../../shared/signal/recording.ts';

const DASH = '–';

const GENDER_WORDS = { FEMALE: 'female', MALE: 'male', UNDIFFERENTIATED: 'undifferentiated' } as const;

/** `HOFFMANN, Anneliese · 14 Mar 1951 · female · ID 004817`. */
export function patientLine(patient: PatientFacts): string {
  const parts = [displayName(patient) || 'Name not given'];
  if (patient.birthDate !== undefined) parts.push(letterDate(patient.birthDate));
  if (patient.birthDate === undefined && patient.ageYears !== undefined) parts.push(`${patient.ageYears} y`);
  if (patient.gender !== undefined) parts.push(GENDER_WORDS[patient.gender]);
  if (patient.id !== undefined) parts.push(`ID ${patient.id}`);
  return plainText(parts.join(' · '));
}

/**
 * Start of the strip as people of the place read it. A time in UTC is shown in the recording's zone; a civil time without zone is
 * shown as it stands and says that its zone is not known.
 */
export function startLine(startTime: string | undefined, offsetSeconds: number, timeZone: string | undefined): string {
  if (startTime === undefined)
    return offsetSeconds > 0 ? `Start time not recorded, from second ${Math.round(offsetSeconds)}` : 'Start time not recorded';
  const isUtc = startTime.endsWith('Z');
  const utcMs = Date.parse(isUtc ? startTime : `${startTime}Z`) + 1000 * offsetSeconds;
  const { day, clock, zone } = zonedTime(utcMs, isUtc ? (timeZone ?? 'UTC') : 'UTC');
  return isUtc ? `${day}, ${clock} ${zone}` : `${day}, ${clock} (zone not recorded)`;
}

const value = (number: number | undefined, unit: string): string =>
  number === undefined ? DASH : `${String(number).replace('-', '−')}${unit}`;

/** Label and value pairs in reading order. */
export function measurementCells(m: Measurements): readonly (readonly [string, string])[] {
  return [
    ['Heart rate', value(m.heartRateBpm, ' /min')],
    ['R-R', value(m.rrMs, ' ms')],
    ['P', value(m.pMs, ' ms')],
    ['PR', value(m.prMs, ' ms')],
    ['QRS', value(m.qrsMs, ' ms')],
    ['QT', value(m.qtMs, ' ms')],
    ['QTc Bazett', value(m.qtcBazettMs, ' ms')],
    ['QTc Fridericia', value(m.qtcFridericiaMs, ' ms')],
    ['Axis P / QRS / T', [m.pAxisDeg, m.qrsAxisDeg, m.tAxisDeg].map((axis) => value(axis, '°')).join(' / ')],
  ];
}

export const SEVERITY_WORDS = {
  NONE: 'No finding',
  LOW: 'Low',
  MODERATE: 'Moderate',
  IMPORTANT: 'Important',
  CRITICAL: 'Critical',
} as const;

/** At most `most` statements and how many more there are; where some must go, the least urgent ones do. */
export function statementLines(result: AnalysisResult, most: number): string[] {
  const { statements } = result;
  if (statements.length <= most) return statements.map((statement) => statement.text);
  const urgent = [...statements].sort((a, b) => severityRank(b.severity) - severityRank(a.severity)).slice(0, most - 1);
  return [...urgent.map((statement) => statement.text), `and ${statements.length - most + 1} more`];
}
