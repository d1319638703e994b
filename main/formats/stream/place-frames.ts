// Where the frames of a stream lie on one line of samples: what is contiguous, what is a gap, what overlaps
// (D73, D82).

import type { Warning } from '../../../shared/signal/recording.ts';
import { median } from '../../../shared/signal/statistics.ts';
import { warning } from '../../../shared/warnings/warning.ts';

const TOLERANCE_MS = 4;
const IRREGULAR_SHARE = 0.2;
const MIN_JITTER_BORDERS = 8;
const JITTER_BALANCE = 0.25;
const DRIFT_SHARE = 0.001;
const OVERLAPS_LISTED = 1000;
const STRAY_GAP_SECONDS = 6 * 3600;
const STRAY_SHARE = 0.01;

export interface PlacedFrames {
  /** Which of the given frames are used, in order of time. */
  readonly frames: Uint32Array;
  /** Sample at which each used frame begins, behind what it drops; counted from the first used frame. */
  readonly starts: Float64Array;
  /** How many of its first samples each used frame drops, because the frame before it holds them. */
  readonly drops: Uint32Array;
  readonly sampleCount: number;
  /** [start, end) in samples. */
  readonly gaps: readonly (readonly [number, number])[];
  /**
   * Frames that overlap one before them, the first thousand: `offset` is where the later one begins in the
   * earlier one.
   */
  readonly overlaps: readonly { readonly earlier: number; readonly later: number; readonly offset: number }[];
  readonly warnings: readonly Warning[];
}

/** Rounded half up (D73). */
const positionOf = (timestampUs: number, rateHz: number): number =>
  Math.floor((timestampUs * rateHz) / 1e6 + 0.5);

/** By how many samples each frame begins later than the one before it ends; the first has 0. */
function bordersOf(
  positions: Float64Array,
  sampleCounts: Uint32Array,
  from: number,
  to: number,
): Float64Array {
  const deltas = new Float64Array(to - from);
  for (let frame = from + 1; frame < to; frame++)
    deltas[frame - from] =
      (positions[frame] as number) - (positions[frame - 1] as number) - (sampleCounts[frame - 1] as number);
  return deltas;
}

/**
 * Over a fifth of the borders are off, and yet nothing is lost: the sum of the deviations stays within a
 * frame (D82). Losses only ever make frames late, so that both late and early ones must be seen, and enough
 * of them: a lost frame among few is no jitter.
 */
function isJitter(deltas: Float64Array, tolerance: number, medianFrame: number): boolean {
  const borders = deltas.length - 1;
  if (borders < MIN_JITTER_BORDERS) return false;
  let [late, early, sum, least, most] = [0, 0, 0, 0, 0];
  for (const delta of deltas) {
    if (delta > tolerance) late++;
    else if (delta < -tolerance) early++;
    sum += delta;
    least = Math.min(least, sum);
    most = Math.max(most, sum);
  }
  const off = late + early;
  const goBothWays = Math.min(late, early) >= JITTER_BALANCE * off;
  return off > IRREGULAR_SHARE * borders && goBothWays && most - least <= medianFrame;
}

/** Cuts off what lies hours away and is next to nothing: a clock that was set, or a frame of another day. */
function withoutStrays(timestampsUs: Float64Array, sampleCounts: Uint32Array): { from: number; to: number } {
  let total = 0;
  for (const count of sampleCounts) total += count;
  const strayUs = STRAY_GAP_SECONDS * 1e6;
  let [from, to, before] = [0, timestampsUs.length, 0];
  for (let frame = 1; frame < timestampsUs.length; frame++) {
    before += sampleCounts[frame - 1] as number;
    // A frame of hours doesn't exist, so the distance of two beginnings tells a gap of hours.
    if ((timestampsUs[frame] as number) - (timestampsUs[frame - 1] as number) < strayUs) continue;
    if (before < STRAY_SHARE * total) from = frame;
    else if (total - before < STRAY_SHARE * total) {
      to = frame;
      break;
    }
  }
  return { from, to };
}

/**
 * @param timestampsUs when each frame begins, ascending.
 * @param sampleCounts of each frame, 1 or more.
 * @param isExact the timestamps count samples: every deviation is a gap, and none is jitter or drift of a
 * clock.
 */
export function placeFrames(
  timestampsUs: Float64Array,
  sampleCounts: Uint32Array,
  rateHz: number,
  isExact = false,
): PlacedFrames {
  const { from, to } = isExact
    ? { from: 0, to: timestampsUs.length }
    : withoutStrays(timestampsUs, sampleCounts);
  const positions = timestampsUs.map((timestampUs) => positionOf(timestampUs, rateHz));
  const tolerance = isExact ? 0 : Math.max(1, (TOLERANCE_MS * rateHz) / 1000);
  const medianFrame = median(sampleCounts.subarray(from, to)) ?? 0;
  const areByCount =
    !isExact && isJitter(bordersOf(positions, sampleCounts, from, to), tolerance, medianFrame);
  const frames = new Uint32Array(to - from);
  const starts = new Float64Array(to - from);
  const drops = new Uint32Array(to - from);
  const gaps: [number, number][] = [];
  const overlaps: { earlier: number; later: number; offset: number }[] = [];
  let [used, cursor, drift, overlapping, reference] = [0, 0, 0, 0, from];
  /** Where the frame before ends, by its own timestamp. */
  let end = positions[from] ?? 0;
  for (let frame = from; frame < to; frame++) {
    const [position, count] = [positions[frame] as number, sampleCounts[frame] as number];
    const delta = position - end;
    const isOverlap = !areByCount && delta < -tolerance;
    if (isOverlap) {
      overlapping++;
      const offset = position - (positions[reference] as number);
      if (overlaps.length < OVERLAPS_LISTED && offset >= 0)
        overlaps.push({ earlier: reference, later: frame, offset });
    }
    // A frame that lies wholly inside the one before is dropped; the next one is still compared with that one.
    if (isOverlap && position + count <= end) continue;
    if (isOverlap) drops[used] = -delta;
    else if (!areByCount && delta > tolerance) {
      gaps.push([cursor, cursor + delta]);
      cursor += delta;
    } else drift += delta;
    reference = frame;
    frames[used] = frame;
    starts[used] = cursor;
    cursor += count - (drops[used] as number);
    end = position + count;
    used++;
  }
  const setAside = from + (timestampsUs.length - to);
  return {
    frames: frames.subarray(0, used),
    starts: starts.subarray(0, used),
    drops: drops.subarray(0, used),
    sampleCount: cursor,
    gaps,
    overlaps,
    warnings: [
      ...(setAside > 0 ? [warning('stray_frames', { count: setAside })] : []),
      ...(areByCount ? [warning('irregular_timestamps')] : []),
      ...(overlapping > 0 ? [warning('frames_overlap', { count: overlapping })] : []),
      ...(!areByCount && Math.abs(drift) > DRIFT_SHARE * cursor
        ? [warning('clock_drift', { ppm: Math.round((drift / cursor) * 1e6) })]
        : []),
    ],
  };
}
