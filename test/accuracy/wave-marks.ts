// How far the marks of P, QRS and T lie from those of experts, and how many waves are found (analysis reference,
// section 6.3). Each record is judged by the network of the fold that left it out (training/README.md).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { analyse } from '../../main/analysis/analyse.ts';
import type { AnalysisResult } from '../../shared/analysis-result.ts';
import { recordingFrom, shelfFolder } from '../support/test-data.ts';
import { networkWithout } from './fold-networks.ts';
import { f1, qrsScore, type Score, scoreBeats } from './score-beats.ts';
import type { Figure } from './tables.ts';

export type Kind = 'P' | 'QRS' | 'T';
/** A wave of an expert or of the analysis, in milliseconds; an edge that the expert left out is undefined. */
interface Wave {
  readonly kind: Kind;
  readonly onsetMs: number | undefined;
  readonly peakMs: number;
  readonly endMs: number | undefined;
}

export interface MarkErrors {
  readonly name: string;
  /** Found minus marked, by `${kind} onset` and `${kind} end`. */
  readonly errorsMs: Map<string, number[]>;
  /** For each kind: the waves that the expert marked, and how many of them were found. */
  readonly marked: Map<Kind, number>;
  readonly found: Map<Kind, number>;
  /** For each kind: the waves between the first and the last marked one that the expert did not mark. */
  readonly extra: Map<Kind, number>;
}

const more = (counts: Map<Kind, number>, kind: Kind): void =>
  void counts.set(kind, (counts.get(kind) ?? 0) + 1);

type Span = readonly [onsetMs: number, endMs: number];
const KEYS = { P: 'p', QRS: 'qrs', T: 't' } as const;
const REACH_MS = 40;

/** What the analysis found on one lead, by kind. */
function spansOn(result: AnalysisResult, lead: number): Map<Kind, Span[]> {
  const ms = (sample: number): number => (1000 * sample) / result.recording.sampleRateHz;
  const spans = new Map<Kind, Span[]>();
  for (const [kind, key] of Object.entries(KEYS) as [Kind, 'p' | 'qrs' | 't'][])
    spans.set(
      kind,
      (result.waves ?? []).flatMap((beat) => {
        const span = beat.leads?.[lead]?.[key];
        return span === undefined ? [] : [[ms(span[0]), ms(span[1])] as const];
      }),
    );
  return spans;
}

const nearest = (spans: readonly Span[], peakMs: number): Span | undefined =>
  spans
    .filter(([onset, end]) => onset <= peakMs + REACH_MS && end >= peakMs - REACH_MS)
    .sort((a, b) => Math.abs(a[0] + a[1] - 2 * peakMs) - Math.abs(b[0] + b[1] - 2 * peakMs))[0];

/** @param leads spans of each lead on which an edge may lie; the nearest one counts */
function compare(name: string, waves: readonly Wave[], leads: readonly Map<Kind, Span[]>[]): MarkErrors {
  const errors: MarkErrors = {
    name,
    errorsMs: new Map(),
    marked: new Map(),
    found: new Map(),
    extra: new Map(),
  };
  const add = (key: string, values: readonly number[]): void => {
    const least = values.reduce((best, value) => (Math.abs(value) < Math.abs(best) ? value : best));
    errors.errorsMs.set(key, [...(errors.errorsMs.get(key) ?? []), least]);
  };
  const matched = new Set<Span>();
  for (const { kind, onsetMs, peakMs, endMs } of waves) {
    more(errors.marked, kind);
    const spans = leads
      .map((lead) => nearest(lead.get(kind) ?? [], peakMs))
      .filter((span) => span !== undefined);
    if (spans.length === 0) continue;
    more(errors.found, kind);
    for (const span of spans) matched.add(span);
    if (onsetMs !== undefined)
      add(
        `${kind} onset`,
        spans.map(([onset]) => onset - onsetMs),
      );
    if (endMs !== undefined)
      add(
        `${kind} end`,
        spans.map(([, end]) => end - endMs),
      );
  }
  const first = Math.min(...waves.map(({ onsetMs, peakMs }) => onsetMs ?? peakMs));
  const last = Math.max(...waves.map(({ endMs, peakMs }) => endMs ?? peakMs));
  for (const lead of leads)
    for (const [kind, spans] of lead)
      for (const span of spans)
        if (!matched.has(span) && span[0] >= first - 20 && span[1] <= last + 20) more(errors.extra, kind);
  return errors;
}

type Row = Readonly<Record<string, string>>;
const rowsOf = (path: string): Row[] => parse(readFileSync(path), { columns: true });

export interface Interval {
  readonly name: string;
  readonly errorMs: number;
}

/** Beats over all leads against the peaks that are marked on lead II, between the first and the last of these. */
function scoreOnII(rows: readonly Row[], { beats, recording }: AnalysisResult): Score {
  const marked = rows
    .filter(({ lead, wave }) => lead === 'ii' && wave === 'QRS')
    .map(({ peak }) => ({ sample: Number(peak), label: 'N' as const }));
  const reach = 0.15 * recording.sampleRateHz;
  const [first, last] = [(marked[0]?.sample ?? 0) - reach, (marked.at(-1)?.sample ?? 0) + reach];
  const within = beats.filter(({ sample }) => sample >= first && sample <= last);
  return qrsScore(scoreBeats(marked, within, recording.sampleRateHz));
}

export function ludbBeatFigures(
  scores: readonly Score[],
  floors: Readonly<Record<string, number>>,
): Figure[] {
  const sum = (key: keyof Score): number => scores.reduce((total, score) => total + score[key], 0);
  const [right, missed, wrong] = [sum('right'), sum('missed'), sum('false')];
  const name = 'Beats F1';
  return [
    {
      name,
      value: f1({ right, missed, false: wrong }),
      floor: floors[name] ?? 0,
      peers: `${missed} missed, ${wrong} false of ${right + missed}`,
    },
  ];
}

/** LUDB, lead by lead, its global intervals, and its beats. */
export function ludbMarks(): { marks: MarkErrors[]; intervals: Interval[]; beats: Score[] } {
  const folder = shelfFolder('annotated/ludb') as string;
  const rows = Map.groupBy(rowsOf(join(folder, 'annotations.csv')), ({ record }) => record as string);
  const stated = new Map(rowsOf(join(folder, 'intervals.csv')).map((row) => [row.id as string, row]));
  const marks: MarkErrors[] = [];
  const intervals: Interval[] = [];
  const beats: Score[] = [];
  for (const [index, record] of [...rows.keys()].sort().entries()) {
    const result = analyse(recordingFrom(join(folder, `${record}.hea`)), { network: networkWithout(index) });
    const msOf = (text: string | undefined): number | undefined =>
      text === '' || text === undefined ? undefined : (1000 * Number(text)) / result.recording.sampleRateHz;
    beats.push(scoreOnII(rows.get(record) ?? [], result));
    for (const [lead, code] of result.recording.leads.entries()) {
      const name = code.slice('MDC_ECG_LEAD_'.length).toLowerCase();
      const waves = (rows.get(record) ?? [])
        .filter((row) => row.lead === name)
        .map(
          (row): Wave => ({
            kind: row.wave as Kind,
            onsetMs: msOf(row.onset),
            peakMs: msOf(row.peak) as number,
            endMs: msOf(row.offset),
          }),
        );
      if (waves.length > 0) marks.push(compare(record, waves, [spansOn(result, lead)]));
    }
    for (const name of ['pMs', 'prMs', 'qrsMs', 'qtMs'] as const) {
      const [found, wanted] = [result.measurements[name], stated.get(record)?.[name]];
      if (found !== undefined && wanted !== undefined && wanted !== '')
        intervals.push({ name, errorMs: found - Number(wanted) });
    }
  }
  return { marks, intervals, beats };
}

/** QTDB's marks of its first expert, in milliseconds. */
function qtdbWaves(rows: readonly Row[], sampleRateHz: number): Wave[] {
  const waves: Wave[] = [];
  let onset: number | undefined;
  for (const { sample, symbol } of rows) {
    const ms = (1000 * Number(sample)) / sampleRateHz;
    if (symbol === '(') onset = ms;
    else if (symbol === ')') {
      const last = waves.at(-1);
      if (last !== undefined && last.endMs === undefined) waves[waves.length - 1] = { ...last, endMs: ms };
      onset = undefined;
    } else if (symbol !== 'u') {
      const kind = symbol === 'p' ? 'P' : symbol === 't' ? 'T' : 'QRS';
      waves.push({ kind, onsetMs: onset, peakMs: ms, endMs: undefined });
      onset = undefined;
    } else onset = undefined;
  }
  return waves;
}

/** QTDB, on the better one of two leads for each mark, as its experts marked both together. */
export function qtdbMarks(): MarkErrors[] {
  const folder = shelfFolder('corpus/qtdb') as string;
  const rows = Map.groupBy(
    rowsOf(join(folder, 'marks.csv')).filter(({ annotator }) => annotator === 'q1c'),
    ({ record }) => record as string,
  );
  return [...rows.keys()].sort().map((record, index) => {
    const result = analyse(recordingFrom(join(folder, `${record}.hea`)), { network: networkWithout(index) });
    const waves = qtdbWaves(rows.get(record) ?? [], result.recording.sampleRateHz);
    return compare(
      record,
      waves,
      result.recording.leads.map((_, lead) => spansOn(result, lead)),
    );
  });
}
