// The recordings that somebody names by files, archives and folders. One group after the other is opened: what is
// unpacked or held open for one is put away before the next.

import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { IsolineError } from '../../../../shared/errors.ts';
import type { PoolFile } from '../../../clinic/ports.ts';
import type { ByteSource } from '../../../formats/byte-source.ts';
import { otherContent } from '../../../formats/content.ts';
import { groupFiles } from '../../../formats/group-files.ts';
import { openFileSource } from '../../../pool/file-source.ts';
import { isArchive } from '../../../pool/unpack.ts';
import { openRecords } from '../open-records.ts';

export interface NamedRecord {
  /** Its place below what was named, without the ending: the name of its results. */
  readonly name: string;
  readonly files: readonly PoolFile[];
  /** Why it must not be read. */
  readonly fault?: string;
}

export interface RecordGroup extends Disposable {
  readonly records: readonly NamedRecord[];
  /** Files and archives that could not be opened. */
  readonly failed: readonly NamedFault[];
  /** Files of a folder or an archive that are no recording and no part of one. */
  readonly ignored: readonly NamedFault[];
}

/** A file with the sentence that says why it is not taken. */
export interface NamedFault {
  readonly name: string;
  readonly message: string;
}

/** @param name may have folders before it */
export const withoutEnding = (name: string): string => name.replace(/\.[^./]*$/, '');

/** Opened for each look: a folder may have more files than a program may hold open. */
function lookedAt(path: string): ByteSource {
  return {
    sizeBytes: statSync(path).size,
    read(offsetBytes, lengthBytes) {
      using source = openFileSource(path);
      return source.read(offsetBytes, lengthBytes);
    },
  };
}

/** Files of a folder that lie there as they are. @param prefix of their names */
function looseRecords(folder: string, prefix: string, names: readonly string[]): RecordGroup {
  const files = names.map((name) => ({ name, source: lookedAt(join(folder, name)) }));
  const { records, unclaimed } = groupFiles(files);
  return {
    records: records.map(({ given, files: local, fault }) => ({
      name: prefix + withoutEnding(given[0]?.name ?? ''),
      files: local.map(({ name }, i) => ({ name, path: join(folder, given[i]?.name ?? '') })),
      ...(fault !== undefined && { fault: fault.message }),
    })),
    failed: [],
    ignored: unclaimed.map((file) => ({
      name: prefix + file.name,
      message: otherContent(file.source).sentence,
    })),
    [Symbol.dispose]: () => undefined,
  };
}

async function openNamed(path: string, name: string): Promise<RecordGroup> {
  try {
    const opened = await openRecords(path);
    const records = opened.records.map((record) => ({
      name: opened.isArchive ? `${name}/${withoutEnding(record.name)}` : withoutEnding(name),
      files: record.files,
    }));
    const ignored = opened.ignored.map((each) => ({
      name: `${name}/${each}`,
      message: 'The file is no recording, and no part of one.',
    }));
    const isEmpty = opened.isArchive && records.length === 0;
    return {
      records,
      failed: isEmpty ? [{ name, message: 'The archive contains no recording in a supported format.' }] : [],
      ignored: isEmpty ? [] : ignored,
      [Symbol.dispose]: () => opened[Symbol.dispose](),
    };
  } catch (error) {
    if (!(error instanceof IsolineError)) throw error;
    return {
      records: [],
      failed: [{ name, message: error.message }],
      ignored: [],
      [Symbol.dispose]: () => undefined,
    };
  }
}

const byCodePoints = (a: Dirent, b: Dirent): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort(byCodePoints);
  } catch (error) {
    throw new IsolineError('file_not_found', `The folder "${folder}" may not be read.`, {}, { cause: error });
  }
}

async function* groupsOfFolder(folder: string, prefix: string): AsyncGenerator<RecordGroup> {
  const entries = entriesOf(folder);
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const archives = names.filter((name) => isArchive({ name, path: join(folder, name) }));
  const loose = names.filter((name) => !archives.includes(name));
  yield looseRecords(folder, prefix, loose);
  for (const name of archives) yield openNamed(join(folder, name), prefix + name);
  for (const entry of entries)
    if (entry.isDirectory()) yield* groupsOfFolder(join(folder, entry.name), `${prefix}${entry.name}/`);
}

export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** @throws IsolineError where a named folder cannot be read */
export async function* recordGroups(paths: readonly string[]): AsyncGenerator<RecordGroup> {
  for (const path of paths)
    if (isFolder(path)) yield* groupsOfFolder(path, '');
    else yield openNamed(path, basename(path));
}
