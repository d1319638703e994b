// The thread that makes backups, reads them back and restores them: entry of a worker. It has the data folder and
// the backup's key for as long as its one piece of work takes.

import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { IsolineError, type PlainError, toPlainError } from '../../../shared/errors.ts';
import { assert } from '../../ground/assert.ts';
import { toStorageError } from '../../ground/storage-fault.ts';
import { MIGRATIONS } from '../database/migrate.ts';
import { BackupFolder } from './backup-folder.ts';
import type { BackupAnswer, BackupOrder } from './backup-maker.ts';
import { requireOtherPlace } from './backup-place.ts';
import { makeBackup } from './make-backup.ts';
import { pruneBackups } from './prune-backups.ts';
import { restoreBackup } from './restore-backup.ts';
import { dropRestored, RESTORED_FOLDER } from './take-restored.ts';
import { newestSnapshot, verifyBackups } from './verify-backup.ts';

const TELL_MS = 250;

/**
 * A database of a newer version could not be opened any more once it is in its place.
 * @throws IsolineError `database_newer`
 */
async function requireReadable(dataDir: string, path: string): Promise<void> {
  const database = new Database(path, { readonly: true });
  const version = database.pragma('user_version', { simple: true }) as number;
  database.close();
  if (version <= (MIGRATIONS.at(-1)?.id ?? 0)) return;
  await dropRestored(dataDir);
  throw new IsolineError(
    'database_newer',
    'The backup was made by a newer version of Isoline. Install that version.',
  );
}

async function work(
  order: BackupOrder,
  onProgress: (done: number, of: number) => void,
): Promise<BackupAnswer> {
  const { job, folder, secret, dataDir, productVersion } = order;
  await requireOtherPlace(folder, dataDir);
  const isThere = await BackupFolder.isOne(folder);
  // Only somebody who sets one up makes a new one: a disk that is not plugged in is no empty folder.
  const open =
    isThere || job !== 'open'
      ? await BackupFolder.open(folder, secret)
      : await BackupFolder.make(folder, secret);
  if (job === 'open') return { files: 0, sizeBytes: 0, lost: 0 };
  if (job === 'restore') {
    const { snapshot } = await newestSnapshot(open);
    const restored = join(dataDir, RESTORED_FOLDER);
    await restoreBackup(open, snapshot, restored, onProgress);
    await requireReadable(dataDir, join(restored, 'isoline.sqlite'));
    return { files: snapshot.files.length, sizeBytes: 0, lost: snapshot.missing.length };
  }
  if (job === 'verify') {
    const { files, sizeBytes } = await verifyBackups(open, onProgress);
    return { files, sizeBytes, lost: 0 };
  }
  const nowMs = Date.now();
  const { files, sizeBytes, lost } = await makeBackup(open, {
    workName: order.workName,
    dataDir,
    productVersion,
    nowMs,
    onProgress: ({ doneFiles, files: all }) => onProgress(doneFiles, all),
  });
  // The new one is good, whatever became of the old ones: they are looked at again tomorrow.
  await pruneBackups(open, nowMs).catch(() => 0);
  return { files, sizeBytes, lost: lost.length };
}

/** What the database says is about this computer; what the file system says, about the folder of the backup. */
function asBackupError(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  if (error instanceof IsolineError || typeof code !== 'string') return error;
  if (/^(SQLITE_|ENOSPC$|EDQUOT$)/.test(code)) return toStorageError(error);
  return new IsolineError('backup_unusable', 'The folder of the backup cannot be read or written.', { code });
}

async function main(): Promise<void> {
  const parent = parentPort;
  assert(parent !== null, 'this file is the entry of a worker thread');
  let toldMs = 0;
  const onProgress = (done: number, of: number): void => {
    const nowMs = performance.now();
    if (done < of && nowMs - toldMs < TELL_MS) return;
    toldMs = nowMs;
    parent.postMessage({ progress: { done, of } });
  };
  try {
    parent.postMessage({ answer: await work(workerData as BackupOrder, onProgress) });
  } catch (error) {
    // The border of the thread.
    parent.postMessage({ error: toPlainError(asBackupError(error)) satisfies PlainError });
  }
}

void main();
