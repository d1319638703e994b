// The compression methods of zip that the library leaves to us. Each takes the compressed bytes of a member
// and gives plain ones; size and checksum are compared by the caller.

import { createZstdDecompress } from 'node:zlib';
import { decompress as decompressLzma } from 'lzma';
import unbzip2 from 'unbzip2-stream';
import xzDecompress from 'xz-decompress';
import { IsolineError } from '../../../shared/errors.ts';
import { through } from './byte-streams.ts';
import { corrupt } from './unpacking.ts';

type Decoder = (compressed: AsyncIterable<Uint8Array>, sizeBytes: number) => AsyncIterable<Uint8Array>;

/**
 * The only decoder that needs the whole member in memory, thirty times over: more than this it can't be
 * trusted with.
 */
const MAX_LZMA_BYTES = 24 * 2 ** 20;
const LZMA_PROPERTY_BYTES = 5;

async function* lzma(compressed: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Uint8Array> {
  if (sizeBytes > MAX_LZMA_BYTES)
    throw new IsolineError(
      'archive_too_large',
      'A file in the archive is too large for LZMA compression. Pack it with Deflate.',
    );
  const parts: Uint8Array[] = [];
  for await (const part of compressed) parts.push(part);
  const member = Buffer.concat(parts);
  // Two bytes of version, two of the size of the properties, the properties, then the stream; the decoder
  // wants a file's head.
  if (member.length < 4 + LZMA_PROPERTY_BYTES || member.readUInt16LE(2) !== LZMA_PROPERTY_BYTES)
    throw corrupt('an LZMA member has no head');
  const file = Buffer.alloc(member.length + 4);
  member.copy(file, 0, 4, 4 + LZMA_PROPERTY_BYTES);
  file.writeBigUInt64LE(BigInt(sizeBytes), LZMA_PROPERTY_BYTES);
  member.copy(file, LZMA_PROPERTY_BYTES + 8, 4 + LZMA_PROPERTY_BYTES);
  const plain = decompressLzma(file);
  yield typeof plain === 'string' ? new TextEncoder().encode(plain) : Uint8Array.from(plain);
}

async function* xz(compressed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = new xzDecompress.XzReadableStream(ReadableStream.from(compressed));
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      // The decoder hands out views of its own memory, which it writes over at the next read.
      yield Uint8Array.from(value);
    }
  } finally {
    // Whoever stops early must not leave the decoder waiting.
    await reader.cancel().catch(() => undefined);
  }
}

export const METHOD_DECODERS: Readonly<Record<number, Decoder>> = {
  12: (compressed) => through(compressed, unbzip2()),
  14: lzma,
  93: (compressed) => through(compressed, createZstdDecompress()),
  95: xz,
};

/** Names for messages; numbers of the zip format's own list. */
const METHOD_NAMES: Readonly<Record<number, string>> = {
  1: 'Shrink',
  6: 'Implode',
  19: 'LZ77',
  94: 'MP3',
  97: 'WavPack',
  98: 'PPMd',
};

export const methodName = (method: number): string => METHOD_NAMES[method] ?? `number ${method}`;
