// What the analysis says of each label of the shelf's recordings, counted: the table that `npm run
// test:labelled` prints and the tests judge.

import { analyse } from '../../../main/analysis/analyse.ts';
import type { AnalysisResult } from '../../../shared/analysis-result.ts';
import { LABELS, type Label, type LabelledRecord } from '../../support/labelled-records.ts';
import { recordingFrom } from '../../support/test-data.ts';

const SINUS_CODES: ReadonlySet<string> = new Set(['RHY-SINUS', 'RHY-SBRADY', 'RHY-STACHY']);
/** Words that a reader takes for "this ECG is normal". */
const READS_AS_NORMAL = /\bnormal\b|within limits|no finding|no abnormal|unremarkable/i;
/** Labels under which sinus rhythm must never be stated. */
export const NEVER_SINUS: readonly Label[] = [
  'atrial fibrillation',
  'atrial flutter',
  'ventricular fibrillation',
];

/** Labels that a normal ECG may have. */
const CAN_BE_NORMAL: ReadonlySet<Label> = new Set(['sinus', 'normal']);

export const saysSinus = (result: AnalysisResult): boolean =>
  result.statements.some(({ code }) => SINUS_CODES.has(code));
export const readsAsNormal = (result: AnalysisResult): boolean =>
  result.statements.some(({ text }) => READS_AS_NORMAL.test(text));

export interface LabelledTable {
  /** By label, then by code of a statement: the recordings that have it. */
  readonly said: ReadonlyMap<Label, ReadonlyMap<string, readonly string[]>>;
  readonly counts: ReadonlyMap<Label, number>;
  readonly sinusAgainstLabel: readonly string[];
  readonly readingAsNormal: readonly string[];
}

export function tabulate(records: readonly LabelledRecord[]): LabelledTable {
  const said = new Map<Label, Map<string, string[]>>();
  const counts = new Map<Label, number>();
  const sinusAgainstLabel: string[] = [];
  const readingAsNormal: string[] = [];
  for (const { database, name, path, labels } of records) {
    const result = analyse(recordingFrom(path));
    const id = `${database}/${name}`;
    if (saysSinus(result) && NEVER_SINUS.some((label) => labels.has(label))) sinusAgainstLabel.push(id);
    if (readsAsNormal(result) && [...labels].some((label) => !CAN_BE_NORMAL.has(label)))
      readingAsNormal.push(id);
    for (const label of labels) {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      const codes = said.get(label) ?? new Map<string, string[]>();
      said.set(label, codes);
      for (const { code } of result.statements) codes.set(code, [...(codes.get(code) ?? []), id]);
    }
  }
  return { said, counts, sinusAgainstLabel, readingAsNormal };
}

export function tableLines({ said, counts }: LabelledTable): string[] {
  return LABELS.filter((label) => counts.has(label)).flatMap((label) => {
    const codes = [...(said.get(label) ?? [])].sort((a, b) => b[1].length - a[1].length);
    return [
      `${label} (${counts.get(label)})`,
      ...codes.map(([code, ids]) => `  ${code.padEnd(14)} ${ids.length}`),
    ];
  });
}
