// Makes a backup of a data folder while others work in it: first the database as it is at one moment, then every file that lies
// there, then the list of both. Files never change, so that a file that came later does no harm, and one that is there already
// in the backup is not copied again.

import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { copyDatabase, readDatabaseFacts } from '../database-copy.ts';
import { type BackupFolder, contentOf, type Snapshot } from './backup-folder.ts';
import { readPieces } from './read-pieces.ts';
import { severalAtOnce } from './several-at-once.ts';

/** Pages of a database stay where they are: what nobody changed is in the backup already. */
const PIECE_BYTES = 4 * 2 ** 20;
const WORK_FOLDER = 'backup-work';
/** No backup takes that long. */
const LEFT_MS = 24 * 3_600_000;

export interface BackupOptions {
  readonly dataDir: string;
  readonly productVersion: string;
  readonly nowMs: number;
  readonly signal?: AbortSignal;
  onProgress?(progress: BackupProgress): void;
}

export interface BackupProgress {
  readonly doneFiles: number;
  readonly files: number;
}

export interface MadeBackup {
  readonly name: string;
  readonly files: number;
  readonly sizeBytes: number;
  /** Copied, because no earlier backup had them. */
  readonly newFiles: number;
  readonly newBytes: number;
  /** Named by the database, and not there or not what their name says. */
  readonly missing: readonly string[];
}

interface StoredFile {
  readonly sha256: string;
  readonly path: string;
  readonly sizeBytes: number;
}

async function storedFiles(dataDir: string): Promise<StoredFile[]> {
  const root = join(dataDir, 'files');
  const found: StoredFile[] = [];
  for (const prefix of await readdir(root)) {
    if (!/^[0-9a-f]{2}$/.test(prefix)) continue;
    for (const rest of await readdir(join(root, prefix))) {
      if (!/^[0-9a-f]{62}$/.test(rest)) continue;
      const path = join(root, prefix, rest);
      // One that housekeeping took away meanwhile is named by nothing.
      const { size } = (await stat(path).catch(() => undefined)) ?? {};
      if (size !== undefined) found.push({ sha256: prefix + rest, path, sizeBytes: size });
    }
  }
  return found;
}

class WrongContent extends Error {}

/** As it is read; fails at the end where it is not what its name says. */
async function* checked(path: string, sha256: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const part of readPieces(path)) {
    hash.update(part);
    yield part;
  }
  if (hash.digest('hex') !== sha256) throw new WrongContent(sha256);
}

/** @returns whether it is in the backup now */
async function copyFile(folder: BackupFolder, { path, sha256 }: StoredFile): Promise<boolean> {
  try {
    await folder.put(sha256, checked(path, sha256));
  } catch (error) {
    if (error instanceof WrongContent || (error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  // Written is not yet kept: it counts once it can be read.
  await folder.check(sha256);
  return true;
}

async function copyPieces(
  folder: BackupFolder,
  path: string,
): Promise<{ database: Snapshot['database']; newBytes: number }> {
  const whole = createHash('sha256');
  const pieces: [string, number][] = [];
  let [sizeBytes, newBytes] = [0, 0];
  await using file = await open(path, 'r');
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, sizeBytes);
    if (bytesRead === 0) break;
    const bytes = buffer.subarray(0, bytesRead);
    whole.update(bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (!(await folder.has(sha256, bytesRead))) {
      await folder.put(
        sha256,
        (async function* () {
          yield bytes;
        })(),
      );
      await folder.check(sha256);
      newBytes += bytesRead;
    }
    pieces.push([sha256, bytesRead]);
    sizeBytes += bytesRead;
  }
  return { database: { sizeBytes, sha256: whole.digest('hex'), pieces }, newBytes };
}

/** What others left that were cut off goes; one that still runs is younger. */
async function makeWorkFolder(root: string, nowMs: number): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (const name of await readdir(root)) {
    const { mtimeMs } = await stat(join(root, name));
    if (nowMs - mtimeMs > LEFT_MS) await rm(join(root, name), { recursive: true, force: true });
  }
  const work = join(root, randomUUID());
  await mkdir(work, { mode: 0o700 });
  return work;
}

/** @throws IsolineError `database_damaged`, `backup_damaged`; whatever the disk says */
export async function makeBackup(folder: BackupFolder, options: BackupOptions): Promise<MadeBackup> {
  const { dataDir, productVersion, nowMs, signal, onProgress } = options;
  const work = await makeWorkFolder(join(dataDir, WORK_FOLDER), nowMs);
  try {
    const copy = join(work, `${randomUUID()}.sqlite`);
    await copyDatabase(join(dataDir, 'isoline.sqlite'), copy);
    const { named, ...facts } = readDatabaseFacts(copy);
    const { database, newBytes: databaseBytes } = await copyPieces(folder, copy);
    const all = await storedFiles(dataDir);
    const files: [string, number][] = [];
    let [newFiles, newBytes, doneFiles] = [0, databaseBytes, 0];
    await severalAtOnce(all, async (file) => {
      signal?.throwIfAborted();
      const isKnown = await folder.has(file.sha256, file.sizeBytes);
      if (isKnown || (await copyFile(folder, file))) files.push([file.sha256, file.sizeBytes]);
      if (!isKnown) [newFiles, newBytes] = [newFiles + 1, newBytes + file.sizeBytes];
      onProgress?.({ doneFiles: ++doneFiles, files: all.length });
    });
    files.sort(([a], [b]) => (a < b ? -1 : 1));
    const there = new Set(files.map(([sha256]) => sha256));
    const missing = [...named].filter((sha256) => !there.has(sha256)).sort();
    const snapshot: Snapshot = {
      format: 1,
      headerSha256: folder.headerSha256,
      createdMs: nowMs,
      productVersion,
      ...facts,
      database,
      files,
      missing,
    };
    const name = await folder.putSnapshot(snapshot);
    await folder.snapshot(name);
    const sizeBytes = [...contentOf(snapshot).values()].reduce((sum, size) => sum + size, 0);
    return { name, files: files.length, sizeBytes, newFiles, newBytes, missing };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
