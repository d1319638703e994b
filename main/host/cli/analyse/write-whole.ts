import { rename, rm, writeFile } from 'node:fs/promises';
import { IsolineError } from '../../../../shared/errors.ts';

/** All of the file or nothing: a half-written result must not be taken for a whole one. */
export async function writeWhole(path: string, bytes: Uint8Array | string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, bytes);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new IsolineError(
      'storage_full',
      `"${path}" could not be written. Check that its folder exists and may be written to.`,
      {},
      { cause: error },
    );
  }
}
