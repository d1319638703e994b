// The rhythm as it is told: the base all along, and over it what is otherwise.

import type { Beat, RhythmSegment } from '../../../shared/analysis-result.ts';
import { firstFrom, joinRanges, lengthOf, outside, type Range, type TimeBase } from '../time-base.ts';
import { type BaseRhythm, sinusRhythm } from './base-rhythm.ts';

export interface Episodes {
  readonly pauses: readonly Range[];
  readonly fibrillation: readonly Range[];
  readonly ventricularFibrillation: readonly Range[];
  readonly asystole: readonly Range[];
  /** Where noise hides the beats. */
  readonly unread: readonly Range[];
  readonly runs: readonly Range[];
  readonly sinus: readonly Range[];
}

/** By the rate of its beats. */
function sinusSegment(
  [start, end]: Range,
  samples: readonly number[],
  base: BaseRhythm,
  rateHz: number,
): RhythmSegment {
  const [first, last] = [firstFrom(samples, start), firstFrom(samples, end) - 1];
  const seconds = ((samples[last] ?? 0) - (samples[first] ?? 0)) / rateHz;
  const code = last > first ? sinusRhythm(Math.round((60 * (last - first)) / seconds)) : base;
  return { startSample: start, endSample: end, code };
}

/** @returns what was read in the order of its beginning, the base first */
export function rhythmSegments(
  base: BaseRhythm,
  episodes: Episodes,
  beats: readonly Beat[],
  { sampleCount, sampleRateHz }: TimeBase,
): RhythmSegment[] {
  const segments = (code: string, ranges: readonly Range[]): RhythmSegment[] =>
    ranges.map(([startSample, endSample]) => ({ startSample, endSample, code }));
  const others = [
    ...(base === 'AFIB' || base === 'AFL' ? [] : segments('AFIB', episodes.fibrillation)),
    ...segments('VT', episodes.runs),
    ...segments('VF', episodes.ventricularFibrillation),
    ...segments('ASYS', episodes.asystole),
    ...segments('PAUSE', episodes.pauses),
    ...segments('UNK', episodes.unread),
  ].sort((a, b) => a.startSample - b.startSample);
  const read = outside([0, sampleCount], episodes.unread);
  const isSinusAllAlong = lengthOf(episodes.sinus) >= lengthOf(read);
  if (episodes.sinus.length === 0 || isSinusAllAlong) return [...segments(base, read), ...others];
  // Between stretches of sinus rhythm, the rhythm is not determined where nothing else is told.
  const rest = outside([0, sampleCount], joinRanges([...episodes.sinus, ...episodes.unread]));
  const samples = beats.map(({ sample }) => sample);
  const told = [
    ...episodes.sinus.map((range) => sinusSegment(range, samples, base, sampleRateHz)),
    ...segments(base === 'AFIB' || base === 'AFL' || base === 'VT' ? base : 'UNK', rest),
  ].sort((a, b) => a.startSample - b.startSample);
  return [...told, ...others];
}
