// Zstandard and zlib in plain JavaScript, for Compressed Delta in the browser, where Node's are not to be had.

import { decompress as decompressZstd } from 'fzstd';
import { Inflate } from 'pako';
import type { Decompress, Decompressors } from './compressed-delta.ts';

const zstd: Decompress = (block, needBytes) => {
  try {
    // The buffer given bounds what is written; a second frame behind the first would go beyond it.
    const bytes = decompressZstd(block, new Uint8Array(needBytes));
    return bytes.length === needBytes ? bytes : undefined;
  } catch {
    // Damaged, cut or too large: the caller tries what else the block may be.
    return undefined;
  }
};

const zlib: Decompress = (block, needBytes) => {
  const inflate = new Inflate({ chunkSize: needBytes + 1 });
  const parts: Uint8Array[] = [];
  inflate.onData = (part) => void parts.push(part as Uint8Array);
  // The stream must end with the last byte and not before: what ends earlier has something behind it.
  inflate.push(block.subarray(0, -1), false);
  if (inflate.ended) return undefined;
  inflate.push(block.subarray(-1), true);
  const isWhole = inflate.err === 0 && inflate.ended;
  return isWhole && parts.length === 1 && parts[0]?.length === needBytes ? parts[0] : undefined;
};

export const PORTABLE_DECOMPRESSORS: Decompressors = { zstd, zlib };
