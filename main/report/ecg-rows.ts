// How far apart the rows of an ECG stand, so that no trace leaves the paper: rows make room, the gain stays (report design,
// rules for growth). All lengths in mm.

/** How far the trace of a row reaches from its zero line, in steps along the paper. */
export interface RowReach {
  readonly above: Float64Array;
  readonly below: Float64Array;
}

export interface RowPlaces {
  /** From the paper's upper edge. */
  readonly zeroMm: readonly number[];
  /** There is not room for all: traces cross, and some may leave the paper. */
  readonly isCrowded: boolean;
}

/** Along the paper. */
export const REACH_STEP_MM = 0.5;
const BETWEEN_MM = 0.8;
const LEAST_PITCH_MM = 12.5;
const LEAST_TOP_MM = 11;
const LEAST_BOTTOM_MM = 4;
/** The ceiling is found to within this. */
const CEILING_STEP_MM = 0.25;

const greatest = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, value), 0);

/** What must lie above the first row, between the rows, and below the last one. @param ceiling reaches are cut to it */
function needsOf(rows: readonly RowReach[], ceiling = Number.POSITIVE_INFINITY): number[] {
  const needs = [Math.max(LEAST_TOP_MM, Math.min(ceiling, greatest(rows[0]?.above ?? new Float64Array())))];
  for (const [i, { below }] of rows.entries()) {
    const next = rows[i + 1];
    if (next === undefined) {
      needs.push(Math.max(LEAST_BOTTOM_MM, Math.min(ceiling, greatest(below))));
      continue;
    }
    let most = 0;
    // The last line of a lead may be shorter than the one above it: nothing lies below what it lacks.
    for (let k = 0; k < Math.min(below.length, next.above.length); k++)
      most = Math.max(
        most,
        Math.min(ceiling, below[k] as number) + Math.min(ceiling, next.above[k] as number),
      );
    needs.push(Math.max(LEAST_PITCH_MM, most + BETWEEN_MM));
  }
  return needs;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Spare millimetres go to the narrowest gaps between rows; what lies at the edges grows with them. */
function spread(needs: readonly number[], spareMm: number): number[] {
  const gaps = [...needs];
  for (let left = Math.floor(spareMm); left > 0; left--) {
    let narrowest = 0;
    for (const [i, gap] of gaps.entries()) {
      const weight = i === gaps.length - 1 ? gap + 6 : gap;
      const least =
        narrowest === gaps.length - 1 ? (gaps[narrowest] as number) + 6 : (gaps[narrowest] as number);
      if (weight < least) narrowest = i;
    }
    gaps[narrowest] = (gaps[narrowest] as number) + 1;
  }
  return gaps;
}

/** Zero lines on whole millimetres, so that the feet of the pulses stand on the grid. */
function placesOf(gaps: readonly number[]): number[] {
  const places: number[] = [];
  let at = 0;
  for (const gap of gaps.slice(0, -1)) {
    at += gap;
    places.push(Math.round(at));
  }
  return places;
}

/** The highest ceiling at which everything fits. */
function ceilingFor(rows: readonly RowReach[], heightMm: number): number {
  let ceiling = CEILING_STEP_MM;
  while (sum(needsOf(rows, ceiling + CEILING_STEP_MM)) <= heightMm) ceiling += CEILING_STEP_MM;
  return ceiling;
}

/** How high the paper must be for all of them. */
export const heightFor = (rows: readonly RowReach[]): number => Math.ceil(sum(needsOf(rows)));

export function placeRows(rows: readonly RowReach[], heightMm: number): RowPlaces {
  const needs = needsOf(rows);
  const isCrowded = sum(needs) > heightMm;
  const fitting = isCrowded ? needsOf(rows, ceilingFor(rows, heightMm)) : needs;
  const squeeze = Math.min(1, heightMm / sum(fitting));
  const gaps = spread(
    fitting.map((need) => need * squeeze),
    heightMm - sum(fitting) * squeeze,
  );
  return { zeroMm: placesOf(gaps), isCrowded };
}
