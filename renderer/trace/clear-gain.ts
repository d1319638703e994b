// Whether traces are so tall that they leave the paper or cross their neighbours' lines, and the gain at which they do not.

import { levelOf, type ReviewPicture, samplesOf } from './draw-review.ts';
import { MARKS_PX, type ReviewCell } from './review-layout.ts';

interface Room {
  readonly upPx: number;
  readonly downPx: number;
}

/** To the lines of the rows above and below, or to the edges of the paper. */
function roomOf({ baselineY }: ReviewCell, lines: readonly number[], bottomPx: number): Room {
  const place = lines.indexOf(baselineY);
  return {
    upPx: baselineY - (lines[place - 1] ?? 0),
    downPx: (lines[place + 1] ?? bottomPx) - baselineY,
  };
}

/** Pixels that a millivolt may take in a cell. */
function mostPxPerMv(mv: Float32Array, { upPx, downPx }: Room, isInverted: boolean): number {
  const level = levelOf(mv);
  let [above, below] = [0, 0];
  for (const value of mv) {
    if (value - level > above) above = value - level;
    if (level - value > below) below = level - value;
  }
  const [up, down] = isInverted ? [below, above] : [above, below];
  return Math.min(upPx / up, downPx / down);
}

/**
 * @param gains that there are, in order
 * @returns the largest gain below the present one at which all traces stay clear, or the smallest; undefined where they
 * do at the present one
 */
export function clearGain<G extends number>(
  picture: Pick<
    ReviewPicture,
    'cells' | 'leads' | 'sampleRateHz' | 'pxPerMm' | 'heightPx' | 'ratio' | 'gainMmPerMv'
  >,
  gains: readonly G[],
): G | undefined {
  const { cells, leads, sampleRateHz, pxPerMm, heightPx, ratio, gainMmPerMv } = picture;
  const lines = [...new Set(cells.map(({ baselineY }) => baselineY))].sort((a, b) => a - b);
  const bottomPx = heightPx - MARKS_PX * ratio;
  let most = Number.POSITIVE_INFINITY;
  for (const cell of cells) {
    const lead = leads[cell.lead];
    if (lead?.isCalibrated !== true) continue;
    const room = roomOf(cell, lines, bottomPx);
    most = Math.min(most, mostPxPerMv(samplesOf(lead, cell, sampleRateHz), room, cell.isInverted));
  }
  const smaller = gains.filter((gain) => gain < gainMmPerMv);
  if (gainMmPerMv * pxPerMm <= most) return undefined;
  return smaller.findLast((gain) => gain * pxPerMm <= most) ?? smaller[0];
}
