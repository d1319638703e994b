// Beats of one class in a row, from the ventricles or from above them. Analysis reference, section 8.5.

import type { Beat, BeatLabel } from '../../../shared/analysis-result.ts';
import { RUN_BPM } from '../../../shared/clinical-limits.ts';
import { median } from '../../../shared/signal/statistics.ts';
import { knownSamples, type Range, samplesWithin, spansGap, type TimeBase } from '../signal/time-base.ts';
import type { Pause } from './pauses.ts';

const MIN_RUN = 3;

export interface BeatRun extends Pause {
  readonly beats: number;
  readonly bpm: number;
}

export const isFastRun = ({ bpm }: BeatRun): boolean => bpm >= RUN_BPM;

/**
 * @param samples of its beats, two at least. The rate is that of the middle interval: a beat that was not found
 * must not make a tachycardia slower.
 */
function runOf(samples: readonly number[], sampleRateHz: number): BeatRun {
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

/** The samples of three beats of a class or more in a row, without a gap between them. */
function beatsInARow(beats: readonly Beat[], time: TimeBase, label: BeatLabel): number[][] {
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

/** @param partsOf what is left of a run where a person drew something else */
export function findRuns(
  beats: readonly Beat[],
  time: TimeBase,
  label: BeatLabel,
  partsOf: (run: readonly Range[]) => readonly Range[],
): BeatRun[] {
  return beatsInARow(beats, time, label).flatMap((samples) =>
    partsOf([[samples[0] as number, (samples.at(-1) as number) + 1]]).flatMap((part) => {
      const within = samplesWithin(samples, part, 0);
      return within.length >= MIN_RUN ? [runOf(within, time.sampleRateHz)] : [];
    }),
  );
}
