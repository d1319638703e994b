// Atrial fibrillation: irregular beats without a constant P wave before them. Analysis reference, section 8.2.

import type { Beat } from '../../../shared/analysis-result.ts';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import { mean } from '../../../shared/signal/statistics.ts';
import type { PEvidence } from '../atria/p-evidence.ts';
import type { PTrain } from '../atria/p-train.ts';
import { IRREGULAR, scatterOf } from '../beats/beat-timing.ts';
import { appendRange, type Range, spansGap, type TimeBase, touches } from '../signal/time-base.ts';

const NO_P_SHARE = 0.4;
/**
 * A share of the beats whose waves were marked: where fewer have P at one distance, the atria fibrillate, whatever
 * else repeats itself before QRS; where more have it, they do not.
 */
export const NO_MARKED_P_SHARE = 0.25;
const ALL_MARKED_P_SHARE = 0.9;
const MIN_BEATS = 8;
const FIBRILLATION_WINDOW = 12;
const WINDOW_STEP = 3;
const MAX_PATTERN_BEATS = 5;
const PATTERN_CORRELATION = 0.6;

/**
 * Whether the intervals come again in the same order, as in bigeminy, trigeminy or Wenckebach's periods: that
 * is not fibrillation.
 */
function isRepeating(beats: readonly Beat[]): boolean {
  const intervals = beats.slice(1).map((beat, i) => beat.sample - (beats[i] as Beat).sample);
  const middle = mean(intervals) ?? 0;
  const away = intervals.map((interval) => interval - middle);
  const correlationAt = (lag: number): number => {
    let [products, now, earlier] = [0, 0, 0];
    for (let i = lag; i < away.length; i++) {
      const [a, b] = [away[i] as number, away[i - lag] as number];
      products += a * b;
      now += a * a;
      earlier += b * b;
    }
    return now > 0 && earlier > 0 ? products / Math.sqrt(now * earlier) : 0;
  };
  for (let lag = 2; lag <= MAX_PATTERN_BEATS && lag <= away.length / 2; lag++)
    if (correlationAt(lag) >= PATTERN_CORRELATION) return true;
  return false;
}

/** [from, to) of beats that follow each other, with signal and beats of the heart all the way. */
export function seriesOf(
  beats: readonly Beat[],
  time: TimeBase,
  arrests: readonly Range[],
): [number, number][] {
  const series: [number, number][] = [];
  let from = 0;
  for (let i = 1; i <= beats.length; i++) {
    const [before, now] = [beats[i - 1], beats[i]];
    const goesOn =
      before !== undefined &&
      now !== undefined &&
      !spansGap(time, before.sample, now.sample) &&
      !touches(arrests, before.sample, now.sample);
    if (goesOn) continue;
    series.push([from, i]);
    from = i;
  }
  return series;
}

/**
 * Stretches with irregular intervals between beats that are not ventricular and have no constant P wave
 * before them (analysis reference, 8.2, on windows of 12 beats; the whole where there are fewer than two
 * windows).
 * @param arrests stretches without beats, across which nothing is irregular
 */
export function findAtrialFibrillation(
  beats: readonly Beat[],
  evidence: Pick<PEvidence, 'perBeat'>,
  pMarks: PTrain['perBeat'],
  time: TimeBase,
  arrests: readonly Range[],
): Range[] {
  const found: [number, number][] = [];
  const isShort = beats.length < 2 * FIBRILLATION_WINDOW;
  for (const [first, end] of seriesOf(beats, time, arrests)) {
    const count = end - first;
    const width = isShort ? count : FIBRILLATION_WINDOW;
    for (let start = first; start + width <= end; start += WINDOW_STEP) {
      const window = beats.slice(start, start + width);
      const known = (values: ArrayLike<number>): number[] =>
        Array.from({ length: width }, (_, i) => values[start + i] as number).filter((value) => value >= 0);
      if (!isFibrillating(window, known(evidence.perBeat), known(pMarks), isShort)) continue;
      appendRange(found, [(window[0] as Beat).sample, (window.at(-1) as Beat).sample]);
      if (width === count) break;
    }
  }
  return found;
}

/**
 * @param sameWaves one for each beat that was held against the others, 1 with the same P wave
 * @param pMarks one for each beat whose waves were marked, 1 with a P at the usual distance
 * @param isWhole the window is the whole of a short recording: a few intervals repeat themselves by chance
 */
function isFibrillating(
  window: readonly Beat[],
  sameWaves: readonly number[],
  pMarks: readonly number[],
  isWhole: boolean,
): boolean {
  const least = MIN_BEATS / 2;
  if (window.filter((beat) => beat.label === 'N' || beat.label === 'S').length < MIN_BEATS) return false;
  if (scatterOf(window) <= IRREGULAR) return false;
  const marked = pMarks.length >= least ? mean(pMarks) : undefined;
  if (marked !== undefined && marked >= ALL_MARKED_P_SHARE) return false;
  if (isWhole && marked !== undefined && marked <= NO_MARKED_P_SHARE) return true;
  return sameWaves.length >= least && (mean(sameWaves) ?? 0) < NO_P_SHARE && !isRepeating(window);
}

/** Parts with fewer beats between them are one episode. */
const FEW_BEATS = 10;
/**
 * Shorter ones are chance where there is more than a minute to look at. Of 7 to 30 s, 9 s find most of DS1 and CPSC 2021
 * (99.6 and 97.7 % of the time) with least that is none (3.4 and 4.0 %).
 */
const LEAST_SECONDS = 9;

/** Episodes of a recording of minutes. @param parts as found, in order */
export function lastingEpisodes(
  parts: readonly Range[],
  beats: readonly Beat[],
  { sampleRateHz }: Pick<TimeBase, 'sampleRateHz'>,
): Range[] {
  const samples = beats.map(({ sample }) => sample);
  const joined: [number, number][] = [];
  for (const [start, end] of parts) {
    const last = joined.at(-1);
    if (last !== undefined && firstFrom(samples, start) - firstFrom(samples, last[1]) < FEW_BEATS)
      last[1] = end;
    else joined.push([start, end]);
  }
  return joined.filter(([start, end]) => end - start >= LEAST_SECONDS * sampleRateHz);
}
