// Where a long recording has sinus rhythm: minute by minute, as most are interrupted now and then by a pause, noise or
// another rhythm. Analysis reference, sections 8.1 and 13.

import type { Beat } from '../../../shared/analysis-result.ts';
import { median } from '../../../shared/signal/statistics.ts';
import {
  firstFrom,
  joinRanges,
  lengthOf,
  outside,
  type Range,
  spansGap,
  type TimeBase,
  touches,
} from '../time-base.ts';

/** One beat, or one in ten, may be without the P wave of the others: noise hides some. */
const MAX_MISSING_P_SHARE = 0.1;
const LEAST_BEATS = 5;
/**
 * An interval this much longer than usual, with no ectopic beat before it, is a dropped beat or a pause, not
 * sinus rhythm.
 */
const MAX_SINUS_RR = 1.5;

/** Whether at most one of them, or one in ten, lacks the P wave. @param sameWaves NaN where a beat was not looked at */
export function haveSameP(sameWaves: ArrayLike<number>, least: number): boolean {
  let [seen, missing] = [0, 0];
  for (let i = 0; i < sameWaves.length; i++) {
    if (Number.isNaN(sameWaves[i])) continue;
    seen++;
    if (sameWaves[i] === 0) missing++;
  }
  return seen >= least && missing <= Math.max(1, MAX_MISSING_P_SHARE * seen);
}

/** Whether a beat stays away somewhere: not behind an ectopic one, where a pause belongs. */
export function isBeatDropped(beats: readonly Beat[], time: TimeBase): boolean {
  const intervals = beats.slice(1).map((beat, i) => beat.sample - (beats[i] as Beat).sample);
  const usual = median(intervals) ?? 0;
  return intervals.some((interval, i) => {
    const [before, behind] = [beats[i] as Beat, beats[i + 1] as Beat];
    return (
      before.label === 'N' && interval > MAX_SINUS_RR * usual && !spansGap(time, before.sample, behind.sample)
    );
  });
}

export interface SinusMinuteInput {
  /** Stretches of about a minute, in order. */
  readonly minutes: readonly Range[];
  readonly time: TimeBase;
  readonly beats: readonly Beat[];
  /** One a beat, as in `PEvidence`. */
  readonly sameWaves: Float32Array;
  /** Where something else is going on. */
  readonly others: readonly Range[];
  /** Whether the signal between the beats repeats itself there as in flutter. */
  readonly hasAtrialWaves: (minute: Range) => boolean;
  /** Faster minutes are not believed where the width of QRS is not known, or wide. */
  readonly fastestBpm: number;
}

/** A minute of which less is known goes with its neighbours. */
const LEAST_KNOWN_SECONDS = 10;

/** Those minutes, joined where they follow each other. */
export function findSinusMinutes(input: SinusMinuteInput): Range[] {
  const { minutes, time, beats, sameWaves, others, hasAtrialWaves, fastestBpm } = input;
  const samples = beats.map(({ sample }) => sample);
  const isSinus = minutes.map((minute) => {
    const [first, behind] = [firstFrom(samples, minute[0]), firstFrom(samples, minute[1])];
    const within = beats.slice(first, behind);
    const seconds = ((samples[behind - 1] ?? 0) - (samples[first] ?? 0)) / time.sampleRateHz;
    const bpm = (60 * (within.length - 1)) / seconds;
    return (
      haveSameP(sameWaves.subarray(first, behind), LEAST_BEATS) &&
      bpm < fastestBpm &&
      !touches(others, ...minute) &&
      !hasAtrialWaves(minute) &&
      !isBeatDropped(within, time)
    );
  });
  const isHardlyKnown = (minute: Range): boolean =>
    lengthOf(outside(minute, time.gaps)) < LEAST_KNOWN_SECONDS * time.sampleRateHz &&
    !touches(others, ...minute);
  return joinRanges(
    minutes.filter(
      (minute, i) =>
        isSinus[i] || (isHardlyKnown(minute) && (isSinus[i - 1] === true || isSinus[i + 1] === true)),
    ),
  );
}
