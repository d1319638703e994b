// The labelled recordings of the shelf, each with what its labels say of rhythm, conduction and infarction,
// in one set of words. Which spelling a database has for a word is settled here and nowhere else.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { parseWfdbAnnotations } from '../../main/formats/wfdb/wfdb-annotations.ts';
import { shelfFolder } from './test-data.ts';

export const LABELS = [
  'atrial fibrillation',
  'atrial flutter',
  'pacing',
  'second-degree AV block',
  'third-degree AV block',
  'ventricular tachycardia',
  'ventricular fibrillation',
  'ST-elevation infarction',
  'sinus',
  'normal',
  'noise',
] as const;
export type Label = (typeof LABELS)[number];

export interface LabelledRecord {
  readonly database: string;
  readonly name: string;
  readonly path: string;
  readonly labels: ReadonlySet<Label>;
}

type Row = Readonly<Record<string, string>>;

const rowsOf = (path: string): Row[] => parse(readFileSync(path), { columns: true, relaxQuotes: true });

/** SNOMED abbreviations of the Challenges, SCP codes of PTB-XL. */
const BY_CODE: Readonly<Record<string, Label>> = {
  AF: 'atrial fibrillation',
  AFIB: 'atrial fibrillation',
  AFL: 'atrial flutter',
  AFLT: 'atrial flutter',
  PR: 'pacing',
  PACE: 'pacing',
  IIAVB: 'second-degree AV block',
  '2AVB': 'second-degree AV block',
  AVB: 'second-degree AV block',
  CHB: 'third-degree AV block',
  '3AVB': 'third-degree AV block',
  VTach: 'ventricular tachycardia',
  VF: 'ventricular fibrillation',
  STEMI: 'ST-elevation infarction',
  STE_: 'ST-elevation infarction',
  NSR: 'sinus',
  SB: 'sinus',
  STach: 'sinus',
  SA: 'sinus',
  SR: 'sinus',
  SBRAD: 'sinus',
  STACH: 'sinus',
  SARRH: 'sinus',
  NORM: 'normal',
};

/** Rhythm changes of the MIT format. */
const BY_RHYTHM: Readonly<Record<string, Label>> = {
  '(AFIB': 'atrial fibrillation',
  '(AFL': 'atrial flutter',
  '(P': 'pacing',
  '(BII': 'second-degree AV block',
  '(BIII': 'third-degree AV block',
  '(VT': 'ventricular tachycardia',
  '(VFL': 'ventricular fibrillation',
  '(VF': 'ventricular fibrillation',
};

const fromCodes = (codes: readonly string[]): Label[] => codes.flatMap((code) => BY_CODE[code] ?? []);

function ludbLabels(row: Row): Label[] {
  const text = Object.values(row).join(' | ');
  const found: Label[] = [];
  const says = (pattern: RegExp, label: Label): void => void (pattern.test(text) && found.push(label));
  says(/atrial fibrillation/i, 'atrial fibrillation');
  says(/atrial flutter/i, 'atrial flutter');
  says(/pacing/i, 'pacing');
  says(/AV[ -]block,? (II|2)|second degree/i, 'second-degree AV block');
  says(/AV[ -]block,? (III|3)|III degree AV|third degree/i, 'third-degree AV block');
  says(/(?<!supp\.n)\bstemi:/i, 'ST-elevation infarction');
  if (/^sinus/i.test(row.Rhythms ?? '')) found.push('sinus');
  return found;
}

/** Acute infarcts of PTB-XL: its stages I and I-II. */
function ptbxlLabels(row: Row): Label[] {
  const codes = (row.scp_codes ?? '').split(' ').map((code) => code.split(':')[0] as string);
  const found = fromCodes(codes);
  if (/^Stadium I(-II)?$/.test((row.infarction_stadium1 ?? '').trim())) found.push('ST-elevation infarction');
  if ((row.pacemaker ?? '').trim() !== '' && !found.includes('pacing')) found.push('pacing');
  return found;
}

const CINC_2017: Readonly<Record<string, Label>> = { A: 'atrial fibrillation', N: 'sinus', '~': 'noise' };

const TABLES: readonly {
  readonly folder: string;
  readonly file: string;
  readonly key: string;
  readonly labels: (row: Row) => Label[];
}[] = [
  { folder: 'annotated/ludb', file: 'diagnoses.csv', key: 'ID', labels: ludbLabels },
  { folder: 'corpus/ptbxl', file: 'labels.csv', key: 'record', labels: ptbxlLabels },
  {
    folder: 'corpus/ptbxl_unit',
    file: 'labels.csv',
    key: 'record',
    labels: (row) => fromCodes((row.scp_codes ?? '').split(' ')),
  },
  {
    folder: 'corpus/cinc2020',
    file: 'labels.csv',
    key: 'record',
    labels: (row) => fromCodes((row.abbr ?? '').split(' ')),
  },
  {
    folder: 'corpus/cinc2017',
    file: 'labels.csv',
    key: 'record',
    labels: (row) => [CINC_2017[row.label ?? ''] ?? []].flat(),
  },
  { folder: 'corpus/cpsc2021', file: 'labels.csv', key: 'record', labels: () => ['atrial fibrillation'] },
  { folder: 'corpus/cudb', file: 'vf.csv', key: 'record', labels: () => ['ventricular fibrillation'] },
  { folder: 'corpus/nsrdb', file: '', key: '', labels: () => ['sinus'] },
  { folder: 'corpus/mitdb', file: '', key: '', labels: () => [] },
  { folder: 'annotated/mitdb', file: '', key: '', labels: () => [] },
];

/** What the annotations beside a record say: rhythms, and flutter waves between `[` and `]`. */
function annotatedLabels(path: string): Label[] {
  if (!existsSync(path)) return [];
  const parsed = parseWfdbAnnotations(readFileSync(path));
  if (!parsed.ok) return [];
  return parsed.annotations.flatMap(({ symbol, text }) =>
    symbol === '!'
      ? ['ventricular fibrillation' as const]
      : (BY_RHYTHM[text.replaceAll('\0', '').trim()] ?? []),
  );
}

/** Every labelled record of the shelf; empty where the shelf is not beside the project. */
export function labelledRecords(): LabelledRecord[] {
  return TABLES.flatMap(({ folder, file, key, labels }) => {
    const path = shelfFolder(folder);
    if (path === undefined) return [];
    const rows = new Map(file === '' ? [] : rowsOf(join(path, file)).map((row) => [row[key] ?? '', row]));
    const names = readdirSync(path)
      .filter((name) => name.endsWith('.hea'))
      .map((name) => name.slice(0, -'.hea'.length));
    return names.map((name): LabelledRecord => {
      const row = rows.get(name);
      const said = [
        ...(row === undefined && file !== '' ? [] : labels(row ?? {})),
        ...annotatedLabels(join(path, `${name}.atr`)),
      ];
      return {
        database: folder.split('/')[1] as string,
        name,
        path: join(path, `${name}.hea`),
        labels: new Set(said),
      };
    });
  });
}
