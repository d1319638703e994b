// How the rate runs through a long recording, in as many pieces as the paper has room for.

export interface Trend {
  /** Beats per minute; NaN where no two beats follow each other. */
  readonly meanBpm: Float64Array;
  readonly lowBpm: Float64Array;
  readonly highBpm: Float64Array;
  /** How many ventricular beats there are per minute. */
  readonly ventricularPerMinute: Float64Array;
}

export interface TrendInput {
  readonly samples: readonly number[];
  /** Before each beat; NaN where it was not measured. */
  readonly rr: Float64Array;
  readonly isVentricular: (beat: number) => boolean;
  readonly sampleRateHz: number;
  readonly sampleCount: number;
}

export function trendOf(
  { samples, rr, isVentricular, sampleRateHz, sampleCount }: TrendInput,
  bins: number,
): Trend {
  const binSamples = sampleCount / bins;
  const sumRr = new Float64Array(bins);
  const count = new Float64Array(bins);
  const lowBpm = new Float64Array(bins).fill(Number.NaN);
  const highBpm = new Float64Array(bins).fill(Number.NaN);
  const ventricular = new Float64Array(bins);
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i] as number;
    const bin = Math.min(bins - 1, Math.floor(sample / binSamples));
    if (isVentricular(i)) ventricular[bin] = (ventricular[bin] as number) + 1;
    const seconds = rr[i] as number;
    if (Number.isNaN(seconds)) continue;
    const bpm = 60 / seconds;
    sumRr[bin] = (sumRr[bin] as number) + seconds;
    count[bin] = (count[bin] as number) + 1;
    if (!((lowBpm[bin] as number) <= bpm)) lowBpm[bin] = bpm;
    if (!((highBpm[bin] as number) >= bpm)) highBpm[bin] = bpm;
  }
  const binMinutes = binSamples / sampleRateHz / 60;
  return {
    meanBpm: count.map((n, bin) => (n === 0 ? Number.NaN : (60 * n) / (sumRr[bin] as number))),
    lowBpm,
    highBpm,
    ventricularPerMinute: ventricular.map((n) => n / binMinutes),
  };
}

const HOUR = 3600;
const STEPS_SECONDS = [
  60,
  120,
  300,
  600,
  900,
  1800,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
];
const MOST_TICKS = 9;

/** Between the ticks of a time axis. */
export const tickStepSeconds = (durationSeconds: number): number =>
  STEPS_SECONDS.find((step) => durationSeconds / step <= MOST_TICKS) ?? 48 * HOUR;
