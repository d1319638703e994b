// What was recorded in a fresh folder while the database of the data folder was damaged joins the others, once that is whole
// again.

import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clinic } from '../clinic/clinic.ts';
import type { Log } from '../clinic/ports.ts';
import { hashFile } from '../pool/hash-file.ts';
import { openFiles } from '../store/files.ts';
import { EMERGENCY_FOLDER } from '../store/home-folder.ts';
import { openDataStore } from './data-folder.ts';

/** Nothing is deleted: the folder stays, under another name, in which nobody looks again. */
export async function takeOverEmergency(dataDir: string, clinic: Clinic, log: Log): Promise<void> {
  const folder = join(dataDir, EMERGENCY_FOLDER);
  if (!existsSync(join(folder, 'isoline.sqlite'))) return;
  let taken = 0;
  {
    using store = openDataStore(folder, 'command');
    taken = await clinic.adoption.adopt({ store, files: await openFiles(folder, hashFile) });
  }
  await rename(folder, join(dataDir, `${EMERGENCY_FOLDER}-taken-${Date.now()}`));
  log('clinic.emergency_taken_over', { recordings: taken });
}
