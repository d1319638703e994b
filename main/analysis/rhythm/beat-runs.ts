// Beats of one class in a row.

import type { Beat, BeatLabel } from '../../../shared/analysis-result.ts';
import { median } from '../../../shared/signal/statistics.ts';
import { spansGap, type TimeBase } from '../time-base.ts';
import type { Pause } from './pauses.ts';

export const MIN_RUN = 3;
/** Slower, beats in a row are no tachycardia. */
export const RUN_BPM = 100;

export interface BeatRun extends Pause {
  readonly beats: number;
  readonly bpm: number;
}

/**
 * @param samples of its beats, two at least. The rate is that of the middle interval: a beat that was not found
 * must not make a tachycardia slower.
 */
export function runOf(samples: readonly number[], sampleRateHz: number): BeatRun {
  const [startSample, endSample] = [samples[0] as number, samples.at(-1) as number];
  const usual = median(samples.slice(1).map((sample, i) => sample - (samples[i] as number))) as number;
  return {
    startSample,
    endSample,
    durationMs: (1000 * (endSample - startSample)) / sampleRateHz,
    beats: samples.length,
    bpm: Math.round((60 * sampleRateHz) / usual),
  };
}

/** The samples of three or more in a row, without a gap between them. */
export function beatsInARow(beats: readonly Beat[], time: TimeBase, label: BeatLabel): number[][] {
  const found: number[][] = [];
  let first = 0;
  for (let i = 0; i <= beats.length; i++) {
    const goesOn =
      beats[i]?.label === label &&
      (i === first || !spansGap(time, beats[i - 1]?.sample ?? 0, beats[i]?.sample ?? 0));
    if (goesOn) continue;
    if (i - first >= MIN_RUN) found.push(beats.slice(first, i).map(({ sample }) => sample));
    first = beats[i]?.label === label ? i : i + 1;
  }
  return found;
}

/** Tachycardias from above the ventricles. */
export const supraventricularRuns = (beats: readonly Beat[], time: TimeBase): BeatRun[] =>
  beatsInARow(beats, time, 'S')
    .map((samples) => runOf(samples, time.sampleRateHz))
    .filter(({ bpm }) => bpm > RUN_BPM);
