// Between byte sources, Node's streams, and plain iteration.

import { PassThrough, Readable } from 'node:stream';
import type { ByteSource } from '../byte-source.ts';

const PIECE_BYTES = 1 << 18;

export function* pieces(source: ByteSource, from = 0): Generator<Uint8Array> {
  for (let at = from; at < source.sizeBytes; ) {
    const piece = source.read(at, PIECE_BYTES);
    if (piece.length === 0) return;
    at += piece.length;
    yield piece;
  }
}

/**
 * Sends bytes through a stream. Faults of either side end the iteration with an error, and both streams with
 * it.
 */
export async function* through(
  input: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  stream: NodeJS.ReadWriteStream,
): AsyncGenerator<Uint8Array> {
  const from = Readable.from(input, { objectMode: false });
  const to = new PassThrough();
  from.on('error', (error) => to.destroy(error));
  stream.on('error', (error) => to.destroy(error));
  from.pipe(stream).pipe(to);
  try {
    yield* to;
  } finally {
    from.destroy();
    to.destroy();
  }
}
