// Channels of formats that are held in memory, or interleaved in a file: reading any part of them is the same
// everywhere.

import { identifyChannel } from '../../shared/signal/channel-identity.ts';
import { type Channel, INVALID_SAMPLE } from '../../shared/signal/recording.ts';
import type { ByteSource } from './byte-source.ts';

/** Reads from samples that are all there. */
export function readFromArray(samples: Int32Array, startSample: number, target: Int32Array): void {
  target.fill(INVALID_SAMPLE);
  const from = Math.max(0, startSample);
  const to = Math.min(samples.length, startSample + target.length);
  if (from < to) target.set(samples.subarray(from, to), from - startSample);
}

/** A channel whose samples are all there. */
export function memoryChannel(
  label: string,
  {
    unit,
    samples,
    ...stored
  }: Pick<Channel, 'unit' | 'scale' | 'offset' | 'isCalibrated' | 'rate'> & { readonly samples: Int32Array },
): Channel {
  return {
    ...identifyChannel(label, unit),
    ...stored,
    sampleCount: samples.length,
    read: (startSample, target) => readFromArray(samples, startSample, target),
  };
}

/** Samples of several channels side by side, each of the same whole number of bytes. */
export interface Interleaved {
  readonly source: ByteSource;
  readonly startByte: number;
  readonly channels: number;
  readonly sampleCount: number;
  readonly sampleBytes: number;
  /** The sample that begins at a byte. */
  decode(bytes: Uint8Array, at: number): number;
  /** The stored code of a missing sample. */
  readonly invalidCode?: number | undefined;
}

const READ_BYTES = 65_536;

export function readInterleaved(
  stored: Interleaved,
  channel: number,
  startSample: number,
  target: Int32Array,
): void {
  target.fill(INVALID_SAMPLE);
  const frameBytes = stored.channels * stored.sampleBytes;
  const perRead = Math.max(1, Math.floor(READ_BYTES / frameBytes));
  const end = Math.min(startSample + target.length, stored.sampleCount);
  for (let sample = Math.max(0, startSample); sample < end; ) {
    const count = Math.min(perRead, end - sample);
    const bytes = stored.source.read(stored.startByte + sample * frameBytes, count * frameBytes);
    const whole = Math.min(count, Math.floor(bytes.length / frameBytes));
    for (let i = 0; i < whole; i++) {
      const value = stored.decode(bytes, i * frameBytes + channel * stored.sampleBytes);
      target[sample - startSample + i] = value === stored.invalidCode ? INVALID_SAMPLE : value;
    }
    sample += count;
  }
}
