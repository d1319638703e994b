// The compression methods of zip that the library leaves to us. Each takes the compressed bytes of a member
// and gives plain ones; size and checksum are compared by the caller.

import { createZstdDecompress } from 'node:zlib';
import xzDecompress from 'xz-decompress';
import { through } from './byte-streams.ts';
import { bzip2 } from './bzip2.ts';
import { lzma } from './lzma.ts';

type Decoder = (compressed: AsyncIterable<Uint8Array>, sizeBytes: number) => AsyncIterable<Uint8Array>;

type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

export async function* xz(compressed: Bytes): AsyncGenerator<Uint8Array> {
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
  12: bzip2,
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
