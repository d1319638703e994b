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

const qrsText = (table: RecordScore['beats']): string => {
  const qrs = qrsScore(table);
  return `${`${qrs.missed}`.padStart(4)} ${`${qrs.false}`.padStart(4)} ${percent(f1(qrs))}`;
};

/** Where the classes were learned from the same records, they are not shown. */
export const qrsLines = (scores: readonly RecordScore[]): string[] => [
  'record     QRS missed, false, F1',
  ...scores.map(({ name, beats }) => `${name.padEnd(10)} ${qrsText(beats)}`),
  `together   ${qrsText(addTables(scores.map(({ beats }) => beats)))}`,
];

export function beatLines(scores: readonly RecordScore[]): string[] {
  const line = (name: string, table: RecordScore['beats']): string =>
    `${name.padEnd(10)} ${qrsText(table)} |${counts(ventricularScore(table))} |${counts(supraventricularScore(table))}`;
  return [
    'record     QRS missed, false, F1 | V right, missed, false | S right, missed, false',
    ...scores.map(({ name, beats }) => line(name, beats)),
    line('together', addTables(scores.map(({ beats }) => beats))),
  ];
}

/** Least and greatest of those that can be computed. */
function rangeOf(figures: readonly number[]): string {
  const known = figures.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? 'nothing' : `${percent(Math.min(...known))} … ${percent(Math.max(...known))}`;
}

/** A figure over a database with each of its records left out in turn. */
export const withOneLeftOut = <T>(all: readonly T[], figure: (some: readonly T[]) => number): string =>
  `one left out ${rangeOf(all.map((_, i) => figure(all.filter((__, k) => k !== i))))}`;

const FOLDS = 5;

/** A figure over each fifth of many records alone. */
export const byFifths = <T>(all: readonly T[], figure: (some: readonly T[]) => number): string =>
  `by fifths ${rangeOf(Array.from({ length: FOLDS }, (_, fold) => figure(all.filter((__, i) => i % FOLDS === fold))))}`;

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly floor: number;
  /** How far it depends on which records there are. */
  readonly spread?: string;
  readonly peers?: string;
}

type Floors = Readonly<Record<string, number>>;

/** One figure over the beats of all records, and over all but one in turn. */
function beatFigure(
  scores: readonly RecordScore[],
  floors: Floors,
  [name, of, peers]: readonly [name: string, of: (table: RecordScore['beats']) => number, peers?: string],
): Figure {
  const overAll = (some: readonly RecordScore[]): number => of(addTables(some.map(({ beats }) => beats)));
  return {
    name,
    value: overAll(scores),
    floor: floors[name] ?? 0,
    spread: withOneLeftOut(scores, overAll),
    ...(peers !== undefined && { peers }),
  };
}

export const qrsFigures = (scores: readonly RecordScore[], floors: Floors): Figure[] => [
  beatFigure(scores, floors, [
    'QRS F1',
    (table) => f1(qrsScore(table)),
    'on DS1 gqrs 99.66, OSEA 99.52, xqrs 99.02',
  ]),
  {
    name: 'QRS F1, worst record',
    value: Math.min(...scores.map(({ beats }) => f1(qrsScore(beats)))),
    floor: floors['QRS F1, worst record'] ?? 0,
  },
];

export const classFigures = (scores: readonly RecordScore[], floors: Floors): Figure[] =>
  (
    [
      ['V Se', (table) => sensitivity(ventricularScore(table)), 'OSEA on DS1 90.6'],
      ['V +P', (table) => positivePredictivity(ventricularScore(table)), 'OSEA on DS1 95.3'],
      ['S Se', (table) => sensitivity(supraventricularScore(table))],
      ['S +P', (table) => positivePredictivity(supraventricularScore(table))],
    ] as const satisfies readonly Parameters<typeof beatFigure>[2][]
  ).map((of) => beatFigure(scores, floors, of));

/** @param lasting how long an episode lasts, in words */
export function timeFigures(
  name: string,
  lasting: string,
  scores: readonly TimeScore[],
  floors: Floors,
): Figure[] {
  const sum = (key: keyof TimeScore, some = scores): number =>
    some.reduce((total, score) => total + score[key], 0);
  const figure = (of: string, right: keyof TimeScore, all: keyof TimeScore): Figure => {
    const share = (some: readonly TimeScore[]): number => sum(right, some) / sum(all, some);
    return {
      name: `${name} ${of}`,
      value: share(scores),
      floor: floors[`${name} ${of}`] ?? 0,
      spread: withOneLeftOut(scores, share),
    };
  };
  return [
    figure('Se', 'both', 'reference'),
    figure('+P', 'both', 'found'),
    {
      ...figure(`of ${lasting} and more`, 'episodesFound', 'episodes'),
      peers: `${sum('episodesFound')} of ${sum('episodes')}`,
    },
  ];
}

export function runFigures(scores: readonly RecordScore[], floors: Floors): Figure[] {
  type Count = keyof RecordScore['runs'];
  const sum = (key: Count, some = scores): number => some.reduce((total, { runs }) => total + runs[key], 0);
  const figure = (name: string, right: Count, of: Count): Figure => {
    const share = (some: readonly RecordScore[]): number => sum(right, some) / sum(of, some);
    return {
      name,
      value: share(scores),
      floor: floors[name] ?? 0,
      spread: withOneLeftOut(scores, share),
      peers: `${sum(right)} of ${sum(of)}`,
    };
  };
  return [figure('V runs Se', 'markedFound', 'marked'), figure('V runs +P', 'foundMarked', 'found')];
}

export const figureLines = (figures: readonly Figure[]): string[] =>
  figures.map(
    ({ name, value, floor, spread, peers }) =>
      `  ${value < floor ? '✗' : ' '} ${name.padEnd(22)} ${percent(value)}  floor ${percent(floor)}` +
      (spread === undefined ? '' : `  ${spread}`) +
      (peers === undefined ? '' : `  (${peers})`),
  );

export const missedFloors = (figures: readonly Figure[]): string[] =>
  figures
    .filter(({ value, floor }) => !(value >= floor))
    .map(({ name, value, floor }) => `${name}: ${percent(value)}, floor ${percent(floor)}`);
