// A Compressed Delta frame in memory, written whole.

import { INVALID_SAMPLE } from '../../../shared/signal/recording.ts';
import type { Compressors } from './block.ts';
import { encodeSlots } from './encode-slots.ts';
import {
  type BitsPerSample,
  COMPRESSION_NUMBERS,
  type Coding,
  type Compression,
  type CompressionNumbers,
  deltaHeaderBytes,
  HEADER_BYTES,
} from './header.ts';

/**
 * The coding that may be used at most: a difference that leaves the width of a sample would have to wrap,
 * which is never relied on.
 */
const NEXT_LOWER: Readonly<Record<Coding, Coding>> = {
  doubleDelta: 'delta',
  delta: 'twosComplement',
  twosComplement: 'twosComplement',
};

/** Slots of all channels, or undefined where the coding can't be used for these samples without wrapping. */
function encodeBlock(
  channels: readonly Int32Array[],
  bits: BitsPerSample,
  coding: Coding,
  mayWrap = false,
): Uint8Array | undefined {
  const samples = channels[0]?.length ?? 0;
  const coded = new Uint8Array((channels.length * samples * bits) / 8);
  for (const [index, channel] of channels.entries()) {
    const isExact = encodeSlots(
      channel,
      bits,
      coding,
      { sample: 0, difference: 0 },
      coded,
      (index * samples * bits) / 8,
    );
    if (!isExact && !mayWrap) return undefined;
  }
  return coded;
}

export interface FrameSource {
  /** One array a channel, 1 … 255, all of one length. */
  readonly channels: readonly Int32Array[];
  readonly sampleRateHz: number;
  readonly bitsPerSample: BitsPerSample;
}

export interface FrameChoice {
  readonly coding: Coding;
  readonly compression: Compression;
  /**
   * Keep the coding where differences leave the width, and wrap them. Off toward everybody whose decoder is
   * not known (A3).
   */
  readonly mayWrap?: boolean;
}

/**
 * A sample outside its width, or no samples: a fault of the caller's, never of the data that a person gave.
 */
export class DeltaRangeError extends RangeError {}

function assemble(
  source: FrameSource,
  coding: Coding,
  compressionNumber: number,
  payload: Uint8Array,
): Uint8Array {
  const { channels, sampleRateHz, bitsPerSample } = source;
  const samples = channels[0]?.length ?? 0;
  const header = {
    payloadBytes: payload.length,
    channels: channels.length,
    samples,
    sampleRateHz,
    bitsPerSample,
    coding,
    compressionNumber,
  };
  const frame = new Uint8Array(HEADER_BYTES + payload.length);
  frame.set(deltaHeaderBytes(header));
  frame.set(payload, HEADER_BYTES);
  return frame;
}

/** The highest coding up to `coding` that holds the samples without wrapping, with its bytes. */
function encodeWithin(
  source: FrameSource,
  coding: Coding,
  mayWrap: boolean,
): { coding: Coding; coded: Uint8Array } {
  for (let candidate = coding; ; candidate = NEXT_LOWER[candidate]) {
    const coded = encodeBlock(
      source.channels,
      source.bitsPerSample,
      candidate,
      mayWrap && candidate !== 'twosComplement',
    );
    if (coded !== undefined) return { coding: candidate, coded };
    if (candidate === 'twosComplement')
      throw new DeltaRangeError(`a sample does not fit ${source.bitsPerSample} bits`);
  }
}

function checkSource({ channels }: FrameSource): void {
  const samples = channels[0]?.length ?? 0;
  if (
    channels.length < 1 ||
    channels.length > 255 ||
    samples < 1 ||
    channels.some((channel) => channel.length !== samples)
  )
    throw new DeltaRangeError('a frame has 1 to 255 channels of the same length, at least one sample');
}

/**
 * Encodes one frame. The coding is lowered where differences would leave the width. Without `compressors`
 * (first differences, no compression) it is what a microcontroller can do with the samples it has at hand.
 * @throws DeltaRangeError when samples do not fit the width, or channels differ in length
 */
export function encodeCompressedDelta(
  source: FrameSource,
  choice: FrameChoice = { coding: 'delta', compression: 'none' },
  compressors?: Compressors,
  numbers: CompressionNumbers = COMPRESSION_NUMBERS,
): Uint8Array {
  checkSource(source);
  const { coding, coded } = encodeWithin(source, choice.coding, choice.mayWrap === true);
  if (choice.compression === 'none' || compressors === undefined)
    return assemble(source, coding, numbers.none, coded);
  return assemble(source, coding, numbers[choice.compression], compressors[choice.compression](coded));
}

/** Encodes one frame with the coding and the compression, of those allowed, that make it smallest. */
export function encodeSmallest(
  source: FrameSource,
  allowed: { readonly codings: readonly Coding[]; readonly compressions: readonly Compression[] },
  compressors: Compressors,
  numbers: CompressionNumbers = COMPRESSION_NUMBERS,
): Uint8Array {
  checkSource(source);
  let best: { coding: Coding; compression: Compression; payload: Uint8Array } | undefined;
  for (const wanted of allowed.codings) {
    const coded = encodeBlock(source.channels, source.bitsPerSample, wanted);
    if (coded === undefined) continue;
    for (const compression of allowed.compressions) {
      const payload = compression === 'none' ? coded : compressors[compression](coded);
      if (best === undefined || payload.length < best.payload.length)
        best = { coding: wanted, compression, payload };
    }
  }
  // None of the allowed codings holds the samples: plain ones always do, if the width fits.
  if (best === undefined)
    return encodeCompressedDelta(
      source,
      { coding: 'twosComplement', compression: 'none' },
      undefined,
      numbers,
    );
  return assemble(source, best.coding, numbers[best.compression], best.payload);
}

/** The format has no code for a missing sample: it is written as 0, and the runs travel beside it. */
export function fillInvalid(samples: Int32Array): void {
  for (let i = 0; i < samples.length; i++) if (samples[i] === INVALID_SAMPLE) samples[i] = 0;
}
