// What happened in a recording of minutes: each episode with its place, and the strip that shows it. Analysis
// reference, section 13.

import type { Beat, Episode } from '../../../shared/analysis-result.ts';
import type { Pause } from '../rhythm/pauses.ts';
import type { VentricularRun } from '../rhythm/ventricular-runs.ts';
import { firstFrom, type Range, spansGap, type TimeBase } from '../time-base.ts';

type Code = Episode['code'];

const STRIP_SECONDS = 10;
const RATE_INTERVALS = 8;
/** Slower or faster than that, for so long. */
const SLOW_BPM = 50;
const VERY_SLOW_BPM = 40;
const FAST_BPM = 100;
const LASTING_SECONDS = 30;
/** As many of each kind as somebody would look at. */
const MOST_OF_A_KIND = 200;

export interface EpisodeInput {
  readonly beats: readonly Beat[];
  readonly time: TimeBase;
  readonly pauses: readonly Pause[];
  readonly runs: readonly VentricularRun[];
  readonly fibrillation: readonly Range[];
  readonly ventricularFibrillation: readonly Range[];
  readonly asystole: readonly Range[];
}

/** Stretches of beats whose rate over eight intervals fits. */
function rateStretches({ beats, time }: EpisodeInput, isIt: (bpm: number) => boolean): Range[] {
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

/** Three supraventricular beats or more in a row, fast. */
function supraventricularRuns({ beats, time }: EpisodeInput): Range[] {
  const found: Range[] = [];
  let first = 0;
  for (let i = 0; i <= beats.length; i++) {
    const goesOn =
      beats[i]?.label === 'S' &&
      (i === first || !spansGap(time, beats[i - 1]?.sample ?? 0, beats[i]?.sample ?? 0));
    if (goesOn) continue;
    const [from, to] = [beats[first]?.sample ?? 0, beats[i - 1]?.sample ?? 0];
    const bpm = (60 * (i - first - 1) * time.sampleRateHz) / Math.max(1, to - from);
    if (i - first >= 3 && bpm > FAST_BPM) found.push([from, to]);
    first = beats[i]?.label === 'S' ? i : i + 1;
  }
  return found;
}

/** How telling an episode of its kind is. */
const weightOf = ({ code, startSample, endSample, bpm = 0 }: Omit<Episode, 'isBest'>): number =>
  code === 'VT' || code === 'SVTA' || code === 'TACHY'
    ? bpm
    : code === 'BRADY'
      ? -bpm
      : endSample - startSample;

/** In the order of their beginning; of each kind the most telling one is marked. */
export function findEpisodes(input: EpisodeInput): Episode[] {
  const { beats, time, pauses, runs, fibrillation, ventricularFibrillation, asystole } = input;
  const fs = time.sampleRateHz;
  const samples = beats.map(({ sample }) => sample);
  const lasting = (ranges: readonly Range[]): Range[] =>
    ranges.filter(([start, end]) => end - start >= LASTING_SECONDS * fs);
  const rangeOf = ({ startSample, endSample }: Pause): Range => [startSample, endSample];
  const kinds: readonly (readonly [Code, readonly Range[]])[] = [
    ['AFIB', fibrillation],
    ['VT', runs.map(rangeOf)],
    ['SVTA', supraventricularRuns(input)],
    ['VF', ventricularFibrillation],
    ['ASYS', asystole],
    ['PAUSE', pauses.map(rangeOf)],
    ['BRADY', [...lasting(rateStretches(input, (bpm) => bpm < SLOW_BPM))]],
    [
      'BRADY',
      rateStretches(input, (bpm) => bpm < VERY_SLOW_BPM).filter(([s, e]) => e - s < LASTING_SECONDS * fs),
    ],
    ['TACHY', lasting(rateStretches(input, (bpm) => bpm > FAST_BPM))],
  ];
  const all = kinds.flatMap(([code, ranges]) =>
    ranges.slice(0, MOST_OF_A_KIND).map((range) => episodeOf(code, range)),
  );
  function episodeOf(code: Code, [startSample, endSample]: Range): Omit<Episode, 'isBest'> {
    const count = firstFrom(samples, endSample + 1) - firstFrom(samples, startSample);
    const middle = (startSample + endSample) / 2;
    const half = (STRIP_SECONDS / 2) * fs;
    const stripStart = Math.round(Math.max(0, Math.min(middle - half, time.sampleCount - 2 * half)));
    const hasRate = count > 2 && code !== 'VF' && code !== 'ASYS' && code !== 'PAUSE';
    return {
      code,
      startSample,
      endSample,
      ...(count > 0 && { beats: count }),
      ...(hasRate && { bpm: Math.round((60 * fs * (count - 1)) / (endSample - startSample)) }),
      strip: [stripStart, Math.min(time.sampleCount, Math.round(stripStart + 2 * half))],
    };
  }
  const best = new Map<Code, Omit<Episode, 'isBest'>>();
  for (const one of all) {
    const known = best.get(one.code);
    if (known === undefined || weightOf(one) > weightOf(known)) best.set(one.code, one);
  }
  return all
    .map((one) => ({ ...one, isBest: best.get(one.code) === one }))
    .sort((a, b) => a.startSample - b.startSample);
}
