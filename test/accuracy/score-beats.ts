// Beats found against beats marked: AAMI EC57, section 4.3 – a pair is at most 150 ms apart, each beat has at
// most one partner, and the whole recording counts from its first second on.

import type { ReferenceBeat } from './reference.ts';
import { isInside, type Range } from './stretches.ts';

const MATCH_SECONDS = 0.15;

/** Rows: what was marked; columns: what was found; `none`: no partner. */
export type BeatTable = Readonly<Record<string, number>>;

/** Pairs of indices, nearest first; an unpaired beat is in neither. Both lists are in order. */
function pair(
  reference: readonly ReferenceBeat[],
  found: readonly ReferenceBeat[],
  reachSamples: number,
): Map<number, number> {
  const candidates: { distance: number; a: number; b: number }[] = [];
  let first = 0;
  for (const [a, { sample }] of reference.entries()) {
    while (first < found.length && (found[first]?.sample ?? 0) < sample - reachSamples) first++;
    for (let b = first; b < found.length && (found[b]?.sample ?? 0) <= sample + reachSamples; b++)
      candidates.push({ distance: Math.abs((found[b]?.sample ?? 0) - sample), a, b });
  }
  candidates.sort((x, y) => x.distance - y.distance);
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  for (const { a, b } of candidates) {
    if (pairs.has(a) || taken.has(b)) continue;
    pairs.set(a, b);
    taken.add(b);
  }
  return pairs;
}

/** Counts by what was marked and what was found, such as `NV`; `V-` was missed, `-V` is false. */
export function scoreBeats(
  reference: readonly ReferenceBeat[],
  found: readonly ReferenceBeat[],
  sampleRateHz: number,
  excluded: readonly Range[] = [],
): BeatTable {
  const table: Record<string, number> = {};
  const count = (key: string): void => {
    table[key] = (table[key] ?? 0) + 1;
  };
  const pairs = pair(reference, found, MATCH_SECONDS * sampleRateHz);
  const taken = new Set(pairs.values());
  for (const [a, { sample, label }] of reference.entries())
    if (!isInside(sample, excluded)) count(`${label}${found[pairs.get(a) ?? -1]?.label ?? '-'}`);
  for (const [b, { sample, label }] of found.entries())
    if (!taken.has(b) && !isInside(sample, excluded)) count(`-${label}`);
  return table;
}

export function addTables(tables: readonly BeatTable[]): BeatTable {
  const sum: Record<string, number> = {};
  for (const table of tables)
    for (const [key, count] of Object.entries(table)) sum[key] = (sum[key] ?? 0) + count;
  return sum;
}

export interface Score {
  readonly right: number;
  readonly missed: number;
  readonly false: number;
}

const sumOf = (table: BeatTable, isCounted: (marked: string, found: string) => boolean): number =>
  Object.entries(table).reduce(
    (sum, [key, count]) => (isCounted(key[0] as string, key[1] as string) ? sum + count : sum),
    0,
  );

export const qrsScore = (table: BeatTable): Score => ({
  right: sumOf(table, (marked, found) => marked !== '-' && found !== '-'),
  missed: sumOf(table, (_, found) => found === '-'),
  false: sumOf(table, (marked) => marked === '-'),
});

/** Fusion beats and unclassified ones may be told as V or not (EC57, 4.3.3). */
export const ventricularScore = (table: BeatTable): Score => ({
  right: table.VV ?? 0,
  missed: sumOf(table, (marked, found) => marked === 'V' && found !== 'V'),
  false: sumOf(table, (marked, found) => 'NS-'.includes(marked) && found === 'V'),
});

export const supraventricularScore = (table: BeatTable): Score => ({
  right: table.SS ?? 0,
  missed: sumOf(table, (marked, found) => marked === 'S' && found !== 'S'),
  false: sumOf(table, (marked, found) => 'NVF-'.includes(marked) && found === 'S'),
});

export const sensitivity = ({ right, missed }: Score): number => right / (right + missed);
export const positivePredictivity = (score: Score): number => score.right / (score.right + score.false);
export const f1 = (score: Score): number =>
  (2 * score.right) / (2 * score.right + score.missed + score.false);
