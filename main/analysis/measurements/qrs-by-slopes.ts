// The duration of QRS on the median beat, from the slopes of all leads together: a second opinion beside the marks of
// the wave network. Rules and constants: analysis reference, section 6.2.

import { filterZeroPhase, lowPass } from '../../../shared/signal/butterworth.ts';
import { mean, median, quantile, standardDeviation } from '../../../shared/signal/statistics.ts';
import type { MedianBeat } from './median-beat.ts';

const SLOPE_FLOOR = 0.04;
const SMOOTH_HZ = 40;

/** √ of the summed squared slopes of all leads, in mV per ms. */
function spatialVelocity(leads: readonly Float64Array[], sampleRateHz: number): Float64Array {
  const n = leads[0]?.length ?? 0;
  const velocity = new Float64Array(n);
  for (let i = 1; i < n - 1; i++) {
    let sum = 0;
    for (const lead of leads)
      sum += ((((lead[i + 1] as number) - (lead[i - 1] as number)) / 2) * (sampleRateHz / 1000)) ** 2;
    velocity[i] = Math.sqrt(sum);
  }
  const smooth = Float64Array.from(
    velocity,
    (_, i) => mean(velocity.subarray(Math.max(0, i - 1), i + 2)) ?? 0,
  );
  return smooth;
}

/** Position, walking from `from` by `step`, behind which `values` stays under `limit` for `quietSamples`. */
function whereQuiet(
  values: Float64Array,
  from: number,
  step: 1 | -1,
  limit: number,
  quietSamples: number,
  maxSamples: number,
): number | undefined {
  let quiet = 0;
  for (
    let i = from;
    Math.abs(i - from) <= maxSamples + quietSamples && i >= 0 && i < values.length;
    i += step
  ) {
    quiet = (values[i] as number) < limit ? quiet + 1 : 0;
    if (quiet === quietSamples) return i - step * (quietSamples - 1);
  }
  return undefined;
}

/**
 * How long QRS lasts by the slopes of all leads together; undefined where they never rest. In tachycardia the wave
 * network takes wide beats for narrow ones, of which it has seen more: there the two are held against each other.
 */
export function qrsMsBySlopes(beat: MedianBeat): number | undefined {
  const fs = beat.sampleRateHz;
  const ms = (value: number): number => Math.round((value / 1000) * fs);
  const padSamples = Math.round(0.1 * fs);
  const leads = beat.leads.map((lead) => filterZeroPhase(lead, [lowPass(SMOOTH_HZ, fs)], padSamples));
  const v = spatialVelocity(leads, fs);
  let peak = beat.fiducial;
  for (let i = beat.fiducial - ms(60); i <= beat.fiducial + ms(60); i++)
    if ((v[i] ?? 0) > (v[peak] as number)) peak = i;
  const highest = v[peak] as number;
  const before = v.subarray(Math.max(0, peak - ms(300)), Math.max(1, peak - ms(50)));
  const quietest = before.filter((value) => value <= (quantile(before, 0.25) ?? 0));
  const noise = (mean(quietest) ?? 0) + 3 * (standardDeviation(quietest) ?? 0);
  const after =
    median(v.subarray(Math.min(v.length - 1, peak + ms(120)), Math.min(v.length, peak + ms(200)))) ?? 0;
  const onset = whereQuiet(v, peak, -1, Math.max(SLOPE_FLOOR * highest, noise), Math.max(1, ms(12)), ms(130));
  const offset = whereQuiet(
    v,
    peak,
    1,
    Math.max(SLOPE_FLOOR * highest, 1.2 * after),
    Math.max(1, ms(16)),
    ms(180),
  );
  return onset === undefined || offset === undefined ? undefined : (1000 * (offset - onset - 1)) / fs;
}
