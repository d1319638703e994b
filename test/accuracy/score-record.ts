// One recording analysed and held against what was marked in it.

import { analyse } from '../../main/analysis/analyse.ts';
import type { AnalysisResult } from '../../shared/analysis-result.ts';
import { recordingFrom } from '../support/test-data.ts';
import { readReference } from './reference.ts';
import { type BeatTable, scoreBeats } from './score-beats.ts';
import { type RunScore, scoreRuns } from './score-runs.ts';
import { type Range, scoreTime, type TimeScore } from './stretches.ts';

/** An episode lasts 30 s by definition (ESC 2020). */
const EPISODE_SECONDS = 30;

export interface RecordScore {
  readonly name: string;
  readonly beats: BeatTable;
  /** Atrial fibrillation and flutter together. */
  readonly fibrillation: TimeScore;
  readonly runs: RunScore;
  readonly durationMs: number;
}

export const stretchesOf = (result: AnalysisResult, codes: readonly string[]): Range[] =>
  result.rhythms
    .filter(({ code }) => codes.includes(code))
    .map(({ startSample, endSample }) => [startSample, endSample]);

/** @param path without extension; header, signal and `.atr` lie beside each other */
export function scoreRecord(path: string): RecordScore {
  const recording = recordingFrom(`${path}.hea`);
  const startedMs = performance.now();
  const result = analyse(recording);
  const durationMs = performance.now() - startedMs;
  const { samples, sampleRateHz } = result.recording;
  const reference = readReference(`${path}.atr`, samples);
  const marked = ['AFIB', 'AFL'].flatMap((name) => reference.rhythms.get(name) ?? []);
  return {
    name: path.split(/[\\/]/).at(-1) as string,
    beats: scoreBeats(reference.beats, result.beats, sampleRateHz, reference.excluded),
    fibrillation: scoreTime(marked, stretchesOf(result, ['AFIB', 'AFL']), EPISODE_SECONDS * sampleRateHz),
    runs: scoreRuns(reference.beats, stretchesOf(result, ['VT']), sampleRateHz, reference.excluded),
    durationMs,
  };
}
