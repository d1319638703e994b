// What a short piece of one channel looks like, for a person who decides what it is. It says what is seen and settles nothing: which
// channels are analysed, labels and people say.

import { median, quantile, rangeOf } from '../../../shared/signal/statistics.ts';
import { BeatDetector } from '../live/beat-detector.ts';

export interface ChannelLook {
  readonly isFlat: boolean;
  /** Absent where no heartbeats are seen. */
  readonly beatsPerMinute?: number;
  /** The largest wave of the beats points down. */
  readonly isDownward?: boolean;
}

const LEAST_BEATS = 4;
const SLOWEST_PER_MINUTE = 25;
const FASTEST_PER_MINUTE = 230;
/** A QRS rises and falls within this; waves of pulse and breathing are wider. */
const HALF_QRS_MS = 60;
/** How far beats stand out of what lies between them: the middle range of beats against that of pieces beside them. */
const LEAST_CONTRAST = 3;
/** Heartbeats are alike: the typical correlation of one with their mean. */
const LEAST_LIKENESS = 0.85;
/** The size that the detector expects of a QRS, in mV. */
const USUAL_MV = 1;
const LOW = 0.01;
const HIGH = 0.99;

/** The signal in a size that the detector knows; undefined where there is none. */
function inUsualSize(values: Float32Array): Float64Array | undefined {
  const known = values.filter(Number.isFinite);
  const level = median(known) ?? 0;
  const range = (quantile(known, HIGH) ?? 0) - (quantile(known, LOW) ?? 0);
  if (!(range > 0)) return undefined;
  return Float64Array.from(values, (value) =>
    Number.isFinite(value) ? (USUAL_MV * (value - level)) / range : 0,
  );
}

function detect(mv: Float64Array, rateHz: number): number[] {
  const detector = new BeatDetector(rateHz, 1);
  const counted = Uint8Array.of(1);
  const one = new Float64Array(1);
  const beats: number[] = [];
  for (const [i, value] of mv.entries()) {
    one[0] = value;
    const beat = detector.next(one, i, counted);
    if (beat !== undefined) beats.push(beat);
  }
  return beats;
}

function correlation(a: Float64Array, b: Float64Array): number {
  let [sumA, sumB] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    sumA += a[i] as number;
    sumB += b[i] as number;
  }
  const [meanA, meanB] = [sumA / a.length, sumB / b.length];
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [(a[i] as number) - meanA, (b[i] as number) - meanB];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}

/** The mean beat, where the beats stand out and are alike. */
function commonBeat(mv: Float64Array, beats: readonly number[], half: number): Float64Array | undefined {
  const pieceAt = (at: number): Float64Array[] =>
    at - half >= 0 && at + half < mv.length ? [mv.subarray(at - half, at + half + 1)] : [];
  const shapes = beats.flatMap(pieceAt);
  if (shapes.length < LEAST_BEATS) return undefined;
  const between = beats.slice(1).flatMap((beat, i) => pieceAt(Math.round((beat + (beats[i] as number)) / 2)));
  const ofBeats = median(shapes.map((shape) => rangeOf(shape, 0, shape.length))) ?? 0;
  const beside = median(between.map((piece) => rangeOf(piece, 0, piece.length))) ?? 0;
  if (ofBeats < LEAST_CONTRAST * beside) return undefined;
  const mean = new Float64Array(2 * half + 1);
  for (const shape of shapes)
    for (let i = 0; i < mean.length; i++)
      mean[i] = (mean[i] as number) + (shape[i] as number) / shapes.length;
  const likeness = median(shapes.map((shape) => correlation(shape, mean))) ?? 0;
  return likeness < LEAST_LIKENESS ? undefined : mean;
}

/** @param values of some ten seconds or more, in any unit, NaN where a sample is missing */
export function lookAtChannel(values: Float32Array, rateHz: number): ChannelLook {
  const mv = inUsualSize(values);
  if (mv === undefined) return { isFlat: true };
  const beats = detect(mv, rateHz);
  const half = Math.max(2, Math.round((HALF_QRS_MS * rateHz) / 1000));
  const mean = commonBeat(mv, beats, half);
  if (mean === undefined) return { isFlat: false };
  const intervals = beats.slice(1).map((beat, i) => beat - (beats[i] as number));
  const perMinute = Math.round((60 * rateHz) / (median(intervals) ?? 0));
  if (!(perMinute >= SLOWEST_PER_MINUTE && perMinute <= FASTEST_PER_MINUTE)) return { isFlat: false };
  const line = median(mv) ?? 0;
  const [up, down] = [Math.max(...mean) - line, line - Math.min(...mean)];
  return { isFlat: false, beatsPerMinute: perMinute, isDownward: down > up };
}
