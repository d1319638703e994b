// The files of a data folder: what comes in (`incoming/`), and what stays, by the SHA-256 of its content
// (`files/ab/cdef…`). Writing order: durability reference, sections 3.1 and 3.2. Names from outside never
// become paths.

import { createHash, randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rm, stat, statfs, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assert } from '../../shared/assert.ts';
import type { Files, IncomingFile } from '../clinic/ports.ts';
import { toStorageError } from './database.ts';
import { renamePatiently, syncFolder } from './durable-rename.ts';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** A file this young may be about to be named by a row that is not committed yet. */
const YOUNG_MS = 3_600_000;
/** Durability reference, 3.5. */
const RESERVE_BYTES = 64 << 20;
const RESERVE_BLOCK_BYTES = 1 << 20;
const RESERVE_NEEDS_FREE_BYTES = 3 * 2 ** 30;

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

class OpenFile implements IncomingFile {
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

/** @param hashFile SHA-256 of a file's bytes, in hexadecimal */
export async function openFiles(
  dataDir: string,
  hashFile: (path: string) => Promise<string>,
): Promise<Files> {
  const incoming = join(dataDir, 'incoming');
  const stored = join(dataDir, 'files');
  await mkdir(incoming, { recursive: true, mode: FOLDER_MODE });
  await mkdir(stored, { recursive: true, mode: FOLDER_MODE });

  const reserve = join(dataDir, 'reserve.bin');
  let keeping: Promise<void> | undefined;
  const fillReserve = async (): Promise<void> => {
    const { size } = await stat(reserve).catch(() => ({ size: 0 }));
    const { bavail, bsize } = await statfs(dataDir);
    if (size >= RESERVE_BYTES || bavail * bsize < RESERVE_NEEDS_FREE_BYTES) return;
    const handle = await open(reserve, 'w', FILE_MODE);
    try {
      // Real blocks: a file with holes keeps nothing.
      const block = Buffer.alloc(RESERVE_BLOCK_BYTES, 0xa5);
      for (let done = 0; done < RESERVE_BYTES; done += block.length) await handle.write(block);
      await handle.datasync();
    } catch (error) {
      await rm(reserve, { force: true });
      throw toStorageError(error);
    } finally {
      await handle.close();
    }
  };
  const path = (sha256: string): string => {
    assert(/^[0-9a-f]{64}$/.test(sha256), 'a file is named by a SHA-256');
    return join(stored, sha256.slice(0, 2), sha256.slice(2));
  };
  const incomingPath = (id: string): string => {
    assert(/^[A-Za-z0-9_-]{1,64}$/.test(id), 'an incoming file is named by an id of ours');
    return join(incoming, `${id}.part`);
  };
  /** Its name makes it an import, which a start after a crash removes. */
  const unpackFolder = (id: string): string => {
    assert(/^[A-Za-z0-9_-]{1,64}$/.test(id), 'a folder is named by an id of ours');
    return join(incoming, `import-${id}.unpacked`);
  };
  /** Puts a finished file in its place. One that is there already stays only if it is what its name says. */
  const moveInto = (from: string, sha256: string): Promise<void> =>
    place(from, sha256).catch((error: unknown) => {
      throw toStorageError(error);
    });
  const place = async (from: string, sha256: string): Promise<void> => {
    const target = path(sha256);
    await mkdir(dirname(target), { recursive: true, mode: FOLDER_MODE });
    if ((await isThere(target)) && (await hashFile(target)) === sha256) {
      // Young again, so that housekeeping leaves it to the row that is about to name it.
      const now = new Date();
      await utimes(target, now, now);
      await rm(from);
      return;
    }
    await rm(target, { force: true });
    await renamePatiently(from, target);
    await syncFolder(dirname(target));
    await syncFolder(stored);
  };

  const get = async (sha256: string): Promise<Uint8Array | undefined> => {
    try {
      const bytes = await readFile(path(sha256));
      return createHash('sha256').update(bytes).digest('hex') === sha256 ? bytes : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };

  return {
    path,
    incomingPath,
    async createIncoming(id) {
      const handle = await open(incomingPath(id), 'wx', FILE_MODE).catch((error: unknown) => {
        throw toStorageError(error);
      });
      await handle.close();
      await syncFolder(incoming);
    },
    async openIncoming(id) {
      try {
        return new OpenFile(await open(incomingPath(id), 'r+'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw toStorageError(error);
      }
    },
    async openStored(sha256) {
      try {
        return new OpenFile(await open(path(sha256), 'r'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async holds(sha256) {
      return (await isThere(path(sha256))) && (await hashFile(path(sha256))) === sha256;
    },
    async clean() {
      const leftovers = (await readdir(incoming))
        .filter((name) => name.startsWith('import-'))
        .map((name) => join(incoming, name));
      const temporaries = (await readdir(stored))
        .filter((name) => name.endsWith('.tmp'))
        .map((name) => join(stored, name));
      for (const leftover of [...leftovers, ...temporaries])
        await rm(leftover, { force: true, recursive: true });
    },
    removeIncoming: (id) => rm(incomingPath(id), { force: true }),
    adopt: (id, sha256) => moveInto(incomingPath(id), sha256),
    async makeUnpackFolder(id) {
      await mkdir(unpackFolder(id), { mode: FOLDER_MODE }).catch((error: unknown) => {
        throw toStorageError(error);
      });
      return unpackFolder(id);
    },
    removeUnpackFolder: (id) => rm(unpackFolder(id), { force: true, recursive: true }),
    adoptUnpacked(from, sha256) {
      assert(dirname(dirname(from)) === incoming, 'only files that were unpacked here are moved');
      return moveInto(from, sha256);
    },
    async put(bytes) {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      if ((await get(sha256)) !== undefined) return sha256;
      const temporary = join(stored, `.${randomUUID()}.tmp`);
      try {
        const handle = await open(temporary, 'wx', FILE_MODE);
        try {
          await handle.writeFile(bytes);
          await handle.datasync();
        } finally {
          await handle.close();
        }
        await moveInto(temporary, sha256);
      } catch (error) {
        await rm(temporary, { force: true });
        throw toStorageError(error);
      }
      return sha256;
    },
    get,
    async remove(sha256, nowMs) {
      if (!(await isThere(path(sha256)))) return;
      const { mtimeMs } = await stat(path(sha256));
      if (nowMs - mtimeMs > YOUNG_MS) await rm(path(sha256), { force: true });
    },
    erase: (sha256) => rm(path(sha256), { force: true }),
    async freeBytes() {
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize;
    },
    keepReserve() {
      keeping ??= fillReserve().finally(() => {
        keeping = undefined;
      });
      return keeping;
    },
    async releaseReserve() {
      const wasThere = await isThere(reserve);
      await rm(reserve, { force: true });
      return wasThere;
    },
  };
}
