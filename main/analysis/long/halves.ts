// Beats of one family in two halves, where somebody sees two shapes in it: along the direction in which they differ most, then each to
// the half whose mean it is nearer to.

import { FAMILY_PICTURE } from '../../../shared/analysis-result.ts';
import { HELD_COLUMNS } from './beat-picture.ts';

const { columns: COLUMNS } = FAMILY_PICTURE;
const ROUNDS = 8;
const POWER_STEPS = 12;

/** The columns that are compared, of all leads. */
function placesOf(length: number): number[] {
  const places: number[] = [];
  for (let start = 0; start < length; start += COLUMNS)
    for (let k = start + HELD_COLUMNS[0]; k < start + HELD_COLUMNS[1]; k++) places.push(k);
  return places;
}

function meanOf(
  rows: readonly Float32Array[],
  places: readonly number[],
  isIn: (row: number) => boolean,
): Float64Array {
  const mean = new Float64Array(places.length);
  let count = 0;
  for (const [i, row] of rows.entries()) {
    if (!isIn(i)) continue;
    count++;
    for (const [k, place] of places.entries()) mean[k] = (mean[k] as number) + (row[place] as number);
  }
  return mean.map((sum) => sum / Math.max(1, count));
}

/** Where each row lies along the direction of the greatest spread (power iteration). */
function spreadOf(
  rows: readonly Float32Array[],
  places: readonly number[],
  mean: Float64Array,
): Float64Array {
  let direction = mean.map((_, k) => Math.sin(k + 1));
  const along = new Float64Array(rows.length);
  for (let step = 0; step < POWER_STEPS; step++) {
    const next = new Float64Array(places.length);
    for (const [i, row] of rows.entries()) {
      let sum = 0;
      for (const [k, place] of places.entries())
        sum += ((row[place] as number) - (mean[k] as number)) * (direction[k] as number);
      along[i] = sum;
      for (const [k, place] of places.entries())
        next[k] = (next[k] as number) + sum * ((row[place] as number) - (mean[k] as number));
    }
    const length = Math.hypot(...next);
    if (length === 0) return along;
    direction = next.map((value) => value / length);
  }
  return along;
}

const distance = (row: Float32Array, places: readonly number[], mean: Float64Array): number => {
  let sum = 0;
  for (const [k, place] of places.entries()) sum += ((row[place] as number) - (mean[k] as number)) ** 2;
  return sum;
};

/** @param rows as `cutBeat` gives them @returns 1 for each row of the smaller half; all 0 where they do not differ */
export function halvesOf(rows: readonly Float32Array[]): Uint8Array {
  const half = new Uint8Array(rows.length);
  const [first] = rows;
  if (first === undefined || rows.length < 2) return half;
  const places = placesOf(first.length);
  const along = spreadOf(
    rows,
    places,
    meanOf(rows, places, () => true),
  );
  for (const [i, value] of along.entries()) half[i] = value > 0 ? 1 : 0;
  for (let round = 0; round < ROUNDS; round++) {
    const means = [0, 1].map((which) => meanOf(rows, places, (row) => half[row] === which)) as [
      Float64Array,
      Float64Array,
    ];
    let changed = 0;
    for (const [i, row] of rows.entries()) {
      const nearer = distance(row, places, means[1]) < distance(row, places, means[0]) ? 1 : 0;
      if (nearer !== half[i]) changed++;
      half[i] = nearer;
    }
    if (changed === 0) break;
  }
  const ones = half.reduce((sum, value) => sum + value, 0);
  return 2 * ones > rows.length ? half.map((value) => 1 - value) : half;
}
