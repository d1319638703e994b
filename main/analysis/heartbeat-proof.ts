// Whether what the detector found are heartbeats at all. A detector finds peaks in anything; heartbeats stand
// out from what lies between them, come again in the same shape, and do not leave the signal on another
// level. Analysis reference, section 3 (contrast, agreement).
//
// Constants chosen beside each other on 841 labelled recordings and 300 pieces of noise: the median of F
// between the beats is below 0.45 in every recording and above it in white noise, random walks and mains; the
// third best correlation with another beat is above 0.81 in 98 of 100 recordings (0.77 the least readable)
// and below 0.80 in every piece of noise but mains and steps.

import { median } from '../../shared/signal/statistics.ts';
import { cutShapes, QRS_BAND, shapeCorrelation } from './beat-shape.ts';
import type { CoarseSet } from './lead-signals.ts';

const MAX_FLOOR = 0.45;
const MIN_LIKENESS = 0.8;
/** Two peaks alone can be alike by chance. */
const MIN_LIKENESS_OF_TWO = 0.9;
const MAX_FLOOR_OF_TWO = 0.2;
const NEIGHBOURS = 15;
/** Beats held against each other, of a recording and of each section of a long one. */
const MAX_COMPARED = 120;
const LEAST_COMPARED = 24;
const STEP_SHARE = 0.75;
const MAX_STEPS = 0.4;
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

/** The third best correlation of each beat with one of its neighbours: two alike can be chance. */
function likenesses(set: CoarseSet, samples: readonly number[], atMost: number): number[] {
  const stride = Math.max(1, Math.ceil(samples.length / atMost));
  const shapes = cutShapes(
    set,
    samples.filter((_, i) => i % stride === 0),
    QRS_BAND,
  );
  return shapes.rows.map((row, i) => {
    const found: number[] = [];
    for (let k = Math.max(0, i - NEIGHBOURS); k <= Math.min(shapes.rows.length - 1, i + NEIGHBOURS); k++)
      if (k !== i) found.push(shapeCorrelation(shapes, row, shapes.rows[k] as Float32Array));
    found.sort((a, b) => b - a);
    return found[Math.min(2, found.length - 1)] ?? 0;
  });
}

/** How alike the beats of a stretch are. */
export const likenessOfBeats = (set: CoarseSet, samples: readonly number[]): number =>
  median(likenesses(set, samples, MAX_COMPARED)) ?? 0;

/** Collects, section after section, what proves a heart. */
export class HeartbeatProof {
  readonly #comparedInSection: number;
  readonly #likeness: number[] = [];
  #count = 0;
  #steady = 0;

  /** @param sections how many there will be */
  constructor(sections: number) {
    this.#comparedInSection = Math.max(LEAST_COMPARED, Math.ceil(MAX_COMPARED / sections));
  }

  /**
   * @param samples beats of a section, in samples of `set`
   * @returns one a beat: false where the base line jumps at that place, so that it has no shape to go by
   */
  add(set: CoarseSet, samples: readonly number[]): boolean[] {
    const isSteady = samples.map((sample) => stepShare(set, sample) <= STEP_SHARE);
    this.#count += samples.length;
    this.#steady += isSteady.filter((steady) => steady).length;
    this.#likeness.push(
      ...likenesses(
        set,
        samples.filter((_, i) => isSteady[i]),
        this.#comparedInSection,
      ),
    );
    return isSteady;
  }

  /**
   * Whether all these beats come from a heart. Single ones are never left out: that would make a pause.
   * @param floor median of the detector's envelope, which is 1 at a typical beat
   */
  isHeart(floor: number): boolean {
    const steady = this.#steady;
    if (this.#count - steady > MAX_STEPS * this.#count) return false;
    if (steady < 2) return steady === 1;
    const isPair = steady === 2;
    return (
      floor <= (isPair ? MAX_FLOOR_OF_TWO : MAX_FLOOR) &&
      (median(this.#likeness) ?? 0) >= (isPair ? MIN_LIKENESS_OF_TWO : MIN_LIKENESS)
    );
  }
}
