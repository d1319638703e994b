// How each beat lies beside the usual one and beside the beat before it: QRS, P, T, width and slopes. Walks over the sections.

import { firstFrom } from '../../../shared/signal/first-from.ts';
import { type LeadReader, toCoarse } from '../signal/lead-signals.ts';
import type { Section } from '../signal/sections.ts';
import { samplesWithin } from '../signal/time-base.ts';
import { type Gatherer, type Waypoints, walk } from '../signal/walk.ts';
import { likenessAt, nearest, type ShapeFormat, type Stretch, stepsOf } from './beat-shape.ts';
import type { BeatShapeCutter } from './beat-shape-cutter.ts';

const QRS: Stretch = { fromMs: -120, toMs: 120 };
const P: Stretch = { fromMs: -256, toMs: -64 };
const T: Stretch = { fromMs: 128, toMs: 384 };
const WHOLE: Stretch = { fromMs: -256, toMs: 384 };
/** P may stand so many steps of 8 ms earlier or later than in the usual beat. */
const EARLIEST_P = -8;
const LATEST_P = 3;

export const SHAPE_FEATURES = [
  'distance',
  'correlation',
  'area',
  /** Each of these is the lower or the upper quartile over the leads. */
  'lowCorrelation',
  'highCorrelation',
  'highDistance',
  'lowArea',
  'highArea',
  'pCorrelation',
  'pShiftedCorrelation',
  'pArea',
  'tCorrelation',
  'tArea',
  'wholeCorrelation',
  'wholeDistance',
  /** Between a tenth and nine tenths of all that QRS goes up and down. */
  'widthMs',
  'widthShare',
  'steepnessShare',
  /** How much the stretch before QRS trembles beside QRS. */
  'tremor',
  /** Beside the beat before. */
  'pairCorrelation',
  'pairDistance',
  'pairArea',
] as const;
export type ShapeFeature = (typeof SHAPE_FEATURES)[number];

/** One value a beat each. */
export type BeatFeatures = Readonly<Record<ShapeFeature, Float32Array>>;

interface Gathered {
  readonly features: BeatFeatures;
  format: ShapeFormat;
  /** The shape of the last beat and where it lies beside the usual one. */
  last: { readonly row: Float32Array; readonly shift: number } | undefined;
}

/** How QRS rises and falls over all leads. */
interface Slopes {
  readonly widthSteps: number;
  readonly steepest: number;
}

const STEP_MS = 8;
const TENTH = 0.1;

function slopesOf(format: ShapeFormat, row: Float32Array, shift: number): Slopes {
  const { width, leadCount } = format;
  const [from, to] = stepsOf(format, QRS);
  const slopes = new Float64Array(to - from);
  let sum = 0;
  let steepest = 0;
  for (let k = from; k < to; k++) {
    let slope = 0;
    for (let lead = 0; lead < leadCount; lead++) {
      const at = lead * width + k + shift;
      slope += Math.abs((row[at + 1] as number) - (row[at] as number));
    }
    slopes[k - from] = slope;
    sum += slope;
    steepest = Math.max(steepest, slope);
  }
  /** Where so much of the sum is reached, between two steps. */
  const reached = (part: number): number => {
    let left = part * sum;
    for (const [k, slope] of slopes.entries()) {
      if (slope >= left && slope > 0) return k + left / slope;
      left -= slope;
    }
    return slopes.length;
  };
  return { widthSteps: reached(1 - TENTH) - reached(TENTH), steepest };
}

/** Sum of the bends of a stretch over all leads, for each of its steps. */
function bendOf(format: ShapeFormat, row: Float32Array, stretch: Stretch, shift: number): number {
  const { width, leadCount } = format;
  const [from, to] = stepsOf(format, stretch);
  let sum = 0;
  for (let lead = 0; lead < leadCount; lead++)
    for (let k = lead * width + from + 1 + shift; k < lead * width + to + shift; k++)
      sum += Math.abs((row[k + 1] as number) - 2 * (row[k] as number) + (row[k - 1] as number));
  return sum / (to - from);
}

/** The lower and the upper quartile. */
const lowOf = (sorted: Float64Array): number => sorted[Math.floor((sorted.length - 1) / 4)] as number;
const highOf = (sorted: Float64Array): number => sorted[Math.ceil(((sorted.length - 1) * 3) / 4)] as number;

interface FeatureInput {
  readonly reader: LeadReader;
  readonly cutter: BeatShapeCutter;
  readonly samples: readonly number[];
  /** The shape of the usual beat. */
  readonly usual: Float32Array;
}

/** Holds the beats of one section after the other against the usual one. */
class FeatureFinder implements Gatherer<Gathered> {
  readonly #input: FeatureInput;
  #usualSlopes: Slopes | undefined;
  readonly state: Gathered;

  constructor(input: FeatureInput, state: Gathered | undefined) {
    this.#input = input;
    this.state = state ?? {
      features: Object.fromEntries(
        SHAPE_FEATURES.map((name) => [name, new Float32Array(input.samples.length)]),
      ) as BeatFeatures,
      format: { width: 0, leadCount: 0, fiducial: 0 },
      last: undefined,
    };
  }

  add({ core, reach }: Section): void {
    const { reader, cutter, samples } = this.#input;
    const own = samplesWithin(samples, core, reach[0]);
    if (own.length === 0) return;
    const { coarse } = reader.window(...reach);
    const shapes = cutter.cut(
      coarse,
      own.map((sample) => toCoarse(sample, coarse)),
    );
    const { width, leadCount, fiducial } = shapes;
    this.state.format = { width, leadCount, fiducial };
    const first = firstFrom(samples, core[0]);
    for (const [i, row] of shapes.rows.entries()) this.#hold(shapes, first + i, row);
  }

  #hold(format: ShapeFormat, beat: number, row: Float32Array): void {
    const { usual } = this.#input;
    const { features } = this.state;
    const qrs = nearest(format, row, usual);
    const { shift } = qrs;
    const set = (name: ShapeFeature, value: number): void => {
      features[name][beat] = value;
    };
    set('distance', qrs.distance);
    set('correlation', qrs.correlation);
    set('area', qrs.area);
    this.#holdLeads(format, beat, row, shift);
    const p = likenessAt(format, row, usual, P, shift);
    set('pCorrelation', p.correlation);
    set('pArea', p.area);
    let best = p.correlation;
    for (let moved = EARLIEST_P; moved <= LATEST_P; moved++)
      best = Math.max(best, likenessAt(format, row, usual, P, shift + moved).correlation);
    set('pShiftedCorrelation', best);
    const t = likenessAt(format, row, usual, T, shift);
    set('tCorrelation', t.correlation);
    set('tArea', t.area);
    const whole = likenessAt(format, row, usual, WHOLE, shift);
    set('wholeCorrelation', whole.correlation);
    set('wholeDistance', whole.distance);
    this.#usualSlopes ??= slopesOf(format, usual, 0);
    const slopes = slopesOf(format, row, shift);
    set('widthMs', STEP_MS * slopes.widthSteps);
    set('widthShare', slopes.widthSteps / this.#usualSlopes.widthSteps);
    set('steepnessShare', slopes.steepest / this.#usualSlopes.steepest);
    set('tremor', bendOf(format, row, P, shift) / bendOf(format, row, QRS, shift));
    this.#holdPair(format, beat, row, shift);
  }

  #holdLeads(format: ShapeFormat, beat: number, row: Float32Array, shift: number): void {
    const { features } = this.state;
    const likenesses = Array.from({ length: format.leadCount }, (_, lead) =>
      likenessAt(format, row, this.#input.usual, QRS, shift, 0, lead),
    ).filter(({ distance }) => distance !== Number.POSITIVE_INFINITY);
    if (likenesses.length === 0) return;
    const sorted = (of: 'correlation' | 'distance' | 'area'): Float64Array =>
      Float64Array.from(likenesses, (likeness) => likeness[of]).sort();
    const [correlations, distances, areas] = [sorted('correlation'), sorted('distance'), sorted('area')];
    features.lowCorrelation[beat] = lowOf(correlations);
    features.highCorrelation[beat] = highOf(correlations);
    features.highDistance[beat] = highOf(distances);
    features.lowArea[beat] = lowOf(areas);
    features.highArea[beat] = highOf(areas);
  }

  #holdPair(format: ShapeFormat, beat: number, row: Float32Array, shift: number): void {
    const { features, last } = this.state;
    // At the first beat there is none before.
    const pair =
      last === undefined
        ? { correlation: Number.NaN, distance: Number.NaN, area: Number.NaN }
        : likenessAt(format, row, last.row, QRS, shift, last.shift);
    features.pairCorrelation[beat] = pair.correlation;
    features.pairDistance[beat] = pair.distance;
    features.pairArea[beat] = pair.area;
    this.state.last = { row, shift };
  }
}

export function findBeatFeatures(
  input: FeatureInput,
  sections: readonly Section[],
  waypoints: Waypoints | undefined,
): Pick<Gathered, 'features' | 'format'> {
  return walk<Gathered, FeatureFinder>({
    name: 'shapes',
    sections,
    waypoints,
    begin: (state) => new FeatureFinder(input, state),
  }).state;
}
