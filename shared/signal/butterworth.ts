// Second-order Butterworth sections by the bilinear transform, applied forwards and backwards so that nothing
// moves in time. Source: analysis reference, section 2 (zero phase everywhere in the measurement path);
// coefficients: R. Bristow-Johnson's cookbook formulae with Q = 1/√2.

export interface Biquad {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

const Q = Math.SQRT1_2;

function terms(cutoffHz: number, sampleRateHz: number): { cos: number; alpha: number } {
  const omega = (2 * Math.PI * Math.min(cutoffHz, 0.45 * sampleRateHz)) / sampleRateHz;
  return { cos: Math.cos(omega), alpha: Math.sin(omega) / (2 * Q) };
}

/** Low-pass; a cut-off above 0.45 of the rate is set to 0.45 of the rate. */
export function lowPass(cutoffHz: number, sampleRateHz: number): Biquad {
  const { cos, alpha } = terms(cutoffHz, sampleRateHz);
  const a0 = 1 + alpha;
  return {
    b0: (1 - cos) / 2 / a0,
    b1: (1 - cos) / a0,
    b2: (1 - cos) / 2 / a0,
    a1: (-2 * cos) / a0,
    a2: (1 - alpha) / a0,
  };
}

export function highPass(cutoffHz: number, sampleRateHz: number): Biquad {
  const { cos, alpha } = terms(cutoffHz, sampleRateHz);
  const a0 = 1 + alpha;
  return {
    b0: (1 + cos) / 2 / a0,
    b1: -(1 + cos) / a0,
    b2: (1 + cos) / 2 / a0,
    a1: (-2 * cos) / a0,
    a2: (1 - alpha) / a0,
  };
}

/**
 * One pass in place, forwards or backwards, started in the steady state of its first value so that a constant
 * offset makes no transient.
 */
function pass(signal: Float64Array, { b0, b1, b2, a1, a2 }: Biquad, step: 1 | -1): void {
  const n = signal.length;
  const start = step > 0 ? 0 : n - 1;
  const first = signal[start] ?? 0;
  const gainAtZero = (b0 + b1 + b2) / (1 + a1 + a2);
  let z2 = first * (b2 - a2 * gainAtZero);
  let z1 = first * (b1 - a1 * gainAtZero) + z2;
  for (let i = start; i >= 0 && i < n; i += step) {
    const x = signal[i] as number;
    const y = b0 * x + z1;
    z1 = b1 * x - a1 * y + z2;
    z2 = b2 * x - a2 * y;
    signal[i] = y;
  }
}

/**
 * Zero-phase filtering: every section forwards, then backwards.
 * @param padSamples how much mirrored signal is put before and after, so that the ends settle (one second is
 * usual); a fraction is rounded, since rates may have one.
 * @returns a new array of the input's length. The input must hold no NaN.
 */
export function filterZeroPhase(
  signal: ArrayLike<number>,
  sections: readonly Biquad[],
  padSamples: number,
): Float64Array {
  const n = signal.length;
  const pad = Math.max(0, Math.min(Math.round(padSamples), n - 1));
  const work = new Float64Array(n + 2 * pad);
  const first = signal[0] ?? 0;
  const last = signal[n - 1] ?? 0;
  for (let i = 0; i < pad; i++) {
    work[i] = 2 * first - (signal[pad - i] as number);
    work[n + pad + i] = 2 * last - (signal[n - 2 - i] as number);
  }
  work.set(signal, pad);
  for (const section of sections) {
    pass(work, section, 1);
    pass(work, section, -1);
  }
  return work.subarray(pad, pad + n);
}
