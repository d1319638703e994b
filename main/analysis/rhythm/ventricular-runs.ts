// Ventricular beats in a row. Analysis reference, section 8.5.

import type { Beat } from '../../../shared/analysis-result.ts';
import { median } from '../../../shared/signal/statistics.ts';
import { knownSamples, type Range, samplesWithin, spansGap, type TimeBase } from '../time-base.ts';
import type { Pause } from './pauses.ts';

const MIN_RUN = 3;
/** Slower, ventricular beats in a row are no tachycardia. */
export const RUN_BPM = 100;

export const isFastRun = ({ bpm }: VentricularRun): boolean => bpm >= RUN_BPM;

export interface VentricularRun extends Pause {
  readonly beats: number;
  readonly bpm: number;
}

/**
 * @param samples of its beats, two at least. The rate is that of the middle interval: a beat that was not found
 * must not make a tachycardia slower.
 */
function runOf(samples: readonly number[], sampleRateHz: number): VentricularRun {
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

const FILLING_SHARE = 0.7;

/** Whether a run is the rhythm of what is known of the recording rather than an episode in it. */
export const fillsRecording = ({ durationMs }: VentricularRun, time: TimeBase): boolean =>
  durationMs >= (1000 * FILLING_SHARE * knownSamples(time)) / time.sampleRateHz;

/** What a person drew as ventricular tachycardia, from its first beat to its last. */
export function drawnRuns(
  ranges: readonly Range[],
  beats: readonly Beat[],
  time: TimeBase,
): VentricularRun[] {
  return ranges.flatMap((range) => {
    const within = samplesWithin(
      beats.map(({ sample }) => sample),
      range,
      0,
    );
    return within.length < 2 ? [] : [runOf(within, time.sampleRateHz)];
  });
}

/**
 * Three ventricular beats or more in a row.
 * @param partsOf what is left of a run where a person drew something else
 */
export function findVentricularRuns(
  beats: readonly Beat[],
  time: TimeBase,
  partsOf: (run: readonly Range[]) => readonly Range[],
): VentricularRun[] {
  const runs: VentricularRun[] = [];
  let first = 0;
  for (let i = 0; i <= beats.length; i++) {
    const isSame =
      i < beats.length &&
      beats[i]?.label === 'V' &&
      (i === first || !spansGap(time, beats[i - 1]?.sample ?? 0, beats[i]?.sample ?? 0));
    if (isSame) continue;
    const samples = beats.slice(first, i).map(({ sample }) => sample);
    const whole: Range = [samples[0] ?? 0, (samples.at(-1) ?? 0) + 1];
    for (const part of samples.length >= MIN_RUN ? partsOf([whole]) : []) {
      const within = samplesWithin(samples, part, 0);
      const run = within.length >= MIN_RUN ? runOf(within, time.sampleRateHz) : undefined;
      if (run !== undefined) runs.push(run);
    }
    first = beats[i]?.label === 'V' ? i : i + 1;
  }
  return runs;
}
