// Frames of a stream as a device makes them, with a signal that tells every sample from every other.

import { nativeCompressors } from '../../main/formats/compressed-delta/compression.ts';
import type { BitsPerSample, Coding, Compression } from '../../main/signal/compressed-delta/header.ts';
import { encodeCompressedDelta } from '../../main/signal/compressed-delta/write-frame.ts';

export interface FrameOptions {
  readonly leads?: number;
  readonly samples?: number;
  readonly rateHz?: number;
  readonly bits?: BitsPerSample;
  readonly coding?: Coding;
  readonly compression?: Compression;
  /** Number of the frame's first sample in the recording. */
  readonly from?: number;
  readonly signal?: (sample: number, lead: number) => number;
}

/** A slow wave with a spike every second, different in every lead, and no two neighbouring samples alike. */
export function heartbeat(rateHz: number): (sample: number, lead: number) => number {
  return (sample, lead) => {
    const phase = (sample % rateHz) / rateHz;
    const spike = phase < 0.04 ? 900 * Math.sin((Math.PI * phase) / 0.04) : 0;
    const wave = phase > 0.25 && phase < 0.5 ? 180 * Math.sin((Math.PI * (phase - 0.25)) / 0.25) : 0;
    return Math.round(
      (spike + wave) * (1 - lead * 0.05) + 25 * Math.sin(sample / 200) + ((sample * 7919) % 5),
    );
  };
}

export function frameChannels({
  leads = 12,
  samples = 250,
  rateHz = 500,
  from = 0,
  signal = heartbeat(rateHz),
}: FrameOptions): Int32Array[] {
  return Array.from({ length: leads }, (_, lead) =>
    Int32Array.from({ length: samples }, (_, i) => signal(from + i, lead)),
  );
}

export function makeFrame(options: FrameOptions = {}): Uint8Array {
  const { rateHz = 500, bits = 16, coding = 'delta', compression = 'zlib' } = options;
  return encodeCompressedDelta(
    { channels: frameChannels(options), sampleRateHz: rateHz, bitsPerSample: bits },
    { coding, compression },
    nativeCompressors(),
  );
}
