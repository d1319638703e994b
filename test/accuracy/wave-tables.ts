// The figures of wave marks as a person reads them: how far they scatter around those of experts, and how many waves
// are found.

import { mean, standardDeviation } from '../../shared/signal/statistics.ts';
import type { Figure } from './tables.ts';
import type { Interval, Kind, MarkErrors } from './wave-marks.ts';

/** How far marks or intervals scatter around those of experts. */
export interface Spread {
  readonly name: string;
  readonly meanMs: number;
  readonly sdMs: number;
  readonly ceilingMs: number;
  readonly count: number;
}

const spreadOf = (name: string, errorsMs: readonly number[], ceilingMs: number | undefined): Spread => ({
  name,
  meanMs: mean(errorsMs) ?? Number.NaN,
  sdMs: standardDeviation(errorsMs) ?? Number.NaN,
  ceilingMs: ceilingMs ?? Number.POSITIVE_INFINITY,
  count: errorsMs.length,
});

const EDGES = ['P onset', 'P end', 'QRS onset', 'QRS end', 'T onset', 'T end'] as const;

/** Over all marks of a database. */
export function markSpreads(
  marks: readonly MarkErrors[],
  ceilingsMs: Readonly<Record<string, number>>,
): Spread[] {
  return EDGES.map((edge) =>
    spreadOf(
      edge,
      marks.flatMap(({ errorsMs }) => errorsMs.get(edge) ?? []),
      ceilingsMs[edge],
    ),
  );
}

/** Fewer marks of a record say nothing of their scatter. */
const MIN_MARKS = 3;

/** The means over the records of what each one has. */
export function recordSpreads(
  marks: readonly MarkErrors[],
  ceilingsMs: Readonly<Record<string, number>>,
): Spread[] {
  return EDGES.map((edge) => {
    const records = marks
      .map(({ name, errorsMs }) => spreadOf(name, errorsMs.get(edge) ?? [], undefined))
      .filter(({ count }) => count >= MIN_MARKS);
    return {
      ...spreadOf(edge, [], ceilingsMs[edge]),
      meanMs: mean(records.map(({ meanMs }) => meanMs)) ?? Number.NaN,
      sdMs: mean(records.map(({ sdMs }) => sdMs)) ?? Number.NaN,
      count: records.length,
    };
  });
}

const FARTHEST_SHARE = 0.04;

/** Without the farthest 4 %, as IEC 60601-2-25 drops 4 of 100. */
export function intervalSpreads(
  intervals: readonly Interval[],
  ceilingsMs: Readonly<Record<string, number>>,
): Spread[] {
  return [...Map.groupBy(intervals, ({ name }) => name)].map(([name, some]) => {
    const errors = some.map(({ errorMs }) => errorMs);
    const middle = mean(errors) ?? 0;
    const kept = errors
      .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
      .slice(0, Math.ceil((1 - FARTHEST_SHARE) * errors.length));
    return spreadOf(name, kept, ceilingsMs[name]);
  });
}

/** @param hasAll whether the experts marked all waves between the first and the last: then extra ones are false */
export function foundFigures(
  marks: readonly MarkErrors[],
  floors: Readonly<Record<string, number>>,
  hasAll: boolean,
): Figure[] {
  const sum = (of: 'marked' | 'found' | 'extra', kind: Kind): number =>
    marks.reduce((total, record) => total + (record[of].get(kind) ?? 0), 0);
  const figure = (name: string, value: number): Figure => ({ name, value, floor: floors[name] ?? 0 });
  return (['P', 'QRS', 'T'] as const).flatMap((kind) => {
    const found = sum('found', kind);
    return [
      figure(`${kind} Se`, found / sum('marked', kind)),
      ...(hasAll ? [figure(`${kind} +P`, found / (found + sum('extra', kind)))] : []),
    ];
  });
}

const inMs = (value: number): string => value.toFixed(1).padStart(6);

export const spreadLines = (spreads: readonly Spread[]): string[] =>
  spreads.map(
    ({ name, meanMs, sdMs, ceilingMs, count }) =>
      `  ${sdMs > ceilingMs ? '✗' : ' '} ${name.padEnd(22)} ${inMs(meanMs)} ±${inMs(sdMs)} ms` +
      (Number.isFinite(ceilingMs) ? `  ceiling ${inMs(ceilingMs)}` : '') +
      `  (${count})`,
  );

export const missedCeilings = (spreads: readonly Spread[]): string[] =>
  spreads
    .filter(({ sdMs, ceilingMs }) => !(sdMs <= ceilingMs))
    .map(({ name, sdMs, ceilingMs }) => `${name}: ±${inMs(sdMs)} ms, ceiling ${inMs(ceilingMs)}`);
