// Stretches of time and how far two lists of them agree.

/** [start, end) in samples. */
export type Range = readonly [start: number, end: number];

export function isInside(sample: number, ranges: readonly Range[]): boolean {
  return ranges.some(([start, end]) => sample >= start && sample < end);
}

export const lengthOf = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, [start, end]) => sum + end - start, 0);

/** In order, without overlaps; stretches that touch become one. */
export function joined(ranges: readonly Range[]): Range[] {
  const out: [number, number][] = [];
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else out.push([start, end]);
  }
  return out;
}

export function overlapOf(a: readonly Range[], b: readonly Range[]): number {
  let sum = 0;
  for (const [start, end] of joined(a))
    for (const [from, to] of joined(b)) sum += Math.max(0, Math.min(end, to) - Math.max(start, from));
  return sum;
}

/** How much of the time that holds something was found, and how much of what was found holds it. */
export interface TimeScore {
  readonly reference: number;
  readonly found: number;
  readonly both: number;
  /** Episodes of the reference that last, and how many of them are touched by something found. */
  readonly episodes: number;
  readonly episodesFound: number;
}

/** @param leastSamples of an episode that lasts */
export function scoreTime(
  reference: readonly Range[],
  found: readonly Range[],
  leastSamples: number,
): TimeScore {
  const episodes = joined(reference).filter(([start, end]) => end - start >= leastSamples);
  return {
    reference: lengthOf(joined(reference)),
    found: lengthOf(joined(found)),
    both: overlapOf(reference, found),
    episodes: episodes.length,
    episodesFound: episodes.filter((range) => overlapOf([range], found) > 0).length,
  };
}
