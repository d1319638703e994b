// A small file that is either the old one or the new one as a whole, whatever happens meanwhile, and that
// only its owner can read.

import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { renamePatiently, syncFolder } from './durable-rename.ts';

/**
 * Writes beside the file, syncs, renames, and syncs the folder: after it returns, a power cut leaves the new
 * content.
 */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(`${path}.tmp`, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await renamePatiently(`${path}.tmp`, path);
  await syncFolder(dirname(path));
}
