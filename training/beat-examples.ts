// Beats with their classes, as these are learned from: the MIT-BIH Arrhythmia Database (the half that it may see), the Supraventricular
// Arrhythmia Database, and strips and ECGs without early beats, whose beats all count as usual ones. Of the two databases each recording is
// read whole, with both leads and with each alone, and in pieces of half a minute, so that nothing tells how long it is. ECGs with early
// beats do not say which ones these are: their beats have no class here (`train-beats.ts`).

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { findBeatsOf } from '../main/analysis/stages/beat-stage.ts';
import { productNetwork } from '../main/analysis/waves/product-network.ts';
import type { SyntheticEcg } from '../main/signal/synthetic/synthetic-ecg.ts';
import type { Recording } from '../shared/signal/recording.ts';
import { DS1, ds1Path } from '../test/accuracy/databases.ts';
import { type ReferenceBeat, readReference } from '../test/accuracy/reference.ts';
import { toRecording } from '../test/support/synthetic-recording.ts';
import { recordingFrom } from '../test/support/test-data.ts';
import { madeBeats } from './made-beats.ts';

export interface BeatRecording {
  readonly database: string;
  /** The record’s name where the database names no patient. */
  readonly patient: string;
  /** Without its ending; of one that is made, its name. */
  readonly path: string;
  /** The signal of one that is made, with its beats. */
  readonly ecg?: SyntheticEcg;
  /** Which signal alone; all of them where left out. */
  readonly lead?: number;
  /** Where the piece of half a minute begins; the whole recording where left out. */
  readonly fromSecond?: number;
  /** What all its beats are, where none is marked; of those that are mixed, nothing is known. */
  readonly every?: 'normal' | 'fibrillation' | 'mixed';
  /** The early beats that its reader saw somewhere in it. */
  readonly seen?: readonly ('V' | 'S')[];
}

export interface BeatExamples extends Omit<BeatRecording, 'ecg'> {
  readonly samples: readonly number[];
  readonly sampleRateHz: number;
  readonly leadCount: number;
  /** One letter a beat, as marked: N, S, V, F, Q, or - where none is marked. */
  readonly labels: string;
  readonly groupOf: Int32Array;
  /** The inputs of all beats that are in a group, one after the other. */
  readonly rows: Float32Array;
}

const PIECE_SECONDS = 30;
const HALF_HOUR_SECONDS = 1800;
/** Every third piece is enough. */
const PIECE_STEP = 3;
const LEADS = [undefined, 0, 1] as const;
const SAME_BEAT_SECONDS = 0.15;

type Row = Readonly<Record<string, string>>;

const rowsOf = (folder: string): Row[] =>
  parse(readFileSync(join(folder, 'labels.csv')), { columns: true, relaxQuotes: true });

const annotated = (database: string, patient: string, path: string): BeatRecording[] => [
  ...LEADS.map((lead) => ({ database, patient, path, ...(lead !== undefined && { lead }) })),
  ...Array.from({ length: HALF_HOUR_SECONDS / PIECE_SECONDS / PIECE_STEP }, (_, i): BeatRecording => {
    const lead = LEADS[i % LEADS.length];
    const fromSecond = i * PIECE_STEP * PIECE_SECONDS;
    return { database, patient, path, fromSecond, ...(lead !== undefined && { lead }) };
  }),
];

const OF_STRIP: Readonly<Record<string, BeatRecording['every']>> = { N: 'normal', A: 'fibrillation' };

function strips(folder: string): BeatRecording[] {
  return rowsOf(folder).flatMap(({ record = '', label, codes }): BeatRecording[] => {
    const every = OF_STRIP[label ?? codes ?? ''];
    return every === undefined
      ? []
      : [{ database: 'cinc2017', patient: record, path: join(folder, record), every }];
  });
}

const VENTRICULAR = ['PVC', '164884008', '427172004', '17338001'];
const SUPRAVENTRICULAR = ['PAC', '284470004', '63593006'];
const FIBRILLATION = ['AFIB', '164889003'];
/** Early beats of either kind, pacing, flutter and tachycardia: whether all beats are usual ones is not known. */
const MIXED = [
  'BIGU',
  'TRIGU',
  'PRC(S)',
  'VEX',
  'SVARR',
  'PACE',
  'AFLT',
  'SVTAC',
  'PSVT',
  '251180001',
  '164890007',
];

/** ECGs of twelve leads, and one of their first two leads alone. */
function twelveLeads(database: string, folder: string, patientOf: (row: Row) => string): BeatRecording[] {
  return rowsOf(folder).flatMap((row, i): BeatRecording[] => {
    const codes = (row.codes ?? row.scp_codes ?? '').split(' ').map((code) => code.split(':')[0] as string);
    const has = (some: readonly string[]): boolean => codes.some((code) => some.includes(code));
    const seen = [
      ...(has(VENTRICULAR) ? ['V' as const] : []),
      ...(has(SUPRAVENTRICULAR) ? ['S' as const] : []),
    ];
    const every = seen.length > 0 || has(MIXED) ? 'mixed' : has(FIBRILLATION) ? 'fibrillation' : 'normal';
    const own = {
      database,
      patient: patientOf(row),
      path: join(folder, row.record as string),
      every,
      seen,
    } as const;
    return [own, { ...own, lead: i % 2 }];
  });
}

/** @param shelf the folder `ecg` of the shelf @param unpacked where its second corpus lies unpacked */
export function beatRecordings(shelf: string, unpacked: string): BeatRecording[] {
  const svdb = join(unpacked, 'svdb');
  const supraventricular = readdirSync(svdb)
    .filter((name) => name.endsWith('.hea'))
    .map((name) => name.slice(0, -'.hea'.length))
    .sort();
  return [
    ...DS1.flatMap((name) => annotated('mitdb', name, ds1Path(name) as string)),
    ...supraventricular.flatMap((name) => annotated('svdb', name, join(svdb, name))),
    ...strips(join(shelf, 'corpus/cinc2017')),
    ...strips(join(unpacked, 'cinc2017')),
    ...twelveLeads('ptbxl100', join(unpacked, 'ptbxl100'), ({ record = '' }) => record),
    ...twelveLeads('ptbxl', join(shelf, 'corpus/ptbxl'), (row) => row.patient_id as string),
    ...twelveLeads('chapman', join(unpacked, 'chapman'), ({ record = '' }) => record),
    ...madeBeats().map(({ name, ecg }) => ({ database: 'made', patient: name, path: name, ecg })),
  ];
}

/** A piece of a recording as one of its own. */
function piece(recording: Recording, fromSecond: number): Recording {
  return {
    ...recording,
    durationSeconds: PIECE_SECONDS,
    channels: recording.channels.map((channel) => {
      const rateHz = channel.sampleCount / recording.durationSeconds;
      const start = Math.round(fromSecond * rateHz);
      return {
        ...channel,
        sampleCount: Math.round(PIECE_SECONDS * rateHz),
        read: (startSample, target) => channel.read(start + startSample, target),
      };
    }),
  };
}

/** The class of each beat as marked within 150 ms; - where none is. */
function labelsAt(
  samples: readonly number[],
  marked: readonly ReferenceBeat[],
  sampleRateHz: number,
): string {
  let near = 0;
  const awayFrom = (sample: number, i: number): number =>
    Math.abs((marked[i]?.sample ?? Number.POSITIVE_INFINITY) - sample);
  return samples
    .map((sample) => {
      while (awayFrom(sample, near + 1) <= awayFrom(sample, near)) near++;
      return awayFrom(sample, near) <= SAME_BEAT_SECONDS * sampleRateHz ? marked[near]?.label : '-';
    })
    .join('');
}

let last: { readonly path: string; readonly recording: Recording } | undefined;

/** Recordings of one path come one after the other, and are read once. */
function open(path: string): Recording {
  if (last?.path !== path) last = { path, recording: recordingFrom(`${path}.hea`) };
  return last.recording;
}

/** @returns undefined where no shape of a beat can be believed */
export function beatExamples(own: BeatRecording): BeatExamples | undefined {
  const { path, lead, fromSecond, every, ecg } = own;
  const whole = ecg === undefined ? open(path) : toRecording(ecg);
  const channels = whole.channels.filter((_, i) => lead === undefined || i === lead);
  const part = { ...whole, channels };
  const rows: Float64Array[] = [];
  const { found, reader } = findBeatsOf({
    recording: fromSecond === undefined ? part : piece(part, fromSecond),
    constraints: {},
    network: productNetwork(),
    beatDecision: {
      ventricular: (row) => {
        rows.push(row);
        return 0;
      },
      supraventricular: () => 0,
    },
    waypoints: undefined,
    onProgress: () => undefined,
  });
  if (rows.length === 0) return undefined;
  const { sampleRateHz } = reader;
  const samples = found.beats.map(({ sample }) => sample);
  const shift = Math.round((fromSecond ?? 0) * sampleRateHz);
  const labels =
    every !== undefined
      ? (every === 'mixed' ? '-' : 'N').repeat(samples.length)
      : labelsAt(
          samples,
          (ecg ?? readReference(`${path}.atr`, Number.MAX_SAFE_INTEGER)).beats.map((beat) => ({
            ...beat,
            sample: beat.sample - shift,
          })),
          sampleRateHz,
        );
  const width = rows[0]?.length ?? 0;
  const flat = new Float32Array(rows.length * width);
  for (const [i, row] of rows.entries()) flat.set(row, i * width);
  const { ecg: _, ...kept } = own;
  return {
    ...kept,
    samples,
    sampleRateHz,
    leadCount: channels.length,
    labels,
    groupOf: Int32Array.from(found.beats, ({ cluster }) => cluster ?? -1),
    rows: flat,
  };
}
