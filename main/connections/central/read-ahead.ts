// Reads the next piece of a file while one is on its way.

import type { IncomingFile } from '../../clinic/ports.ts';

/**
 * While one piece is on its way, the next one is read: it is usually as long. One piece is held beside the
 * one that is sent.
 */
export function readAhead(
  file: Pick<IncomingFile, 'read'>,
  sizeBytes: number,
): (offset: number, length: number) => Promise<Uint8Array> {
  let ahead:
    | { readonly offset: number; readonly length: number; readonly bytes: Promise<Uint8Array> }
    | undefined;
  return async (offset, length) => {
    const bytes =
      ahead?.offset === offset && ahead.length === length
        ? await ahead.bytes
        : await file.read(offset, length);
    const next = offset + length;
    const nextLength = Math.min(length, sizeBytes - next);
    ahead =
      nextLength > 0 ? { offset: next, length: nextLength, bytes: file.read(next, nextLength) } : undefined;
    // Whoever asks for it hears of it.
    ahead?.bytes.catch(() => undefined);
    return bytes;
  };
}
