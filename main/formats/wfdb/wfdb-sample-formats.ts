// How WFDB packs samples into bytes. One entry a format; the others of the formats reference, section 2.2, join this table.

import { INVALID_SAMPLE } from '../../../shared/signal/recording.ts';

export interface SampleFormat {
  /** Samples are packed in units of so many samples in so many bytes; a read must begin at a unit's border. */
  readonly unitSamples: number;
  readonly unitBytes: number;
  /** Number of samples in so many bytes, a shortened last unit included. */
  samplesIn(bytes: number): number;
  /** Decodes `count` samples from the beginning of `bytes`; missing bytes read as 0. */
  decode(bytes: Uint8Array, count: number, target: Int32Array): void;
}

const FORMAT_16: SampleFormat = {
  unitSamples: 1,
  unitBytes: 2,
  samplesIn: (bytes) => Math.floor(bytes / 2),
  decode(bytes, count, target) {
    for (let i = 0; i < count; i++) {
      const value = ((((bytes[2 * i + 1] ?? 0) << 24) >> 16) | (bytes[2 * i] ?? 0)) as number;
      target[i] = value === -32768 ? INVALID_SAMPLE : value;
    }
  },
};

const FORMAT_212: SampleFormat = {
  unitSamples: 2,
  unitBytes: 3,
  samplesIn: (bytes) => 2 * Math.floor(bytes / 3) + (bytes % 3 === 2 ? 1 : 0),
  decode(bytes, count, target) {
    for (let i = 0; i < count; i++) {
      const unit = 3 * (i >> 1);
      const middle = bytes[unit + 1] ?? 0;
      const value = (i & 1) === 0 ? ((middle << 28) >> 20) | (bytes[unit] ?? 0) : (((middle & 0xf0) << 24) >> 20) | (bytes[unit + 2] ?? 0);
      target[i] = value === -2048 ? INVALID_SAMPLE : value;
    }
  },
};

export const SAMPLE_FORMATS: Readonly<Record<number, SampleFormat>> = { 16: FORMAT_16, 212: FORMAT_212 };

/** What an invalid sample counts as in the header's checksum: the code that the format stores. */
export const INVALID_CODES: Readonly<Record<number, number>> = { 16: -32768, 212: -2048 };
