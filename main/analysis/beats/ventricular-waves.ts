// Stretches of a recording that look as if the ventricles fibrillated or fluttered. What they are is judged after
// (`wave-stretches.ts`).

import { filterZeroPhase, highPass, lowPass } from '../../../shared/signal/butterworth.ts';
import {
  judgeWaves,
  MIN_WAVE_WINDOWS,
  WAVE_BAND_HZ,
  WAVE_RATE_HZ,
  WAVE_WINDOW_SECONDS,
  type WaveVerdict,
} from '../../../shared/signal/ventricular-waves.ts';
import type { LeadSet } from '../signal/lead-signals.ts';
import { thin } from '../signal/resample.ts';
import { appendRange, type Range, type TimeBase } from '../signal/time-base.ts';

const STEP_SECONDS = 1;
/**
 * After so many windows in a row with clear waves the heart has not recovered until that is seen: doubtful windows
 * count as well, until so many in a row are neither. Chosen on the development half of CUDB among 2 to 16 of the one
 * and 0 to 15 of the other, not apart from it (decision 17).
 */
const ESTABLISHED_WINDOWS = 16;
const MAX_OTHER_WINDOWS = 15;

export interface WaveWindow {
  readonly startSample: number;
  readonly verdict: WaveVerdict;
}

/** @param set a window of a recording @returns one each second, in its samples */
export function judgeWaveWindows(set: LeadSet): WaveWindow[] {
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
  const found: WaveWindow[] = [];
  for (let start = 0; start + width <= count; start += hop) {
    const windows = leads.map((lead) => lead.subarray(start, start + width));
    found.push({ startSample: start * step, verdict: judgeWaves(windows, rateHz) });
  }
  return found;
}

/** Index of the last window of a stretch that begins with a run of clear ones. @param runEnd of that run */
function lastOfStretch(windows: readonly WaveWindow[], runStart: number, runEnd: number): number {
  let last = runEnd;
  if (runEnd - runStart + 1 < ESTABLISHED_WINDOWS) return last;
  for (let i = runEnd + 1; i < windows.length && i - last <= MAX_OTHER_WINDOWS; i++)
    if (windows[i]?.verdict !== 'none') last = i;
  return last;
}

/** @param windows of the whole recording, in order @returns [start, end) in samples, none touching the next */
export function stretchesOfWaves(
  windows: readonly WaveWindow[],
  { sampleRateHz, sampleCount }: Pick<TimeBase, 'sampleRateHz' | 'sampleCount'>,
): Range[] {
  const width = Math.round(WAVE_WINDOW_SECONDS * sampleRateHz);
  const found: [number, number][] = [];
  for (let i = 0; i < windows.length; i++) {
    let runEnd = i;
    while (windows[runEnd]?.verdict === 'waves') runEnd++;
    if (runEnd - i < MIN_WAVE_WINDOWS) {
      i = Math.max(i, runEnd - 1);
      continue;
    }
    const last = lastOfStretch(windows, i, runEnd - 1);
    const [from, to] = [windows[i] as WaveWindow, windows[last] as WaveWindow];
    appendRange(found, [from.startSample, Math.min(sampleCount, to.startSample + width)]);
    i = last;
  }
  return found;
}
