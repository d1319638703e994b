// A lead of a window within a band of frequencies. Several stages ask for the same band of the same window, so that
// each is filtered once and kept for as long as the window is.

import { filterZeroPhase, highPass, lowPass } from '../../../shared/signal/butterworth.ts';

/** Open below or above where a limit is left out. */
export interface Band {
  readonly lowHz?: number;
  readonly highHz?: number;
}

const known = new WeakMap<Float32Array, Map<string, Float64Array>>();

/** @param mv of one lead of a window, which nobody changes @param sampleRateHz of it */
export function bandOf(mv: Float32Array, { lowHz, highHz }: Band, sampleRateHz: number): Float64Array {
  const bands = known.get(mv) ?? new Map<string, Float64Array>();
  known.set(mv, bands);
  const key = `${lowHz} ${highHz}`;
  const sections = [
    ...(lowHz === undefined ? [] : [highPass(lowHz, sampleRateHz)]),
    ...(highHz === undefined ? [] : [lowPass(highHz, sampleRateHz)]),
  ];
  const band = bands.get(key) ?? filterZeroPhase(mv, sections, sampleRateHz);
  bands.set(key, band);
  return band;
}
