// The ECGs of one patient, which of them an ECG is compared with first, and what one measurement did over the years.

import type { CallOutput } from '../../../shared/bridge/contract.ts';
import { fullYears } from '../../../shared/civil-time.ts';
import { type UsualName, type UsualRange, usualRange } from '../../../shared/findings/usual-values.ts';
import { given } from '../../../shared/given.ts';
import { recordedDay } from '../../parts/format-time.ts';
import type { TrendPoint } from '../../parts/trend-chart.tsx';
import type { Reading } from '../review/use-reading.ts';
import { type ComparedName, VALUE_KEYS } from './compare-readings.ts';

export type PatientEcg = CallOutput<'review.patientEcgs'>['ecgs'][number];

const TWELVE = 12;

/**
 * The one before: the newest of those that were recorded earlier, as far as it is known when; one that a physician approved
 * goes before others, and one of twelve leads before one of fewer where the open one has twelve. None of the simulator,
 * unless the open one is, and none under another name.
 * @param ecgs the newest first
 */
export function earlierOf(ecgs: readonly PatientEcg[], taskId: number): PatientEcg | undefined {
  const open = ecgs.find(({ row }) => row.taskId === taskId);
  if (open === undefined) return undefined;
  const isTwelve = ({ row }: PatientEcg): boolean => (row.leadCount ?? 0) >= TWELVE;
  const earlier = ecgs.filter(
    ({ row, atMs, differs }) =>
      atMs < open.atMs &&
      row.recordingStartMs !== undefined &&
      (row.isSimulated !== true || open.row.isSimulated === true) &&
      differs.length === 0,
  );
  const alike = isTwelve(open) ? earlier.filter(isTwelve) : earlier;
  return alike.find(({ approvedBy }) => approvedBy !== undefined) ?? alike[0] ?? earlier[0];
}

/** As it reads now, with what was corrected and nobody has approved yet. */
export function asRead(ecg: PatientEcg, reading: Reading | undefined): PatientEcg {
  if (reading === undefined) return ecg;
  const { row, statement: _statement, ...rest } = ecg;
  const { severity: _severity, ...kept } = row;
  const { measurements, severity, statements } = reading;
  return {
    ...rest,
    row: { ...kept, ...given({ severity }) },
    values: measurements,
    ...given({ statement: statements[0]?.statement }),
  };
}

/** Its day, in its own zone. */
export const dayOf = ({ row, atMs }: PatientEcg): string =>
  recordedDay(atMs, row.recordingStartMs === undefined || row.isStartZoneKnown === true, row.timeZone);

/** Measurements that a chart shows. */
export const TRENDS = ['rate', 'pr', 'qrs', 'qtc'] as const satisfies readonly (ComparedName & UsualName)[];
export type Trend = (typeof TRENDS)[number];

export const measuredOf = ({ values }: PatientEcg, name: ComparedName): number | undefined =>
  values[VALUE_KEYS[name]];

/** @returns in the order of time */
export function trendOf(
  ecgs: readonly PatientEcg[],
  name: Trend,
  nowId: number,
  beforeId: number | undefined,
): TrendPoint[] {
  return ecgs.toReversed().map((ecg) => ({
    atMs: ecg.atMs,
    day: dayOf(ecg),
    // Perhaps another person's.
    value: ecg.differs.length > 0 ? undefined : measuredOf(ecg, name),
    role: ecg.row.taskId === nowId ? 'now' : ecg.row.taskId === beforeId ? 'before' : undefined,
  }));
}

/** The usual range of the patient at that ECG. */
export function usualOf({ row: { patient }, atMs }: PatientEcg, name: UsualName): UsualRange {
  const ageYears = patient.birthDate === undefined ? patient.ageYears : fullYears(patient.birthDate, atMs);
  return usualRange(name, patient.gender, ageYears);
}

const DAY_MS = 86_400_000;
const MONTH_MS = 30.44 * DAY_MS;

/** The words and the number for the time between two ECGs. */
export function timeBetween(ms: number): {
  readonly unit: 'hours' | 'days' | 'months' | 'years';
  readonly count: number;
} {
  const absolute = Math.abs(ms);
  if (absolute < 2 * DAY_MS) return { unit: 'hours', count: Math.round(absolute / 3_600_000) };
  if (absolute < 60 * DAY_MS) return { unit: 'days', count: Math.round(absolute / DAY_MS) };
  const months = Math.round(absolute / MONTH_MS);
  return months < 24 ? { unit: 'months', count: months } : { unit: 'years', count: Math.round(months / 12) };
}
