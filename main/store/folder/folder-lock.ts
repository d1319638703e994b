// One clinic per data folder: an exclusive lock that vanishes with the process, however it ends (durability
// reference, 3.4). `lock.json` beside it is for the sentence that names the holder, nothing else.

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { IsolineError } from '../../../shared/errors.ts';
import { isStorageError, toStorageError } from '../../ground/storage-fault.ts';

/**
 * Makes a folder and its parents. Node's own recursive way never ends where a parent exists and still refuses
 * children.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** A folder that was made by hand may be open to others (SEC62). */
function closeFolder(path: string): void {
  if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return;
  try {
    chmodSync(path, 0o700);
  } catch {
    // Somebody else's folder, or a file system without modes: its owner decides.
  }
}

export interface FolderLock extends Disposable {
  release(): void;
}

function describeHolder(dataDir: string): string {
  try {
    const holder = JSON.parse(readFileSync(join(dataDir, 'lock.json'), 'utf8')) as {
      pid?: unknown;
      startedMs?: unknown;
    };
    const since =
      typeof holder.startedMs === 'number'
        ? new Date(holder.startedMs).toISOString().slice(0, 16).replace('T', ' ')
        : 'an unknown time';
    return `process ${String(holder.pid)}, running since ${since} UTC`;
  } catch {
    // The file only serves this sentence: without it the sentence is shorter.
    return 'another process';
  }
}

/** @throws IsolineError `data_folder_in_use` with the holder named, or `data_folder_unusable`. */
export function lockFolder(dataDir: string, nowMs: number): FolderLock {
  let db: Database.Database | undefined;
  try {
    makeFolder(dataDir);
    closeFolder(dataDir);
    db = new Database(join(dataDir, 'lock.sqlite'), { timeout: 0 });
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    const code = (error as { code?: string }).code ?? '';
    if (code.startsWith('SQLITE_BUSY'))
      throw new IsolineError(
        'data_folder_in_use',
        `This data folder is in use by ${describeHolder(dataDir)}. Close that one first, or choose another folder.`,
        {},
        { cause: error },
      );
    const known = toStorageError(error);
    if (isStorageError(known) && known.reason !== 'storage_read_only') throw known;
    throw new IsolineError(
      'data_folder_unusable',
      'The data folder cannot be used. Check that it is a folder on this computer that may be written to.',
      { code },
      { cause: error },
    );
  }
  const held = db;
  const note = join(dataDir, 'lock.json');
  try {
    writeFileSync(note, JSON.stringify({ pid: process.pid, startedMs: nowMs }), { mode: 0o600 });
  } catch {
    // On a full disk: without it the sentence that names the holder is shorter.
  }
  const release = (): void => {
    if (!held.open) return;
    rmSync(note, { force: true });
    held.close();
  };
  return { release, [Symbol.dispose]: release };
}
