// The shape of a beat over all leads around its fiducial, and how alike two shapes are. Used to group beats
// and to align them.

import { filterZeroPhase, highPass, lowPass } from '../../shared/signal/butterworth.ts';
import { median } from '../../shared/signal/statistics.ts';
import type { LeadSet } from './lead-signals.ts';

const REACH_SECONDS = 0.12;
const SHIFT_SECONDS = 0.04;
/** Shapes are compared at this rate: enough for a band that ends at 40 Hz. */
const SHAPE_RATE_HZ = 125;

export interface BeatShapes {
  /** Values per lead in one shape. */
  readonly width: number;
  readonly leadCount: number;
  /**
   * One row a beat: leads one after another, each in units of its own typical QRS. NaN-free; beats at the
   * ends are padded.
   */
  readonly rows: readonly Float32Array[];
}

/** Cuts the shapes of all beats, 1–40 Hz, ±120 ms (analysis reference, 5.6). */
export function cutShapes(set: LeadSet, beatSamples: readonly number[]): BeatShapes {
  const fs = set.sampleRateHz;
  const step = Math.max(1, Math.round(fs / SHAPE_RATE_HZ));
  const half = Math.round((REACH_SECONDS * fs) / step);
  const slack = Math.round((SHIFT_SECONDS * fs) / step);
  const width = 2 * (half + slack) + 1;
  const rows = beatSamples.map(() => new Float32Array(width * set.leads.length));
  for (const [leadIndex, lead] of set.leads.entries()) {
    const shape = filterZeroPhase(lead.mv, [highPass(1, fs), lowPass(40, fs)], fs);
    const spans: number[] = [];
    for (const [beat, sample] of beatSamples.entries()) {
      const row = rows[beat] as Float32Array;
      let min = 0;
      let max = 0;
      for (let k = 0; k < width; k++) {
        const at = Math.min(shape.length - 1, Math.max(0, sample + (k - half - slack) * step));
        const value = shape[at] as number;
        row[leadIndex * width + k] = value;
        if (value < min) min = value;
        if (value > max) max = value;
      }
      spans.push(max - min);
    }
    const span = median(spans) ?? 0;
    const gain = span > 0 ? 1 / span : 0;
    for (const row of rows)
      for (let k = 0; k < width; k++)
        row[leadIndex * width + k] = (row[leadIndex * width + k] as number) * gain;
  }
  return { width, leadCount: set.leads.length, rows };
}

/** Correlation of two shapes over all leads at the best shift within ±40 ms. 1 = the same but for size. */
export function shapeCorrelation(shapes: BeatShapes, a: Float32Array, b: Float32Array): number {
  const fsShift = Math.round((shapes.width - 1) / 2 / (REACH_SECONDS / SHIFT_SECONDS + 1));
  let best = -1;
  for (let shift = -fsShift; shift <= fsShift; shift++) {
    let ab = 0;
    let aa = 0;
    let bb = 0;
    for (let lead = 0; lead < shapes.leadCount; lead++) {
      const base = lead * shapes.width;
      for (let k = fsShift; k < shapes.width - fsShift; k++) {
        const x = a[base + k] as number;
        const y = b[base + k + shift] as number;
        ab += x * y;
        aa += x * x;
        bb += y * y;
      }
    }
    const correlation = aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
    if (correlation > best) best = correlation;
  }
  return best;
}

/** Sum of the absolute values: the area that a shape covers. */
export function shapeArea(row: Float32Array): number {
  let sum = 0;
  for (const value of row) sum += Math.abs(value);
  return sum;
}

/**
 * Duration, in samples of the shape, in which the shape stays above a quarter of its largest slope-free
 * deflection.
 */
export function shapeWidth(shapes: BeatShapes, row: Float32Array): number {
  const magnitude = new Float64Array(shapes.width);
  for (let lead = 0; lead < shapes.leadCount; lead++)
    for (let k = 0; k < shapes.width; k++)
      magnitude[k] = (magnitude[k] as number) + Math.abs(row[lead * shapes.width + k] as number);
  const limit = 0.25 * Math.max(...magnitude);
  return magnitude.reduce((count, value) => count + (value > limit ? 1 : 0), 0);
}
