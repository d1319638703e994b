// Stretches of a recording in which the ventricles fibrillate or flutter, or in which an artefact looks like
// it.

import { filterZeroPhase, highPass, lowPass } from '../../shared/signal/butterworth.ts';
import {
  areVentricularWaves,
  MIN_WAVE_WINDOWS,
  WAVE_BAND_HZ,
  WAVE_RATE_HZ,
  WAVE_WINDOW_SECONDS,
} from '../../shared/signal/ventricular-waves.ts';
import type { LeadSet } from './lead-signals.ts';
import { thin } from './resample.ts';

const STEP_SECONDS = 1;

/** @returns [start, end) in samples, in order, none touching the next. */
export function findVentricularFibrillation(set: LeadSet): [number, number][] {
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
    const last = found.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else found.push([from, to]);
  }
  return found;
}
