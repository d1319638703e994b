// The numbers by which the class of a beat is decided: how it lies in time, how its shape lies beside the usual one and the beat before,
// and what the beats of its own shape have in common. All are ratios or milliseconds, so that none tells how long the recording is.

import { median } from '../../../shared/signal/statistics.ts';
import type { Cluster } from '../beats/beat-clusters.ts';
import { type BeatFeatures, SHAPE_FEATURES, type ShapeFeature } from '../beats/beat-features.ts';
import { nearest, type ShapeFormat } from '../beats/beat-shape.ts';
import type { BeatTiming } from '../beats/beat-timing.ts';

const TIMING_INPUTS = [
  'before',
  'behind',
  'beforeAndBehind',
  /** Beside the eight intervals before. */
  'beforeByEight',
  'behindByEight',
  'beforeByLast',
  'beforeByNext',
  /** The share of the 60 intervals around that are shorter. */
  'beforeRank',
  'twoBefore',
  'threeBefore',
  'twoBehind',
  'threeBehind',
  'scatter',
  /** The least scatter beside the interval one to four places before: small in bigeminy and the like, not in fibrillation. */
  'patternScatter',
] as const;
const SHAPE_GROUP_INPUTS = [
  /** Its share of the 60 beats around. */
  'groupShare',
  'groupEarlyShare',
  'groupBefore',
  'groupBehind',
  'groupDistance',
  'groupCorrelation',
  'groupArea',
  'groupPCorrelation',
  'groupTCorrelation',
  'groupWidthShare',
  'groupSteepnessShare',
  /** The shape of its group beside the one that most beats around have. */
  'groupLocalCorrelation',
  'groupLocalDistance',
  /** The share of the 60 beats around whose shape is their own alone. */
  'singleShare',
] as const;
const BESIDE_INPUTS = [
  'lastDistance',
  'nextDistance',
  'nextPairCorrelation',
  /** Beside the middle of the 20 beats around. */
  'distanceByAround',
  'pCorrelationByAround',
  'tCorrelationByAround',
  'wholeDistanceByAround',
  'widthByAround',
  'tremorAround',
] as const;

/** In the order in which the model knows them. */
export const BEAT_INPUTS = [
  ...TIMING_INPUTS,
  ...SHAPE_FEATURES,
  ...SHAPE_GROUP_INPUTS,
  ...BESIDE_INPUTS,
] as const;
export type BeatInputName = (typeof BEAT_INPUTS)[number];

/** What is known of all beats before any has a class. */
export interface BeatFacts {
  readonly samples: readonly number[];
  readonly timing: BeatTiming;
  readonly features: BeatFeatures;
  readonly clusters: readonly Cluster[];
  /** The cluster of each beat; -1 of one that is in none. */
  readonly clusterOf: Int32Array;
  readonly format: ShapeFormat;
}

const AROUND = 30;
const EIGHT = 8;
const SCATTER_AROUND = 10;
const LAGS = [1, 2, 3, 4] as const;
const EARLY = 0.9;

type GroupFacts = Readonly<
  Record<
    Exclude<(typeof SHAPE_GROUP_INPUTS)[number], `groupLocal${string}` | 'groupShare' | 'singleShare'>,
    number
  >
>;

function groupFacts({ members }: Cluster, { features, timing }: BeatFacts): GroupFacts {
  const middle = (values: Float32Array | Float64Array): number =>
    median(members.map((beat) => values[beat] as number).filter((value) => !Number.isNaN(value))) ??
    Number.NaN;
  return {
    groupEarlyShare:
      members.filter((beat) => (timing.before[beat] as number) < EARLY).length / members.length,
    groupBefore: middle(timing.before),
    groupBehind: middle(timing.behind),
    groupDistance: middle(features.distance),
    groupCorrelation: middle(features.correlation),
    groupArea: middle(features.area),
    groupPCorrelation: middle(features.pShiftedCorrelation),
    groupTCorrelation: middle(features.tCorrelation),
    groupWidthShare: middle(features.widthShare),
    groupSteepnessShare: middle(features.steepnessShare),
  };
}

/** Works out the inputs of one beat after the other. */
export class BeatInputs {
  readonly #facts: BeatFacts;
  readonly #intervals: Float64Array;
  readonly #groups: readonly GroupFacts[];
  readonly #likeness = new Map<number, { readonly correlation: number; readonly distance: number }>();

  constructor(facts: BeatFacts) {
    this.#facts = facts;
    const { samples } = facts;
    this.#intervals = Float64Array.from(samples, (sample, i) =>
      i === 0 ? Number.NaN : sample - (samples[i - 1] as number),
    );
    this.#groups = facts.clusters.map((cluster) => groupFacts(cluster, facts));
  }

  get count(): number {
    return this.#facts.samples.length;
  }

  /** @returns one a name in `BEAT_INPUTS`, NaN where it is not known */
  row(beat: number): Float64Array {
    const { features } = this.#facts;
    const values: Partial<Record<BeatInputName, number>> = {
      ...this.#timingInputs(beat),
      ...this.#groupInputs(beat),
      ...this.#besideInputs(beat),
    };
    for (const name of SHAPE_FEATURES) values[name] = features[name][beat] as number;
    return Float64Array.from(BEAT_INPUTS, (name) => {
      const value = values[name] ?? Number.NaN;
      return Number.isFinite(value) ? value : Number.NaN;
    });
  }

  #timingInputs(beat: number): Partial<Record<BeatInputName, number>> {
    const { timing } = this.#facts;
    const intervals = this.#intervals;
    const [before, behind] = [timing.before, timing.behind];
    const own = intervals[beat] as number;
    const next = intervals[beat + 1] ?? Number.NaN;
    const eight = median(intervals.slice(Math.max(1, beat - EIGHT), beat));
    const around = intervals.slice(Math.max(1, beat - AROUND), beat + AROUND + 1);
    return {
      before: before[beat] as number,
      behind: behind[beat] as number,
      beforeAndBehind: (before[beat] as number) + (behind[beat] as number),
      beforeByEight: own / (eight ?? Number.NaN),
      behindByEight: next / (eight ?? Number.NaN),
      beforeByLast: own / (intervals[beat - 1] ?? Number.NaN),
      beforeByNext: own / next,
      beforeRank: around.filter((interval) => interval < own).length / around.length,
      twoBefore: before[beat - 1] ?? Number.NaN,
      threeBefore: before[beat - 2] ?? Number.NaN,
      twoBehind: behind[beat + 1] ?? Number.NaN,
      threeBehind: behind[beat + 2] ?? Number.NaN,
      scatter: this.#scatter(beat, 1),
      patternScatter: Math.min(...LAGS.map((lag) => this.#scatter(beat, lag))),
    };
  }

  /** Median change of the intervals around beside the one so many places before, in parts of their median. */
  #scatter(beat: number, lag: number): number {
    const intervals = this.#intervals;
    const changes: number[] = [];
    const all: number[] = [];
    for (
      let i = Math.max(1 + lag, beat - SCATTER_AROUND);
      i <= beat + SCATTER_AROUND && i < this.count;
      i++
    ) {
      all.push(intervals[i] as number);
      if (i === beat || i === beat + 1) continue;
      changes.push(Math.abs((intervals[i] as number) - (intervals[i - lag] as number)));
    }
    return (median(changes) ?? Number.NaN) / (median(all) ?? Number.NaN);
  }

  #besideInputs(beat: number): Partial<Record<BeatInputName, number>> {
    const { features } = this.#facts;
    const from = Math.max(0, beat - SCATTER_AROUND);
    const around = (name: ShapeFeature): number =>
      median(features[name].subarray(from, beat + SCATTER_AROUND + 1)) ?? Number.NaN;
    const own = (name: ShapeFeature): number => features[name][beat] as number;
    return {
      lastDistance: features.distance[beat - 1] ?? Number.NaN,
      nextDistance: features.distance[beat + 1] ?? Number.NaN,
      nextPairCorrelation: features.pairCorrelation[beat + 1] ?? Number.NaN,
      distanceByAround: own('distance') / around('distance'),
      pCorrelationByAround: own('pShiftedCorrelation') - around('pShiftedCorrelation'),
      tCorrelationByAround: own('tCorrelation') - around('tCorrelation'),
      wholeDistanceByAround: own('wholeDistance') / around('wholeDistance'),
      widthByAround: own('widthMs') / around('widthMs'),
      tremorAround: around('tremor'),
    };
  }

  #groupInputs(beat: number): Partial<Record<BeatInputName, number>> {
    const { clusters, clusterOf, timing } = this.#facts;
    const own = clusterOf[beat] as number;
    if (own < 0) return {};
    const [from, to] = [Math.max(0, beat - AROUND), Math.min(this.count, beat + AROUND + 1)];
    const counts = new Map<number, number>();
    let [same, single] = [0, 0];
    for (let other = from; other < to; other++) {
      const cluster = clusterOf[other] as number;
      if (cluster === own) same++;
      if (cluster < 0) continue;
      if (clusters[cluster]?.members.length === 1) single++;
      if ((timing.before[other] as number) >= EARLY) counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
    }
    let [usual, most] = [own, 0];
    for (const [cluster, count] of counts) if (count > most) [usual, most] = [cluster, count];
    const { correlation, distance } = this.#likenessOf(own, usual);
    return {
      ...this.#groups[own],
      groupShare: same / (to - from),
      singleShare: single / (to - from),
      groupLocalCorrelation: correlation,
      groupLocalDistance: distance,
    };
  }

  #likenessOf(own: number, usual: number): { readonly correlation: number; readonly distance: number } {
    if (own === usual) return { correlation: 1, distance: 0 };
    const { clusters, format } = this.#facts;
    const key = own * clusters.length + usual;
    const known = this.#likeness.get(key);
    if (known !== undefined) return known;
    const found = nearest(format, (clusters[own] as Cluster).template, (clusters[usual] as Cluster).template);
    this.#likeness.set(key, found);
    return found;
  }
}
