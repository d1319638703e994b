// What has changed between two ECGs of one patient: findings that came or went, and measurements that differ by more than
// two readings of the same heart do.

import type { Measurements, Statement } from '../analysis-result.ts';
import type { Unassessed, UnassessedCode } from '../findings/codes.ts';
import { FREE_CODE } from './corrections.ts';

export interface ComparedReading {
  readonly measurements: Measurements;
  readonly statements: readonly Statement[];
  readonly notAssessed: readonly Unassessed[];
}

/** A finding that only one of both has. */
export interface ChangedFinding {
  readonly statement: Statement;
  /** The other ECG was not looked at for it: whether it is new, or gone, is not known. */
  readonly isOtherNotAssessed: boolean;
}

export const COMPARED_VALUES = ['rate', 'pr', 'qrs', 'qtc', 'axis'] as const;
export type ComparedName = (typeof COMPARED_VALUES)[number];

export interface ComparedValue {
  readonly name: ComparedName;
  readonly now: number;
  readonly before: number;
  readonly difference: number;
  readonly limit: number;
  readonly isMarked: boolean;
}

export interface ComparedSt {
  readonly lead: string;
  /** At J. */
  readonly differenceMv: number;
  readonly isMarked: boolean;
}

/** Why a difference may not be of the heart. */
export type Caution = 'electrodes' | 'signal' | 'wideQrs';

export interface ComparedReadings {
  readonly appeared: readonly ChangedFinding[];
  readonly gone: readonly ChangedFinding[];
  /** Those that both have. */
  readonly values: readonly ComparedValue[];
  /** Leads whose ST was measured in both. */
  readonly st: readonly ComparedSt[];
  readonly cautions: readonly Caution[];
}

export const VALUE_KEYS = {
  rate: 'heartRateBpm',
  pr: 'prMs',
  qrs: 'qrsMs',
  qtc: 'qtcFridericiaMs',
  axis: 'qrsAxisDeg',
} as const satisfies Record<ComparedName, keyof Measurements>;

/**
 * From where on a difference is marked. QRS, QTc and axis: screens, S5. PR as QTc: the marks of one reading scatter by
 * 7 ms (analysis reference, acceptance), so that 30 ms is three times the scatter of a difference. The rate differs from
 * hour to hour: half of the usual range is marked.
 */
export const CHANGE_LIMITS: Readonly<Record<ComparedName, number>> = {
  rate: 20,
  pr: 30,
  qrs: 20,
  qtc: 30,
  axis: 30,
};
/** The smallest ST deviation that any criterion counts (Fourth Universal Definition of Myocardial Infarction). */
export const ST_CHANGE_LIMIT_MV = 0.1;

/** What is said of the recording and not of the heart, and the sum of all. */
const NOT_COMPARED = /^(SUM|QUAL|LEAD)-/;

/** The statements that cannot be made where this was not assessed. */
const COVERS: Readonly<Record<UnassessedCode, RegExp>> = {
  RHYTHM: /^(RHY|AVB)-/,
  ST: /^ISC-(?!QMI)/,
  QWAVES: /^ISC-QMI/,
  CONDUCTION: /^CON-/,
  HYPERTROPHY: /^CHA-[LR]VH/,
  ATRIA: /^CHA-[LR]AE/,
  AVBLOCK: /^AVB-/,
  PR: /^(INT-PR|AVB-1)/,
  QRS: /^(INT-QRS|CON-)/,
  QT: /^REP-[LS]QT/,
  INTERVALS: /^(INT|REP|AVB|CON)-/,
  AXIS: /^(AXIS|CON-L[AP]FB)/,
  ECTOPY: /^ECT-/,
  NORMAL: /^SUM-/,
};

/** The same finding: by its code; one of a person's own words by these. */
const keyOf = ({ code, text }: Statement): string => (code.startsWith(FREE_CODE) ? text : code);

function onlyIn(one: ComparedReading, other: ComparedReading): ChangedFinding[] {
  const known = new Set(other.statements.map(keyOf));
  return one.statements
    .filter((statement) => !NOT_COMPARED.test(statement.code) && !known.has(keyOf(statement)))
    .map((statement) => ({
      statement,
      isOtherNotAssessed: other.notAssessed.some(({ code }) => COVERS[code].test(statement.code)),
    }));
}

/** Axes go around: from 170° to −170° it is 20°. */
function differenceOf(name: ComparedName, now: number, before: number): number {
  const difference = now - before;
  return name === 'axis' ? ((((difference + 180) % 360) + 360) % 360) - 180 : difference;
}

function compareValues(now: Measurements, before: Measurements): ComparedValue[] {
  return COMPARED_VALUES.flatMap((name) => {
    const [a, b] = [now[VALUE_KEYS[name]], before[VALUE_KEYS[name]]];
    if (a === undefined || b === undefined) return [];
    const difference = Math.round(differenceOf(name, a, b));
    const limit = CHANGE_LIMITS[name];
    return [{ name, now: a, before: b, difference, limit, isMarked: Math.abs(difference) >= limit }];
  });
}

function compareSt(now: Measurements, before: Measurements): ComparedSt[] {
  return Object.entries(now.st ?? {}).flatMap(([lead, { jMv }]) => {
    const other = before.st?.[lead];
    if (other === undefined) return [];
    const differenceMv = Math.round(100 * (jMv - other.jMv)) / 100;
    return [{ lead, differenceMv, isMarked: Math.abs(differenceMv) >= ST_CHANGE_LIMIT_MV }];
  });
}

export function compareReadings(now: ComparedReading, before: ComparedReading): ComparedReadings {
  const values = compareValues(now.measurements, before.measurements);
  const isSaid = (start: string): boolean =>
    [now, before].some(({ statements }) => statements.some(({ code }) => code.startsWith(start)));
  const isMarked = (name: ComparedName): boolean =>
    values.some((value) => value.name === name && value.isMarked);
  return {
    appeared: onlyIn(now, before),
    gone: onlyIn(before, now),
    values,
    st: compareSt(now.measurements, before.measurements),
    cautions: [
      ...(isSaid('LEAD-') ? (['electrodes'] as const) : []),
      ...(isSaid('QUAL-POOR') ? (['signal'] as const) : []),
      // A wider QRS makes QT longer by itself.
      ...(isMarked('qrs') && isMarked('qtc') ? (['wideQrs'] as const) : []),
    ],
  };
}
