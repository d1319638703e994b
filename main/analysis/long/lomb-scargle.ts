// The spectrum of values at unequal distances (Lomb, Astrophys Space Sci 1976;39:447-462; Scargle, Astrophys J
// 1982;263:835-853), in units of power: its sum over all frequencies is the variance of the values.

/**
 * @param seconds of each value @param values freed of their mean
 * @param stepHz between frequencies, the first one a step above zero @param count of frequencies
 * @returns power of each frequency, per step
 */
export function lombScargle(
  seconds: ArrayLike<number>,
  values: ArrayLike<number>,
  stepHz: number,
  count: number,
): Float64Array {
  const powers = new Float64Array(count);
  const n = values.length;
  for (let f = 0; f < count; f++) {
    const omega = 2 * Math.PI * stepHz * (f + 1);
    let [sin2, cos2] = [0, 0];
    for (let i = 0; i < n; i++) {
      const angle = 2 * omega * (seconds[i] as number);
      sin2 += Math.sin(angle);
      cos2 += Math.cos(angle);
    }
    const tau = Math.atan2(sin2, cos2) / (2 * omega);
    let [vc, vs, cc, ss] = [0, 0, 0, 0];
    for (let i = 0; i < n; i++) {
      const angle = omega * ((seconds[i] as number) - tau);
      const [c, s, v] = [Math.cos(angle), Math.sin(angle), values[i] as number];
      vc += v * c;
      vs += v * s;
      cc += c * c;
      ss += s * s;
    }
    // A wave of amplitude a has the power a²/2 in its own step.
    powers[f] = ((cc > 0 ? (vc * vc) / cc : 0) + (ss > 0 ? (vs * vs) / ss : 0)) / n;
  }
  return powers;
}
