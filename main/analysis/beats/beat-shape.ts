// The shape of a beat over all leads around its fiducial, and how alike two shapes are. Used to prove that
// beats are some, to group them, and to align them.

import { median, rangeOf } from '../../../shared/signal/statistics.ts';
import { bandOf } from '../signal/lead-bands.ts';
import type { CoarseSet } from '../signal/lead-signals.ts';

/** Shapes are compared at this rate: enough for a band that ends at 40 Hz. */
const SHAPE_RATE_HZ = 125;
const SHAPE_STEP_MS = 1000 / SHAPE_RATE_HZ;
/** Around the fiducial, where the size of a QRS is taken from. */
const SIZE_REACH_MS = 96;

export interface ShapeBand {
  readonly lowHz: number;
  readonly highHz: number;
  readonly beforeMs: number;
  readonly afterMs: number;
}

/** A lead that shows less at most beats is off, or missing there: what a filter leaves of a line is no shape. */
const LEAST_SIZE_MV = 0.005;
const LEAST_SIZE_UNCALIBRATED = 1e-6;
/** Two shapes may be moved against each other by as much. */
const SLACK_STEPS = 5;
export const QRS_BAND: ShapeBand = { lowHz: 1, highHz: 40, beforeMs: 120, afterMs: 120 };

/** How the values of a row are laid out. */
export interface ShapeFormat {
  /** Values per lead in one row, with the slack on both sides. */
  readonly width: number;
  readonly leadCount: number;
  /** Place of the fiducial among the values of a lead. */
  readonly fiducial: number;
}

export interface BeatShapes extends ShapeFormat {
  /** One a lead: what millivolts were multiplied with; 0 for a lead without any signal. */
  readonly gains: readonly number[];
  /**
   * One row a beat: leads one after another, each in units of its own typical QRS times the root of its
   * weight. Beats at the ends are padded.
   */
  readonly rows: readonly Float32Array[];
}

interface CutOptions extends ShapeBand {
  /** One a lead, how much it says; all the same where it is left out. */
  readonly weights?: readonly number[];
  /** One a lead: range of its typical QRS in millivolts; that of the beats here where it is left out or 0. */
  readonly sizes?: readonly number[] | undefined;
}

/** Linear between two samples; the first and the last stand for what lies beyond. */
function valueAt(signal: Float64Array, position: number): number {
  const bounded = Math.min(signal.length - 1, Math.max(0, position));
  const below = Math.floor(bounded);
  const low = signal[below] as number;
  return low + ((signal[Math.min(signal.length - 1, below + 1)] as number) - low) * (bounded - below);
}

const SIZE_REACH = Math.round(SIZE_REACH_MS / SHAPE_STEP_MS);

function sizeAt(signal: Float64Array, sample: number, step: number): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let k = -SIZE_REACH; k <= SIZE_REACH; k++) {
    const value = valueAt(signal, sample + k * step);
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high - low;
}

/** Cuts the shapes of all beats (analysis reference, 5.6). @param samples coarse ones; a fraction counts */
export function cutShapes(set: CoarseSet, samples: readonly number[], options: CutOptions): BeatShapes {
  const fs = set.sampleRateHz;
  const step = fs / SHAPE_RATE_HZ;
  const fiducial = Math.round(options.beforeMs / SHAPE_STEP_MS) + SLACK_STEPS;
  const width = fiducial + Math.round(options.afterMs / SHAPE_STEP_MS) + SLACK_STEPS + 1;
  const rows = samples.map(() => new Float32Array(width * set.leads.length));
  const gains = set.leads.map(({ mv, isCalibrated }, index) => {
    const band = bandOf(mv, options, fs);
    const given = options.sizes?.[index] ?? 0;
    const size = given > 0 ? given : (median(samples.map((sample) => sizeAt(band, sample, step))) ?? 0);
    const hasSignal = size >= (isCalibrated ? LEAST_SIZE_MV : LEAST_SIZE_UNCALIBRATED);
    const gain = hasSignal ? Math.sqrt(options.weights?.[index] ?? 1) / size : 0;
    for (const [beat, row] of rows.entries())
      for (let k = 0; k < width; k++)
        row[index * width + k] = gain * valueAt(band, (samples[beat] as number) + (k - fiducial) * step);
    return gain;
  });
  return { width, leadCount: set.leads.length, fiducial, gains, rows };
}

/** Median range of the QRS, one a lead, in millivolts; 0 for a lead without any signal. */
export function typicalSizes(
  { width, fiducial, gains }: BeatShapes,
  rows: readonly Float32Array[],
): number[] {
  return gains.map((gain, lead) => {
    if (gain === 0) return 0;
    const from = lead * width + Math.max(0, fiducial - SIZE_REACH);
    const to = lead * width + Math.min(width - 1, fiducial + SIZE_REACH);
    const ranges = rows.map((row) => rangeOf(row, from, to + 1));
    return (median(ranges) ?? 0) / gain;
  });
}

/** A stretch of a shape, in milliseconds from its fiducial. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

const QRS_STRETCH: Stretch = { fromMs: -120, toMs: 120 };

export interface Likeness {
  /** 1 = the same but for size. */
  readonly correlation: number;
  /** Sum of the differences in parts of the template's area: 0 = the same. */
  readonly distance: number;
  /** Area in parts of the template's. */
  readonly area: number;
  /** By how many steps the row stands later than the template. */
  readonly shift: number;
}

/** First and last step of a stretch among the values of a lead; slack stays free on both sides. */
export function stepsOf(
  { width, fiducial }: ShapeFormat,
  { fromMs, toMs }: Stretch,
): [from: number, to: number] {
  return [
    Math.max(SLACK_STEPS, fiducial + Math.round(fromMs / SHAPE_STEP_MS)),
    Math.min(width - 1 - SLACK_STEPS, fiducial + Math.round(toMs / SHAPE_STEP_MS)),
  ];
}

/** Sum of squares over a stretch of all leads. */
function energy({ width, leadCount }: ShapeFormat, row: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let lead = 0; lead < leadCount; lead++)
    for (let k = lead * width + from; k <= lead * width + to; k++) sum += (row[k] as number) ** 2;
  return sum;
}

/**
 * Holds a row, moved by `shift` steps, against a template.
 *
 * @param moved by how many steps the template is moved
 * @param only the one lead that counts; all of them where it is left out
 */
export function likenessAt(
  format: ShapeFormat,
  row: Float32Array,
  template: Float32Array,
  stretch: Stretch,
  shift: number,
  moved = 0,
  only?: number,
): Likeness {
  const { width, leadCount } = format;
  const [from, to] = stepsOf(format, stretch);
  let [ab, aa, bb, difference, own, area] = [0, 0, 0, 0, 0, 0];
  for (let lead = only ?? 0; lead < (only === undefined ? leadCount : only + 1); lead++) {
    for (let k = lead * width + from; k <= lead * width + to; k++) {
      const a = row[k + shift] as number;
      const b = template[k + moved] as number;
      ab += a * b;
      aa += a * a;
      bb += b * b;
      difference += Math.abs(a - b);
      own += Math.abs(a);
      area += Math.abs(b);
    }
  }
  return {
    correlation: aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0,
    distance: area > 0 ? difference / area : Number.POSITIVE_INFINITY,
    area: area > 0 ? own / area : 0,
    shift,
  };
}

/** At the shift, within ±40 ms, at which the two lie nearest to each other. */
export function nearest(
  shapes: ShapeFormat,
  row: Float32Array,
  template: Float32Array,
  stretch: Stretch = QRS_STRETCH,
): Likeness {
  let best = likenessAt(shapes, row, template, stretch, 0);
  for (let shift = -SLACK_STEPS; shift <= SLACK_STEPS; shift++) {
    if (shift === 0) continue;
    const found = likenessAt(shapes, row, template, stretch, shift);
    if (found.distance < best.distance) best = found;
  }
  return best;
}

/** Best correlation within some steps, at most ±40 ms, whatever the size. */
export function shapeCorrelation(
  format: ShapeFormat,
  a: Float32Array,
  b: Float32Array,
  stretch: Stretch = QRS_STRETCH,
  mostShift = SLACK_STEPS,
): number {
  const { width, leadCount } = format;
  const [from, to] = stepsOf(format, stretch);
  const norm = energy(format, b, from, to);
  let own = energy(format, a, from - mostShift, to - mostShift);
  let best = -1;
  for (let shift = -mostShift; shift <= mostShift; shift++) {
    let product = 0;
    for (let lead = 0; lead < leadCount; lead++)
      for (let k = lead * width + from; k <= lead * width + to; k++)
        product += (a[k + shift] as number) * (b[k] as number);
    best = Math.max(best, own > 0 && norm > 0 ? product / Math.sqrt(own * norm) : 0);
    // For the next shift, each lead loses one value at its beginning and gains one at its end.
    for (let lead = 0; lead < leadCount; lead++) {
      const at = lead * width + shift;
      own += (a[at + to + 1] ?? 0) ** 2 - (a[at + from] as number) ** 2;
    }
  }
  return best;
}
