// Strips of one and two leads with their labels, as the rhythm of strips is learned from: CinC 2017, and leads I, II and both of twelve-lead
// ECGs (Chapman, PTB-XL). Each example has the numbers that the program itself finds in the strip.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { LEARNED_BEATS } from '../main/analysis/decisions/beat-classes.ts';
import { stripInputs } from '../main/analysis/decisions/strip-inputs.ts';
import type { STRIP_CLASSES } from '../main/analysis/decisions/strip-rhythm.ts';
import { findBeatsOf, type StageInput } from '../main/analysis/stages/beat-stage.ts';
import { measureWaves, stripFactsOf } from '../main/analysis/stages/wave-stage.ts';
import { productNetwork } from '../main/analysis/waves/product-network.ts';
import type { SyntheticEcg } from '../main/signal/synthetic/synthetic-ecg.ts';
import type { LeadCode } from '../shared/signal/lead.ts';
import type { Recording } from '../shared/signal/recording.ts';
import {
  completeBlock,
  flutter,
  junctional,
  type MadeOptions,
  twoToOneBlock,
} from '../test/support/made-rhythms.ts';
import { toRecording, twelveLeads } from '../test/support/synthetic-recording.ts';
import { recordingFrom } from '../test/support/test-data.ts';

export type StripLabel = (typeof STRIP_CLASSES)[number];

export interface LabelledStrip {
  readonly database: string;
  /** The record’s name where the database names no patient. */
  readonly patient: string;
  /** Undefined of one that is made. */
  readonly path?: string;
  /** All of the recording's leads where left out. */
  readonly leads?: readonly string[];
  readonly label: StripLabel;
  /** Flutter, block, paced and junctional rhythms: others that must not pass for sinus. */
  readonly isDangerous?: boolean;
}

/** A strip with its signal, where that is made. */
type MadeStrip = LabelledStrip & { readonly ecg?: SyntheticEcg };

export interface StripExample extends LabelledStrip {
  readonly inputs: readonly (number | null)[];
}

type Row = Readonly<Record<string, string>>;

const rowsOf = (folder: string): Row[] =>
  parse(readFileSync(join(folder, 'labels.csv')), { columns: true, relaxQuotes: true });

const OF_CINC: Readonly<Record<string, StripLabel>> = {
  N: 'sinus',
  A: 'fibrillation',
  O: 'other',
  '~': 'noise',
};

const SINUS = ['426177001', '426783006', '427084000', '427393009', 'SR', 'SBRAD', 'STACH', 'SARRH', 'NORM'];
const FIBRILLATION = ['164889003', 'AFIB'];
const DANGEROUS = ['164890007', 'AFLT', 'PACE'];
const EARLY_BEATS = [
  '284470004',
  '17338001',
  '427172004',
  '164884008',
  '63593006',
  'PVC',
  'PAC',
  'BIGU',
  'TRIGU',
  'PRC(S)',
  'VEX',
  'SVARR',
];
const LEADS = [['I'], ['II'], ['I', 'II']];

/** Strips of an ECG of twelve leads. One with early beats, or of another rhythm, is left out: such labels are not reliable. */
function ofTwelveLeads(database: string, folder: string, patientOf: (row: Row) => string): LabelledStrip[] {
  return rowsOf(folder).flatMap((row): LabelledStrip[] => {
    const codes = (row.codes ?? row.scp_codes ?? '').split(' ').map((code) => code.split(':')[0] as string);
    const has = (some: readonly string[]): boolean => codes.some((code) => some.includes(code));
    const isDangerous = has(DANGEROUS);
    if (!has(FIBRILLATION) && !isDangerous && (has(EARLY_BEATS) || !has(SINUS))) return [];
    const label = has(FIBRILLATION) ? 'fibrillation' : isDangerous ? 'other' : 'sinus';
    const path = join(folder, `${row.record}.hea`);
    return LEADS.map((leads) => ({ database, patient: patientOf(row), path, leads, label, isDangerous }));
  });
}

const MADE_LEADS: readonly (readonly LeadCode[])[] = [
  ['MDC_ECG_LEAD_I'],
  ['MDC_ECG_LEAD_II'],
  ['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II'],
  ['MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_V1'],
];
const NOISE_UV = [6, 15, 30];

const steps = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);

/** What few of the labelled strips have, and what a rule on few leads cannot tell: known by construction. */
function madeStrips(): MadeStrip[] {
  return MADE_LEADS.flatMap((leads, group) => {
    const made = (
      name: string,
      isSinus: boolean,
      make: (options: MadeOptions) => SyntheticEcg,
    ): MadeStrip[] =>
      NOISE_UV.slice(0, isSinus ? 3 : 2).map((noiseUv, i) => ({
        database: 'made',
        patient: `${name} ${leads.join(' ')}`,
        label: isSinus ? 'sinus' : 'other',
        isDangerous: !isSinus,
        ecg: make({ leads, noiseUv: noiseUv + 2 * group, seed: 1000 + 10 * group + i, seconds: 10 }),
      }));
    return [
      ...steps(205, 335, 13).flatMap((waves) =>
        [2, 3, 4].flatMap((ratio) =>
          made(`flutter ${waves} ${ratio}`, false, (options) => flutter(waves, ratio, options)),
        ),
      ),
      ...steps(51, 111, 5).flatMap((bpm) =>
        made(`2:1 ${bpm}`, false, (options) => twoToOneBlock(bpm, options)),
      ),
      ...steps(36, 126, 10).flatMap((bpm) =>
        made(`junctional ${bpm}`, false, (options) => junctional(bpm, options)),
      ),
      ...steps(61, 111, 10).flatMap((bpm) =>
        made(`complete ${bpm}`, false, (options) => completeBlock(bpm, 28 + bpm / 5, options)),
      ),
      ...steps(42, 114, 4).flatMap((heartRateBpm) =>
        made(`sinus ${heartRateBpm}`, true, ({ seed = 1 }) =>
          twelveLeads({ heartRateBpm, seed, leads, durationSeconds: 10 }),
        ),
      ),
    ];
  });
}

/** @param shelf the folder `ecg` of the shelf @param unpacked where its second corpus lies unpacked */
export function labelledStrips(shelf: string, unpacked: string): MadeStrip[] {
  const cinc = [join(shelf, 'corpus/cinc2017'), join(unpacked, 'cinc2017')].flatMap((folder) =>
    rowsOf(folder).map((row): LabelledStrip => {
      const patient = row.record as string;
      const label = OF_CINC[row.label ?? row.codes ?? ''] as StripLabel;
      return { database: 'cinc2017', patient, path: join(folder, `${patient}.hea`), label };
    }),
  );
  const byRecord = (row: Row): string => row.record as string;
  return [
    ...cinc,
    ...ofTwelveLeads('chapman', join(unpacked, 'chapman'), byRecord),
    ...ofTwelveLeads('ptbxl100', join(unpacked, 'ptbxl100'), byRecord),
    ...madeStrips(),
    ...ofTwelveLeads('ptbxl', join(shelf, 'corpus/ptbxl'), (row) => row.patient_id as string),
  ];
}

/** A recording with some of its leads alone. */
export const withLeads = (recording: Recording, leads: readonly string[]): Recording => ({
  ...recording,
  channels: recording.channels.filter(({ label }) => leads.includes(label.toUpperCase())),
});

export function stripExample({ ecg, ...strip }: MadeStrip): StripExample {
  const whole = ecg === undefined ? recordingFrom(strip.path as string) : toRecording(ecg);
  const input: StageInput = {
    recording: strip.leads === undefined ? whole : withLeads(whole, strip.leads),
    constraints: {},
    network: productNetwork(),
    beatDecision: LEARNED_BEATS,
    waypoints: undefined,
    onProgress: () => undefined,
  };
  const beats = findBeatsOf(input);
  const inputs = stripInputs(stripFactsOf(beats, measureWaves(input, beats)));
  return { ...strip, inputs: [...inputs].map((value) => (Number.isNaN(value) ? null : value)) };
}
