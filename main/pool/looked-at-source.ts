// A file that is opened and closed for each look: a folder may have more files than a program may hold open.

import { statSync } from 'node:fs';
import type { ByteSource } from '../formats/byte-source.ts';
import { openFileSource } from './file-source.ts';

/** @throws IsolineError or a fault of the disk, at the first look, where it may not be read */
export function lookedAt(path: string): ByteSource {
  let sizeBytes: number | undefined;
  return {
    get sizeBytes() {
      sizeBytes ??= statSync(path).size;
      return sizeBytes;
    },
    read(offsetBytes, lengthBytes) {
      using source = openFileSource(path);
      return source.read(offsetBytes, lengthBytes);
    },
  };
}
