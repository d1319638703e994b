// What was detected as a beat, but is none: on a single lead, a deep T or a movement can stand out as QRS does, and the
// rate comes out too high. The wave network tells them from QRS.
//
// Of 51,000 beats of DS1, it sees no QRS on either lead in 19, and of 49 others that were detected there, in 20. The
// records' first leads alone have 152 false beats without this and 145 with it, and 112 and 113 missed; their second
// leads 2,600 and 2,586, and 1,136 and 1,144. Two of 139 strips of CinC 2017 had a rate of 118 and 94 instead of 72 and 68.

import { type CoarseSet, toCoarse } from '../signal/lead-signals.ts';
import { atNetworkRate } from '../waves/beat-waves.ts';
import { eachRun, Scores } from '../waves/lead-waves.ts';
import { NETWORK_RATE_HZ, SCORE_OF, type WaveScores } from '../waves/wave-network.ts';
import { paceOf, SCATTERED } from './beat-timing.ts';

/** On more, none of 11,100 beats that were detected in 875 ECGs of twelve leads lacked QRS on all of them. */
const FEW_LEADS = 2;
/** A detected beat lies no farther from its QRS. */
const NEAR_SAMPLES = 12;
/** With an interval as short on one side, it may be an extra one. */
const SHORT_SECONDS = 0.5;
/** About so many of those in a section show whether it has extra ones, if so many of them are without QRS. */
const LOOKED_AT_FIRST = 12;
const LEAST_COUNT = 3;
/**
 * Where more are neither QRS nor T, it is noise, and nothing tells which of them are beats. In CinC 2017, the noisy strips
 * that are looked at have 17 to 70 %, others up to 12 % but for five.
 */
const MOST_NOISE = 0.15;
/**
 * Two beats that are farther apart than this, in usual intervals, may have another one between them. Where all intervals
 * differ, it may be an early one.
 */
const MOST_APART = { regular: 1.5, irregular: 1.2 };
/**
 * The shorter of two intervals as a share of the longer. The network takes every second beat of a wide, fast
 * tachycardia for T.
 */
const MOST_EVEN = 0.75;

/** The places at which any lead shows a wave. */
interface Shown {
  readonly qrs: Set<number>;
  readonly t: Set<number>;
}

/** @param places at the network's rate, in order */
function wavesAt(network: WaveScores, leads: readonly Float32Array[], places: readonly number[]): Shown {
  const shown: Shown = { qrs: new Set(), t: new Set() };
  const within = (from: number, to: number): number[] =>
    places.filter((place) => place >= from && place < to);
  for (const lead of leads)
    eachRun(
      network,
      lead,
      ({ scores, start, count, from, to }) => {
        const ahead = new Scores(scores);
        for (const place of within(start + from, start + to)) {
          const first = Math.max(0, Math.round(place) - start - NEAR_SAMPLES);
          const last = Math.min(count - 1, Math.round(place) - start + NEAR_SAMPLES);
          for (let i = first; i <= last; i++) {
            const kind = ahead.winner(i);
            if (kind === SCORE_OF.QRS) shown.qrs.add(place);
            if (kind === SCORE_OF.T) shown.t.add(place);
          }
        }
      },
      (from, to) => within(from, to).length > 0,
    );
  return shown;
}

/** What lies between one beat that shows QRS and the next; at the ends of the signal, one of them is missing. */
interface Room {
  readonly between: readonly number[];
  /** What lies in it follows the beats around it in steps of nearly one length. */
  readonly isEven: boolean;
  readonly length: number;
}

function areEven(places: readonly number[]): boolean {
  const steps = places.slice(1).map((place, i) => place - (places[i] as number));
  return Math.min(...steps) >= MOST_EVEN * Math.max(...steps);
}

/** @param sure indices of the places that show QRS */
function roomsOf(places: readonly number[], sure: readonly number[], sampleCount: number): Room[] {
  return Array.from({ length: sure.length + 1 }, (_, k) => {
    const [before, behind] = [sure[k - 1], sure[k]];
    const from = before === undefined ? 0 : before + 1;
    const between = places.slice(from, behind);
    const within = places.slice(before ?? 0, behind === undefined ? undefined : behind + 1);
    const length = (places[behind ?? -1] ?? sampleCount) - (places[before ?? -1] ?? 0);
    return { between, isEven: between.length > 0 && areEven(within), length };
  });
}

/**
 * Places without QRS between two beats that are no farther apart than others. Where those of two rooms in a row are on
 * the beat, they are beats of a tachycardia.
 */
function extraAmong(
  places: readonly number[],
  qrs: ReadonlySet<number>,
  sampleCount: number,
): ReadonlySet<number> {
  const sure = places.flatMap((place, i) => (qrs.has(place) ? [i] : []));
  const rooms = roomsOf(places, sure, sampleCount);
  const { usual = 0, scatter } = paceOf(
    sure.map((i) => places[i] as number),
    () => true,
  );
  const longest = usual * (scatter > SCATTERED ? MOST_APART.irregular : MOST_APART.regular);
  const isExtra = ({ length, isEven }: Room, i: number): boolean =>
    length <= longest && !(isEven && (rooms[i - 1]?.isEven === true || rooms[i + 1]?.isEven === true));
  return new Set(rooms.filter(isExtra).flatMap(({ between }) => between));
}

/** @param samples of what was detected in a window, in order @returns without what is no beat, if there is much of it */
export function beatsWithQrs(network: WaveScores, set: CoarseSet, samples: readonly number[]): number[] {
  if (set.leads.length > FEW_LEADS) return [...samples];
  const places = samples.map((sample) => (toCoarse(sample, set) / set.sampleRateHz) * NETWORK_RATE_HZ);
  const isShort = (from: number, to: number): boolean =>
    (places[to] ?? Number.POSITIVE_INFINITY) - (places[from] ?? Number.NEGATIVE_INFINITY) <=
    SHORT_SECONDS * NETWORK_RATE_HZ;
  const doubtful = places.filter((_, i) => isShort(i - 1, i) || isShort(i, i + 1));
  if (doubtful.length < LEAST_COUNT) return [...samples];
  const leads = set.leads.map(({ mv }) => atNetworkRate(mv, set.sampleRateHz));
  // Two neighbours at a time, because beats and their T waves take turns.
  const step = Math.ceil(doubtful.length / LOOKED_AT_FIRST);
  const first = doubtful.filter((_, i) => Math.floor(i / 2) % step === 0);
  const without = first.length - wavesAt(network, leads, first).qrs.size;
  if (without < LEAST_COUNT) return [...samples];
  const { qrs, t } = wavesAt(network, leads, places);
  const noise = places.filter((place) => !qrs.has(place) && !t.has(place)).length;
  if (noise > MOST_NOISE * places.length) return [...samples];
  const extra = extraAmong(places, qrs, (leads[0] as Float32Array).length);
  return samples.filter((_, i) => !extra.has(places[i] as number));
}
