// Zstandard and zlib of Node for Compressed Delta, to write it. What reads it is in `shared`.

import { constants, deflateSync, zstdCompressSync } from 'node:zlib';
import type { Compressors } from '../../signal/compressed-delta/block.ts';

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
