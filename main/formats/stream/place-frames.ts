// Where the frames of a stream lie on one line of samples: what is contiguous, what is a gap, what overlaps (D73, D82).

import type { Warning } from '../../../shared/signal/recording.ts';
import { median } from '../../../shared/signal/statistics.ts';

const TOLERANCE_MS = 4;
const IRREGULAR_SHARE = 0.2;
const MIN_JITTER_BORDERS = 8;
const JITTER_BALANCE = 0.25;
const DRIFT_SHARE = 0.001;
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
  readonly warnings: readonly Warning[];
}

/** Rounded half up (D73). */
const positionOf = (timestampUs: number, rateHz: number): number => Math.floor((timestampUs * rateHz) / 1e6 + 0.5);

interface Borders {
  /** Frames that lie wholly inside the one before them are left out. */
  readonly used: number[];
  /** By how many samples each used frame begins later than the one before it ends; the first has 0. */
  readonly deltas: number[];
}

function findBorders(timestampsUs: Float64Array, sampleCounts: Uint32Array, rateHz: number, from: number, to: number): Borders {
  const used: number[] = [];
  const deltas: number[] = [];
  let end = 0;
  for (let frame = from; frame < to; frame++) {
    const start = positionOf(timestampsUs[frame] as number, rateHz);
    const stop = start + (sampleCounts[frame] as number);
    if (used.length > 0 && stop <= end) continue;
    deltas.push(used.length === 0 ? 0 : start - end);
    used.push(frame);
    end = stop;
  }
  return { used, deltas };
}

/**
 * Over a fifth of the borders are off, and yet nothing is lost: the sum of the deviations stays within a frame (D82). Losses only ever
 * make frames late, so that both late and early ones must be seen, and enough of them: a lost frame among few is no jitter.
 */
function isJitter(deltas: readonly number[], tolerance: number, medianFrame: number): boolean {
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

const warn = (code: string, message: string): Warning => ({ code, message });

/**
 * @param timestampsUs when each frame begins, ascending.
 * @param sampleCounts of each frame, 1 or more.
 */
export function placeFrames(timestampsUs: Float64Array, sampleCounts: Uint32Array, rateHz: number): PlacedFrames {
  const { from, to } = withoutStrays(timestampsUs, sampleCounts);
  const { used, deltas } = findBorders(timestampsUs, sampleCounts, rateHz, from, to);
  const tolerance = Math.max(1, (TOLERANCE_MS * rateHz) / 1000);
  const medianFrame = median(Float64Array.from(used, (frame) => sampleCounts[frame] as number)) ?? 0;
  const areByCount = isJitter(deltas, tolerance, medianFrame);
  const starts = new Float64Array(used.length);
  const drops = new Uint32Array(used.length);
  const gaps: [number, number][] = [];
  let [cursor, drift] = [0, 0];
  for (const [i, frame] of used.entries()) {
    const delta = deltas[i] as number;
    if (areByCount || Math.abs(delta) <= tolerance) drift += delta;
    else if (delta > 0) {
      gaps.push([cursor, cursor + delta]);
      cursor += delta;
    } else drops[i] = -delta;
    starts[i] = cursor;
    cursor += (sampleCounts[frame] as number) - (drops[i] as number);
  }
  const setAside = from + (timestampsUs.length - to);
  const overlaps = drops.reduce((sum, drop) => sum + (drop > 0 ? 1 : 0), 0) + (to - from - used.length);
  return {
    frames: Uint32Array.from(used),
    starts,
    drops,
    sampleCount: cursor,
    gaps,
    warnings: [
      ...(setAside > 0
        ? [warn('stray_frames', `${setAside} frames lie more than six hours from all others; they are kept and not analysed.`)]
        : []),
      ...(areByCount
        ? [warn('irregular_timestamps', 'The timestamps of the frames are irregular; the samples were placed by count.')]
        : []),
      ...(overlaps > 0 ? [warn('frames_overlap', `${overlaps} frames overlap the one before; the earlier samples were kept.`)] : []),
      ...(!areByCount && Math.abs(drift) > DRIFT_SHARE * cursor
        ? [
            warn(
              'clock_drift',
              `The clock of the timestamps differs from that of the samples by ${Math.round((drift / cursor) * 1e6)} ppm; the samples count.`,
            ),
          ]
        : []),
    ],
  };
}
