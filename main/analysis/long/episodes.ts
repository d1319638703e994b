// What happened in a recording of minutes: each episode with its place, and the strip that shows it. Analysis
// reference, section 13.

import { type Beat, type Episode, MOST_OF_A_KIND } from '../../../shared/analysis-result.ts';
import type { Constraints } from '../../../shared/review/constraints.ts';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import { rejectedRanges } from '../constraints.ts';
import { rangeOf } from '../rhythm/pauses.ts';
import type { RhythmEvents } from '../rhythm/rhythm-events.ts';
import { outside, type Range, spansGap, type TimeBase, touches } from '../signal/time-base.ts';

type Code = Episode['code'];

const STRIP_SECONDS = 10;
const RATE_INTERVALS = 8;
/** Slower or faster than that, for so long. */
const SLOW_BPM = 50;
const VERY_SLOW_BPM = 40;
const FAST_BPM = 100;
const LASTING_SECONDS = 30;

/** Stretches of beats whose rate over eight intervals fits. */
function rateStretches({ beats, time }: RhythmEvents, isIt: (bpm: number) => boolean): Range[] {
  const found: [number, number][] = [];
  for (let i = RATE_INTERVALS; i < beats.length; i++) {
    const [from, to] = [(beats[i - RATE_INTERVALS] as Beat).sample, (beats[i] as Beat).sample];
    if (spansGap(time, from, to) || !isIt((60 * RATE_INTERVALS * time.sampleRateHz) / (to - from))) continue;
    const last = found.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else found.push([from, to]);
  }
  return found;
}

type Found = Omit<Episode, 'isBest'>;

/** How telling an episode of its kind is. */
const weightOf = ({ code, startSample, endSample, bpm = 0 }: Found): number =>
  code === 'VT' || code === 'SVTA' || code === 'TACHY'
    ? bpm
    : code === 'BRADY'
      ? -bpm
      : endSample - startSample;

/** Where each kind is found. */
function rangesOfKinds(events: RhythmEvents): readonly (readonly [Code, readonly Range[]])[] {
  const least = LASTING_SECONDS * events.time.sampleRateHz;
  const isLasting = ([start, end]: Range): boolean => end - start >= least;
  const slow = rateStretches(events, (bpm) => bpm < SLOW_BPM).filter(isLasting);
  // Very slow stretches count however short they are, unless they lie in a slow one, which is listed anyway.
  const verySlow = rateStretches(events, (bpm) => bpm < VERY_SLOW_BPM).filter(
    (range) => !touches(slow, ...range),
  );
  return [
    ['AFIB', events.atrialFibrillation],
    ['VT', events.runs.map(rangeOf)],
    ['SVTA', events.supraventricularRuns.map(rangeOf)],
    ['VF', events.ventricularFibrillation],
    ['ASYS', events.asystole],
    ['PAUSE', events.pauses.map(rangeOf)],
    ['BRADY', [...slow, ...verySlow]],
    // How fast fibrillation is, its own row tells.
    [
      'TACHY',
      rateStretches(events, (bpm) => bpm > FAST_BPM).filter(
        (range) => isLasting(range) && outside(range, events.atrialFibrillation).length > 0,
      ),
    ],
  ];
}

function episodeOf(
  code: Code,
  [startSample, endSample]: Range,
  samples: readonly number[],
  time: TimeBase,
): Found {
  const { sampleRateHz, sampleCount } = time;
  const beats = firstFrom(samples, endSample + 1) - firstFrom(samples, startSample);
  const length = Math.min(sampleCount, Math.round(STRIP_SECONDS * sampleRateHz));
  const middle = Math.round((startSample + endSample - length) / 2);
  const stripStart = Math.max(0, Math.min(middle, sampleCount - length));
  const hasRate = beats > 2 && code !== 'VF' && code !== 'ASYS' && code !== 'PAUSE';
  return {
    code,
    startSample,
    endSample,
    ...(beats > 0 && { beats }),
    ...(hasRate && { bpm: Math.round((60 * sampleRateHz * (beats - 1)) / (endSample - startSample)) }),
    strip: [stripStart, stripStart + length],
  };
}

/**
 * In the order of their beginning; of each kind the most telling one is marked, and never left out. What a person did not
 * see there is left out.
 */
export function findEpisodes(events: RhythmEvents, constraints: Constraints = {}): Episode[] {
  const samples = events.beats.map(({ sample }) => sample);
  return rangesOfKinds(events)
    .flatMap(([code, ranges]) => {
      const rejected = rejectedRanges(constraints, code);
      const all = ranges
        .filter((range) => !touches(rejected, ...range))
        .map((range) => episodeOf(code, range, samples, events.time));
      const best = all.reduce<Found | undefined>(
        (most, one) => (most === undefined || weightOf(one) > weightOf(most) ? one : most),
        undefined,
      );
      return all
        .filter((one, i) => i < MOST_OF_A_KIND || one === best)
        .map((one): Episode => ({ ...one, isBest: one === best }));
    })
    .sort((a, b) => a.startSample - b.startSample);
}
