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

const gainAtZero = ({ b0, b1, b2, a1, a2 }: Biquad): number => (b0 + b1 + b2) / (1 + a1 + a2);

/** What a section remembers after a constant input. */
function steadyState(input: number, section: Biquad): [z1: number, z2: number] {
  const output = input * gainAtZero(section);
  const z2 = input * section.b2 - section.a2 * output;
  return [input * section.b1 - section.a1 * output + z2, z2];
}

/**
 * One pass in place, forwards or backwards, started in the steady state of its first value so that a constant
 * offset makes no transient. What waits for the last value is added last: nothing else need wait for it.
 */
function pass(signal: Float64Array, section: Biquad, isForward: boolean): void {
  const { b0, b1, b2, a1, a2 } = section;
  const n = signal.length;
  let [z1, z2] = steadyState(signal[isForward ? 0 : n - 1] ?? 0, section);
  for (let k = 0; k < n; k++) {
    const i = isForward ? k : n - 1 - k;
    const x = signal[i] as number;
    const y = b0 * x + z1;
    z1 = b1 * x + z2 - a1 * y;
    z2 = b2 * x - a2 * y;
    signal[i] = y;
  }
}

/** The same through two sections at once: the second works while the first waits for its last value. */
function passBoth(signal: Float64Array, section: Biquad, next: Biquad, isForward: boolean): void {
  const { b0, b1, b2, a1, a2 } = section;
  const { b0: c0, b1: c1, b2: c2, a1: d1, a2: d2 } = next;
  const n = signal.length;
  const first = signal[isForward ? 0 : n - 1] ?? 0;
  let [z1, z2] = steadyState(first, section);
  let [w1, w2] = steadyState(first * gainAtZero(section), next);
  for (let k = 0; k < n; k++) {
    const i = isForward ? k : n - 1 - k;
    const x = signal[i] as number;
    const between = b0 * x + z1;
    z1 = b1 * x + z2 - a1 * between;
    z2 = b2 * x - a2 * between;
    const y = c0 * between + w1;
    w1 = c1 * between + w2 - d1 * y;
    w2 = c2 * between - d2 * y;
    signal[i] = y;
  }
}

/** Takes out one frequency (R. Bristow-Johnson, Audio EQ Cookbook); the greater q, the less beside it, and the longer it rings. */
export function notch(hz: number, rateHz: number, q: number): Biquad {
  const omega = (2 * Math.PI * hz) / rateHz;
  const alpha = Math.sin(omega) / (2 * q);
  const a0 = 1 + alpha;
  const cos = Math.cos(omega);
  return { b0: 1 / a0, b1: (-2 * cos) / a0, b2: 1 / a0, a1: (-2 * cos) / a0, a2: (1 - alpha) / a0 };
}

/**
 * Zero-phase filtering: all sections forwards, then backwards.
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
  for (const isForward of [true, false])
    for (let i = 0; i < sections.length; i += 2) {
      const [section, next] = [sections[i] as Biquad, sections[i + 1]];
      if (next === undefined) pass(work, section, isForward);
      else passBoth(work, section, next, isForward);
    }
  return work.subarray(pad, pad + n);
}
