// Stretches without a heartbeat in which the leads are connected and nearly still. A line without any change
// at all is no such stretch: that is what an input without electrodes gives. Analysis reference, section 4.4.

import { filterZeroPhase, highPass, lowPass } from '../../shared/signal/butterworth.ts';
import type { LeadSet } from './lead-signals.ts';
import { appendRange, type Range } from './time-base.ts';

const MAX_RANGE_MV = 0.1;
/**
 * Of everything above 1 Hz: where hum or muscle is larger, an electrode is loose and the line says nothing.
 */
const MAX_NOISE_RANGE_MV = 0.3;
/** Longest stretch without a beat that is still called a pause. */
const MIN_SECONDS = 4;
const WINDOW_SECONDS = 1;

const secondOf = (sampleRateHz: number): number => Math.max(1, Math.round(WINDOW_SECONDS * sampleRateHz));

/**
 * @param set a window of a recording
 * @returns the first sample of each second in which at least half of the leads that are connected are nearly
 * still, without base line wander
 */
export function findStillSeconds(set: LeadSet): number[] {
  const fs = set.sampleRateHz;
  const width = secondOf(fs);
  const count = Math.floor(set.sampleCount / width);
  const connected = new Uint16Array(count);
  const still = new Uint16Array(count);
  for (const lead of set.leads) {
    if (!lead.isCalibrated) continue;
    const steady = filterZeroPhase(lead.mv, [highPass(1, fs)], fs);
    const filtered = filterZeroPhase(steady, [lowPass(30, fs)], fs);
    for (let second = 0; second < count; second++) {
      const [from, to] = [second * width, (second + 1) * width];
      let [low, high, noiseLow, noiseHigh, invalid, isChanging] = [
        Infinity,
        -Infinity,
        Infinity,
        -Infinity,
        0,
        false,
      ];
      for (let i = from; i < to; i++) {
        low = Math.min(low, filtered[i] as number);
        high = Math.max(high, filtered[i] as number);
        noiseLow = Math.min(noiseLow, steady[i] as number);
        noiseHigh = Math.max(noiseHigh, steady[i] as number);
        isChanging ||= lead.mv[i] !== lead.mv[from];
        invalid += (lead.invalid[i] as number) | (lead.saturated[i] as number);
      }
      if (!isChanging) continue;
      connected[second] = (connected[second] as number) + 1;
      const isStill = invalid === 0 && high - low < MAX_RANGE_MV && noiseHigh - noiseLow < MAX_NOISE_RANGE_MV;
      if (isStill) still[second] = (still[second] as number) + 1;
    }
  }
  const found: number[] = [];
  for (const [second, leads] of still.entries())
    if (leads > 0 && leads >= (connected[second] as number) / 2) found.push(second * width);
  return found;
}

/**
 * @param stillSeconds first sample of each, in order
 * @param beatSamples in order
 * @returns [start, end) in samples of what is still for longer than a pause and holds no beat.
 */
export function findAsystole(
  stillSeconds: readonly number[],
  beatSamples: readonly number[],
  sampleRateHz: number,
): Range[] {
  const width = secondOf(sampleRateHz);
  const found: [number, number][] = [];
  let next = 0;
  for (const start of stillSeconds) {
    while ((beatSamples[next] ?? Number.POSITIVE_INFINITY) < start) next++;
    const hasBeat = (beatSamples[next] ?? Number.POSITIVE_INFINITY) < start + width;
    if (!hasBeat) appendRange(found, [start, start + width]);
  }
  return found.filter(([start, end]) => end - start >= (MIN_SECONDS / WINDOW_SECONDS) * width);
}
