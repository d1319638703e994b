// Where a backup must not lie.

import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';

/** The real place of what is there of a path: the rest is made later. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPlace(parent), basename(path));
  }
}

/** @throws IsolineError `backup_unusable` for a place that is lost together with the data */
export async function requireOtherPlace(folder: string, dataDir: string): Promise<void> {
  if (!isAbsolute(folder))
    throw new IsolineError('backup_unusable', 'Name the whole path of the backup folder.');
  const [place, data] = await Promise.all([realPlace(folder), realPlace(dataDir)]);
  if (`${place}${sep}`.startsWith(`${data}${sep}`))
    throw new IsolineError(
      'backup_unusable',
      'A backup in the data folder is lost together with it. Choose another disk, or a share.',
    );
}
