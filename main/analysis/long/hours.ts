// A long recording hour by hour. Analysis reference, section 13.

import type { Beat, HolterHour } from '../../../shared/analysis-result.ts';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import type { RhythmEvents } from '../rhythm/rhythm-events.ts';
import { lengthOf, outside, type Range, spansGap, type TimeBase } from '../signal/time-base.ts';

/** The slowest and the fastest rate are those of so many intervals in a row. */
const RATE_INTERVALS = 8;
const HOUR_SECONDS = 3600;

interface Rates {
  readonly meanBpm: number;
  readonly minBpm: number;
  readonly maxBpm: number;
  readonly longestRrMs: number;
}

/** Undefined with fewer beats than a rate needs. @param beats of the hour */
function ratesOf(beats: readonly Beat[], time: TimeBase): Rates | undefined {
  let [sum, count, longest] = [0, 0, 0];
  let [slowest, fastest] = [0, Number.POSITIVE_INFINITY];
  let run: number[] = [];
  for (let i = 1; i < beats.length; i++) {
    const [before, now] = [beats[i - 1] as Beat, beats[i] as Beat];
    if (spansGap(time, before.sample, now.sample)) {
      run = [];
      continue;
    }
    const ms = (1000 * (now.sample - before.sample)) / time.sampleRateHz;
    sum += ms;
    count++;
    longest = Math.max(longest, ms);
    run.push(ms);
    if (run.length > RATE_INTERVALS) run.shift();
    if (run.length < RATE_INTERVALS) continue;
    const eight = run.reduce((total, value) => total + value, 0) / RATE_INTERVALS;
    slowest = Math.max(slowest, eight);
    fastest = Math.min(fastest, eight);
  }
  return slowest === 0
    ? undefined
    : {
        meanBpm: Math.round((60_000 * count) / sum),
        minBpm: Math.round(60_000 / slowest),
        maxBpm: Math.round(60_000 / fastest),
        longestRrMs: Math.round(longest),
      };
}

const within = (ranges: readonly Range[], hour: Range): number =>
  hour[1] - hour[0] - lengthOf(outside(hour, ranges));

/** One row an hour, the last one shorter. */
export function hoursOf({ beats, time, pauses, atrialFibrillation }: RhythmEvents): HolterHour[] {
  const { sampleRateHz, sampleCount, gaps } = time;
  const length = HOUR_SECONDS * sampleRateHz;
  const samples = beats.map(({ sample }) => sample);
  return Array.from({ length: Math.ceil(sampleCount / length) }, (_, i) => {
    const hour: Range = [Math.round(i * length), Math.min(sampleCount, Math.round((i + 1) * length))];
    const own = beats.slice(firstFrom(samples, hour[0]), firstFrom(samples, hour[1]));
    const count = (label: Beat['label']): number => own.filter((beat) => beat.label === label).length;
    return {
      startSample: hour[0],
      endSample: hour[1],
      beats: own.length,
      ...ratesOf(own, time),
      ventricular: count('V'),
      supraventricular: count('S'),
      pauses: pauses.filter(({ startSample }) => startSample >= hour[0] && startSample < hour[1]).length,
      fibrillationMinutes: Math.round((10 * within(atrialFibrillation, hour)) / (60 * sampleRateHz)) / 10,
      readShare: Math.round(100 * (1 - within(gaps, hour) / (hour[1] - hour[0]))) / 100,
    };
  });
}
