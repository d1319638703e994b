// The time of a recording of which nothing is known, and where its fibrillation and its pauses are, from its stored result.

import type { AnalysisResult } from '../analysis-result.ts';
import type { SampleRange } from './hour-table.ts';

/** A shorter gap breaks no interval. */
const GAP_SECONDS = 0.2;

/** In order, none over another. */
export function joined(ranges: readonly SampleRange[]): SampleRange[] {
  const found: [number, number][] = [];
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = found.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else found.push([start, end]);
  }
  return found;
}

/** The stretches in which heartbeats could not be told from noise; of older versions, the first fifty. */
export const unreadRanges = ({
  unread,
  statements,
}: Pick<AnalysisResult, 'unread' | 'statements'>): readonly SampleRange[] =>
  unread ?? statements.find(({ code }) => code === 'QUAL-UNREAD')?.evidence?.ranges ?? [];

/** Where samples are missing on all leads, or noise hides the beats. */
export const unknownOf = (
  gaps: readonly SampleRange[],
  unread: readonly SampleRange[],
  sampleRateHz: number,
): SampleRange[] =>
  joined([...gaps.filter(([start, end]) => end - start > GAP_SECONDS * sampleRateHz), ...unread]);

const rangesOf = ({ rhythms }: Pick<AnalysisResult, 'rhythms'>, wanted: string): SampleRange[] =>
  rhythms.filter(({ code }) => code === wanted).map(({ startSample, endSample }) => [startSample, endSample]);

/** All of it, however often it comes. */
export const fibrillationOf = (
  result: Pick<AnalysisResult, 'fibrillation' | 'rhythms'>,
): readonly SampleRange[] => result.fibrillation ?? rangesOf(result, 'AFIB');

export const pausesOf = (result: Pick<AnalysisResult, 'rhythms'>): SampleRange[] =>
  rangesOf(result, 'PAUSE').sort((a, b) => a[0] - b[0]);
