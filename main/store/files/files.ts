// The files of a data folder: what comes in (`incoming/`), what long work lays aside (`unfinished/`), and what stays, by
// the SHA-256 of its content (`files/ab/cdef…`). Writing order: durability reference, sections 3.1 and 3.2.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Files } from '../../clinic/ports.ts';
import { diskReserve } from './disk-reserve.ts';
import { FOLDER_MODE } from './file-modes.ts';
import { incomingFiles } from './incoming-files.ts';
import { storedFiles } from './stored-files.ts';
import { unfinishedFolders } from './unfinished-folders.ts';

/** @param hashFile SHA-256 of a file's bytes, in hexadecimal */
export async function openFiles(
  dataDir: string,
  hashFile: (path: string) => Promise<string>,
): Promise<Files> {
  const [incomingFolder, storedFolder, unfinishedFolder] = ['incoming', 'files', 'unfinished'].map((name) =>
    join(dataDir, name),
  ) as [string, string, string];
  for (const folder of [incomingFolder, storedFolder, unfinishedFolder])
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const { moveInto, cleanStored, ...stored } = storedFiles(storedFolder, hashFile);
  const { cleanIncoming, ...incoming } = incomingFiles(incomingFolder, moveInto);
  return {
    ...stored,
    ...incoming,
    ...unfinishedFolders(unfinishedFolder),
    ...diskReserve(dataDir),
    async clean() {
      await cleanIncoming();
      await cleanStored();
    },
  };
}
