// What is said of labelled 12-lead recordings, class by class: PTB-XL, CinC 2020 and LUDB together.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { analyse } from '../../main/analysis/analyse.ts';
import { recordingFrom, shelfFolder } from '../support/test-data.ts';
import type { Figure } from './tables.ts';

type Row = Readonly<Record<string, string>>;

/** By class: the statement, the labels of PTB-XL and the Challenges, and the words of LUDB. */
const CLASSES = [
  { code: 'CON-LBBB', labels: ['CLBBB', 'LBBB'], words: /(?<!in)complete left bundle/i },
  { code: 'CON-RBBB', labels: ['CRBBB', 'RBBB'], words: /(?<!in)complete right bundle/i },
  { code: 'CON-LAFB', labels: ['LAFB', 'LAnFB'], words: /left anterior hemiblock/i },
  { code: 'AVB-1', labels: ['1AVB', 'IAVB', 'LPR'], words: /(?<!I)I degree av/i },
] as const;

interface Table {
  readonly folder: string;
  readonly file: string;
  readonly key: string;
  readonly has: (row: Row, of: (typeof CLASSES)[number]) => boolean;
}

const hasLabel =
  (column: string): Table['has'] =>
  (row, { labels }) =>
    (row[column] ?? '').split(' ').some((label) => labels.some((one) => one === label.split(':')[0]));

const TABLES: readonly Table[] = [
  { folder: 'corpus/ptbxl', file: 'labels.csv', key: 'record', has: hasLabel('scp_codes') },
  { folder: 'corpus/ptbxl_unit', file: 'labels.csv', key: 'record', has: hasLabel('scp_codes') },
  { folder: 'corpus/cinc2020', file: 'labels.csv', key: 'record', has: hasLabel('abbr') },
  {
    folder: 'annotated/ludb',
    file: 'diagnoses.csv',
    key: 'ID',
    has: (row, { words }) => words.test(Object.values(row).join(' | ')),
  },
];

interface Count {
  marked: number;
  said: number;
  both: number;
  /** Marked, and said to be not assessed. */
  notAssessed: number;
}

/** @param floors of sensitivity and positive predictivity; what was not assessed counts as missed */
export function twelveLeadFigures(floors: Readonly<Record<string, number>>): Figure[] {
  const counts = new Map(
    CLASSES.map((one) => [one, { marked: 0, said: 0, both: 0, notAssessed: 0 } as Count]),
  );
  for (const { folder, file, key, has } of TABLES) {
    const path = shelfFolder(folder) as string;
    for (const row of parse(readFileSync(join(path, file)), { columns: true }) as Row[]) {
      const { assessments } = analyse(recordingFrom(join(path, `${row[key]}.hea`)));
      for (const [one, count] of counts) {
        const outcome = assessments.find(({ code }) => code === one.code)?.outcome;
        const isMarked = has(row, one);
        if (isMarked) count.marked++;
        if (outcome === 'present') count.said++;
        if (isMarked && outcome === 'present') count.both++;
        if (isMarked && outcome === 'notAssessed') count.notAssessed++;
      }
    }
  }
  return [...counts].flatMap(([{ code }, { marked, said, both, notAssessed }]) => [
    {
      name: `${code} Se`,
      value: both / marked,
      floor: floors[`${code} Se`] ?? 0,
      peers: `of ${marked}; ${notAssessed} not assessed`,
    },
    { name: `${code} +P`, value: both / said, floor: floors[`${code} +P`] ?? 0 },
  ]);
}
