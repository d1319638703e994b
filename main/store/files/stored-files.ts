// Files that stay, by the SHA-256 of their content (`ab/cdef…`).

import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Files } from '../../clinic/ports.ts';
import { assert } from '../../ground/assert.ts';
import { toStorageError } from '../../ground/storage-fault.ts';
import { renamePatiently, syncFolder } from './durable-rename.ts';
import { FILE_MODE, FOLDER_MODE } from './file-modes.ts';
import { isThere, OpenFile } from './open-file.ts';

/** A file this young may be about to be named by a row that is not committed yet. */
const YOUNG_MS = 3_600_000;

/** Puts a finished file, whose bytes are on the disk, in its place by content. */
export type MoveInto = (from: string, sha256: string) => Promise<void>;

interface StoredFiles
  extends Pick<Files, 'path' | 'openStored' | 'holds' | 'put' | 'get' | 'sizeBytes' | 'remove' | 'erase'> {
  readonly moveInto: MoveInto;
  cleanStored(): Promise<void>;
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** @param stored folder that is there @param hashFile SHA-256 of a file's bytes, in hexadecimal */
export function storedFiles(stored: string, hashFile: (path: string) => Promise<string>): StoredFiles {
  const path = (sha256: string): string => {
    assert(/^[0-9a-f]{64}$/.test(sha256), 'a file is named by a SHA-256');
    return join(stored, sha256.slice(0, 2), sha256.slice(2));
  };
  /** One that is there already stays only if it is what its name says. */
  const place: MoveInto = async (from, sha256) => {
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
  const moveInto: MoveInto = (from, sha256) =>
    place(from, sha256).catch((error: unknown) => {
      throw toStorageError(error);
    });
  const get = async (sha256: string): Promise<Uint8Array | undefined> => {
    try {
      const bytes = await readFile(path(sha256));
      return digestOf(bytes) === sha256 ? bytes : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
  return {
    path,
    moveInto,
    get,
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
    async sizeBytes(sha256) {
      return (await stat(path(sha256)).catch(() => undefined))?.size ?? 0;
    },
    async put(bytes) {
      const sha256 = digestOf(bytes);
      if ((await get(sha256)) !== undefined) return sha256;
      const temporary = join(stored, `.${randomUUID()}.tmp`);
      try {
        await writeNew(temporary, bytes);
        await moveInto(temporary, sha256);
      } catch (error) {
        await rm(temporary, { force: true });
        throw toStorageError(error);
      }
      return sha256;
    },
    async remove(sha256, nowMs) {
      if (!(await isThere(path(sha256)))) return;
      const { mtimeMs } = await stat(path(sha256));
      if (nowMs - mtimeMs > YOUNG_MS) await rm(path(sha256), { force: true });
    },
    erase: (sha256) => rm(path(sha256), { force: true }),
    async cleanStored() {
      for (const name of await readdir(stored))
        if (name.endsWith('.tmp')) await rm(join(stored, name), { force: true });
    },
  };
}

async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'wx', FILE_MODE);
  try {
    await handle.writeFile(bytes);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
