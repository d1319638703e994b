// The learned decisions about beats (training/README.md): whether one comes from the ventricles, and whether one that does not comes early
// from above them. Beats of one shape have one origin, so what is likely of a beat is weighed with what is likely of its group; and after
// an early beat, those at the same fast pace go on with it.

import type { BeatLabel } from '../../../shared/analysis-result.ts';
import { median } from '../../../shared/signal/statistics.ts';
import { BEAT_INPUTS, type BeatInputName } from './beat-inputs.ts';
import { SUPRAVENTRICULAR_BEATS } from './supraventricular-trees.ts';
import { TreeDecision, type TreeModel } from './trees.ts';
import { VENTRICULAR_BEATS } from './ventricular-trees.ts';

/** All inputs but one, which lies in the pattern of the rhythm and says nothing of where a beat comes from. */
export const VENTRICULAR_INPUTS: readonly BeatInputName[] = BEAT_INPUTS.filter(
  (name) => name !== 'patternScatter',
);
export const SUPRAVENTRICULAR_INPUTS = [
  'before',
  'behind',
  'beforeAndBehind',
  'beforeByEight',
  'behindByEight',
  'beforeByLast',
  'beforeByNext',
  'beforeRank',
  'twoBefore',
  'threeBefore',
  'twoBehind',
  'threeBehind',
  'scatter',
  'patternScatter',
  'pCorrelation',
  'pShiftedCorrelation',
  'pCorrelationByAround',
  'pArea',
  'tCorrelation',
  'lastDistance',
  'distanceByAround',
  'wholeDistanceByAround',
  'tremorAround',
  'singleShare',
  'groupEarlyShare',
  'groupPCorrelation',
  'groupTCorrelation',
] as const satisfies readonly BeatInputName[];

/** How likely a class is, from 0 to 1. @param row one value for each of `BEAT_INPUTS` */
export type BeatLikelihood = (row: Float64Array) => number;

export interface BeatDecision {
  readonly ventricular: BeatLikelihood;
  /** It is asked as if the beat were not ventricular. */
  readonly supraventricular: BeatLikelihood;
}

/** @param inputs of the model, in its order; its first class is the one that is told */
export function likelihoodOf(model: TreeModel, inputs: readonly BeatInputName[]): BeatLikelihood {
  const trees = new TreeDecision(model);
  const places = inputs.map((name) => BEAT_INPUTS.indexOf(name));
  const own = new Float64Array(places.length);
  return (row) => {
    for (const [i, place] of places.entries()) own[i] = row[place] as number;
    return trees.probabilities(own)[0] as number;
  };
}

export const LEARNED_BEATS: BeatDecision = {
  ventricular: likelihoodOf(VENTRICULAR_BEATS, VENTRICULAR_INPUTS),
  supraventricular: likelihoodOf(SUPRAVENTRICULAR_BEATS, SUPRAVENTRICULAR_INPUTS),
};

/** What is known of the beats of a recording before they have classes. */
export interface UndecidedBeats {
  readonly samples: readonly number[];
  /** The group of each beat; -1 of one that is in none, which is given no class. */
  readonly groupOf: Int32Array;
  /** On how many leads the shapes of beats are compared. */
  readonly leadCount: number;
  /** The inputs of a beat, in the order of `BEAT_INPUTS`. */
  row(beat: number): Float64Array;
  /** The class that a person stated, which goes before what is likely. */
  stated?(beat: number): BeatLabel | undefined;
}

/** How much of the likelihood is the group's. */
const GROUP_SHARE = 0.7;
/** A shape that comes once or twice may be noise, and has to be surer, more so on leads so few that noise need not show on others. */
const LEAST_VENTRICULAR = { few: [0.7, 0.6, 0.5], many: [0.6, 0.6, 0.5] } as const;
const FEW_LEADS = 2;
const LEAST_SUPRAVENTRICULAR = 0.5;
/** With the P wave of the others, a beat that comes no earlier than at this part of the usual interval belongs to a breathing heart. */
const SAME_P = { correlation: 0.85, least: 0.8 };
/** Fewer beats than this do not tell so well what is usual, and an early one must come before this part of it. */
const FEW_BEATS = { count: 60, least: 0.85 };
/** A run goes on while its intervals stay below this part of those before it. */
const RUN_PACE = 0.9;
const JUST_BEFORE = 8;
/** Likelihoods nearer to 0 or 1 count as this near. */
const NEAREST = 0.001;

const logit = (p: number): number => {
  const bounded = Math.min(1 - NEAREST, Math.max(NEAREST, p));
  return Math.log(bounded / (1 - bounded));
};
const fromLogit = (x: number): number => 1 / (1 + Math.exp(-x));

/** Likelihoods of single beats, each drawn towards the mean of its group. */
function withGroups(single: Float64Array, groupOf: Int32Array, sizes: Int32Array): Float64Array {
  const sums = new Float64Array(sizes.length);
  for (const [beat, group] of groupOf.entries())
    if (group >= 0) sums[group] = (sums[group] as number) + logit(single[beat] as number);
  return single.map((p, beat) => {
    const group = groupOf[beat] as number;
    if (group < 0) return p;
    const mean = (sums[group] as number) / (sizes[group] as number);
    return fromLogit((1 - GROUP_SHARE) * logit(p) + GROUP_SHARE * mean);
  });
}

function sizesOf(groupOf: Int32Array): Int32Array {
  const sizes = new Int32Array(groupOf.reduce((most, group) => Math.max(most, group + 1), 0));
  for (const group of groupOf) if (group >= 0) sizes[group] = (sizes[group] as number) + 1;
  return sizes;
}

/** Beats that follow an early one at its pace, up to the next ventricular one, belong to it. */
function followPace(labels: BeatLabel[], { samples, stated }: UndecidedBeats): void {
  const intervalOf = (beat: number): number => (samples[beat] as number) - (samples[beat - 1] as number);
  let pace: number | undefined;
  for (let beat = 1; beat < labels.length; beat++) {
    const label = labels[beat];
    if (label === 'S') {
      const before = Array.from({ length: Math.min(JUST_BEFORE, beat - 1) }, (_, i) =>
        intervalOf(beat - 1 - i),
      );
      pace ??= median(before);
    } else if (
      label === 'N' &&
      pace !== undefined &&
      stated?.(beat) === undefined &&
      intervalOf(beat) < RUN_PACE * pace
    )
      labels[beat] = 'S';
    else pace = undefined;
  }
}

const BEFORE = BEAT_INPUTS.indexOf('before');
const P_CORRELATION = BEAT_INPUTS.indexOf('pShiftedCorrelation');

/** A guard by rule: a beat that is hardly early is not called early, whatever was learned. */
function isHardlyEarly(row: Float64Array, count: number): boolean {
  const before = row[BEFORE] as number;
  const hasSameP = (row[P_CORRELATION] as number) >= SAME_P.correlation;
  return (hasSameP && before >= SAME_P.least) || (count < FEW_BEATS.count && before >= FEW_BEATS.least);
}

export interface DecidedBeats {
  /** N, S or V, what a person stated, and Q of those in no group. */
  readonly labels: readonly BeatLabel[];
  /** The class that is nearly as likely, where there is one. */
  readonly nextLikely: readonly (BeatLabel | undefined)[];
}

/** Two classes whose likelihoods lie within this of each other are both worth a look. */
const MOST_DOUBTED = 0.3;

/** @param early how likely the beat is early, if it is not ventricular */
function nextLikelyOf(label: BeatLabel, ventricular: number, early: number): BeatLabel | undefined {
  const likely = {
    V: ventricular,
    S: (1 - ventricular) * early,
    N: (1 - ventricular) * (1 - early),
  } as const;
  if (label !== 'V' && label !== 'S' && label !== 'N') return undefined;
  const next = (['V', 'S', 'N'] as const)
    .filter((other) => other !== label)
    .reduce((best, other) => (likely[other] > likely[best] ? other : best));
  return likely[label] - likely[next] < MOST_DOUBTED ? next : undefined;
}

export function decideBeats(
  beats: UndecidedBeats,
  { ventricular, supraventricular }: BeatDecision,
): DecidedBeats {
  const { samples, groupOf, leadCount, row, stated } = beats;
  const count = samples.length;
  const [single, early] = [new Float64Array(count), new Float64Array(count)];
  for (let beat = 0; beat < count; beat++) {
    if ((groupOf[beat] as number) < 0) continue;
    const inputs = row(beat);
    single[beat] = ventricular(inputs);
    early[beat] = isHardlyEarly(inputs, count) ? 0 : supraventricular(inputs);
  }
  const leasts = LEAST_VENTRICULAR[leadCount <= FEW_LEADS ? 'few' : 'many'];
  const sizes = sizesOf(groupOf);
  const likely = withGroups(single, groupOf, sizes);
  const labels = Array.from({ length: count }, (_, beat): BeatLabel => {
    const said = stated?.(beat);
    if (said !== undefined) return said;
    const group = groupOf[beat] as number;
    if (group < 0) return 'Q';
    const least = leasts[Math.min(sizes[group] as number, leasts.length) - 1] as number;
    if ((likely[beat] as number) >= least) return 'V';
    return (early[beat] as number) >= LEAST_SUPRAVENTRICULAR ? 'S' : 'N';
  });
  const decided = [...labels];
  followPace(labels, beats);
  return {
    labels,
    nextLikely: labels.map((label, beat) =>
      label === decided[beat] && stated?.(beat) === undefined
        ? nextLikelyOf(label, likely[beat] as number, early[beat] as number)
        : undefined,
    ),
  };
}

/** @returns the class of each beat: N, S or V, what a person stated, and Q of those in no group */
export const classesOf = (beats: UndecidedBeats, decision: BeatDecision): readonly BeatLabel[] =>
  decideBeats(beats, decision).labels;
