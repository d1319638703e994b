// The block of a Compressed Delta frame: compressed, and how that is found out.

import { decompressZstd, inflateZlib } from './decompression.ts';
import { blockBytes, COMPRESSION_NUMBERS, type Compression, type DeltaHeader } from './header.ts';

export type Compressors = Readonly<Record<Exclude<Compression, 'none'>, (coded: Uint8Array) => Uint8Array>>;

export interface CodedBlock {
  readonly coded: Uint8Array;
  readonly compression: Compression;
  /** The number in the header says something else than what the bytes are. */
  readonly isNumberOdd: boolean;
}

const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

function hasZlibHeader(block: Uint8Array): boolean {
  const [first = 0, second = 0] = block;
  return (
    block.length >= 2 &&
    (first & 15) === 8 &&
    first >> 4 <= 7 &&
    (256 * first + second) % 31 === 0 &&
    (second & 0x20) === 0
  );
}

/**
 * Finds out how the block is compressed: liberal about the number, strict about the sizes. Undefined where
 * nothing fits.
 */
export function decompressBlock(header: DeltaHeader, block: Uint8Array): CodedBlock | undefined {
  const needBytes = blockBytes(header);
  const isNamed = (compression: Compression): boolean =>
    header.compressionNumber === COMPRESSION_NUMBERS[compression];
  const raw = (): CodedBlock => ({ coded: block, compression: 'none', isNumberOdd: !isNamed('none') });
  if (isNamed('none') && block.length === needBytes) return raw();
  if (ZSTD_MAGIC.every((byte, i) => block[i] === byte)) {
    const coded = decompressZstd(block, needBytes);
    if (coded !== undefined) return { coded, compression: 'zstd', isNumberOdd: !isNamed('zstd') };
  }
  if (hasZlibHeader(block)) {
    const coded = inflateZlib(block, needBytes);
    if (coded !== undefined) return { coded, compression: 'zlib', isNumberOdd: !isNamed('zlib') };
  }
  return block.length === needBytes ? raw() : undefined;
}
