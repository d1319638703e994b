// Puts a data folder back from a backup. It is built beside its place and moved there as a whole: until then the place is
// empty, afterwards it has everything.

import { createHash } from 'node:crypto';
import { mkdir, readdir, realpath, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';
import { readDatabaseFacts } from '../database/database-copy.ts';
import { renamePatiently, syncFolder } from '../files/durable-rename.ts';
import type { BackupFolder, Snapshot } from './backup-folder.ts';
import { severalAtOnce } from './several-at-once.ts';
import { writePieces } from './write-pieces.ts';

/** The real place of a folder that is empty and can be replaced. @throws IsolineError `data_folder_unusable` */
async function requireFree(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const place = await realpath(dataDir);
  if ((await readdir(place)).length > 0)
    throw new IsolineError(
      'data_folder_unusable',
      `The folder "${dataDir}" is not empty. A backup is only restored into an empty folder, so that nothing is lost.`,
    );
  try {
    // As at the end: a mount point cannot be replaced.
    await rmdir(place);
    await mkdir(place, { mode: 0o700 });
  } catch (error) {
    throw new IsolineError(
      'data_folder_unusable',
      `The folder "${dataDir}" cannot be replaced. Name a new folder inside of it.`,
      {},
      { cause: error },
    );
  }
  return place;
}

async function restoreDatabase(
  folder: BackupFolder,
  { database, rows, audit }: Snapshot,
  path: string,
): Promise<void> {
  const hash = createHash('sha256');
  await writePieces(
    path,
    (async function* () {
      for (const [piece] of database.pieces)
        for await (const part of folder.read(piece)) {
          hash.update(part);
          yield part;
        }
    })(),
  );
  const facts = readDatabaseFacts(path);
  const isSame =
    hash.digest('hex') === database.sha256 &&
    facts.audit.seq === audit.seq &&
    facts.audit.hash === audit.hash &&
    Object.entries(rows).every(([table, count]) => facts.rows[table] === count);
  if (!isSame) throw new IsolineError('backup_damaged', 'The database of the backup is damaged.');
}

/**
 * @param dataDir must be empty, or not be there
 * @throws IsolineError `data_folder_unusable`, `backup_damaged`; then nothing is in its place
 */
export async function restoreBackup(
  folder: BackupFolder,
  snapshot: Snapshot,
  dataDir: string,
  onProgress: (done: number, of: number) => void = () => undefined,
): Promise<void> {
  const place = await requireFree(dataDir);
  const parent = dirname(place);
  const building = join(parent, `.${basename(place)}.restoring`);
  // What a restore that was cut off has left goes first.
  await rm(building, { recursive: true, force: true });
  await mkdir(building, { recursive: true, mode: 0o700 });
  try {
    await restoreDatabase(folder, snapshot, join(building, 'isoline.sqlite'));
    await mkdir(join(building, 'files'), { mode: 0o700 });
    const prefixes = new Set(snapshot.files.map(([sha256]) => join(building, 'files', sha256.slice(0, 2))));
    for (const prefix of prefixes) await mkdir(prefix, { mode: 0o700 });
    let done = 0;
    await severalAtOnce(snapshot.files, async ([sha256]) => {
      const path = join(building, 'files', sha256.slice(0, 2), sha256.slice(2));
      await writePieces(path, folder.read(sha256));
      onProgress(++done, snapshot.files.length);
    });
    for (const prefix of [...prefixes, join(building, 'files'), building]) await syncFolder(prefix);
    await rmdir(place);
    await renamePatiently(building, place);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(parent);
}
