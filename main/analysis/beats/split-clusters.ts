// Groups of beats with one QRS, apart where P and T are not the same: an early beat of the ventricles may differ in T alone.

import { median } from '../../../shared/signal/statistics.ts';
import type { Cluster } from './beat-clusters.ts';
import type { BeatFeatures } from './beat-features.ts';

/** Below this correlation from P to T, a beat is unlike the usual one, provided that the median of its group is above `ALIKE`. */
const UNLIKE = 0.82;
const ALIKE = 0.9;
const LEAST_UNLIKE = 3;

/** @returns the clusters in their order, and the parts that were split off behind them */
export function splitByWholeBeat(
  clusters: readonly Cluster[],
  { wholeCorrelation }: BeatFeatures,
): Cluster[] {
  const split: Cluster[] = [];
  const kept = clusters.map(({ template, members }): Cluster => {
    const isUnlike = (beat: number): boolean => (wholeCorrelation[beat] as number) < UNLIKE;
    const unlike = members.filter(isUnlike);
    const middle = median(members.map((beat) => wholeCorrelation[beat] as number)) ?? 0;
    if (unlike.length < LEAST_UNLIKE || middle < ALIKE) return { template, members };
    split.push({ template, members: unlike });
    return { template, members: members.filter((beat) => !isUnlike(beat)) };
  });
  return [...kept, ...split];
}
