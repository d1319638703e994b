// The class of each beat, AAMI EC57's N, S, V and Q: decided by what was learned of the shape and the timing of beats
// (decisions/beat-classes.ts). Beats of ventricular tachycardia and those that a person stated go before it. Analysis reference,
// section 5.

import type { Beat, BeatLabel, BeatReason } from '../../../shared/analysis-result.ts';
import type { Constraints } from '../../../shared/review/constraints.ts';
import { constrainLabels } from '../constraints.ts';
import { type BeatDecision, decideBeats, type UndecidedBeats } from '../decisions/beat-classes.ts';
import { BeatInputs } from '../decisions/beat-inputs.ts';
import type { LeadReader, LeadSet } from '../signal/lead-signals.ts';
import type { Section } from '../signal/sections.ts';
import { type Range, touches } from '../signal/time-base.ts';
import type { Waypoints } from '../signal/walk.ts';
import type { Cluster } from './beat-clusters.ts';
import { type BeatFeatures, findBeatFeatures } from './beat-features.ts';
import type { BeatShapeCutter } from './beat-shape-cutter.ts';
import { type BeatTiming, beatTiming } from './beat-timing.ts';
import type { FamilyGrounds } from './families.ts';
import { splitByWholeBeat } from './split-clusters.ts';

const EARLY = 0.9;
/** Below this correlation with the usual P wave, none leads to the beat. */
const NO_P = 0.5;
/** Where the base line jumps at a beat, this many like it show that the jump is part of the shape. */
const MIN_UNSTEADY = 10;
/** So near to noise that hides the beats, a shape that comes once may be part of the noise. */
const BESIDE_NOISE_SECONDS = 1;

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
  /** One a beat: the class that is nearly as likely as its own, where there is one and nobody has stated its class. */
  readonly nextLikely: readonly (BeatLabel | undefined)[];
  /** Undefined where beats have no shapes. */
  readonly familyGrounds?: FamilyGrounds;
}

const earlyShare = (members: readonly number[], before: Float64Array): number =>
  members.filter((beat) => (before[beat] as number) < EARLY).length / members.length;

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
  /** Stretches whose noise hides the beats. */
  readonly unread: readonly Range[];
  /** Stretches in which every beat comes from the ventricles. */
  readonly tachycardia: readonly Range[];
  readonly constraints: Constraints;
  readonly decision: BeatDecision;
  readonly waypoints: Waypoints | undefined;
}

/** The class of each beat so far, and why. */
class Labels {
  readonly label: BeatLabel[];
  readonly reason: BeatReason[];
  readonly nextLikely: (BeatLabel | undefined)[];

  constructor(count: number) {
    this.label = Array.from({ length: count }, () => 'Q');
    this.reason = Array.from({ length: count }, () => 'cut');
    this.nextLikely = Array.from({ length: count }, () => undefined);
  }

  set(beat: number, label: BeatLabel, reason: BeatReason, nextLikely?: BeatLabel): void {
    if (this.reason[beat] === 'person' && reason !== 'person') return;
    this.label[beat] = label;
    this.reason[beat] = reason;
    this.nextLikely[beat] = nextLikely;
  }

  /** What a person stated goes before all else. */
  state(
    samples: readonly number[],
    constraints: Constraints,
    sampleRateHz: number,
    clusterOf: Int32Array,
  ): void {
    const membersOf = (beat: number): number[] =>
      clusterOf[beat] === -1
        ? [beat]
        : [...samples.keys()].filter((other) => clusterOf[other] === clusterOf[beat]);
    constrainLabels(samples, constraints, sampleRateHz, membersOf, (beat, label) =>
      this.set(beat, label, 'person'),
    );
  }

  /** @returns undefined where no person has stated it */
  statedOf(beat: number): BeatLabel | undefined {
    return this.reason[beat] === 'person' ? this.label[beat] : undefined;
  }

  beats(samples: readonly number[], clusterOf: Int32Array): Beat[] {
    return samples.map((sample, i) => ({
      id: i + 1,
      sample,
      label: this.label[i] as BeatLabel,
      reason: this.reason[i] as BeatReason,
      ...((clusterOf[i] ?? -1) >= 0 && { cluster: clusterOf[i] as number }),
    }));
  }
}

/** What the class of a beat rests on, in words that a reader knows. */
function reasonOf(
  label: BeatLabel,
  beat: number,
  isUsual: boolean,
  { features, timing }: KnownShapes,
): BeatReason {
  if (label === 'S') return 'early';
  if (label !== 'V') return isUsual ? 'usual' : 'otherShape';
  if ((timing.before[beat] as number) < EARLY) return 'earlyOtherShape';
  return (features.pShiftedCorrelation[beat] as number) < NO_P ? 'noPWave' : 'whollyOtherShape';
}

interface KnownShapes {
  readonly features: BeatFeatures;
  readonly timing: BeatTiming;
}

/** Which cluster each beat is a member of; -1 of those in none. */
function clustersOf(clusters: readonly Cluster[], count: number): Int32Array {
  const clusterOf = new Int32Array(count).fill(-1);
  for (const [cluster, { members }] of clusters.entries())
    for (const member of members) clusterOf[member] = cluster;
  return clusterOf;
}

/** Nothing is known of beats in whose shapes nothing can be believed; a person may have stated some all the same. */
function withoutShapes({ groups: { samples, clusters }, reader, constraints }: LabelInput): LabelledBeats {
  const labels = new Labels(samples.length);
  const clusterOf = clustersOf(clusters, samples.length);
  labels.state(samples, constraints, reader.sampleRateHz, clusterOf);
  return { beats: labels.beats(samples, clusterOf), dominant: [], nextLikely: labels.nextLikely };
}

const isAnyStated = ({ beats = [], shapes = [] }: Constraints): boolean => beats.length + shapes.length > 0;

export function labelBeats(input: LabelInput): LabelledBeats {
  const { reader, sections, cutter, groups, tachycardia, constraints, decision, waypoints } = input;
  const { samples, isWhole, isSteady } = groups;
  if (!isWhole.some((whole, beat) => whole && isSteady[beat] === true)) return withoutShapes(input);
  const timing = beatTiming(samples);
  const usual = dominantOf(groups.clusters, timing.before);
  const { features, format } = findBeatFeatures(
    { reader, cutter, samples, usual: usual.template },
    sections,
    waypoints,
  );
  const clusters = splitByWholeBeat(groups.clusters, features);
  const dominant = groups.clusters.indexOf(usual);
  const clusterOf = clustersOf(clusters, samples.length);
  const inputs = new BeatInputs({ samples, timing, features, clusters, clusterOf, format });
  const reach = BESIDE_NOISE_SECONDS * reader.sampleRateHz;
  const isBesideNoise = (sample: number): boolean => touches(input.unread, sample - reach, sample + reach);
  const decide = (labels: Labels): Labels => {
    const undecided: UndecidedBeats = {
      samples,
      groupOf: clusterOf,
      leadCount: format.leadCount,
      row: (beat) => inputs.row(beat),
      stated: (beat) => labels.statedOf(beat),
    };
    const decided = decideBeats(undecided, decision);
    for (const [beat, label] of decided.labels.entries()) {
      const cluster = clusters[clusterOf[beat] as number];
      if (cluster === undefined) continue;
      const isUnsteady = isSteady[beat] !== true && cluster.members.length < MIN_UNSTEADY;
      if (isUnsteady || (cluster.members.length === 1 && isBesideNoise(samples[beat] as number)))
        labels.set(beat, 'Q', 'baseline');
      else {
        const reason = reasonOf(label, beat, clusterOf[beat] === dominant, { features, timing });
        labels.set(beat, label, reason, decided.nextLikely[beat]);
      }
    }
    for (const [beat, sample] of samples.entries())
      if (touches(tachycardia, sample, sample + 1)) labels.set(beat, 'V', 'run');
    return labels;
  };
  const byProgram = decide(new Labels(samples.length));
  const labels = isAnyStated(constraints) ? new Labels(samples.length) : byProgram;
  if (labels !== byProgram) {
    labels.state(samples, constraints, reader.sampleRateHz, clusterOf);
    decide(labels);
  }
  return {
    beats: labels.beats(samples, clusterOf),
    dominant: (clusters[dominant] as Cluster).members.filter((member) => labels.label[member] === 'N'),
    nextLikely: labels.nextLikely,
    familyGrounds: { clusters, before: timing.before, format, byProgram: byProgram.label },
  };
}
