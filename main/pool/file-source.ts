// A file on disk as the readers see it. Synchronous, for worker threads only.

import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { IsolineError } from '../../shared/errors.ts';
import type { ByteSource } from '../formats/byte-source.ts';

export interface FileSource extends ByteSource, Disposable {
  close(): void;
}

export function openFileSource(path: string): FileSource {
  // Looked at before it is opened: opening a pipe would wait for its other end for ever.
  if (!statSync(path).isFile())
    throw new IsolineError('record_unreadable', 'Part of the recording is not a file.');
  const descriptor = openSync(path, 'r');
  const { size } = fstatSync(descriptor);
  const close = (): void => closeSync(descriptor);
  return {
    sizeBytes: size,
    read(offsetBytes, lengthBytes) {
      // Never more than the file has: a claimed length must not drive the allocation.
      const length = Math.max(0, Math.min(lengthBytes, size - offsetBytes));
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length; ) {
        const count = readSync(descriptor, bytes, done, length - done, offsetBytes + done);
        if (count === 0) return bytes.subarray(0, done);
        done += count;
      }
      return bytes;
    },
    close,
    [Symbol.dispose]: close,
  };
}
