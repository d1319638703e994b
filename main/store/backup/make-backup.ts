// Makes a backup of a data folder while others work in it: first the database as it is at one moment, then every file that lies
// there, then the list of both. Files never change, so that a file that came later does no harm, and one that is there already
// in the backup is not copied again.

import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';
import { copyDatabase, readDatabaseFacts } from '../database/database-copy.ts';
import { type BackupFolder, contentOf, type Snapshot } from './backup-folder.ts';
import { readPieces } from './read-pieces.ts';
import { severalAtOnce } from './several-at-once.ts';

/** Pages of a database stay where they are: what nobody changed is in the backup already. */
const PIECE_BYTES = 4 * 2 ** 20;
export const WORK_FOLDER = 'backup-work';
/** No backup takes that long. */
const LEFT_MS = 24 * 3_600_000;

export interface BackupOptions {
  readonly dataDir: string;
  readonly productVersion: string;
  readonly nowMs: number;
  /** The name of the folder for its work, for whoever clears up behind a thread that was ended. */
  readonly workName?: string;
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
  /** Named by the database, and not in the data folder or not what their name says. */
  readonly lost: readonly string[];
  /** The files that the backup does not have from before. */
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
      // No row names a file that housekeeping has taken away meanwhile.
      const { size } = (await stat(path).catch(() => undefined)) ?? {};
      if (size !== undefined) found.push({ sha256: prefix + rest, path, sizeBytes: size });
    }
  }
  return found;
}

/** The file of the data folder is not there, or not what its name says. */
class Lost extends Error {}

/** As it is read; fails at the end where it is not what its name says. */
async function* checked(path: string, sha256: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  try {
    for await (const part of readPieces(path)) {
      hash.update(part);
      yield part;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Lost(sha256);
    throw error;
  }
  if (hash.digest('hex') !== sha256) throw new Lost(sha256);
}

/** @returns whether it is in the backup now */
async function copyFile(folder: BackupFolder, { path, sha256 }: StoredFile): Promise<boolean> {
  try {
    await folder.put(sha256, checked(path, sha256));
  } catch (error) {
    if (error instanceof Lost) return false;
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
    if (!(await folder.keeps(sha256, bytesRead))) {
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
async function makeWorkFolder(root: string, name: string, nowMs: number): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (const other of await readdir(root)) {
    const { mtimeMs } = await stat(join(root, other));
    if (nowMs - mtimeMs > LEFT_MS) await rm(join(root, other), { recursive: true, force: true });
  }
  const work = join(root, name);
  await mkdir(work, { mode: 0o700 });
  return work;
}

/** The newest list, to go on from. @throws IsolineError `backup_unusable` where it is of another workstation */
async function previousOf(folder: BackupFolder, installationId: string): Promise<Snapshot | undefined> {
  const [name] = await folder.snapshotNames();
  if (name === undefined) return undefined;
  const previous = await folder.snapshot(name);
  if (previous.installationId !== installationId)
    throw new IsolineError(
      'backup_unusable',
      'This folder has the backups of another workstation, or of this one before it was restored. Choose an empty folder.',
    );
  return previous;
}

interface CopiedFiles {
  readonly files: [string, number][];
  readonly newFiles: number;
  readonly newBytes: number;
}

async function copyFiles(folder: BackupFolder, { dataDir, onProgress }: BackupOptions): Promise<CopiedFiles> {
  const all = await storedFiles(dataDir);
  const files: [string, number][] = [];
  let [newFiles, newBytes, doneFiles] = [0, 0, 0];
  await severalAtOnce(all, async (file) => {
    const isKnown = await folder.keeps(file.sha256, file.sizeBytes);
    if (isKnown || (await copyFile(folder, file))) files.push([file.sha256, file.sizeBytes]);
    if (!isKnown) [newFiles, newBytes] = [newFiles + 1, newBytes + file.sizeBytes];
    onProgress?.({ doneFiles: ++doneFiles, files: all.length });
  });
  return { files, newFiles, newBytes };
}

/** What this computer has lost since, the backup keeps. */
async function stillThere(
  folder: BackupFolder,
  previous: Snapshot | undefined,
  lost: ReadonlySet<string>,
): Promise<[string, number][]> {
  const kept: [string, number][] = [];
  for (const [sha256, sizeBytes] of previous?.files ?? [])
    if (lost.has(sha256) && (await folder.keeps(sha256, sizeBytes))) kept.push([sha256, sizeBytes]);
  return kept;
}

/** The list last; then everything in it is looked for once more, so that nothing that others took away is promised. */
async function conclude(folder: BackupFolder, snapshot: Snapshot): Promise<string> {
  await folder.requireThere();
  const name = await folder.putSnapshot(snapshot);
  await folder.snapshot(name);
  for (const [sha256, sizeBytes] of contentOf(snapshot))
    if (!(await folder.has(sha256, sizeBytes))) {
      await folder.removeSnapshots([name]);
      throw new IsolineError(
        'backup_damaged',
        'A file of the backup went away while it was made. Make it again.',
      );
    }
  return name;
}

/** @throws IsolineError `database_damaged`, `backup_damaged`, `backup_unusable`; whatever the disk says */
export async function makeBackup(folder: BackupFolder, options: BackupOptions): Promise<MadeBackup> {
  const { dataDir, productVersion, nowMs } = options;
  const work = await makeWorkFolder(join(dataDir, WORK_FOLDER), options.workName ?? randomUUID(), nowMs);
  try {
    const copy = join(work, 'copy.sqlite');
    await copyDatabase(join(dataDir, 'isoline.sqlite'), copy);
    const { named, ...facts } = readDatabaseFacts(copy);
    const previous = await previousOf(folder, facts.installationId);
    const { database, newBytes: databaseBytes } = await copyPieces(folder, copy);
    // The copy is not encrypted, so it is removed as soon as it has been read.
    await rm(copy);
    const { files, newFiles, newBytes } = await copyFiles(folder, options);
    const onDisk = new Set(files.map(([sha256]) => sha256));
    const lost = [...named].filter((sha256) => !onDisk.has(sha256)).sort();
    files.push(...(await stillThere(folder, previous, new Set(lost))));
    files.sort(([a], [b]) => (a < b ? -1 : 1));
    const inBackup = new Set(files.map(([sha256]) => sha256));
    const missing = lost.filter((sha256) => !inBackup.has(sha256));
    const { headerSha256 } = folder;
    const snapshot: Snapshot = {
      format: 1,
      headerSha256,
      createdMs: nowMs,
      productVersion,
      ...facts,
      database,
      files,
      missing,
    };
    const name = await conclude(folder, snapshot);
    const sizeBytes = [...contentOf(snapshot).values()].reduce((sum, size) => sum + size, 0);
    return {
      name,
      files: files.length,
      sizeBytes,
      newFiles,
      newBytes: databaseBytes + newBytes,
      lost,
      missing,
    };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
