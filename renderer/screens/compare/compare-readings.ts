// What has changed between two ECGs of one patient: findings that came or went, and measurements that differ by more than
// two readings of the same heart do.

import type { Measurements, Statement } from '../../../shared/analysis-result.ts';
import { FREE_CODE } from '../../../shared/review/corrections.ts';

export interface ComparedReading {
  readonly measurements: Measurements;
  readonly statements: readonly Statement[];
  /** The rules that came to a result, whichever it was. */
  readonly assessed: ReadonlySet<string>;
}

/** A finding that only one of both has. */
export interface OneSidedFinding {
  readonly statement: Statement;
  /** The other ECG was not looked at for it: whether it is new, or gone, is not known. */
  readonly isOtherNotAssessed: boolean;
}

/** The same finding elsewhere, graver, or in other words. */
export interface OtherFinding {
  readonly now: Statement;
  readonly before: Statement;
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
  readonly appeared: readonly OneSidedFinding[];
  readonly gone: readonly OneSidedFinding[];
  readonly other: readonly OtherFinding[];
  /** The values that both have. */
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
const CHANGE_LIMITS: Readonly<Record<ComparedName, number>> = {
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

const isOwnWords = ({ code }: Statement): boolean => code.startsWith(FREE_CODE);
/** The same finding: by its code; one of a person's own words by these. */
const keyOf = (statement: Statement): string => (isOwnWords(statement) ? statement.text : statement.code);
const isCompared = ({ code }: Statement): boolean => !NOT_COMPARED.test(code);

function onlyIn(one: ComparedReading, other: ComparedReading): OneSidedFinding[] {
  const known = new Set(other.statements.map(keyOf));
  return one.statements
    .filter((statement) => isCompared(statement) && !known.has(keyOf(statement)))
    .map((statement) => ({
      statement,
      isOtherNotAssessed: !isOwnWords(statement) && !other.assessed.has(statement.code),
    }));
}

const leadsOf = ({ values }: Statement): readonly string[] =>
  typeof values?.leads === 'string' ? values.leads.split(', ') : [];

/** Numbers differ from ECG to ECG; where it is, how grave, and what a person wrote are something else. */
function isOther(now: Statement, before: Statement): boolean {
  const isReworded = now.values === undefined || before.values === undefined;
  const [leads, leadsBefore] = [leadsOf(now), leadsOf(before)];
  return (
    now.severity !== before.severity ||
    now.values?.territory !== before.values?.territory ||
    (leads.length > 0 && leadsBefore.length > 0 && !leads.some((lead) => leadsBefore.includes(lead))) ||
    (isReworded && now.text !== before.text)
  );
}

function otherIn(now: ComparedReading, before: ComparedReading): OtherFinding[] {
  const earlier = new Map(before.statements.map((statement) => [keyOf(statement), statement]));
  return now.statements.flatMap((statement) => {
    const known = earlier.get(keyOf(statement));
    return known !== undefined && isCompared(statement) && isOther(statement, known)
      ? { now: statement, before: known }
      : [];
  });
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
  const isLonger = (name: ComparedName): boolean =>
    values.some((value) => value.name === name && value.isMarked && value.difference > 0);
  return {
    appeared: onlyIn(now, before),
    gone: onlyIn(before, now),
    other: otherIn(now, before),
    values,
    st: compareSt(now.measurements, before.measurements),
    cautions: [
      ...(isSaid('LEAD-') ? (['electrodes'] as const) : []),
      ...(isSaid('QUAL-POOR') ? (['signal'] as const) : []),
      // A wider QRS makes QT longer by itself.
      ...(isLonger('qrs') && isLonger('qtc') ? (['wideQrs'] as const) : []),
    ],
  };
}
