// Files that are coming in, and folders that archives are unpacked into. Names from outside never become paths.

import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Files } from '../../clinic/ports.ts';
import { assert } from '../../ground/assert.ts';
import { toStorageError } from '../../ground/storage-fault.ts';
import { syncFolder } from './durable-rename.ts';
import { FILE_MODE, FOLDER_MODE } from './file-modes.ts';
import { OpenFile } from './open-file.ts';
import type { MoveInto } from './stored-files.ts';

type Incoming = Pick<
  Files,
  | 'incomingPath'
  | 'createIncoming'
  | 'openIncoming'
  | 'removeIncoming'
  | 'adopt'
  | 'makeUnpackFolder'
  | 'removeUnpackFolder'
  | 'adoptUnpacked'
>;

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** @param folder is there */
export function incomingFiles(
  folder: string,
  moveInto: MoveInto,
): Incoming & { readonly cleanIncoming: () => Promise<void> } {
  const incomingPath = (id: string): string => {
    assert(ID.test(id), 'an incoming file is named by an id of ours');
    return join(folder, `${id}.part`);
  };
  /** Its name makes it an import, which a start after a crash removes. */
  const unpackFolder = (id: string): string => {
    assert(ID.test(id), 'a folder is named by an id of ours');
    return join(folder, `import-${id}.unpacked`);
  };
  return {
    incomingPath,
    async createIncoming(id) {
      const handle = await open(incomingPath(id), 'wx', FILE_MODE).catch((error: unknown) => {
        throw toStorageError(error);
      });
      await handle.close();
      await syncFolder(folder);
    },
    async openIncoming(id) {
      try {
        return new OpenFile(await open(incomingPath(id), 'r+'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw toStorageError(error);
      }
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
      assert(dirname(dirname(from)) === folder, 'only files that were unpacked here are moved');
      return moveInto(from, sha256);
    },
    async cleanIncoming() {
      for (const name of await readdir(folder))
        if (name.startsWith('import-')) await rm(join(folder, name), { force: true, recursive: true });
    },
  };
}
