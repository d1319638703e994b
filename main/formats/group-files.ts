// Sorts files that came together into records (D56; formats reference, section 5.4).

import type { RecordFile } from './byte-source.ts';
import { COMPRESSED_DELTA, sidecarName } from './compressed-delta/compressed-delta.ts';
import { detectFormat } from './content.ts';
import { WFDB, wfdbCompanions, wfdbSegmentNames } from './wfdb/wfdb.ts';

export interface GroupedRecord {
  /** As they were given, the main file first. */
  readonly given: readonly RecordFile[];
  /** The same files as the reader wants them: named without their folder. */
  readonly files: readonly [RecordFile, ...RecordFile[]];
}

const folderOf = (name: string): string => name.slice(0, name.lastIndexOf('/') + 1);
const plainName = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

/** Names of the files that may belong to a record besides its main file; `siblings` lie in the same folder. */
export function companionNames(file: RecordFile, siblings: readonly RecordFile[]): readonly string[] {
  const format = detectFormat(file);
  if (format === WFDB) return wfdbCompanions(file, siblings);
  return format === COMPRESSED_DELTA ? [sidecarName(file.name)] : [];
}

/** A file as the others of its folder know it. */
interface PlacedFile {
  readonly original: RecordFile;
  readonly folder: string;
  readonly local: RecordFile;
}

/** Never across folders: two records of one archive may have files of the same name. */
function byFolder(files: readonly RecordFile[]): Map<string, PlacedFile[]> {
  const folders = new Map<string, PlacedFile[]>();
  for (const original of files) {
    const folder = folderOf(original.name);
    const placed = { original, folder, local: { ...original, name: plainName(original.name) } };
    const known = folders.get(folder);
    if (known === undefined) folders.set(folder, [placed]);
    else known.push(placed);
  }
  return folders;
}

const byCodePoints = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Every file that is a record, or that heads one, with the files it names. Files that belong to none are `unclaimed`. Records come
 * in the order of folder and name.
 */
export function groupFiles(files: readonly RecordFile[]): { records: GroupedRecord[]; unclaimed: RecordFile[] } {
  const records: GroupedRecord[] = [];
  const claimed = new Set<RecordFile>();
  const folders = [...byFolder(files)].sort(([a], [b]) => byCodePoints(a, b));
  for (const [, placed] of folders) {
    const locals = placed.map(({ local }) => local);
    const known = placed.map((file) => ({ ...file, format: detectFormat(file.local) }));
    const segments = new Set(
      known.flatMap(({ format, local }) => (format === WFDB ? wfdbSegmentNames(local).map((name) => name.toLowerCase()) : [])),
    );
    const mains = known
      .filter(({ format, local }) => format !== undefined && !(format === WFDB && segments.has(local.name.toLowerCase())))
      .sort((a, b) => byCodePoints(a.local.name, b.local.name));
    for (const { local, original } of mains) {
      const wanted = new Set(companionNames(local, locals).map((name) => name.toLowerCase()));
      const companions = placed.filter((file) => file.local !== local && wanted.has(file.local.name.toLowerCase()));
      const given = [original, ...companions.map((companion) => companion.original)];
      records.push({ given, files: [local, ...companions.map((companion) => companion.local)] });
      for (const file of given) claimed.add(file);
    }
  }
  return { records, unclaimed: files.filter((file) => !claimed.has(file)) };
}
