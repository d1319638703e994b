// The rhythm as it is told: the base all along, and over it what is otherwise.

import type { RhythmSegment } from '../../../shared/analysis-result.ts';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import { joinRanges, lengthOf, outside, type Range } from '../signal/time-base.ts';
import { type BaseRhythm, sinusRhythm } from './base-rhythm.ts';
import { rangeOf } from './pauses.ts';
import type { RhythmEvents } from './rhythm-events.ts';

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
export function rhythmSegments(base: BaseRhythm, events: RhythmEvents): RhythmSegment[] {
  const { sampleCount, sampleRateHz } = events.time;
  const segments = (code: string, ranges: readonly Range[]): RhythmSegment[] =>
    ranges.map(([startSample, endSample]) => ({ startSample, endSample, code }));
  const others = [
    ...(base === 'AFIB' || base === 'AFL' ? [] : segments('AFIB', events.atrialFibrillation)),
    ...segments('SVTA', events.supraventricularRuns.map(rangeOf)),
    ...segments('VT', events.runs.map(rangeOf)),
    ...segments('VF', events.ventricularFibrillation),
    ...segments('ASYS', events.asystole),
    ...segments('PAUSE', events.pauses.map(rangeOf)),
    ...segments('UNK', events.unread),
  ].sort((a, b) => a.startSample - b.startSample);
  const read = outside([0, sampleCount], events.unread);
  const isSinusAllAlong = lengthOf(events.sinus) >= lengthOf(read);
  if (events.sinus.length === 0 || isSinusAllAlong) return [...segments(base, read), ...others];
  // Between stretches of sinus rhythm, the rhythm is not determined where nothing else is told.
  const rest = outside([0, sampleCount], joinRanges([...events.sinus, ...events.unread]));
  const samples = events.beats.map(({ sample }) => sample);
  const told = [
    ...events.sinus.map((range) => sinusSegment(range, samples, base, sampleRateHz)),
    ...segments(base === 'AFIB' || base === 'AFL' || base === 'VT' ? base : 'UNK', rest),
  ].sort((a, b) => a.startSample - b.startSample);
  return [...told, ...others];
}
