// The two steps that make a renamed file stay (durability reference, 3.1), for all files of a data folder.

import { open, rename } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const RENAME_TRIES = 10;
const RENAME_PAUSE_MS = 200;

/** A rename is on the disk once its folder is. Windows can't sync a folder and doesn't need it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** On Windows a virus scanner may hold a new file for a moment. */
export async function renamePatiently(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (attempt === RENAME_TRIES || !['EPERM', 'EACCES', 'EBUSY'].includes(code)) throw error;
      await wait(RENAME_PAUSE_MS);
    }
  }
}
