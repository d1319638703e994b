// Beats laid over each other on a few leads: cut out of the signal, counted cell by cell, and their mean (Holter, section 3).

import { FAMILY_PICTURE } from '../../../shared/analysis-result.ts';
import { median } from '../../../shared/signal/statistics.ts';
import type { CoarseSet } from '../signal/lead-signals.ts';

const {
  columns: COLUMNS,
  rows: ROWS,
  columnMs: COLUMN_MS,
  rColumn: R_COLUMN,
  zeroRow: ZERO_ROW,
} = FAMILY_PICTURE;
const CELLS = COLUMNS * ROWS;
/** Where the level is taken from: between P and QRS. */
const LEVEL_COLUMNS = [R_COLUMN - 15, R_COLUMN - 8] as const;
/** A column as dark as it gets: so large a share of the beats runs through it. */
const FULL_SHARE = 1 / 3;
const FULL = 255;
/** From here to here shapes are held against each other: −120 to 320 ms. */
export const HELD_COLUMNS = [R_COLUMN - 18, R_COLUMN + 48] as const;

/** What was drawn so far. */
export interface DrawnBeats {
  count: number;
  /** Beats that run through each cell, lead after lead. */
  readonly cells: Uint32Array;
  /** Sums of millivolts, lead after lead. */
  readonly sums: Float64Array;
}

export const noBeats = (leadCount: number): DrawnBeats => ({
  count: 0,
  cells: new Uint32Array(leadCount * CELLS),
  sums: new Float64Array(leadCount * COLUMNS),
});

/** @param leads their indices in the set @returns a value a column, lead after lead, in millivolts above the level before QRS */
export function cutBeat(
  { leads: all, sampleRateHz }: CoarseSet,
  leads: readonly number[],
  sample: number,
): Float32Array {
  const row = new Float32Array(leads.length * COLUMNS);
  const step = (COLUMN_MS / 1000) * sampleRateHz;
  for (const [k, lead] of leads.entries()) {
    const mv = all[lead]?.mv ?? new Float32Array(1);
    for (let column = 0; column < COLUMNS; column++) {
      const at = Math.min(mv.length - 1, Math.max(0, sample + (column - R_COLUMN) * step));
      const below = Math.floor(at);
      const low = mv[below] as number;
      row[k * COLUMNS + column] =
        low + ((mv[Math.min(mv.length - 1, below + 1)] as number) - low) * (at - below);
    }
    const own = row.subarray(k * COLUMNS, (k + 1) * COLUMNS);
    const level = median([...own.subarray(...LEVEL_COLUMNS)]) ?? 0;
    for (let column = 0; column < COLUMNS; column++) own[column] = (own[column] as number) - level;
  }
  return row;
}

/** Each column from where the one before it ended, so that a steep wave leaves no holes. */
export function drawBeat(drawn: DrawnBeats, row: Float32Array, cellMv: number): void {
  drawn.count++;
  for (let k = 0; k < row.length; k += COLUMNS) {
    let last: number | undefined;
    for (let column = 0; column < COLUMNS; column++) {
      const value = row[k + column] as number;
      drawn.sums[k + column] = (drawn.sums[k + column] as number) + value;
      const at = ZERO_ROW - Math.round(value / cellMv);
      const [from, to] =
        last === undefined || last === at ? [at, at] : last < at ? [last + 1, at] : [at, last - 1];
      for (let r = Math.max(0, from); r <= Math.min(ROWS - 1, to); r++) {
        const cell = k * ROWS + r * COLUMNS + column;
        drawn.cells[cell] = (drawn.cells[cell] as number) + 1;
      }
      last = at;
    }
  }
}

/** A byte a cell of one lead. */
export function densityOf({ cells, count }: DrawnBeats, lead: number): Uint8Array {
  return Uint8Array.from(cells.subarray(lead * CELLS, (lead + 1) * CELLS), (beats) =>
    beats === 0 ? 0 : Math.max(1, Math.min(FULL, Math.round((FULL * beats) / (FULL_SHARE * count)))),
  );
}

/** A value a column of one lead. */
export const meanUvOf = ({ sums, count }: DrawnBeats, lead: number): number[] =>
  Array.from(sums.subarray(lead * COLUMNS, (lead + 1) * COLUMNS), (sum) => Math.round((1000 * sum) / count));
