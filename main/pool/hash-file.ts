// The name of a file in a data folder: the SHA-256 of its bytes.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

const PIECE_BYTES = 1 << 20;

/** @returns in hexadecimal; the file is read in pieces */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES }))
    hash.update(piece as Buffer);
  return hash.digest('hex');
}
