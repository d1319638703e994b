// Stretches of time for which a recording has no samples.

import type { Gap } from '../../shared/signal/recording.ts';
import { firstIndex } from './binary-search.ts';

export const areInOrder = (gaps: readonly Gap[]): boolean =>
  gaps.every(
    ({ startSeconds, endSeconds }, i) =>
      startSeconds < endSeconds && startSeconds >= (gaps[i - 1]?.endSeconds ?? 0),
  );

/** Whether a stretch lies in one of the gaps, which are in order, as a whole. */
export function liesInGap(
  gaps: readonly Gap[],
  startSeconds: number,
  endSeconds: number,
  toleranceSeconds = 0,
): boolean {
  const gap =
    gaps[firstIndex(gaps.length, (i) => (gaps[i] as Gap).endSeconds >= endSeconds - toleranceSeconds)];
  return gap !== undefined && gap.startSeconds <= startSeconds + toleranceSeconds;
}
