// A stretch of a signal as a small picture shows it: so many columns, each from its least to its greatest value.

const COLUMNS = 300;

/** @returns Float32 pairs, little endian, the least and the greatest of each column; NaN where nothing is */
export function columnPairs(values: Float32Array): Uint8Array {
  const pairs = new Float32Array(2 * COLUMNS).fill(Number.NaN);
  for (let column = 0; column < COLUMNS; column++) {
    const from = Math.floor((column * values.length) / COLUMNS);
    const to = Math.max(from + 1, Math.ceil(((column + 1) * values.length) / COLUMNS));
    for (const value of values.subarray(from, to)) {
      if (Number.isNaN(value)) continue;
      if (!(value >= (pairs[2 * column] as number))) pairs[2 * column] = value;
      if (!(value <= (pairs[2 * column + 1] as number))) pairs[2 * column + 1] = value;
    }
  }
  return new Uint8Array(pairs.buffer);
}
