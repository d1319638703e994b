// The coefficient of sample entropy: how irregular intervals are, whatever the rate (Lake & Moorman, Am J Physiol Heart
// Circ Physiol 2011;300:H319-H325). Atrial fibrillation is as irregular as chance. A regular rhythm with early beats is
// not: the same interval keeps coming back.

/** So many pairs of alike intervals must be followed by another alike pair. */
const LEAST_MATCHES = 5;
/** How close alike intervals are; the radius grows until there are enough pairs. */
const FIRST_RADIUS_MS = 30;
const RADIUS_STEP_MS = 5;

/**
 * @param intervalsMs R-R in order
 * @returns about -0.5 in fibrillation, below -1.4 in sinus rhythm; undefined where there are too few
 */
export function coefficientOfSampleEntropy(intervalsMs: readonly number[]): number | undefined {
  const apart = (i: number, k: number): number =>
    Math.abs((intervalsMs[i] as number) - (intervalsMs[k] as number));
  const firsts: number[] = [];
  const both: number[] = [];
  for (let i = 0; i + 1 < intervalsMs.length; i++)
    for (let k = i + 1; k + 1 < intervalsMs.length; k++) {
      firsts.push(apart(i, k));
      both.push(Math.max(apart(i, k), apart(i + 1, k + 1)));
    }
  const needed = both.toSorted((a, b) => a - b)[LEAST_MATCHES - 1];
  if (needed === undefined) return undefined;
  const steps = Math.max(0, Math.ceil((needed - FIRST_RADIUS_MS) / RADIUS_STEP_MS));
  const radiusMs = FIRST_RADIUS_MS + steps * RADIUS_STEP_MS;
  const within = (values: readonly number[]): number => values.filter((value) => value <= radiusMs).length;
  const meanMs = intervalsMs.reduce((sum, interval) => sum + interval, 0) / intervalsMs.length;
  return Math.log(within(firsts) / within(both)) + Math.log((2 * radiusMs) / meanMs);
}
