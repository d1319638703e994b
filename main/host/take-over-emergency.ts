// What was recorded in a fresh folder while the database of the data folder was damaged joins the others, once that is whole
// again.

import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { IsolineError } from '../../shared/errors.ts';
import type { Clinic } from '../clinic/clinic.ts';
import type { Log } from '../clinic/ports.ts';
import type { Adopted } from '../clinic/tasks/adoption.ts';
import { hashFile } from '../pool/hash-file.ts';
import { openFiles } from '../store/files/files.ts';
import { EMERGENCY_FOLDER } from '../store/folder/home-folder.ts';
import { openDataStore } from './data-folder.ts';

/**
 * Nothing is deleted: the folder stays, under another name where all of it was taken over. What hinders it hinders no
 * start, and is tried at the next one.
 */
export async function takeOverEmergency(dataDir: string, clinic: Clinic, log: Log): Promise<void> {
  const folder = join(dataDir, EMERGENCY_FOLDER);
  if (!existsSync(join(folder, 'isoline.sqlite'))) return;
  try {
    const outcome = await adoptAll(folder, clinic);
    if (outcome.left === 0) await rename(folder, join(dataDir, `${EMERGENCY_FOLDER}-taken-${Date.now()}`));
    log('clinic.emergency_taken_over', { ...outcome });
  } catch (error) {
    log('clinic.emergency_left', { reason: error instanceof IsolineError ? error.reason : 'internal' });
  }
}

async function adoptAll(folder: string, clinic: Clinic): Promise<Adopted> {
  // As its one writer: it may be of an older version.
  using store = openDataStore(folder, 'writer');
  return await clinic.adoption.adopt({ store, files: await openFiles(folder, hashFile) });
}
