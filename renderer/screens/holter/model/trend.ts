// The rate and the ectopic beats of a day, part by part, as its trend is drawn.

import { unknownIntervals } from '../../../../shared/long/hour-table.ts';
import { firstFrom } from '../../../../shared/signal/first-from.ts';
import type { DayReading } from './read-day.ts';

export interface Trend {
  /** One a part; NaN where too few beats follow each other. */
  readonly meanBpm: Float32Array;
  readonly lowBpm: Float32Array;
  readonly highBpm: Float32Array;
  /** Beats of each part. */
  readonly ventricular: Uint16Array;
  readonly supraventricular: Uint16Array;
}

const [V, S] = ['V', 'S'].map((letter) => letter.charCodeAt(0)) as [number, number];
/** Rates of single intervals would be a haze. */
const RATE_INTERVALS = 4;

/** @param parts so many, of the stretch from start to end */
export function trendOf(
  { day, beats, unknown, pauses }: DayReading,
  start: number,
  end: number,
  parts: number,
): Trend {
  const trend: Trend = {
    meanBpm: new Float32Array(parts).fill(Number.NaN),
    lowBpm: new Float32Array(parts).fill(Number.NaN),
    highBpm: new Float32Array(parts).fill(Number.NaN),
    ventricular: new Uint16Array(parts),
    supraventricular: new Uint16Array(parts),
  };
  const { samples, labels } = beats;
  const counts = new Uint32Array(parts);
  const sums = new Float64Array(parts);
  const isUnknown = unknownIntervals({ unknown, pauses, sampleRateHz: day.sampleRateHz });
  let known = 0;
  for (let i = firstFrom(samples, start); i < samples.length; i++) {
    const sample = samples[i] as number;
    if (sample >= end) break;
    const part = Math.min(parts - 1, Math.floor(((sample - start) / (end - start)) * parts));
    if (labels[i] === V) trend.ventricular[part] = (trend.ventricular[part] as number) + 1;
    else if (labels[i] === S) trend.supraventricular[part] = (trend.supraventricular[part] as number) + 1;
    known = i === 0 || isUnknown(samples[i - 1] as number, sample) ? 0 : known + 1;
    if (known < RATE_INTERVALS) continue;
    const first = samples[i - RATE_INTERVALS] as number;
    const bpm = (60 * RATE_INTERVALS * day.sampleRateHz) / (sample - first);
    counts[part] = (counts[part] as number) + 1;
    sums[part] = (sums[part] as number) + bpm;
    if (!(bpm >= (trend.lowBpm[part] as number))) trend.lowBpm[part] = bpm;
    if (!(bpm <= (trend.highBpm[part] as number))) trend.highBpm[part] = bpm;
  }
  for (let part = 0; part < parts; part++)
    if ((counts[part] as number) > 0) trend.meanBpm[part] = (sums[part] as number) / (counts[part] as number);
  return trend;
}
