// Runs of ventricular beats found against runs marked, run by run (AAMI EC57, 4.4).

import type { ReferenceBeat } from './reference.ts';
import { overlapOf, type Range } from './stretches.ts';

const MIN_RUN = 3;
const RUN_BPM = 100;

export interface RunScore {
  readonly marked: number;
  readonly markedFound: number;
  readonly found: number;
  readonly foundMarked: number;
}

/** Beats that make a run: fusions with a ventricular beat are part of it, as EC57 has it. */
const isInRun = (beat: ReferenceBeat | undefined): boolean => beat?.label === 'V' || beat?.label === 'F';

/** Three of them or more in a row, from the first to the last, no slower than a rate. */
function runsOf(beats: readonly ReferenceBeat[], sampleRateHz: number, leastBpm: number): Range[] {
  const runs: Range[] = [];
  let first = 0;
  for (let i = 0; i <= beats.length; i++) {
    if (isInRun(beats[i])) continue;
    const [from, to] = [beats[first]?.sample ?? 0, beats[i - 1]?.sample ?? 0];
    const bpm = (60 * sampleRateHz * (i - first - 1)) / Math.max(1, to - from);
    if (i - first >= MIN_RUN && bpm >= leastBpm) runs.push([from, to + 1]);
    first = i + 1;
  }
  return runs;
}

/** A run of the mean rate of a tachycardia is found where it is touched; one that is found is right by any run. */
export function scoreRuns(
  reference: readonly ReferenceBeat[],
  found: readonly Range[],
  sampleRateHz: number,
  excluded: readonly Range[],
): RunScore {
  const isOutside = (range: Range): boolean => overlapOf([range], excluded) === 0;
  const touched = (ranges: readonly Range[], others: readonly Range[]): Range[] =>
    ranges.filter((range) => overlapOf([range], others) > 0);
  const marked = runsOf(reference, sampleRateHz, RUN_BPM).filter(isOutside);
  const counted = found.filter(isOutside);
  return {
    marked: marked.length,
    markedFound: touched(marked, found).length,
    found: counted.length,
    foundMarked: touched(counted, runsOf(reference, sampleRateHz, 0)).length,
  };
}
