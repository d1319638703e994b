// Whether waves of an atrial flutter run on between the QRS complexes. Where they are locked to the beats,
// the wave before each QRS passes for a P wave; but the same wave then stands one period earlier, too. QRS
// complexes are bridged, 3 to 12 Hz is kept, and the signal is held against itself at the periods of a
// flutter (210 to 390 a minute).

import { filterZeroPhase, highPass, lowPass } from '../../shared/signal/butterworth.ts';
import type { LeadSet } from './lead-signals.ts';
import { thin } from './resample.ts';

const WORKING_RATE_HZ = 125;
const QRS_FROM_SECONDS = 0.09;
const QRS_TO_SECONDS = 0.11;
const MIN_PERIOD_SECONDS = 0.155;
const MAX_PERIOD_SECONDS = 0.29;

function bridgeQrs(values: Float64Array, mask: Uint8Array): void {
  for (let i = 0; i < values.length; i++) {
    if (mask[i] === 0) continue;
    let end = i;
    while (end < values.length && mask[end] === 1) end++;
    const before = values[Math.max(0, i - 1)] as number;
    const behind = values[Math.min(values.length - 1, end)] as number;
    for (let k = i; k < end; k++) values[k] = before + ((behind - before) * (k - i + 1)) / (end - i + 1);
    i = end;
  }
}

/**
 * How far the signal between the beats repeats itself at the best period of a flutter: 1 is a perfect
 * repetition. On the development half: 0.64 to 0.81 in flutter with a fixed ratio, below 0.5 in 93 of 100
 * sinus rhythms.
 */
export function atrialRepetition(set: LeadSet, beatSamples: readonly number[]): number {
  const fs = set.sampleRateHz;
  const step = Math.max(1, Math.round(fs / WORKING_RATE_HZ));
  const rateHz = fs / step;
  const count = Math.floor(set.sampleCount / step);
  if (beatSamples.length < 3) return 0;
  const mask = new Uint8Array(count);
  for (const sample of beatSamples)
    mask.fill(
      1,
      Math.max(0, Math.round((sample - QRS_FROM_SECONDS * fs) / step)),
      Math.round((sample + QRS_TO_SECONDS * fs) / step) + 1,
    );
  const first = Math.round((beatSamples[0] as number) / step);
  const last = Math.round((beatSamples.at(-1) as number) / step);
  const shortest = Math.round(MIN_PERIOD_SECONDS * rateHz);
  const longest = Math.round(MAX_PERIOD_SECONDS * rateHz);
  const products = new Float64Array(longest + 2);
  const now = new Float64Array(longest + 2);
  const earlier = new Float64Array(longest + 2);
  for (const { mv } of set.leads) {
    const values = thin(mv, step);
    bridgeQrs(values, mask);
    const filtered = filterZeroPhase(values, [highPass(3, rateHz), lowPass(12, rateHz)], rateHz);
    for (let lag = shortest - 1; lag <= longest + 1; lag++)
      for (let i = first + lag; i < last; i++) {
        if (mask[i] === 1 || mask[i - lag] === 1) continue;
        const [a, b] = [filtered[i] as number, filtered[i - lag] as number];
        products[lag] = (products[lag] as number) + a * b;
        now[lag] = (now[lag] as number) + a * a;
        earlier[lag] = (earlier[lag] as number) + b * b;
      }
  }
  const at = (lag: number): number => {
    const energy = Math.sqrt((now[lag] as number) * (earlier[lag] as number));
    return energy > 0 ? (products[lag] as number) / energy : 0;
  };
  let best = 0;
  for (let lag = shortest; lag <= longest; lag++)
    if (at(lag) >= at(lag - 1) && at(lag) >= at(lag + 1)) best = Math.max(best, at(lag));
  return best;
}
