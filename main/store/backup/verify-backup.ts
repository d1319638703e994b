// Reads a backup back, every byte of it: what is damaged, changed or missing is found.

import { IsolineError } from '../../../shared/errors.ts';
import { type BackupFolder, contentOf, type NamedSnapshot } from './backup-folder.ts';
import { severalAtOnce } from './several-at-once.ts';

export interface VerifiedBackups {
  readonly backups: number;
  readonly files: number;
  readonly sizeBytes: number;
  readonly newest: NamedSnapshot;
}

/** @throws IsolineError `backup_unusable` where there is none */
export async function newestSnapshot(folder: BackupFolder, name?: string): Promise<NamedSnapshot> {
  const names = await folder.snapshotNames();
  const found = name === undefined ? names[0] : names.find((each) => each.startsWith(name));
  if (found === undefined)
    throw new IsolineError(
      'backup_unusable',
      name === undefined
        ? 'This folder has no finished backup in it.'
        : `There is no backup "${name}" in this folder.`,
    );
  return { name: found, snapshot: await folder.snapshot(found) };
}

/** @throws IsolineError `backup_damaged` with the first fault that is found */
export async function verifyBackups(
  folder: BackupFolder,
  onProgress: (done: number, of: number) => void = () => undefined,
): Promise<VerifiedBackups> {
  const newest = await newestSnapshot(folder);
  const names = await folder.snapshotNames();
  const content = new Map<string, number>();
  for (const name of names)
    for (const [sha256, size] of contentOf(await folder.snapshot(name))) content.set(sha256, size);
  let [done, sizeBytes] = [0, 0];
  await severalAtOnce([...content], async ([sha256, size]) => {
    await folder.check(sha256);
    sizeBytes += size;
    onProgress(++done, content.size);
  });
  return { backups: names.length, files: content.size, sizeBytes, newest };
}
