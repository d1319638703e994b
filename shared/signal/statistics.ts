// Order statistics over plain numbers. Inputs are not changed.

/** The q-quantile (0 … 1) by linear interpolation; undefined for an empty input. */
export function quantile(values: ArrayLike<number>, q: number): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = Float64Array.from(values).sort();
  const position = (sorted.length - 1) * q;
  const below = Math.floor(position);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (high - low) * (position - below);
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
