// The class of each beat, AAMI EC57's N, S, V and Q. Decided by cluster first: beats of one shape have one
// origin. A shape unlike the usual one is ventricular when it comes early, or when no P wave leads to it; an
// early beat of the usual shape with another P wave before it is supraventricular. Analysis reference,
// section 5.
//
// Constants were chosen on DS1 (22 records, 51,000 beats), not apart from it. `npm run test:accuracy` prints
// what they give, and the sums with each record left out in turn.

import type { Beat, BeatLabel, BeatReason } from '../../../shared/analysis-result.ts';
import { given } from '../../../shared/given.ts';
import type { Constraints } from '../../../shared/review/constraints.ts';
import { firstFrom } from '../../../shared/signal/first-from.ts';
import { median } from '../../../shared/signal/statistics.ts';
import { constrainLabels } from '../constraints.ts';
import { ofLeads } from '../signal/lead-choice.ts';
import { type CoarseSet, type LeadReader, type LeadSet, toCoarse } from '../signal/lead-signals.ts';
import type { Section } from '../signal/sections.ts';
import { type Range, samplesWithin, touches } from '../signal/time-base.ts';
import { type Gatherer, type Waypoints, walk } from '../signal/walk.ts';
import type { Cluster } from './beat-clusters.ts';
import { type BeatShapes, cutShapes, likenessAt, nearest, type Stretch } from './beat-shape.ts';
import { type BeatTiming, beatTiming, irregularity, SCATTERED } from './beat-timing.ts';
import type { SignalScan } from './signal-scan.ts';
import { supraventricularBeats } from './supraventricular-beats.ts';

/** P to T of a beat. */
const BEAT_BAND = { lowHz: 1, highHz: 40, beforeMs: 320, afterMs: 440 };
const P_STRETCH: Stretch = { fromMs: -256, toMs: -64 };
const T_STRETCH: Stretch = { fromMs: 128, toMs: 384 };

const EARLY = 0.9;
/** With fewer beats than this, shape alone proves nothing. */
const MIN_SHAPES = 3;
/** Share of the beats with a shape of their own, above which it is noise that makes the shapes. */
const MAX_SINGLE = 0.35;
/** Where the base line jumps at a beat, this many like it show that the jump is part of the shape. */
const MIN_UNSTEADY = 10;

/** How a beat lies beside the usual one. */
interface BeatFeatures {
  readonly distance: Float32Array;
  readonly correlation: Float32Array;
  readonly area: Float32Array;
  readonly pCorrelation: Float32Array;
  readonly tCorrelation: Float32Array;
}

/** Cuts beats from P to T, all of them in one format, whatever the section. */
export class BeatShapeCutter {
  readonly #scan: Pick<SignalScan, 'leadWeights' | 'sizes' | 'shapeLeads'>;
  #last:
    | { readonly set: CoarseSet; readonly samples: readonly number[]; readonly shapes: BeatShapes }
    | undefined;

  constructor(scan: Pick<SignalScan, 'leadWeights' | 'sizes' | 'shapeLeads'>) {
    this.#scan = scan;
  }

  /** @param samples of `set`; those of the last call are not cut again */
  cut(set: CoarseSet, samples: readonly number[]): BeatShapes {
    const last = this.#last;
    const isSame =
      last?.set === set &&
      last.samples.length === samples.length &&
      last.samples.every((sample, i) => sample === samples[i]);
    if (isSame) return last.shapes;
    const { leadWeights, sizes, shapeLeads } = this.#scan;
    const shapes = cutShapes(set, samples, {
      ...BEAT_BAND,
      weights: ofLeads(leadWeights, shapeLeads),
      sizes: sizes === undefined ? undefined : ofLeads(sizes, shapeLeads),
    });
    this.#last = { set, samples, shapes };
    return shapes;
  }
}

/** Beats in groups of one shape. */
export interface BeatGroups {
  readonly samples: readonly number[];
  /** One a beat: whether its whole shape is there. */
  readonly isWhole: readonly boolean[];
  /** One a beat: false where the base line jumps, so that only others like it prove its shape. */
  readonly isSteady: readonly boolean[];
  /** Members are indices into `samples`; beats that are not whole are in none. */
  readonly clusters: readonly Cluster[];
}

/** Holds the beats of one section after the other against the usual one. */
class FeatureFinder implements Gatherer<BeatFeatures> {
  readonly #input: Pick<LabelInput, 'reader' | 'cutter' | 'groups'>;
  readonly #usual: Float32Array;
  readonly state: BeatFeatures;

  /** @param usual the shape of the usual beat */
  constructor(
    input: Pick<LabelInput, 'reader' | 'cutter' | 'groups'>,
    usual: Float32Array,
    state: BeatFeatures | undefined,
  ) {
    this.#input = input;
    this.#usual = usual;
    const make = (): Float32Array => new Float32Array(input.groups.samples.length);
    this.state = state ?? {
      distance: make(),
      correlation: make(),
      area: make(),
      pCorrelation: make(),
      tCorrelation: make(),
    };
  }

  add({ core, reach }: Section): void {
    const { reader, cutter, groups } = this.#input;
    const own = samplesWithin(groups.samples, core, reach[0]);
    if (own.length === 0) return;
    const { coarse } = reader.window(...reach);
    const shapes = cutter.cut(
      coarse,
      own.map((sample) => toCoarse(sample, coarse)),
    );
    const [first, usual, features] = [firstFrom(groups.samples, core[0]), this.#usual, this.state];
    for (const [i, row] of shapes.rows.entries()) {
      const beat = first + i;
      const qrs = nearest(shapes, row, usual);
      features.distance[beat] = qrs.distance;
      features.correlation[beat] = qrs.correlation;
      features.area[beat] = qrs.area;
      features.pCorrelation[beat] = likenessAt(shapes, row, usual, P_STRETCH, qrs.shift).correlation;
      features.tCorrelation[beat] = likenessAt(shapes, row, usual, T_STRETCH, qrs.shift).correlation;
    }
  }
}

/** Medians over the members of a cluster. */
interface ClusterFacts {
  readonly count: number;
  /** The share of all beats. */
  readonly share: number;
  readonly earlyShare: number;
  readonly before: number;
  readonly behind: number;
  readonly distance: number;
  readonly correlation: number;
  readonly area: number;
  readonly pCorrelation: number;
  readonly tCorrelation: number;
}

function factsOf({ members }: Cluster, features: BeatFeatures, { before, behind }: BeatTiming): ClusterFacts {
  const middle = (values: Float32Array | Float64Array): number =>
    median(members.map((beat) => values[beat] as number).filter((value) => !Number.isNaN(value))) ??
    Number.NaN;
  return {
    count: members.length,
    share: members.length / before.length,
    earlyShare: earlyShare(members, before),
    before: middle(before),
    behind: middle(behind),
    distance: middle(features.distance),
    correlation: middle(features.correlation),
    area: middle(features.area),
    pCorrelation: middle(features.pCorrelation),
    tCorrelation: middle(features.tCorrelation),
  };
}

const earlyShare = (members: readonly number[], before: Float64Array): number =>
  members.filter((beat) => (before[beat] as number) < EARLY).length / members.length;

/** Where all intervals differ, only a wholly other or a much larger shape is ventricular (Ashman). */
const isVentricularWhereIrregular = ({ correlation, area }: ClusterFacts): boolean =>
  (correlation < 0.4 && area > 0.75) || (area > 1.3 && correlation < 0.6);

/** A single early beat without a P wave before it, of another shape: larger, or wholly unlike the usual one. */
const isUnled = ({ before, correlation, area, pCorrelation }: ClusterFacts): boolean =>
  before < 0.8 &&
  pCorrelation < 0.5 &&
  ((correlation < 0.65 && area > 1.4) || (correlation < 0.3 && area > 1));

/**
 * With one or two beats, shape alone proves nothing: they must be early, and either be followed by a
 * compensatory pause, be much larger than the usual beat, or lack a P wave.
 */
function isSingleVentricular(facts: ClusterFacts, isIrregular: boolean): boolean {
  const { before, behind, correlation, area, tCorrelation } = facts;
  if (before >= EARLY || area <= 0.5 || area >= 8) return false;
  const isLarge = area > 1.8 && (correlation < 0.7 || tCorrelation < 0.6);
  if (isIrregular) return isLarge || (before < 0.85 && isVentricularWhereIrregular(facts));
  const isMadeUp = Number.isNaN(behind) ? before < 0.85 : Math.abs(before + behind - 2) < 0.25;
  return isLarge || isUnled(facts) || (isMadeUp && (correlation < 0.65 || (correlation < 0.8 && area > 1.3)));
}

/** On one or two leads, noise looks like a beat of another shape. */
const LEADS_FOR_OTHER = 3;

/** QRS, P and T, and the size of it: nothing is as in the usual beat. */
const isWhollyOther = ({ correlation, area, pCorrelation, tCorrelation }: ClusterFacts): boolean =>
  correlation < 0.3 && area > 1.2 && area < 8 && pCorrelation < 0.35 && tCorrelation < 0.45;

const VERY_EARLY = 0.6;

/** A beat that early, of another shape and without a P before it, is seldom conducted. */
const isVeryEarlyOther = ({ before, correlation, area, pCorrelation }: ClusterFacts): boolean =>
  before < VERY_EARLY && correlation < 0.65 && area > 0.75 && area < 8 && pCorrelation < 0.1;

/** Why a shape is ventricular; undefined where it is not. */
function ventricularReason(facts: ClusterFacts, isIrregular: boolean, leads: number): BeatReason | undefined {
  const { distance, correlation, area, pCorrelation, tCorrelation } = facts;
  const early = (isIt: boolean): BeatReason | undefined => (isIt ? 'earlyOtherShape' : undefined);
  if (distance <= 0.5) return undefined;
  if (facts.count < MIN_SHAPES) {
    const hasEnoughLeads = leads >= LEADS_FOR_OTHER;
    if (hasEnoughLeads && isWhollyOther(facts)) return 'whollyOtherShape';
    return early((hasEnoughLeads && isVeryEarlyOther(facts)) || isSingleVentricular(facts, isIrregular));
  }
  if (correlation >= 0.85) return undefined;
  if (isIrregular) return isVentricularWhereIrregular(facts) ? 'whollyOtherShape' : undefined;
  if (facts.earlyShare >= 0.4) return early(area > 0.4);
  // Not early: runs and escapes, to which no P wave leads; the beats behind the pauses of a bigeminy are late.
  const isUnledShape =
    (pCorrelation < 0.3 && correlation < 0.75 && tCorrelation < 0.8) ||
    (tCorrelation < 0 && correlation < 0.5);
  return isUnledShape && facts.before < 1.15 && facts.share < 0.15 && area > 0.3 ? 'noPWave' : undefined;
}

/** A beat this near to an end or a gap does not show its whole shape; it has no class. */
const ROOM_SECONDS = 0.16;

/** @param sample of the window */
export function hasRoom(set: LeadSet, sample: number): boolean {
  const room = ROOM_SECONDS * set.sampleRateHz;
  if (sample < room || sample >= set.sampleCount - room) return false;
  return !touches(set.gaps, sample - room, sample + room);
}

export interface LabelledBeats {
  readonly beats: readonly Beat[];
  /** Indices into `beats` of those with the dominant shape. */
  readonly dominant: readonly number[];
}

/** The one with most beats that are not early. */
function dominantOf(clusters: readonly Cluster[], before: Float64Array): Cluster {
  const weight = ({ members }: Cluster): number => members.length * (1 - earlyShare(members, before));
  return clusters.reduce((best, cluster) => (weight(cluster) > weight(best) ? cluster : best));
}

interface LabelInput {
  readonly reader: LeadReader;
  readonly sections: readonly Section[];
  readonly cutter: BeatShapeCutter;
  readonly groups: BeatGroups;
  /** Stretches in which every beat comes from the ventricles. */
  readonly tachycardia: readonly Range[];
  readonly constraints: Constraints;
  readonly waypoints: Waypoints | undefined;
}

/** The class of each beat so far, and why. */
class Labels {
  readonly label: BeatLabel[];
  readonly reason: BeatReason[];

  constructor(count: number) {
    this.label = Array.from({ length: count }, () => 'Q');
    this.reason = Array.from({ length: count }, () => 'cut');
  }

  set(beat: number, label: BeatLabel, reason: BeatReason): void {
    if (this.reason[beat] === 'person' && reason !== 'person') return;
    this.label[beat] = label;
    this.reason[beat] = reason;
  }
}

/** Classes by shape: beats of one cluster have one origin. */
function labelByShape(labels: Labels, input: LabelInput, known: KnownShapes): void {
  const { samples, isSteady, clusters } = input.groups;
  const { dominant, features, timing } = known;
  const isUsual = new Set(dominant.members);
  const isIrregular = irregularity(samples, (beat) => isUsual.has(beat)) > SCATTERED;
  const isReadable =
    clusters.filter(({ members }) => members.length === 1).length <= MAX_SINGLE * samples.length;
  for (const cluster of clusters) {
    const { members } = cluster;
    const isOwn = cluster !== dominant && (isReadable || members.length >= MIN_SHAPES);
    const reason = isOwn
      ? ventricularReason(factsOf(cluster, features, timing), isIrregular, input.reader.leads.length)
      : undefined;
    for (const member of members)
      if (isSteady[member] !== true && members.length < MIN_UNSTEADY) labels.set(member, 'Q', 'baseline');
      else if (reason !== undefined) labels.set(member, 'V', reason);
      else labels.set(member, 'N', cluster === dominant ? 'usual' : 'otherShape');
  }
}

interface KnownShapes {
  readonly dominant: Cluster;
  readonly features: BeatFeatures;
  readonly timing: BeatTiming;
}

export function labelBeats(input: LabelInput): LabelledBeats {
  const { reader, sections, groups, tachycardia, constraints, waypoints } = input;
  const { samples, isWhole, isSteady, clusters } = groups;
  const labels = new Labels(samples.length);
  const clusterOf = new Map(clusters.flatMap(({ members }, i) => members.map((member) => [member, i])));
  const applyStated = (): void =>
    constrainLabels(
      samples,
      constraints,
      reader.sampleRateHz,
      (beat) => clusters[clusterOf.get(beat) ?? -1]?.members ?? [beat],
      (beat, label) => labels.set(beat, label, 'person'),
    );
  const beats = (): Beat[] =>
    samples.map((sample, i) => ({
      id: i + 1,
      sample,
      label: labels.label[i] as BeatLabel,
      reason: labels.reason[i] as BeatReason,
      ...given({ cluster: clusterOf.get(i) }),
    }));
  if (!isWhole.some((whole, beat) => whole && isSteady[beat] === true)) {
    applyStated();
    return { beats: beats(), dominant: [] };
  }
  const timing = beatTiming(samples);
  const dominant = dominantOf(clusters, timing.before);
  const { state: features } = walk<BeatFeatures, FeatureFinder>({
    name: 'shapes',
    sections,
    waypoints,
    begin: (state) => new FeatureFinder(input, dominant.template, state),
  });
  labelByShape(labels, input, { dominant, features, timing });
  for (const [beat, sample] of samples.entries())
    if (touches(tachycardia, sample, sample + 1)) labels.set(beat, 'V', 'run');
  applyStated();
  for (const beat of supraventricularBeats(samples, labels.label, features.pCorrelation, reader.sampleRateHz))
    labels.set(beat, 'S', 'early');
  return { beats: beats(), dominant: dominant.members.filter((member) => labels.label[member] === 'N') };
}
