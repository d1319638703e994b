// The figures of a database as a person reads them: one line a record, the sums, the sums with each record
// left out in turn, and what others reach on the same recordings.

import {
  addTables,
  f1,
  positivePredictivity,
  qrsScore,
  type Score,
  sensitivity,
  supraventricularScore,
  ventricularScore,
} from './score-beats.ts';
import type { RecordScore } from './score-record.ts';
import type { TimeScore } from './stretches.ts';

const percent = (share: number): string =>
  Number.isNaN(share) ? '     –' : (100 * share).toFixed(2).padStart(6);
const counts = ({ right, missed, false: wrong }: Score): string =>
  `${right}`.padStart(5) + `${missed}`.padStart(5) + `${wrong}`.padStart(5);

export function beatLines(scores: readonly RecordScore[]): string[] {
  const line = (name: string, table: RecordScore['beats']): string => {
    const [qrs, v, s] = [qrsScore(table), ventricularScore(table), supraventricularScore(table)];
    return `${name.padEnd(10)} ${`${qrs.missed}`.padStart(4)} ${`${qrs.false}`.padStart(4)} ${percent(f1(qrs))} |${counts(v)} |${counts(s)}`;
  };
  return [
    'record     QRS missed, false, F1 | V right, missed, false | S right, missed, false',
    ...scores.map(({ name, beats }) => line(name, beats)),
    line('together', addTables(scores.map(({ beats }) => beats))),
  ];
}

/** Least and greatest of a figure over the database with one record left out. */
function leftOut(scores: readonly RecordScore[], figure: (table: RecordScore['beats']) => number): string {
  const found = scores.map((_, i) =>
    figure(addTables(scores.flatMap(({ beats }, k) => (k === i ? [] : [beats])))),
  );
  return `${percent(Math.min(...found))} … ${percent(Math.max(...found))}`;
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly floor: number;
  readonly leftOut?: string;
  readonly peers?: string;
}

export function beatFigures(
  scores: readonly RecordScore[],
  floors: Readonly<Record<string, number>>,
): Figure[] {
  const all = addTables(scores.map(({ beats }) => beats));
  const figure = (name: string, of: (table: RecordScore['beats']) => number, peers?: string): Figure => ({
    name,
    value: of(all),
    floor: floors[name] ?? 0,
    leftOut: leftOut(scores, of),
    ...(peers !== undefined && { peers }),
  });
  return [
    figure('QRS F1', (table) => f1(qrsScore(table)), 'gqrs 99.66, OSEA 99.52, xqrs 99.02'),
    {
      name: 'QRS F1, worst record',
      value: Math.min(...scores.map(({ beats }) => f1(qrsScore(beats)))),
      floor: floors['QRS F1, worst record'] ?? 0,
    },
    figure('V Se', (table) => sensitivity(ventricularScore(table)), 'OSEA 90.6'),
    figure('V +P', (table) => positivePredictivity(ventricularScore(table)), 'OSEA 95.3'),
    figure('S Se', (table) => sensitivity(supraventricularScore(table))),
    figure('S +P', (table) => positivePredictivity(supraventricularScore(table))),
  ];
}

/** @param lasting how long an episode lasts, in words */
export function timeFigures(
  name: string,
  lasting: string,
  scores: readonly TimeScore[],
  floors: Readonly<Record<string, number>>,
): Figure[] {
  const sum = (key: keyof TimeScore): number => scores.reduce((total, score) => total + score[key], 0);
  const figure = (of: string, right: keyof TimeScore, all: keyof TimeScore): Figure => ({
    name: `${name} ${of}`,
    value: sum(right) / sum(all),
    floor: floors[`${name} ${of}`] ?? 0,
  });
  return [
    figure('Se', 'both', 'reference'),
    figure('+P', 'both', 'found'),
    {
      ...figure(`of ${lasting} and more`, 'episodesFound', 'episodes'),
      peers: `${sum('episodesFound')} of ${sum('episodes')}`,
    },
  ];
}

export function runFigures(
  scores: readonly RecordScore[],
  floors: Readonly<Record<string, number>>,
): Figure[] {
  const sum = (key: keyof RecordScore['runs']): number =>
    scores.reduce((total, { runs }) => total + runs[key], 0);
  const figure = (name: string, right: number, of: number): Figure => ({
    name,
    value: right / of,
    floor: floors[name] ?? 0,
    peers: `${right} of ${of}`,
  });
  return [
    figure('V runs Se', sum('markedFound'), sum('marked')),
    figure('V runs +P', sum('foundMarked'), sum('found')),
  ];
}

export const figureLines = (figures: readonly Figure[]): string[] =>
  figures.map(
    ({ name, value, floor, leftOut: range, peers }) =>
      `  ${value < floor ? '✗' : ' '} ${name.padEnd(22)} ${percent(value)}  floor ${percent(floor)}` +
      (range === undefined ? '' : `  one left out ${range}`) +
      (peers === undefined ? '' : `  (${peers})`),
  );

export const missedFloors = (figures: readonly Figure[]): string[] =>
  figures
    .filter(({ value, floor }) => !(value >= floor))
    .map(({ name, value, floor }) => `${name}: ${percent(value)}, floor ${percent(floor)}`);
