// Which P waves are not conducted, and what that is called. Only of P waves that follow each other regularly: one that
// comes early and is not conducted is no block. Analysis reference, section 8.4.

import type { Beat } from '../../../shared/analysis-result.ts';
import { mean, median, standardDeviation } from '../../../shared/signal/statistics.ts';
import { type Range, spansGap, type TimeBase } from '../signal/time-base.ts';

/** The gravest first. */
export const AV_CONDUCTION_KINDS = ['complete', 'advanced', 'twoToOne', 'mobitz2', 'wenckebach'] as const;
export type AvConductionKind = (typeof AV_CONDUCTION_KINDS)[number];

export interface AvConduction {
  readonly kind: AvConductionKind;
  /** P waves a minute. */
  readonly atrialBpm: number;
  /** Beats a minute. */
  readonly bpm: number;
  /** P waves without a beat of their own. */
  readonly blocked: number;
  /** From beat to beat, where these are. */
  readonly ranges: readonly Range[];
}

const LEAST_P = 5;
const LEAST_INTERVALS = 3;
/** The rate of the P waves; faster ones belong to an atrial tachycardia or flutter. */
const MIN_ATRIAL_BPM = 40;
const MAX_ATRIAL_BPM = 180;
const PP_TOLERANCE = 0.12;
/** At least these shares of the P-P intervals are one period, and one or two periods: some P waves are not seen. */
const LEAST_SINGLE = 0.85;
const LEAST_KNOWN = 0.95;
/** On both sides of R nothing can be seen. */
const HIDDEN_SECONDS = 0.09;
/** A P wave this near before R still belongs to the beat before. */
const SLACK_SECONDS = 0.02;

const MAX_PR_SECONDS = 0.4;
/** Between the longest and shortest PR where it is called constant. */
const CONSTANT_PR_SECONDS = 0.06;
const LONGER_PR_SECONDS = 0.02;
/** A beat that stays away makes the interval longer. */
const LONGER_RR = 1.25;

/** Ventricles on their own: regular, slow, and with P waves at any time before them. */
const REGULAR = 0.08;
const MAX_ESCAPE_BPM = 65;
const MAX_ESCAPE_SHARE = 0.8;
/** At 2:1 it is 1; where both rates are near 2:1 by chance, P moves through the interval slowly. */
const UNRELATED = 0.85;

/** From one beat to the next. */
interface Interval {
  readonly range: Range;
  /** Between two usual beats, without a gap. */
  readonly isUsual: boolean;
  /** P waves in it. */
  readonly count: number;
  /** From the middle of the last one to the onset of QRS, in seconds. */
  readonly pr: number;
}

const lengthOf = ({ range: [start, end] }: Interval): number => end - start;

/** P waves with those that QRS hides; undefined where they are not regular. */
function regularTrain(
  found: readonly number[],
  beats: readonly Beat[],
  rateHz: number,
): { places: number[]; pp: number } | undefined {
  if (found.length < LEAST_P) return undefined;
  const distances = (places: readonly number[]): number[] =>
    places.slice(1).map((place, i) => place - (places[i] as number));
  const pp = median(distances(found)) as number;
  const bpm = (60 * rateHz) / pp;
  if (bpm < MIN_ATRIAL_BPM || bpm > MAX_ATRIAL_BPM) return undefined;
  const isTimes = (distance: number, n: number): boolean => Math.abs(distance - n * pp) <= PP_TOLERANCE * pp;
  const isHidden = (place: number): boolean =>
    beats.some(({ sample }) => Math.abs(sample - place) < HIDDEN_SECONDS * rateHz);
  const places = found.flatMap((place, i) => {
    const before = found[i - 1] ?? Number.NaN;
    const middle = (before + place) / 2;
    return isTimes(place - before, 2) && isHidden(middle) ? [middle, place] : [place];
  });
  const all = distances(places);
  const single = all.filter((distance) => isTimes(distance, 1)).length;
  const double = all.filter((distance) => isTimes(distance, 2)).length;
  const isRegular = single >= LEAST_SINGLE * all.length && single + double >= LEAST_KNOWN * all.length;
  return isRegular ? { places, pp } : undefined;
}

/** How far the P waves keep to one place in time before the beats: 1 always the same, 0 anywhere. */
function keepingOf(intervals: readonly Interval[], ppSeconds: number): number {
  const phases = intervals.filter(({ count }) => count > 0).map(({ pr }) => (2 * Math.PI * pr) / ppSeconds);
  return Math.hypot(mean(phases.map(Math.cos)) ?? 1, mean(phases.map(Math.sin)) ?? 1);
}

function isComplete(intervals: readonly Interval[], ppSeconds: number, rateHz: number): boolean {
  const rr = intervals.map(({ range: [start, end] }) => (end - start) / rateHz);
  const usual = mean(rr) as number;
  const extra = intervals.filter(({ count }) => count > 1).length;
  return (
    extra >= 2 &&
    (standardDeviation(rr) ?? 0) < REGULAR * usual &&
    60 / usual <= Math.min(MAX_ESCAPE_BPM, (MAX_ESCAPE_SHARE * 60) / ppSeconds) &&
    keepingOf(intervals, ppSeconds) < UNRELATED
  );
}

/** Beats that are conducted, some P waves that are not. @param all in order @param usual those that can be judged */
function secondDegree(all: readonly Interval[], usual: readonly Interval[]): AvConductionKind | undefined {
  if (usual.some(({ count, pr }) => count === 0 || pr > MAX_PR_SECONDS)) return undefined;
  const prs = usual.map(({ pr }) => pr);
  const isConstant = Math.max(...prs) - Math.min(...prs) < CONSTANT_PR_SECONDS;
  if (usual.some(({ count }) => count > 2)) return isConstant ? 'advanced' : undefined;
  if (usual.every(({ count }) => count === 2)) return isConstant ? 'twoToOne' : undefined;
  const conducted = median(usual.filter(({ count }) => count === 1).map(lengthOf)) as number;
  const dropped = usual.filter(({ count }) => count === 2);
  if (dropped.some((interval) => lengthOf(interval) < LONGER_RR * conducted)) return undefined;
  const shorter = dropped.flatMap((interval) => {
    const before = all[all.indexOf(interval) - 1];
    return before?.isUsual === true && before.count === 1 ? before.pr - interval.pr : [];
  });
  if (shorter.length === 0) return undefined;
  if (shorter.every((by) => by >= LONGER_PR_SECONDS)) return 'wenckebach';
  return shorter.every((by) => Math.abs(by) < LONGER_PR_SECONDS) ? 'mobitz2' : undefined;
}

/**
 * @param pWaves middles of all of them, in samples @param onsetBeforeR from the onset of QRS to R, in samples
 * @returns undefined where no P wave is seen to be blocked, or it cannot be told: one that lies at the same place of
 * each T was taken away with it
 */
export function avConduction(
  pWaves: readonly number[],
  beats: readonly Beat[],
  onsetBeforeR: number,
  time: TimeBase,
): AvConduction | undefined {
  const rateHz = time.sampleRateHz;
  const train = regularTrain(pWaves, beats, rateHz);
  if (train === undefined) return undefined;
  const slack = SLACK_SECONDS * rateHz;
  const intervals = beats.slice(1).map((beat, i): Interval => {
    const before = beats[i] as Beat;
    const [start, end] = [before.sample - onsetBeforeR, beat.sample - onsetBeforeR];
    const within = train.places.filter((place) => place > start - slack && place <= end - slack);
    return {
      range: [before.sample, beat.sample],
      isUsual: before.label === 'N' && beat.label === 'N' && !spansGap(time, before.sample, beat.sample),
      count: within.length,
      pr: (end - (within.at(-1) ?? Number.NaN)) / rateHz,
    };
  });
  const usual = intervals.filter(({ isUsual }) => isUsual);
  const whole = intervals.filter(({ range: [start, end] }) => !spansGap(time, start, end));
  if (usual.length < LEAST_INTERVALS) return undefined;
  const withBlocked = usual.filter(({ count }) => count > 1);
  if (withBlocked.length === 0) return undefined;
  const kind = isComplete(usual, train.pp / rateHz, rateHz) ? 'complete' : secondDegree(intervals, usual);
  return kind === undefined
    ? undefined
    : {
        kind,
        atrialBpm: Math.round((60 * rateHz) / train.pp),
        bpm: Math.round((60 * rateHz) / (mean(whole.map(lengthOf)) as number)),
        blocked: withBlocked.reduce((sum, { count }) => sum + count - 1, 0),
        ranges: withBlocked.map(({ range }) => range),
      };
}
