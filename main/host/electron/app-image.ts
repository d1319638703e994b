// An AppImage is one file that replaces itself. electron-updater deletes it before it puts the new one there, so that what
// could hinder that is found out before.

import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';

/** @throws IsolineError `update_unavailable`, `storage_full` */
export async function requireReplaceable(appImage: string, installer: string): Promise<void> {
  const folder = dirname(appImage);
  try {
    await access(folder, constants.W_OK);
  } catch {
    throw new IsolineError(
      'update_unavailable',
      'Isoline may not write where its AppImage lies. Move it into your own folder, or replace it by hand.',
    );
  }
  const { size } = await stat(installer);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < size)
    throw new IsolineError('storage_full', 'There is no room on the disk for the new version.');
}

/** The program of this process lies in a mount that goes with it: the file itself is started. */
export const startAppImage = (appImage: string): void =>
  spawn(appImage, [], { detached: true, stdio: 'ignore' }).unref();
