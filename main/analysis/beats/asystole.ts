// Stretches without a heartbeat in which the leads are connected and nearly still. A line without any change
// at all is no such stretch: that is what an input without electrodes gives. Analysis reference, section 4.4.

import { filterZeroPhase, highPass, lowPass } from '../../../shared/signal/butterworth.ts';
import { rangeOf } from '../../../shared/signal/statistics.ts';
import type { LeadSet, LeadSignal } from '../signal/lead-signals.ts';
import { appendRange, type Range } from '../signal/time-base.ts';

const MAX_RANGE_MV = 0.1;
/**
 * The range of everything above 1 Hz: where hum or muscle is larger, an electrode is loose and the line says nothing.
 */
const MAX_NOISE_RANGE_MV = 0.3;
/** Longest stretch without a beat that is still called a pause. */
const MIN_SECONDS = 4;
const WINDOW_SECONDS = 1;

function isChanging({ mv }: LeadSignal, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) if (mv[i] !== mv[from]) return true;
  return false;
}

function isWhole({ invalid, saturated }: LeadSignal, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (((invalid[i] as number) | (saturated[i] as number)) !== 0) return false;
  return true;
}

const secondOf = (sampleRateHz: number): number => Math.max(1, Math.round(WINDOW_SECONDS * sampleRateHz));

/**
 * @param set a window of a recording
 * @returns the first sample of each second in which at least half of the leads that are connected are nearly
 * still, without base line wander
 */
export function findStillSeconds(set: LeadSet): number[] {
  const width = secondOf(set.sampleRateHz);
  const count = Math.floor(set.sampleCount / width);
  const connected = new Uint16Array(count);
  const still = new Uint16Array(count);
  for (const [index, lead] of set.leads.entries()) {
    if (!lead.isCalibrated) continue;
    const { step, sampleRateHz: rateHz, leads } = set.coarse;
    const steady = filterZeroPhase(leads[index]?.mv ?? lead.mv, [highPass(1, rateHz)], rateHz);
    // Seldom needed: most seconds hold a beat, and in most recordings all of them do.
    let filtered: Float64Array | undefined;
    const smooth = (): Float64Array => {
      filtered ??= filterZeroPhase(steady, [lowPass(30, rateHz)], rateHz);
      return filtered;
    };
    for (let second = 0; second < count; second++) {
      const [from, to] = [second * width, (second + 1) * width];
      if (!isChanging(lead, from, to)) continue;
      connected[second] = (connected[second] as number) + 1;
      const [first, last] = [Math.floor(from / step), Math.floor(to / step)];
      const isStill =
        rangeOf(steady, first, last) < MAX_NOISE_RANGE_MV &&
        isWhole(lead, from, to) &&
        rangeOf(smooth(), first, last) < MAX_RANGE_MV;
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
