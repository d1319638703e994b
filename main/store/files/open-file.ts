// A file of the data folder that is open.

import { writeSync } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import type { IncomingFile } from '../../clinic/ports.ts';
import { toStorageError } from '../../ground/storage-fault.ts';

export async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

export class OpenFile implements IncomingFile {
  readonly #handle: FileHandle;
  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  write(offsetBytes: number, bytes: Uint8Array): void {
    try {
      for (let done = 0; done < bytes.length; )
        done += writeSync(this.#handle.fd, bytes, done, bytes.length - done, offsetBytes + done);
    } catch (error) {
      throw toStorageError(error);
    }
  }

  async read(offsetBytes: number, lengthBytes: number): Promise<Uint8Array> {
    const buffer = new Uint8Array(lengthBytes);
    const { bytesRead } = await this.#handle.read(buffer, 0, lengthBytes, offsetBytes);
    return buffer.subarray(0, bytesRead);
  }

  async sync(): Promise<void> {
    await this.#handle.datasync().catch((error: unknown) => {
      throw toStorageError(error);
    });
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
