// What is said of labelled 12-lead recordings, class by class: PTB-XL, CinC 2020 and LUDB together. Records that the
// network was trained with are judged by that of the fold that left them out.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { analyse } from '../../main/analysis/analyse.ts';
import type { AnalysisResult } from '../../shared/analysis-result.ts';
import type { StatementCode } from '../../shared/findings/codes.ts';
import { severityRank } from '../../shared/severity.ts';
import type { PatientFacts } from '../../shared/signal/recording.ts';
import { recordingFrom, shelfFolder } from '../support/test-data.ts';
import { networkWithout } from './fold-networks.ts';
import { byFifths, type Figure } from './tables.ts';

type Row = Readonly<Record<string, string>>;

interface Class {
  readonly name: string;
  /** Any of these statements. */
  readonly codes: readonly StatementCode[];
  /** The labels of PTB-XL and the Challenges. */
  readonly labels: readonly string[];
  /** The words of LUDB. */
  readonly words: RegExp;
  /** Rests on millivolts, which PTB-XL scaled to unit variance does not have. */
  readonly needsScale?: boolean;
  /** It is also asked how many of the records without it are said to have none. */
  readonly isFalseCounted?: boolean;
}

const CLASSES: readonly Class[] = [
  { name: 'LBBB', codes: ['CON-LBBB'], labels: ['CLBBB', 'LBBB'], words: /(?<!in)complete left bundle/i },
  { name: 'RBBB', codes: ['CON-RBBB'], labels: ['CRBBB', 'RBBB'], words: /(?<!in)complete right bundle/i },
  { name: 'IRBBB', codes: ['CON-IRBBB'], labels: ['IRBBB'], words: /incomplete right bundle/i },
  { name: 'LAFB', codes: ['CON-LAFB'], labels: ['LAFB', 'LAnFB'], words: /left anterior hemiblock/i },
  { name: 'LPFB', codes: ['CON-LPFB'], labels: ['LPFB'], words: /left posterior hemiblock/i },
  { name: 'IVCD', codes: ['CON-IVCD'], labels: ['IVCD', 'NSIVCB'], words: /non-specific intrav/i },
  { name: 'AVB1', codes: ['AVB-1'], labels: ['1AVB', 'IAVB', 'LPR'], words: /(?<!I)I degree av/i },
  { name: 'AF', codes: ['RHY-AFIB'], labels: ['AFIB', 'AF'], words: /atrial fibrillation/i },
  { name: 'Flutter', codes: ['RHY-AFL'], labels: ['AFLT', 'AFL'], words: /atrial flutter/i },
  {
    name: 'AF or flutter',
    codes: ['RHY-AFIB', 'RHY-AFL'],
    labels: ['AFIB', 'AF', 'AFLT', 'AFL'],
    words: /atrial (fibrillation|flutter)/i,
  },
  { name: 'Paced', codes: ['RHY-PACED'], labels: ['PACE', 'PR'], words: /pacemaker presence|pacing/i },
  {
    name: 'PVC',
    codes: ['ECT-PVC', 'ECT-PVCFREQ', 'RHY-NSVT'],
    // Not `BIGU` and `TRIGU`, which say nothing of where the early beats come from.
    labels: ['PVC', 'VPB'],
    words: /ventricular extrasystole/i,
  },
  {
    name: 'PAC',
    codes: ['ECT-PAC', 'ECT-PACFREQ'],
    labels: ['PAC', 'SVPB'],
    words: /atrial extrasystole/i,
  },
  {
    name: 'LVH',
    codes: ['CHA-LVH'],
    labels: ['LVH', 'VCLVH', 'LVHV'],
    words: /left ventricular hypertrophy/i,
    needsScale: true,
  },
  {
    name: 'ST injury',
    codes: ['ISC-STEMI'],
    labels: ['INJAS', 'INJAL', 'INJIN', 'INJLA', 'INJIL'],
    words: /(?<!n)STEMI/i,
    needsScale: true,
    isFalseCounted: true,
  },
  {
    name: 'Old MI',
    codes: ['ISC-QMI', 'ISC-QMIAGE'],
    labels: ['IMI', 'ASMI', 'AMI', 'LMI', 'ALMI', 'ILMI', 'IPLMI', 'QWAVE', 'OldMI', 'QAb'],
    words: /scar/i,
    needsScale: true,
  },
];

interface Table {
  readonly folder: string;
  readonly file: string;
  readonly key: string;
  readonly has: (row: Row, of: Pick<Class, 'labels' | 'words'>) => boolean;
  /** Whether the network was trained with it. */
  readonly isTrainedWith: (row: Row) => boolean;
}

const labelsOf = (row: Row): string[] =>
  (row.scp_codes ?? row.abbr ?? '').split(' ').map((label) => label.split(':')[0] as string);
const hasLabel: Table['has'] = (row, { labels }) => labelsOf(row).some((label) => labels.includes(label));
/**
 * The labels of atrial fibrillation and flutter, where no wave is a P; without the folds that were left aside
 * altogether.
 */
const WITHOUT_P = ['AFIB', 'AFLT', 'AF', 'AFL'];
const hasNoP = (row: Row): boolean =>
  row.strat_fold !== '9' &&
  row.strat_fold !== '10' &&
  labelsOf(row).some((label) => WITHOUT_P.includes(label));

const TABLES: readonly Table[] = [
  ...['corpus/ptbxl', 'corpus/ptbxl_unit', 'corpus/cinc2020'].map((folder) => ({
    folder,
    file: 'labels.csv',
    key: 'record',
    has: hasLabel,
    isTrainedWith: hasNoP,
  })),
  {
    folder: 'annotated/ludb',
    file: 'diagnoses.csv',
    key: 'ID',
    has: (row, { words }) => words.test(Object.values(row).join(' | ')),
    isTrainedWith: () => true,
  },
];

function patientOf(row: Row): PatientFacts {
  const [sex, age] = [(row.sex ?? row.Sex ?? '')[0], Number(row.age ?? row.Age)];
  return {
    ...(sex === 'M' && { gender: 'MALE' }),
    ...(sex === 'F' && { gender: 'FEMALE' }),
    // PTB-XL has 300 for everybody above 89.
    ...(age > 0 && { ageYears: age === 300 ? 90 : Math.floor(age) }),
  };
}

interface Judged {
  readonly table: Table;
  readonly row: Row;
  readonly result: AnalysisResult;
}

function judge(table: Table): Judged[] {
  const path = shelfFolder(table.folder) as string;
  const rows = parse(readFileSync(join(path, table.file)), { columns: true }) as Row[];
  const nameOf = (row: Row): string => row[table.key] as string;
  const trained = rows.filter(table.isTrainedWith).map(nameOf).sort();
  return rows.map((row) => {
    const at = trained.indexOf(nameOf(row));
    const network = at < 0 ? undefined : networkWithout(at);
    const recording = recordingFrom(join(path, `${nameOf(row)}.hea`));
    return { table, row, result: analyse(recording, { network, patient: patientOf(row) }) };
  });
}

function figuresOf(
  one: Class,
  judged: readonly Judged[],
  floors: Readonly<Record<string, number>>,
): Figure[] {
  const usable = judged.filter(({ result }) => !one.needsScale || result.measurements.st !== undefined);
  const marked = usable.filter(({ table, row }) => table.has(row, one));
  const isSaid = ({ result }: Judged): boolean =>
    result.statements.some(({ code }) => one.codes.some((wanted) => wanted === code));
  const notAssessed = marked.filter(
    ({ result }) => result.assessments.find(({ code }) => code === one.codes[0])?.outcome === 'notAssessed',
  );
  const isMarked = ({ table, row }: Judged): boolean => table.has(row, one);
  const share = (some: readonly Judged[], isOf: (each: Judged) => boolean, isIt: (each: Judged) => boolean) =>
    some.filter((each) => isOf(each) && isIt(each)).length / some.filter(isOf).length;
  const figure = (kind: string, of: (some: readonly Judged[]) => number, peers?: string): Figure => ({
    name: `${one.name} ${kind}`,
    value: of(usable),
    floor: floors[`${one.name} ${kind}`] ?? 0,
    spread: byFifths(usable, of),
    ...(peers !== undefined && { peers }),
  });
  const isNotMarked = (each: Judged): boolean => !isMarked(each);
  return [
    figure(
      'Se',
      (some) => share(some, isMarked, isSaid),
      `of ${marked.length}; ${notAssessed.length} not assessed`,
    ),
    figure('+P', (some) => share(some, isSaid, isMarked)),
    ...(one.isFalseCounted === true
      ? [figure('Sp', (some) => share(some, isNotMarked, (each) => !isSaid(each)))]
      : []),
  ];
}

/** Labels that a normal ECG of PTB-XL may have beside `NORM`. */
const BESIDE_NORMAL = ['NORM', 'SR', 'SBRAD', 'SARRH', 'LVOLT'];

function normalFigures(judged: readonly Judged[], floors: Readonly<Record<string, number>>): Figure[] {
  const ptbxl = judged.filter(({ table }) => table.folder === 'corpus/ptbxl');
  const isNormal = ({ row }: Judged): boolean =>
    labelsOf(row).includes('NORM') && labelsOf(row).every((label) => BESIDE_NORMAL.includes(label));
  const normal = ptbxl.filter(isNormal);
  const quiet = normal.filter(
    ({ result }) => severityRank(result.severity ?? 'CRITICAL') <= severityRank('LOW'),
  );
  const called = ptbxl.filter(({ result }) => result.statements.some(({ code }) => code === 'SUM-NORMAL'));
  const rightly = called.filter(({ row }) => labelsOf(row).includes('NORM'));
  const figure = (name: string, value: number, peers: string): Figure => ({
    name,
    value,
    floor: floors[name] ?? 0,
    peers,
  });
  return [
    figure('Normal, nothing above LOW', quiet.length / normal.length, `of ${normal.length}`),
    figure('Called normal, rightly', rightly.length / called.length, `of ${called.length}`),
  ];
}

/** @param floors of sensitivity and positive predictivity; what was not assessed counts as missed */
export function twelveLeadFigures(floors: Readonly<Record<string, number>>): Figure[] {
  const judged = TABLES.flatMap(judge);
  return [...CLASSES.flatMap((one) => figuresOf(one, judged, floors)), ...normalFigures(judged, floors)];
}
