// Zstandard and zlib of Node for Compressed Delta. Node's one-call functions ignore what follows the stream,
// and would allocate whatever a block claims to hold: both are checked here.

import { constants, deflateSync, inflateSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type {
  Compressors,
  Decompress,
  Decompressors,
} from '../../../shared/signal/compressed-delta/block.ts';

/** A window of 8 MiB at most (central service, section 5). */
const ZSTD_WINDOW_LOG = 23;

/** What the calls give with `info: true`; the types name the buffer alone. */
interface Inflated {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

function exactly(inflate: () => unknown, blockBytes: number, needBytes: number): Uint8Array | undefined {
  let result: Inflated;
  try {
    result = inflate() as Inflated;
  } catch {
    // Damaged, cut, or larger than it may be: all the same to the caller, who tries what else the block may
    // be.
    return undefined;
  }
  return result.engine.bytesWritten === blockBytes && result.buffer.length === needBytes
    ? result.buffer
    : undefined;
}

const zstd: Decompress = (block, needBytes) =>
  exactly(
    () =>
      zstdDecompressSync(block, {
        info: true,
        maxOutputLength: needBytes,
        params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
      }),
    block.length,
    needBytes,
  );

const zlib: Decompress = (block, needBytes) =>
  exactly(() => inflateSync(block, { info: true, maxOutputLength: needBytes }), block.length, needBytes);

export const NATIVE_DECOMPRESSORS: Decompressors = { zstd, zlib };

export interface CompressionLevels {
  readonly zstd: number;
  readonly zlib: number;
}

/** Quick enough for a running recording. */
const LIVE_LEVELS: CompressionLevels = { zstd: 1, zlib: 6 };
/** As small as it gets, for files. */
export const FILE_LEVELS: CompressionLevels = { zstd: 19, zlib: 9 };

export const nativeCompressors = (levels: CompressionLevels = LIVE_LEVELS): Compressors => ({
  zstd: (coded) => zstdCompressSync(coded, { params: { [constants.ZSTD_c_compressionLevel]: levels.zstd } }),
  zlib: (coded) => deflateSync(coded, { level: levels.zlib }),
});
