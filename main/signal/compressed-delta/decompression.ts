// Zstandard and zlib for Compressed Delta, without those of Node: a thread that is ended at the moment at
// which it opens one of Node's takes the whole program with it ("close before init"), and frames are read in
// threads that are ended at a time limit, when a task is cancelled, and where memory runs out.

import { Decompress as DecompressZstd } from 'fzstd';
import { Inflate } from 'pako';
import { xxh64Low } from './xxh64.ts';

/**
 * Decompresses a whole block to exactly `needBytes`, consumed to its last byte, its checksum compared if it
 * has one; undefined for anything else. Never allocates more than `needBytes` and a constant.
 */
type Decompress = (block: Uint8Array, needBytes: number) => Uint8Array | undefined;

const MAX_WINDOW_BYTES = 8 * 2 ** 20;
const RLE_BLOCK = 1;
const CHUNK_BYTES = 1 << 16;
const CHECKSUM_BYTES = 4;

interface ZstdFrame {
  readonly lengthBytes: number;
  readonly windowBytes: number;
  /** Undefined where the frame doesn't tell. */
  readonly contentBytes: number | undefined;
  readonly hasChecksum: boolean;
}

/** Little-endian, exact up to 2^53. */
function unsigned(bytes: Uint8Array, at: number, width: number): number {
  let value = 0;
  for (let i = width - 1; i >= 0; i--) value = value * 256 + (bytes[at + i] ?? 0);
  return value;
}

/**
 * What the heads of a frame and of its blocks say (RFC 8878, section 3.1.1): the decoder neither bounds nor
 * compares it.
 */
function measureZstdFrame(bytes: Uint8Array): ZstdFrame {
  const descriptor = bytes[4] ?? 0;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeWidth = sizeFlag === 0 ? (isSingleSegment ? 1 : 0) : 1 << sizeFlag;
  const dictionaryWidth = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const windowByte = bytes[5] ?? 0;
  const sizeAt = 5 + (isSingleSegment ? 0 : 1) + dictionaryWidth;
  const contentBytes =
    sizeWidth === 0 ? undefined : unsigned(bytes, sizeAt, sizeWidth) + (sizeWidth === 2 ? 256 : 0);
  const windowBase = 2 ** (10 + (windowByte >> 3));
  const windowBytes = isSingleSegment
    ? (contentBytes ?? 0)
    : windowBase + (windowBase / 8) * (windowByte & 7);
  let at = sizeAt + sizeWidth;
  for (let isLast = false; !isLast && at < bytes.length; ) {
    const head = unsigned(bytes, at, 3);
    isLast = (head & 1) === 1;
    at += 3 + (((head >> 1) & 3) === RLE_BLOCK ? 1 : head >> 3);
  }
  const hasChecksum = (descriptor & 4) !== 0;
  return { lengthBytes: at + (hasChecksum ? CHECKSUM_BYTES : 0), windowBytes, contentBytes, hasChecksum };
}

class TooLarge extends Error {}

export const decompressZstd: Decompress = (block, needBytes) => {
  const { lengthBytes, windowBytes, contentBytes, hasChecksum } = measureZstdFrame(block);
  const isBounded =
    windowBytes <= Math.max(needBytes, MAX_WINDOW_BYTES) && (contentBytes ?? needBytes) === needBytes;
  if (lengthBytes !== block.length || !isBounded) return undefined;
  const bytes = new Uint8Array(needBytes);
  let length = 0;
  try {
    new DecompressZstd((part) => {
      if (length + part.length > needBytes) throw new TooLarge();
      bytes.set(part, length);
      length += part.length;
    }).push(block, true);
  } catch {
    // Damaged, cut or too large: the caller tries what else the block may be.
    return undefined;
  }
  if (length !== needBytes) return undefined;
  // RFC 8878, section 3.1.1.
  const isIntact =
    !hasChecksum || xxh64Low(bytes) === unsigned(block, block.length - CHECKSUM_BYTES, CHECKSUM_BYTES);
  return isIntact ? bytes : undefined;
};

export const inflateZlib: Decompress = (block, needBytes) => {
  const inflate = new Inflate({ chunkSize: CHUNK_BYTES });
  const bytes = new Uint8Array(needBytes);
  let length = 0;
  inflate.onData = (part) => {
    if (length + part.length > needBytes) throw new TooLarge();
    bytes.set(part as Uint8Array, length);
    length += part.length;
  };
  try {
    // The stream must end with the last byte and not before: what ends earlier has something behind it.
    inflate.push(block.subarray(0, -1), false);
    if (inflate.ended) return undefined;
    inflate.push(block.subarray(-1), true);
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
  return inflate.err === 0 && inflate.ended && length === needBytes ? bytes : undefined;
};
