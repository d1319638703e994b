// Stretches of a recording in which the ventricles fibrillate or flutter, or in which an artefact looks like
// it; and those among them that are the beats of a short run.

import { filterZeroPhase, highPass, lowPass } from '../../shared/signal/butterworth.ts';
import { median } from '../../shared/signal/statistics.ts';
import {
  areVentricularWaves,
  MIN_WAVE_WINDOWS,
  WAVE_BAND_HZ,
  WAVE_RATE_HZ,
  WAVE_WINDOW_SECONDS,
} from '../../shared/signal/ventricular-waves.ts';
import { irregularity } from './beat-timing.ts';
import { likenessOfBeats } from './heartbeat-proof.ts';
import type { CoarseSet, LeadSet } from './lead-signals.ts';
import { thin } from './resample.ts';
import { RUN_BPM } from './rhythm.ts';
import { appendRange } from './time-base.ts';

const STEP_SECONDS = 1;

/** @param set a window of a recording @returns [start, end) in its samples, in order, none touching the next. */
export function findVentricularWaves(set: LeadSet): [number, number][] {
  const fs = set.sampleRateHz;
  const step = Math.max(1, Math.round(fs / WAVE_RATE_HZ));
  const rateHz = fs / step;
  const count = Math.floor(set.sampleCount / step);
  const leads = set.leads.map((lead) => {
    return filterZeroPhase(
      thin(lead.mv, step),
      [highPass(WAVE_BAND_HZ.low, rateHz), lowPass(WAVE_BAND_HZ.high, rateHz)],
      rateHz,
    );
  });
  const width = Math.round(WAVE_WINDOW_SECONDS * rateHz);
  const hop = Math.round(STEP_SECONDS * rateHz);
  const found: [number, number][] = [];
  let run = 0;
  for (let start = 0; start + width <= count; start += hop) {
    const windows = leads.map((lead) => lead.subarray(start, start + width));
    run = areVentricularWaves(windows, rateHz) ? run + 1 : 0;
    if (run < MIN_WAVE_WINDOWS) continue;
    const from = (start - (run - 1) * hop) * step;
    const to = Math.min(set.sampleCount, (start + width) * step);
    appendRange(found, [from, to]);
  }
  return found;
}

const MIN_BEATS = 5;
const MIN_LIKENESS = 0.95;
const MAX_VARIATION = 0.12;
/** Faster, it is flutter of the ventricles. */
const MAX_BPM = 240;
/** What lasts longer is said as the graver of the two. */
const MAX_RUN_SECONDS = 10;

/**
 * Whether what lies in such a stretch are the beats of a short run of tachycardia: one like the other, at
 * regular intervals. @param samples of the beats in it, coarse ones
 */
export function areRegularBeats(set: CoarseSet, samples: readonly number[]): boolean {
  const [first = 0, last = 0] = [samples[0], samples.at(-1)];
  if (samples.length < MIN_BEATS || last - first > MAX_RUN_SECONDS * set.sampleRateHz) return false;
  const intervals = samples.slice(1).map((sample, i) => sample - (samples[i] as number));
  const bpm = (60 * set.sampleRateHz) / (median(intervals) ?? Number.POSITIVE_INFINITY);
  return (
    bpm >= RUN_BPM &&
    bpm <= MAX_BPM &&
    irregularity(samples, () => true) <= MAX_VARIATION &&
    likenessOfBeats(set, samples) >= MIN_LIKENESS
  );
}
