// Ventricular beats in a row. Analysis reference, section 8.5.

import type { Beat } from '../../../shared/analysis-result.ts';
import { knownSamples, type Range, samplesWithin, type TimeBase } from '../time-base.ts';
import { type BeatRun, beatsInARow, MIN_RUN, RUN_BPM, runOf } from './beat-runs.ts';

export const isFastRun = ({ bpm }: BeatRun): boolean => bpm >= RUN_BPM;

const FILLING_SHARE = 0.7;

/** Whether a run is the rhythm of what is known of the recording rather than an episode in it. */
export const fillsRecording = ({ durationMs }: BeatRun, time: TimeBase): boolean =>
  durationMs >= (1000 * FILLING_SHARE * knownSamples(time)) / time.sampleRateHz;

/** What a person drew as ventricular tachycardia, from its first beat to its last. */
export function drawnRuns(ranges: readonly Range[], beats: readonly Beat[], time: TimeBase): BeatRun[] {
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
): BeatRun[] {
  return beatsInARow(beats, time, 'V').flatMap((samples) =>
    partsOf([[samples[0] as number, (samples.at(-1) as number) + 1]]).flatMap((part) => {
      const within = samplesWithin(samples, part, 0);
      return within.length >= MIN_RUN ? [runOf(within, time.sampleRateHz)] : [];
    }),
  );
}
