// Order statistics over plain numbers. Inputs are not changed.

/**
 * Puts the k-th smallest value at k, smaller ones before and larger ones behind it, in place (C. A. R. Hoare,
 * Algorithm 65: Find, Commun ACM 1961;4:321-322): sorting all of them would take several times as long. The
 * values must hold no NaN.
 */
function select(values: Float64Array, k: number): void {
  let [left, right] = [0, values.length - 1];
  while (left < right) {
    const pivot = values[(left + right) >> 1] as number;
    let [i, j] = [left, right];
    while (i <= j) {
      while ((values[i] as number) < pivot) i++;
      while ((values[j] as number) > pivot) j--;
      if (i > j) break;
      const value = values[i] as number;
      values[i++] = values[j] as number;
      values[j--] = value;
    }
    if (j < k) left = i;
    if (k < i) right = j;
  }
}

/** The q-quantile (0 … 1) by linear interpolation; undefined for an empty input. */
export function quantile(values: ArrayLike<number>, q: number): number | undefined {
  const count = values.length;
  if (count === 0) return undefined;
  const own = new Float64Array(values);
  const position = (count - 1) * q;
  const below = Math.floor(position);
  select(own, below);
  const low = own[below] as number;
  if (position === below) return low;
  let high = own[below + 1] as number;
  for (let i = below + 2; i < count; i++) high = Math.min(high, own[i] as number);
  return low + (high - low) * (position - below);
}

/** Mean of the smallest values. @param share of all, at least one value */
export function meanOfSmallest(values: Float64Array, share: number): number {
  const kept = Math.max(1, Math.floor(share * values.length));
  const own = values.slice();
  select(own, kept - 1);
  let sum = 0;
  for (let i = 0; i < kept; i++) sum += own[i] as number;
  return sum / kept;
}

export const median = (values: ArrayLike<number>): number | undefined => quantile(values, 0.5);

export function mean(values: ArrayLike<number>): number | undefined {
  if (values.length === 0) return undefined;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  return sum / values.length;
}

export function standardDeviation(values: ArrayLike<number>): number | undefined {
  const centre = mean(values);
  if (centre === undefined || values.length < 2) return undefined;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += ((values[i] as number) - centre) ** 2;
  return Math.sqrt(sum / (values.length - 1));
}

/** Largest minus smallest value of [from, to). */
export function rangeOf(values: Float32Array | Float64Array, from: number, to: number): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = from; i < to; i++) {
    const value = values[i] as number;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high - low;
}
