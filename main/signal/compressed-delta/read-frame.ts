// A Compressed Delta frame or file in memory, read whole.

import { type CodedBlock, decompressBlock } from './block.ts';
import { DEFAULT_START, decodeChannel } from './decode-slots.ts';
import {
  blockBytes,
  type Compression,
  type DeltaHeader,
  fault,
  HEADER_BYTES,
  parseDeltaHeader,
} from './header.ts';

/** No frame of a stream comes near; a file of more is read in blocks instead. */
const MAX_FRAME_BYTES = 1 << 30;

/** The block of a frame in memory, unpacked and not yet decoded. */
export function openFrame(
  bytes: Uint8Array,
  limitBytes = MAX_FRAME_BYTES,
):
  | { readonly ok: true; readonly header: DeltaHeader; readonly block: CodedBlock }
  | { readonly ok: false; readonly message: string } {
  const parsed = parseDeltaHeader(bytes.subarray(0, HEADER_BYTES), bytes.length);
  if (!parsed.ok) return parsed;
  const { header } = parsed;
  if (blockBytes(header) > limitBytes)
    return fault(`It states ${blockBytes(header)} bytes of samples; at most ${limitBytes} are read.`);
  const block = decompressBlock(header, bytes.subarray(HEADER_BYTES));
  return block === undefined
    ? fault('Its samples cannot be unpacked, or are not as many as it states.')
    : { ok: true, header, block };
}

/**
 * Whether a frame of a stream can be unpacked to what its header states (D74).
 * @returns a sentence where it can't
 */
export function frameFault(bytes: Uint8Array): string | undefined {
  const opened = openFrame(bytes);
  return opened.ok ? undefined : opened.message;
}

export interface DecodedFrame {
  readonly header: DeltaHeader;
  readonly compression: Compression;
  readonly isNumberOdd: boolean;
  /** One array a channel. */
  readonly channels: readonly Int32Array[];
}

export type DecodeResult =
  | { readonly ok: true; readonly frame: DecodedFrame }
  | { readonly ok: false; readonly message: string };

/**
 * Decodes a whole frame or file in memory.
 * @param limitBytes what the decoded block may have at most; a header that states more is refused before
 * anything is allocated
 */
export function decodeCompressedDelta(bytes: Uint8Array, limitBytes = MAX_FRAME_BYTES): DecodeResult {
  const opened = openFrame(bytes, limitBytes);
  if (!opened.ok) return opened;
  const { header, block } = opened;
  const channels = Array.from({ length: header.channels }, (_, channel) => {
    const target = new Int32Array(header.samples);
    decodeChannel(
      block.coded,
      (channel * header.samples * header.bitsPerSample) / 8,
      header,
      DEFAULT_START,
      target,
    );
    return target;
  });
  return {
    ok: true,
    frame: { header, compression: block.compression, isNumberOdd: block.isNumberOdd, channels },
  };
}
