// Files for other programs, which watch a folder of theirs.

import { randomUUID } from 'node:crypto';
import { constants, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A file is there whole or not at all: whoever watches the folder sees it under its name only when it is
 * complete.
 */
export async function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  // A name that nobody can foresee, and never through a link: others may write into this folder (SEC37).
  const unfinished = join(folder, `.${name}-${randomUUID()}.tmp`);
  const file = await open(
    unfinished,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0),
    0o600,
  );
  try {
    await file.writeFile(bytes);
    // The practice system may run under another account: whoever may read the folder may read its results,
    // and nobody else.
    await file.chmod((await stat(folder)).mode & 0o666);
    await file.sync();
    await file.close();
    await rename(unfinished, join(folder, name));
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}
