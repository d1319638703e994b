// The recordings that somebody names by files, archives and folders. One group after the other is opened: what is
// unpacked or held open for one is put away before the next.

import { basename, join } from 'node:path';
import { IsolineError } from '../../../../shared/errors.ts';
import type { PoolFile } from '../../../clinic/ports.ts';
import { groupFiles } from '../../../formats/group-files.ts';
import { lookedAt } from '../../../pool/looked-at-source.ts';
import { isArchive } from '../../../pool/unpack.ts';
import { type LeftOutMember, openRecords } from '../open-records.ts';
import { isFolder, listFolder, type NamedFault } from './folder-entries.ts';
import { leftOut } from './left-out.ts';

export interface NamedRecord {
  /** Its place below what was named, without the ending: the name of its results. */
  readonly name: string;
  readonly files: readonly PoolFile[];
  /** Why it must not be read. */
  readonly fault?: string;
}

export interface RecordGroup extends Disposable {
  readonly records: readonly NamedRecord[];
  /** Files and archives that could not be opened, or that should be recordings and are none. */
  readonly failed: readonly NamedFault[];
  /** Files of a folder or an archive that are no recording and no part of one. */
  readonly ignored: readonly NamedFault[];
}

export interface GroupOptions {
  /** Tables without a rate are recordings, too: somebody has said it. */
  readonly withUntimedTables: boolean;
}

/** @param name may have folders before it */
export const withoutEnding = (name: string): string => name.replace(/\.[^./]*$/, '');

const nothing = { records: [], failed: [], ignored: [], [Symbol.dispose]: () => undefined };

/** Names without their endings, but of those that would be the same then, or nothing. */
function shortNames(names: readonly string[]): (name: string) => string {
  const counts = Map.groupBy(names, (name) => withoutEnding(name).toLowerCase());
  return (name) => {
    const short = withoutEnding(name);
    return short === '' || (counts.get(short.toLowerCase())?.length ?? 0) > 1 ? name : short;
  };
}

/** Files that lie in a folder as they are. @param prefix of their names */
function looseRecords(
  folder: string,
  prefix: string,
  names: readonly string[],
  options: GroupOptions,
): RecordGroup {
  const files = names.map((name) => ({ name, source: lookedAt(join(folder, name)) }));
  const { records, unclaimed } = groupFiles(files);
  const [found, failed, ignored]: [NamedRecord[], NamedFault[], NamedFault[]] = [[], [], []];
  const nameOf = shortNames(records.map(({ given }) => given[0]?.name ?? ''));
  for (const { given, files: local, fault } of records)
    found.push({
      name: prefix + nameOf(given[0]?.name ?? ''),
      files: local.map(({ name }, i) => ({ name, path: join(folder, given[i]?.name ?? '') })),
      ...(fault !== undefined && { fault: fault.message }),
    });
  for (const file of unclaimed) {
    const { name } = file;
    const { message, isMissed, isUntimedTable } = leftOut(file);
    if (isUntimedTable && options.withUntimedTables)
      found.push({ name: prefix + withoutEnding(name), files: [{ name, path: join(folder, name) }] });
    else (isMissed ? failed : ignored).push({ name: prefix + name, message });
  }
  return { ...nothing, records: found, failed, ignored };
}

/** Warnings of an archive by which recordings may have been missed. */
const UNOPENED: ReadonlySet<string> = new Set(['nested_archive', 'inner_archive_unreadable']);

async function openNamed(path: string, name: string): Promise<RecordGroup> {
  try {
    const opened = await openRecords(path);
    const nameOf = shortNames(opened.records.map((record) => record.name));
    const records = opened.records.map((record) => ({
      name: opened.isArchive ? `${name}/${nameOf(record.name)}` : shortNames([name])(name),
      files: record.files,
      ...(record.fault !== undefined && { fault: record.fault.message }),
    }));
    const isEmpty = opened.isArchive && records.length === 0;
    const named = (each: LeftOutMember): NamedFault => ({
      name: `${name}/${each.name}`,
      message: each.message,
    });
    const failed = [
      ...opened.warnings.filter(({ code }) => UNOPENED.has(code)).map(({ message }) => ({ name, message })),
      ...opened.leftOut.filter(({ isMissed }) => isMissed).map(named),
    ];
    const noRecording = { name, message: 'The archive contains no recording in a supported format.' };
    return {
      records,
      failed: isEmpty && failed.length === 0 ? [noRecording] : failed,
      ignored: opened.leftOut.filter(({ isMissed }) => !isMissed).map(named),
      [Symbol.dispose]: () => opened[Symbol.dispose](),
    };
  } catch (error) {
    if (!(error instanceof IsolineError)) throw error;
    return { ...nothing, failed: [{ name, message: error.message }] };
  }
}

async function* groupsOfFolder(
  folder: string,
  prefix: string,
  options: GroupOptions,
): AsyncGenerator<RecordGroup> {
  const { files, folders, failed, ignored } = listFolder(folder, prefix);
  if (failed.length + ignored.length > 0) yield { ...nothing, failed, ignored };
  const archives = files.filter((name) => isArchive({ name, path: join(folder, name) }));
  const loose = files.filter((name) => !archives.includes(name));
  yield looseRecords(folder, prefix, loose, options);
  for (const name of archives) yield openNamed(join(folder, name), prefix + name);
  for (const name of folders) yield* groupsOfFolder(join(folder, name), `${prefix}${name}/`, options);
}

export async function* recordGroups(
  paths: readonly string[],
  options: GroupOptions = { withUntimedTables: false },
): AsyncGenerator<RecordGroup> {
  for (const path of paths)
    if (isFolder(path)) yield* groupsOfFolder(path, '', options);
    else yield openNamed(path, basename(path));
}
