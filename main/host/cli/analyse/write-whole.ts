// Files and folders of results.

import { mkdirSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { IsolineError, type Reason } from '../../../../shared/errors.ts';
import { isStorageError, toStorageError } from '../../../ground/storage-fault.ts';

/** What the disk says, or that the place cannot be used. */
export function reasonOf(error: unknown): Reason {
  const known = toStorageError(error);
  return isStorageError(known) ? known.reason : 'folder_unusable';
}

/** @throws IsolineError where there can be none */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new IsolineError(
      reasonOf(error),
      `The folder "${path}" could not be made. Name one in a place that may be written to.`,
      {},
      { cause: error },
    );
  }
}

export const unwritable = (path: string, cause: unknown): IsolineError =>
  new IsolineError(
    reasonOf(cause),
    `"${path}" could not be written. Check that its folder exists and may be written to.`,
    {},
    { cause },
  );

/** All of the file or nothing: a half-written result must not be taken for a whole one. */
export async function writeWhole(path: string, bytes: Uint8Array | string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, bytes);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw unwritable(path, error);
  }
}
