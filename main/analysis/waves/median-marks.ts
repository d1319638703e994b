// The marks of the usual beat: the medians of those of the single ones.

import { mean, median, quantile } from '../../../shared/signal/statistics.ts';
import type { MedianBeat } from '../measurements/median-beat.ts';
import { type BeatWaves, leadMark, markOf, type WaveMark } from './beat-waves.ts';

/** Samples of the median beat, between two of them as well. An offset or end is where the wave has ended. */
export interface Marks {
  readonly qrsOnset?: number;
  readonly qrsOffset?: number;
  readonly pOnset?: number;
  readonly pOffset?: number;
  /** Where P has ended on most leads. The axis is measured up to here: what follows is seen on too few to have one. */
  readonly pOffsetOfMost?: number;
  readonly tEnd?: number;
  /** The leads and the beats agree about where T ends, and nothing else begins before it does. */
  readonly isTTrusted: boolean;
  /** A person marked it. */
  readonly isPStated?: boolean;
}

export const NO_MARKS: Marks = { isTTrusted: false };

/** At least so many of the usual beats show a wave that has a place in the usual beat. */
const LEAST_SHARE = 0.5;
/** Between the quartiles of the T ends of leads, and of beats. */
const MAX_T_SPREAD_MS = 60;

const spreadOf = (values: readonly number[]): number =>
  (quantile(values, 0.75) ?? 0) - (quantile(values, 0.25) ?? 0);

/** Where a mark lies behind R, beat after beat; those left out in which it is not seen. */
function behindR(
  waves: readonly BeatWaves[],
  samples: readonly number[],
  at: (waves: BeatWaves) => number,
): number[] {
  return waves
    .map((beat) => at(beat) - (samples[beat.beat] as number))
    .filter((value) => !Number.isNaN(value));
}

/** Whether leads and beats put the end of T in one place. */
function doTEndsAgree(waves: readonly BeatWaves[], samples: readonly number[], beat: MedianBeat): boolean {
  const limit = (MAX_T_SPREAD_MS / 1000) * beat.sampleRateHz;
  const ofLeads = beat.leads.flatMap(
    (_, lead) => median(behindR(waves, samples, (one) => leadMark(one, lead, 'tEnd'))) ?? [],
  );
  return (
    ofLeads.length >= Math.min(2, beat.leads.length) &&
    spreadOf(ofLeads) <= limit &&
    spreadOf(behindR(waves, samples, (one) => markOf(one, 'tEnd'))) <= limit
  );
}

/** A P wave is at least so high on two leads, or on one of the only two or the only one higher still. */
const LEAST_P_MV = 0.03;
const LEAST_P_MV_ALONE = 0.05;
const FEW_LEADS = 2;

/** @param heights of a wave on each lead */
export const isHighEnough = (heights: readonly number[]): boolean =>
  heights.filter((height) => height >= LEAST_P_MV).length >= 2 ||
  (heights.length <= FEW_LEADS && heights.some((height) => height >= LEAST_P_MV_ALONE));

const SMOOTH_MS = 12;
/** Where no end of T is known, an earlier wave can be T itself. */
const LONGEST_PR_WITHOUT_T_MS = 280;

/** How far a lead leaves the straight line between two places. */
function heightMv(lead: Float64Array, from: number, to: number, smooth: number): number {
  const at = (i: number): number => mean(lead.subarray(Math.max(0, i - smooth), i + smooth + 1)) ?? 0;
  const [first, last] = [at(from), at(to)];
  let height = 0;
  for (let i = from; i <= to; i++)
    height = Math.max(
      height,
      Math.abs(at(i) - first - ((last - first) * (i - from)) / Math.max(1, to - from)),
    );
  return height;
}

/** Whether there is a wave: the network expects P before QRS, and may mark it in what is only noise. */
function isInSignal({ leads, sampleRateHz }: MedianBeat, onset: number, end: number): boolean {
  const smooth = Math.round((SMOOTH_MS / 2000) * sampleRateHz);
  const heights = leads.map((lead) => heightMv(lead, Math.round(onset), Math.round(end), smooth));
  return isHighEnough(heights);
}

/** Where one lead of the median beat has a mark, if it has it in most beats. */
export function usualLeadMark(
  waves: readonly BeatWaves[],
  samples: readonly number[],
  { fiducial }: MedianBeat,
  lead: number,
  mark: WaveMark,
): number | undefined {
  const places = behindR(waves, samples, (one) => leadMark(one, lead, mark));
  const middle = median(places);
  return middle === undefined || places.length < LEAST_SHARE * waves.length ? undefined : fiducial + middle;
}

/**
 * P lasts until only a tenth of the leads still shows it: its last part, from the left atrium, is seen on few. Of LUDB,
 * P duration then scatters by 6.7 ms about that of the experts, by 7.8 with a quarter of the leads as for other marks;
 * 204 normal ECGs of PTB-XL have P of 114 ms (97 to 137).
 */
const P_END_SHARE = 0.1;

/** No later than QRS begins. @returns NaN where P is not seen */
function lastPEnd(beat: BeatWaves, leads: number): number {
  const ends = Array.from({ length: leads }, (_, lead) => leadMark(beat, lead, 'pEnd'));
  const last = quantile(
    ends.filter((end) => !Number.isNaN(end)),
    1 - P_END_SHARE,
  );
  const ofMost = markOf(beat, 'pEnd');
  return Math.min(Math.max(ofMost, last ?? ofMost), markOf(beat, 'qrsOnset'));
}

/** @param waves of the beats that the median beat stands for @param samples of all beats */
export function medianMarks(
  waves: readonly BeatWaves[],
  samples: readonly number[],
  beat: MedianBeat,
): Marks {
  const usualPlace = (at: (waves: BeatWaves) => number): number | undefined => {
    const places = behindR(waves, samples, at);
    const middle = median(places);
    return middle === undefined || places.length < LEAST_SHARE * waves.length
      ? undefined
      : beat.fiducial + middle;
  };
  const usual = (mark: WaveMark): number | undefined => usualPlace((one) => markOf(one, mark));
  const [qrsOnset, qrsOffset] = [usual('qrsOnset'), usual('qrsEnd')];
  if (qrsOnset === undefined || qrsOffset === undefined) return NO_MARKS;
  const [pOnset, pOffsetOfMost, tEnd] = [usual('pOnset'), usual('pEnd'), usual('tEnd')];
  const rr = (beat.rrMs / 1000) * beat.sampleRateHz;
  const longestPr = (LONGEST_PR_WITHOUT_T_MS / 1000) * beat.sampleRateHz;
  /** Before T of the beat before has ended, a wave can be that T; at fast rates, P begins on the last part of it. */
  const isBehindT =
    pOnset !== undefined &&
    pOffsetOfMost !== undefined &&
    (tEnd === undefined ? qrsOnset - pOnset <= longestPr : (pOnset + pOffsetOfMost) / 2 + rr >= tEnd);
  const pOffset = usualPlace((one) => lastPEnd(one, beat.leads.length));
  const hasP =
    isBehindT &&
    pOffset !== undefined &&
    isInSignal(beat, Math.max(pOnset, (tEnd ?? pOnset) - rr), pOffsetOfMost);
  return {
    qrsOnset,
    qrsOffset,
    ...(hasP && { pOnset, pOffset, pOffsetOfMost }),
    ...(tEnd !== undefined && { tEnd }),
    isTTrusted:
      tEnd !== undefined &&
      doTEndsAgree(waves, samples, beat) &&
      (pOnset === undefined || tEnd < pOnset + rr),
  };
}
