// Compares a recording with the expected values that independent programs gave (`expected/*.json`; what their
// fields mean stands in the README beside them).

import { createHash } from 'node:crypto';
import {
  type Channel,
  type Gap,
  INVALID_SAMPLE,
  type Recording,
  rateHz,
  readAllSamples,
} from '../../shared/signal/recording.ts';

interface ExpectedSignal {
  readonly label: string;
  readonly unit: string;
  readonly rateHz: number;
  readonly samples: number;
  readonly scale: number;
  readonly offset: number;
}

interface ExpectedStream {
  readonly signals: readonly ExpectedSignal[];
  readonly sha256: string;
}

export interface Expected {
  readonly file: string;
  readonly format: string;
  readonly signals?: readonly ExpectedSignal[];
  readonly sha256: string;
  readonly gaps?: readonly (readonly [record: number, seconds: number])[];
  readonly streams?: readonly ExpectedStream[];
  readonly note?: string;
}

/** Samples without those that stand for a gap: the expected values hold only what the file stores. */
function storedSamples(channel: Channel, gaps: readonly Gap[]): Int32Array {
  const all = readAllSamples(channel);
  if (gaps.length === 0) return all;
  const hz = rateHz(channel.rate);
  const isGap = new Uint8Array(all.length);
  for (const { startSeconds, endSeconds } of gaps)
    isGap.fill(1, Math.round(startSeconds * hz), Math.round(endSeconds * hz));
  return all.filter((_, i) => isGap[i] === 0);
}

export interface Comparison {
  readonly sha256: string;
  readonly signals: readonly { label: string; rateHz: number; samples: number }[];
}

/**
 * @param isStored whether gaps of the recording are no samples of the file (EDF+D) or are counted as invalid
 * ones (WFDB).
 */
export function measure(
  recording: Recording,
  isStored: boolean,
  limit = Number.POSITIVE_INFINITY,
): Comparison {
  const hash = createHash('sha256');
  const signals = recording.channels.map((channel) => {
    const samples = storedSamples(channel, isStored ? (recording.gaps ?? []) : []).subarray(0, limit);
    hash.update(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
    return { label: channel.label, rateHz: rateHz(channel.rate), samples: samples.length };
  });
  return { sha256: hash.digest('hex'), signals };
}

/** First and last samples as the expected files write them: null for an invalid one. */
export const orNull = (sample: number): number | null => (sample === INVALID_SAMPLE ? null : sample);
