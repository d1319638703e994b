// Whether what the detector found are heartbeats at all. A detector finds peaks in anything; heartbeats stand
// out from what lies between them, come again in the same shape, and do not leave the signal on another
// level. Analysis reference, section 3 (contrast, agreement).
//
// Constants chosen beside each other on 841 labelled recordings and 300 pieces of noise: the median of F
// between the beats is below 0.45 in every recording and above it in white noise, random walks and mains; the
// third best correlation with another beat is above 0.81 in 98 of 100 recordings (0.77 the least readable)
// and below 0.80 in every piece of noise but mains and steps.

import { median } from '../../../shared/signal/statistics.ts';
import type { CoarseSet } from '../signal/lead-signals.ts';
import { type BeatShapes, cutShapes, QRS_BAND, shapeCorrelation } from './beat-shape.ts';

const NEIGHBOURS = 15;
/** Beats held against each other, of a recording and of each minute of a long one. */
const MAX_COMPARED = 120;
const LEAST_COMPARED = 24;
const LEAST_IN_PART = 15;
const STEP_SHARE = 0.75;
const STEP_FROM_MS = 90;
const STEP_TO_MS = 140;

/**
 * Level behind a beat against the level before it, in parts of the beat's own range: about 0 in a beat, about
 * 1 in a jump of the base line.
 */
function stepShare(set: CoarseSet, sample: number): number {
  const from = Math.round((STEP_FROM_MS / 1000) * set.sampleRateHz);
  const to = Math.round((STEP_TO_MS / 1000) * set.sampleRateHz);
  const place = Math.round(sample);
  const [first, last] = [place - to, place + to];
  if (first < 0 || last >= set.sampleCount) return 0;
  let change = 0;
  let range = 0;
  for (const { mv } of set.leads) {
    let [before, behind] = [0, 0];
    for (let k = 0; k < to - from; k++) {
      before += mv[first + k] as number;
      behind += mv[last - k] as number;
    }
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = place - from; i <= place + from; i++) {
      low = Math.min(low, mv[i] as number);
      high = Math.max(high, mv[i] as number);
    }
    change += Math.abs(behind - before) / Math.max(1, to - from);
    range += high - low;
  }
  return range > 0 ? change / range : 0;
}

/** Evenly spread over them, no more than so many. */
function thinned<T>(values: readonly T[], atMost: number): T[] {
  const stride = Math.max(1, Math.ceil(values.length / atMost));
  return values.filter((_, i) => i % stride === 0);
}

/** Three neighbours as like as this are as good as any: the others need not be looked at. */
const LIKE_ENOUGH = 0.95;

/** The third best correlation of each beat with one of its neighbours: two alike can be chance. */
const likenesses = (shapes: BeatShapes, rows: readonly Float32Array[]): number[] =>
  rows.map((row, i) => {
    const found: number[] = [];
    let enough = 0;
    for (
      let k = Math.max(0, i - NEIGHBOURS);
      k <= Math.min(rows.length - 1, i + NEIGHBOURS) && enough < 3;
      k++
    ) {
      if (k === i) continue;
      const likeness = shapeCorrelation(shapes, row, rows[k] as Float32Array);
      found.push(likeness);
      if (likeness >= LIKE_ENOUGH) enough++;
    }
    found.sort((a, b) => b - a);
    return found[Math.min(2, found.length - 1)] ?? 0;
  });

/** How alike the beats of a stretch are. */
export function likenessOfBeats(set: CoarseSet, samples: readonly number[]): number {
  const shapes = cutShapes(set, thinned(samples, MAX_COMPARED), QRS_BAND);
  return median(likenesses(shapes, shapes.rows)) ?? 0;
}

/** What the beats of one part show. */
export interface Evidence {
  readonly count: number;
  readonly steady: number;
  readonly likeness: readonly number[];
}

interface Limits {
  readonly floor: number;
  readonly likeness: number;
  /** Share of the beats at which the base line jumps. */
  readonly jumps: number;
}

const PROVEN: Limits = { floor: 0.45, likeness: 0.8, jumps: 0.4 };
/** Two peaks alone can be alike by chance. */
const PROVEN_OF_TWO: Limits = { floor: 0.2, likeness: 0.9, jumps: 0.4 };
/**
 * What a minute of noise is known by, beside a heart: most of its peaks are jumps of the base line; or they are not
 * alike, all the less where they do not stand out; or nothing at all lies between them, as in hum of the mains. The
 * beats of a tachycardia leave little rest as well, but they are alike.
 *
 * Chosen on 120 minutes of noise behind a clean signal (`noise-pieces.ts`), of which the mildest that is no hum has a
 * floor of 0.33 with a likeness of 0.57, or 0.58 with 0.81, and hum 0.90; and on the minutes of DS1, CPSC 2021, CUDB
 * and nsrdb: the nearest have a likeness of 0.75 at a floor of 0.11, 0.84 at 0.29, and 0.88 at 0.53.
 */
const NOISE = {
  jumps: 0.5,
  likeness: 0.55,
  /** Above this floor, more likeness is asked. */
  restlessFloor: 0.3,
  restlessLikeness: 0.83,
  humFloor: 0.88,
};

function isNoise({ count, steady, likeness }: Evidence, floor: number): boolean {
  const alike = median(likeness) ?? 0;
  return (
    count - steady > NOISE.jumps * count ||
    alike < (floor > NOISE.restlessFloor ? NOISE.restlessLikeness : NOISE.likeness) ||
    floor > NOISE.humFloor
  );
}

/**
 * Ectopic beats of several shapes are like each other by twos and threes, and the usual ones stand between them: with
 * rest between them all, and so many of one shape, it is a heart.
 */
const PROVEN_OF_SOME = { floor: 0.2, likeness: 0.95, share: 0.4, beats: 5 };

function isHeartBySome({ count, steady, likeness }: Evidence, floor: number): boolean {
  const alike = likeness.filter((value) => value >= PROVEN_OF_SOME.likeness).length;
  return (
    floor <= PROVEN_OF_SOME.floor &&
    count - steady <= PROVEN.jumps * count &&
    alike >= PROVEN_OF_SOME.beats &&
    alike >= PROVEN_OF_SOME.share * likeness.length
  );
}

/** @param floor median of the detector's envelope, which is 1 at a typical beat */
const isWithin = ({ count, steady, likeness }: Evidence, floor: number, limits: Limits): boolean =>
  count - steady <= limits.jumps * count &&
  floor <= limits.floor &&
  (median(likeness) ?? 0) >= limits.likeness;

/** Whether all these beats come from a heart. Single ones are never left out: that would make a pause. */
function isHeart(evidence: Evidence, floor: number): boolean {
  const { count, steady } = evidence;
  if (count - steady > PROVEN.jumps * count) return false;
  if (steady < 2) return steady === 1;
  return isWithin(evidence, floor, steady === 2 ? PROVEN_OF_TWO : PROVEN) || isHeartBySome(evidence, floor);
}

/** The beats of one part of a recording. */
export interface PartBeats {
  readonly samples: readonly number[];
  /** One a beat: false where the leads that beats are compared on are missing, so that it proves nothing. */
  readonly isShown: readonly boolean[];
}

/** Collects, minute after minute, what proves a heart. */
export class HeartbeatProof {
  readonly #comparedInPart: number;
  readonly #weights: readonly number[];

  /** One a part that was looked at. */
  readonly state: Evidence[];

  /** @param parts how many there will be @param weights one a lead: how much it says @param state of a proof that is gone on with */
  constructor(parts: number, weights: readonly number[], state: Evidence[] = []) {
    this.state = state;
    this.#weights = weights;
    this.#comparedInPart = Math.max(LEAST_COMPARED, Math.ceil(MAX_COMPARED / parts));
  }

  /**
   * @param parts beats of the next parts, all of them in `set` and in its samples
   * @returns one a beat: false where the base line jumps at that place, so that it has no shape to go by
   */
  add(set: CoarseSet, parts: readonly PartBeats[]): boolean[] {
    const jumps = parts.map(({ samples }) => samples.map((sample) => stepShare(set, sample) > STEP_SHARE));
    const compared = parts.map(({ samples, isShown }, part) =>
      thinned(
        samples.filter((_, i) => isShown[i] === true && jumps[part]?.[i] === false),
        this.#comparedInPart,
      ),
    );
    const shapes = cutShapes(set, compared.flat(), { ...QRS_BAND, weights: this.#weights });
    let next = 0;
    for (const [part, { samples, isShown }] of parts.entries()) {
      const rows = shapes.rows.slice(next, next + (compared[part]?.length ?? 0));
      next += rows.length;
      this.state.push({
        count: isShown.filter((shown) => shown).length,
        steady: samples.filter((_, i) => isShown[i] === true && jumps[part]?.[i] === false).length,
        likeness: likenesses(shapes, rows),
      });
    }
    return jumps.flat().map((jump) => !jump);
  }

  /** @param floor of the whole recording */
  isHeart(floor: number): boolean {
    const sum = (of: (part: Evidence) => number): number =>
      this.state.reduce((total, part) => total + of(part), 0);
    return isHeart(
      {
        count: sum(({ count }) => count),
        steady: sum(({ steady }) => steady),
        likeness: this.state.flatMap(({ likeness }) => likeness),
      },
      floor,
    );
  }

  /** Judges one part alone, which has to show more than a few beats: some peaks of noise are alike by chance. */
  isHeartIn(part: number, floor: number): boolean {
    const evidence = this.state[part];
    return evidence !== undefined && evidence.steady >= LEAST_IN_PART && isHeart(evidence, floor);
  }

  /** Judges one part of a recording with a heart in it: what was found there is surely none. */
  isNoiseIn(part: number, floor: number): boolean {
    const evidence = this.state[part];
    return evidence !== undefined && evidence.count >= LEAST_IN_PART && isNoise(evidence, floor);
  }
}
