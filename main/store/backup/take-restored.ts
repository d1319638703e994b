// Takes over what the first start restored, when the data folder is opened next and before anything in it is open.

import { existsSync } from 'node:fs';
import { mkdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { renamePatiently, syncFolder } from '../files/durable-rename.ts';
import { hasDamageMark, removeDamageMark } from '../folder/home-folder.ts';
import { HAS_ANY } from '../tasks/tasks.ts';

/** Inside the data folder, so that moving it is a rename. */
export const RESTORED_FOLDER = 'restored';
const DATABASE = 'isoline.sqlite';
const FILES = 'files';

/** Nothing that was recorded makes way for a backup. */
function holdsRecordings(path: string): boolean {
  if (!existsSync(path)) return false;
  const database = new Database(path);
  try {
    return database.prepare(HAS_ANY).pluck().get() === 1;
  } finally {
    database.close();
  }
}

const drop = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

/** What was restored, or half restored, and is not taken over after all. */
export async function dropRestored(dataDir: string): Promise<void> {
  await drop(join(dataDir, RESTORED_FOLDER));
  await drop(join(dataDir, `.${RESTORED_FOLDER}.restoring`));
}

/** What is damaged stays, beside what was restored: somebody may still get something out of it. */
async function setAside(dataDir: string, nowMs: number): Promise<void> {
  const aside = join(dataDir, `damaged-${nowMs}`);
  await mkdir(aside, { recursive: true, mode: 0o700 });
  // Cut off behind them, the files that are there are those of the backup already.
  const areOld = existsSync(join(dataDir, RESTORED_FOLDER, FILES));
  for (const name of [`${DATABASE}-wal`, `${DATABASE}-shm`, DATABASE, ...(areOld ? [FILES] : [])])
    if (existsSync(join(dataDir, name))) await renamePatiently(join(dataDir, name), join(aside, name));
  removeDamageMark(dataDir);
  await syncFolder(dataDir);
}

/**
 * The files first, the database last: cut off in between, the old database names none of them, and the next start
 * goes on. Does nothing where nothing was restored.
 * @returns whether something was taken over
 */
export async function takeRestored(dataDir: string, nowMs: number): Promise<boolean> {
  const restored = join(dataDir, RESTORED_FOLDER);
  const isThere = existsSync(join(restored, DATABASE));
  if (isThere && hasDamageMark(dataDir)) await setAside(dataDir, nowMs);
  if (!isThere || holdsRecordings(join(dataDir, DATABASE))) {
    // Cut off before the end or after the last rename, or something was recorded meanwhile. The backup has it all.
    await dropRestored(dataDir);
    return false;
  }
  if (existsSync(join(restored, FILES))) {
    await drop(join(dataDir, FILES));
    await renamePatiently(join(restored, FILES), join(dataDir, FILES));
    await syncFolder(dataDir);
  }
  for (const name of [`${DATABASE}-wal`, `${DATABASE}-shm`, DATABASE])
    await rm(join(dataDir, name), { force: true });
  await renamePatiently(join(restored, DATABASE), join(dataDir, DATABASE));
  await mkdir(join(dataDir, FILES), { recursive: true, mode: 0o700 });
  await syncFolder(dataDir);
  await rmdir(restored).catch(() => undefined);
  return true;
}
