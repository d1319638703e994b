// Frames of a file that has an index behind them, checked before they go anywhere.

import { crc32 } from 'node:zlib';
import { INDEX_ENTRY_BYTES, readIndexEntry } from '../../../shared/signal/stream-file.ts';
import type { IncomingFile } from '../../clinic/ports.ts';
import { missing } from '../packing/missing.ts';

export interface TimedFrame {
  readonly timestampUs: number;
  readonly bytes: Uint8Array;
}

export interface FrameFile {
  readonly file: Pick<IncomingFile, 'read' | 'close'>;
  readonly indexOffsetBytes: number;
  readonly count: number;
}

/** One frame of a file that has an index behind its frames. */
export async function frameIn(
  {
    file,
    indexOffsetBytes,
  }: Pick<FrameFile, 'indexOffsetBytes'> & { readonly file: Pick<IncomingFile, 'read'> },
  index: number,
): Promise<TimedFrame> {
  const entry = await file.read(indexOffsetBytes + index * INDEX_ENTRY_BYTES, INDEX_ENTRY_BYTES);
  const view = new DataView(entry.buffer, entry.byteOffset, entry.length);
  const { timestampUs, offsetBytes, lengthBytes, crc32: checksum } = readIndexEntry(view, 0);
  return { timestampUs, bytes: whole(await file.read(offsetBytes, lengthBytes), checksum) };
}

/** What the disk has changed meanwhile goes nowhere. */
export function whole(bytes: Uint8Array, checksum: number): Uint8Array {
  if (crc32(bytes) !== checksum) throw missing();
  return bytes;
}
