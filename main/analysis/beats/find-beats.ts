// From the first look to the beats: fiducials, what proves a heart, where the ventricles fibrillate, and the
// class of each beat. Beats are proven to be some, and lie outside of fibrillation.

import type { Constraints } from '../../../shared/review/constraints.ts';
import type { DrawnCode } from '../../../shared/review/corrections.ts';
import {
  constrainBeats,
  constrainRanges,
  drawnRanges,
  outsideDrawn,
  withoutRejected,
} from '../constraints.ts';
import type { BeatDecision } from '../decisions/beat-classes.ts';
import { ofLeads } from '../signal/lead-choice.ts';
import { type LeadReader, type LeadSet, toCoarse } from '../signal/lead-signals.ts';
import { partsOf, type Section } from '../signal/sections.ts';
import { joinRanges, lengthOf, outside, type Range, samplesWithin, touches } from '../signal/time-base.ts';
import { findUnread } from '../signal/unread-stretches.ts';
import { type Gatherer, type Waypoints, walk } from '../signal/walk.ts';
import type { WaveScores } from '../waves/wave-network.ts';
import { findAsystole } from './asystole.ts';
import { BeatClusterer, type OpenClusters } from './beat-clusters.ts';
import { type BeatGroups, hasRoom, type LabelledBeats, labelBeats } from './beat-labels.ts';
import { BeatShapeCutter } from './beat-shape-cutter.ts';
import { beatsWithQrs } from './beats-without-qrs.ts';
import { REFRACTORY_SECONDS, refineFiducials } from './fiducials.ts';
import { type Evidence, HeartbeatProof } from './heartbeat-proof.ts';
import type { SignalPart, SignalScan } from './signal-scan.ts';
import { judgeStretches } from './wave-stretches.ts';

/** A beat nearer to the end of the recording than this may be the break of the signal. */
const EDGE_SECONDS = 0.06;

export interface FoundBeats extends LabelledBeats {
  readonly ventricularFibrillation: readonly Range[];
  /** What looks like fibrillation but for its beats. */
  readonly tachycardia: readonly Range[];
  readonly asystole: readonly Range[];
  /** Where noise hides the beats, if there are any. */
  readonly unread: readonly Range[];
}

const isIn = (ranges: readonly Range[], sample: number): boolean => touches(ranges, sample, sample + 1);

interface BeatFinderInput {
  /** Reads the leads that beats are compared on. */
  readonly reader: LeadReader;
  readonly scan: SignalScan;
  readonly cutter: BeatShapeCutter;
  readonly constraints: Constraints;
  /** Where no beats are. */
  readonly fibrillation: readonly Range[];
  readonly network: WaveScores;
}

/** The beats so far. */
interface Gathered {
  readonly samples: number[];
  readonly isWhole: boolean[];
  readonly isSteady: boolean[];
  readonly proof: Evidence[];
  readonly clusters: OpenClusters;
  /** The last one, wherever it belongs. */
  last: number;
}

/** Follows the sections, on the leads that beats are compared on. */
class BeatFinder implements Gatherer<Gathered> {
  readonly #reader: LeadReader;
  readonly #scan: SignalScan;
  readonly #constraints: Constraints;
  /** Beats that a person stated. */
  readonly #stated: ReadonlySet<number>;
  readonly #fibrillation: readonly Range[];
  readonly #cutter: BeatShapeCutter;
  readonly #network: WaveScores;
  readonly #proof: HeartbeatProof;
  readonly #clusterer: BeatClusterer;
  readonly state: Gathered;

  constructor(
    { reader, scan, cutter, constraints, fibrillation, network }: BeatFinderInput,
    state: Gathered | undefined,
  ) {
    this.#reader = reader;
    this.#scan = scan;
    this.#network = network;
    this.#constraints = constraints;
    this.#stated = new Set(constraints.beats?.map(({ sample }) => sample));
    this.#cutter = cutter;
    this.#fibrillation = fibrillation;
    this.#proof = new HeartbeatProof(
      scan.parts.length,
      ofLeads(scan.leadWeights, scan.shapeLeads),
      state?.proof,
    );
    this.#clusterer = new BeatClusterer(state?.clusters);
    this.state = state ?? {
      samples: [],
      isWhole: [],
      isSteady: [],
      proof: this.#proof.state,
      clusters: this.#clusterer.state,
      last: Number.NEGATIVE_INFINITY,
    };
  }

  /** Fiducials of everything in the window, in its samples. */
  #refine(set: LeadSet): number[] {
    const { peaks, bestLead, shapeLeads, time } = this.#scan;
    const { startSample: shift, sampleCount } = set;
    const within = samplesWithin(peaks, [shift, shift + sampleCount]);
    const edge = EDGE_SECONDS * time.sampleRateHz;
    return refineFiducials(set.leads[shapeLeads.indexOf(bestLead)], within, time.sampleRateHz).filter(
      (sample) =>
        !isIn(time.gaps, sample + shift) &&
        sample + shift >= edge &&
        sample + shift < time.sampleCount - edge,
    );
  }

  add(section: Section): void {
    const set = this.#reader.window(...section.reach);
    const { startSample: shift, coarse } = set;
    const { state } = this;
    const found = beatsWithQrs(this.#network, coarse, this.#refine(set));
    const [start, end] = [section.core[0] - shift, section.core[1] - shift];
    const { sampleRateHz } = this.#scan.time;
    const own = constrainBeats(
      found
        .filter((sample) => sample >= start && sample < end)
        .map((sample) => sample + shift)
        .filter((sample) => sample - state.last > REFRACTORY_SECONDS * sampleRateHz),
      this.#constraints,
      section.core,
      sampleRateHz,
    ).map((sample) => sample - shift);
    if (own.length > 0) state.last = (own.at(-1) as number) + shift;
    const outside = own.filter(
      (sample) => this.#stated.has(sample + shift) || !isIn(this.#fibrillation, sample + shift),
    );
    const atCoarse = outside.map((sample) => toCoarse(sample, coarse));
    const parts = partsOf(section, sampleRateHz).map(([from, to]) => {
      const within = samplesWithin(outside, [from - shift, to - shift], 0);
      return {
        samples: within.map((sample) => toCoarse(sample, coarse)),
        isShown: within.map((sample) => !isIn(set.gaps, sample)),
      };
    });
    state.isSteady.push(...this.#proof.add(coarse, parts));
    const shapes = this.#cutter.cut(coarse, atCoarse);
    for (const [i, sample] of outside.entries()) {
      const isWhole = hasRoom(set, sample);
      if (isWhole) this.#clusterer.add(shapes, state.samples.length, shapes.rows[i] as Float32Array);
      state.samples.push(sample + shift);
      state.isWhole.push(isWhole);
    }
  }

  /** @param tachycardia where beats are alike and regular, and leave no rest between them: the floor proves nothing */
  finish(tachycardia: readonly Range[]): ProvenBeats {
    const groups = {
      samples: this.state.samples,
      isWhole: this.state.isWhole,
      isSteady: this.state.isSteady,
      clusters: this.#clusterer.finish(),
    };
    const isMostly = lengthOf(tachycardia) > TACHYCARDIA_SHARE * this.#scan.time.sampleCount;
    const isHeart = this.#proof.isHeart(isMostly ? 0 : this.#scan.floor);
    const isRead = ({ range, floor }: SignalPart, part: number): boolean => {
      const level = touches(tachycardia, ...range) ? 0 : floor;
      return isHeart ? !this.#proof.isNoiseIn(part, level) : this.#proof.isHeartIn(part, level);
    };
    const { parts } = this.#scan;
    const stated = [...this.#stated].sort((a, b) => a - b);
    const drawn = joinRanges(BEATING.flatMap((code) => drawnRanges(this.#constraints, code)));
    const readParts = parts.filter(isRead).map(({ range }) => range);
    const read = joinRanges([...drawn, ...readParts]);
    const proven = onlyThose(groups, (sample) => this.#stated.has(sample) || isIn(read, sample));
    if (proven.samples.length === 0) return { groups: undefined, unread: [] };
    const unread = parts
      .map(({ range }) => range)
      .filter((range) => !touches(readParts, ...range) && samplesWithin(stated, range).length === 0)
      .flatMap((range) => outside(range, drawn));
    return { groups: proven, unread };
  }
}

interface ProvenBeats {
  /** Undefined where nothing proves that what was found are heartbeats. */
  readonly groups: BeatGroups | undefined;
  /** The stretches in which nothing proves heartbeats, beside others in which something does. */
  readonly unread: readonly Range[];
}

/** Rhythms with beats: who draws one says that what was found there are some. */
const BEATING: readonly DrawnCode[] = ['N', 'AFIB', 'VT', 'P'];

function onlyThose(
  { samples, isWhole, isSteady, clusters }: BeatGroups,
  isKept: (sample: number) => boolean,
): BeatGroups {
  const kept = samples.flatMap((sample, i) => (isKept(sample) ? [i] : []));
  const now = new Map(kept.map((before, after) => [before, after]));
  const of = <T>(values: readonly T[]): T[] => kept.map((i) => values[i] as T);
  return {
    samples: of(samples),
    isWhole: of(isWhole),
    isSteady: of(isSteady),
    clusters: clusters
      .map(({ template, members }) => ({
        template,
        members: members.flatMap((member) => now.get(member) ?? []),
      }))
      .filter(({ members }) => members.length > 0),
  };
}

/** Above this share of a recording, the level between its beats proves nothing. */
const TACHYCARDIA_SHARE = 0.5;
const NO_BEATS: BeatGroups = { samples: [], isWhole: [], isSteady: [], clusters: [] };

/** What was learned, as it finds and classes beats. */
export interface Learned {
  readonly network: WaveScores;
  readonly beatDecision: BeatDecision;
}

export function findBeats(
  reader: LeadReader,
  sections: readonly Section[],
  scan: SignalScan,
  constraints: Constraints,
  { network, beatDecision }: Learned,
  waypoints?: Waypoints,
): FoundBeats {
  const cutter = new BeatShapeCutter(scan);
  const onShapes = reader.only(scan.shapeLeads);
  const waves = judgeStretches(onShapes, scan, outsideDrawn(scan.waves, constraints));
  const fibrillation = constrainRanges(waves.fibrillation, constraints, 'VF');
  const input = { reader: onShapes, scan, cutter, constraints, fibrillation, network };
  const finder = walk<Gathered, BeatFinder>({
    name: 'beats',
    sections,
    waypoints,
    begin: (state) => new BeatFinder(input, state),
  });
  const { groups, unread } = finder.finish(waves.tachycardia);
  const { samples } = groups ?? NO_BEATS;
  const tachycardia = groups === undefined ? [] : waves.tachycardia;
  // Where there are no beats, nothing tells tachycardia from fibrillation, whoever drew it.
  const beatless = drawnRanges(constraints, 'VT').filter((range) => samplesWithin(samples, range).length < 2);
  const unproven = [
    ...(groups === undefined ? outsideDrawn(scan.waves, constraints) : []),
    ...scan.waves.filter(([start, end]) => touches(beatless, start, end)),
    // What looked like fibrillation but for its beats, where those are not believed.
    ...waves.tachycardia.filter((range) => touches(unread, ...range)),
  ];
  const ventricularFibrillation = withoutRejected(
    joinRanges([...fibrillation, ...unproven]),
    constraints,
    'VF',
  );
  // Breathing or a sensor at rest has no heartbeats either: only what a person drew counts there.
  const isHeart = reader.isCalledEcg || groups !== undefined;
  const asystole = constrainRanges(
    isHeart ? findAsystole(scan.stillSeconds, samples, scan.time.sampleRateHz) : [],
    constraints,
    'ASYS',
  );
  const beatlessNoise = findUnread({
    time: scan.time,
    beats: samples,
    lineLengths: scan.lineLengths,
    explained: [...scan.time.gaps, ...ventricularFibrillation, ...asystole, ...unread],
  });
  const allUnread = joinRanges([...unread, ...beatlessNoise]);
  const labelled = labelBeats({
    reader: onShapes,
    sections,
    cutter,
    groups: groups ?? NO_BEATS,
    unread: allUnread,
    tachycardia,
    constraints,
    decision: beatDecision,
    waypoints,
  });
  return {
    ...labelled,
    ventricularFibrillation,
    tachycardia,
    asystole,
    unread: allUnread,
  };
}
