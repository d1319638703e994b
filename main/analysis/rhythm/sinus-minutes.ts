// Where a long recording has sinus rhythm: minute by minute, as most are interrupted now and then by a pause, noise or
// another rhythm. Analysis reference, sections 8.1 and 13.

import type { Beat } from '../../../shared/analysis-result.ts';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import { median } from '../../../shared/signal/statistics.ts';
import { haveSameP } from '../atria/p-evidence.ts';
import {
  joinRanges,
  lengthOf,
  outside,
  type Range,
  spansGap,
  type TimeBase,
  touches,
} from '../signal/time-base.ts';

const LEAST_BEATS = 5;
/**
 * An interval this much longer than usual, with no ectopic beat before it, is a dropped beat or a pause, not
 * sinus rhythm.
 */
const MAX_SINUS_RR = 1.5;
/** Behind an ectopic beat, or one without a class: more is no compensatory pause. */
const MAX_PAUSE_RR = 2.5;

/**
 * Whether a beat stays away somewhere; behind an ectopic one, where a pause belongs, for longer than that. Before the first and behind
 * the last beat of a recording as well.
 * @param beats of all of it @param within of which these are looked at, [first, behind)
 */
export function isBeatDropped(
  beats: readonly Beat[],
  time: TimeBase,
  [first, behind]: Range = [0, beats.length],
): boolean {
  const own = beats.slice(first, behind);
  const usual = median(own.slice(1).map(({ sample }, i) => sample - (own[i] as Beat).sample)) ?? 0;
  // What begins in this part counts for it; before the first beat of all there is the beginning of the recording.
  const starts = [...(first === 0 ? [{ sample: 0, label: 'N' }] : []), ...own];
  const ends = [...starts.slice(1), beats[behind] ?? { sample: time.sampleCount }];
  return starts.some(({ sample, label }, i) => {
    const next = ends[i]?.sample ?? sample;
    const most = label === 'N' ? MAX_SINUS_RR : MAX_PAUSE_RR;
    return next - sample > most * usual && !spansGap(time, sample, next);
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
  /** One a minute: waves run on between the beats as in flutter. */
  readonly hasAtrialWaves: readonly boolean[];
  /** Faster minutes are not believed where the width of QRS is not known, or wide. */
  readonly fastestBpm: number;
}

/** A minute of which less is known goes with its neighbours. */
const LEAST_KNOWN_SECONDS = 10;

/** Beside a minute of twice its rate, within so many minutes: every second P wave may have stayed without a beat. */
const NEIGHBOURS = 3;
const LEAST_TWICE = 1.8;
const MOST_TWICE = 2.2;

const isTwice = (bpm: number, other: number): boolean =>
  other >= LEAST_TWICE * bpm && other <= MOST_TWICE * bpm;

/** The sinus minutes, joined where they follow each other. */
export function findSinusMinutes(input: SinusMinuteInput): Range[] {
  const { minutes, time, beats, sameWaves, others, hasAtrialWaves, fastestBpm } = input;
  const samples = beats.map(({ sample }) => sample);
  const within = (minute: Range): readonly [first: number, behind: number] => [
    firstFrom(samples, minute[0]),
    firstFrom(samples, minute[1]),
  ];
  // The median interval gives the rate, because pauses and ectopic beats do not change it.
  const rates = minutes.map((minute) => {
    const own = samples.slice(...within(minute));
    const usual = median(own.slice(1).map((sample, i) => sample - (own[i] as number)));
    return usual === undefined ? Number.NaN : (60 * time.sampleRateHz) / usual;
  });
  const isHalved = (i: number): boolean =>
    rates
      .slice(Math.max(0, i - NEIGHBOURS), i + NEIGHBOURS + 1)
      .some((other) => isTwice(rates[i] as number, other));
  const isSinus = minutes.map((minute, i) => {
    const [first, behind] = within(minute);
    return (
      haveSameP(sameWaves.subarray(first, behind), LEAST_BEATS) &&
      (rates[i] as number) < fastestBpm &&
      !touches(others, ...minute) &&
      !hasAtrialWaves[i] &&
      !isHalved(i) &&
      !isBeatDropped(beats, time, [first, behind])
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
