// Sorts files that came together into records (D56; formats reference, section 5.4).

import type { RecordFile } from './byte-source.ts';
import { detectFormat } from './content.ts';
import { FilesByName } from './files-by-name.ts';
import { type RecordFormat, type RefusedRecord, refused } from './format.ts';

export interface GroupedRecord {
  /** As they were given, the main file first. */
  readonly given: readonly RecordFile[];
  /** The same files as the reader wants them: named without their folder. */
  readonly files: readonly [RecordFile, ...RecordFile[]];
  /** Why the record must not be read. */
  readonly fault?: RefusedRecord;
}

const folderOf = (name: string): string => name.slice(0, name.lastIndexOf('/') + 1);
const plainName = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

/** Names of the files that may belong to a record besides its main file, whether they are there or not. */
export function companionNames(file: RecordFile, folder: FilesByName): readonly string[] {
  return detectFormat(file)?.companionNames?.(file, folder) ?? [];
}

/** One wrong guess would put the samples of one patient under the name of another. */
const unclear = (name: string): RefusedRecord =>
  refused(
    'record_unreadable',
    `Two of the files are named "${name}"; which belongs to the recording is unclear. Add one folder at a time.`,
  );

const notItsOwn = (name: string, samples: string): RefusedRecord =>
  refused(
    'record_unreadable',
    `"${name}" names "${samples}" as its samples, but these may belong to another recording. Put each recording into a folder of its own, under the names that its files had at first.`,
  );

interface MainFile {
  readonly file: RecordFile;
  readonly format: RecordFormat;
}

/**
 * The files of a folder that are records or head one. What another names as its part is no record of its own, though it may look like
 * one: the signal file of a record may be a FLAC stream, and samples may look like any format.
 */
function mainFiles(files: readonly RecordFile[], folder: FilesByName): MainFile[] {
  const known = files.flatMap((file): MainFile[] => {
    const format = detectFormat(file);
    return format === undefined ? [] : [{ file, format }];
  });
  const parts = new Set(
    known.flatMap(({ file, format }) =>
      [...(format.partNames?.(file, folder) ?? [])].map((name) => name.toLowerCase()),
    ),
  );
  return known.filter(({ file }) => !parts.has(file.name.toLowerCase()));
}

/** @returns the files beside the main one, or the first name that more than one file has */
function companionsOf({ file, format }: MainFile, folder: FilesByName): RecordFile[] | string {
  const companions = new Set<RecordFile>();
  for (const name of format.companionNames?.(file, folder) ?? []) {
    const [found, ...others] = folder.candidates(name).filter((candidate) => candidate !== file);
    if (others.length > 0) return name;
    if (found !== undefined) companions.add(found);
  }
  return companions.size > 0 && folder.candidates(file.name).length > 1 ? file.name : [...companions];
}

const beforeEnding = (name: string): string => name.replace(/\.[^.]*$/, '');
const endingOf = (name: string): string => /\.[^.]*$/.exec(name)?.[0] ?? '';

const doubtfulOf = ({ file, format }: MainFile): readonly string[] => format.doubtfulNames?.(file) ?? [];

/** How many copied or renamed recordings name a file, by its name in small letters. */
function countClaims(mains: readonly MainFile[]): ReadonlyMap<string, number> {
  const claims = new Map<string, number>();
  for (const name of mains.flatMap(doubtfulOf))
    claims.set(name.toLowerCase(), (claims.get(name.toLowerCase()) ?? 0) + 1);
  return claims;
}

/** Whether a file that a copied or renamed one names may be another's: that has its name, or this one has one of its own beside it. */
function doubtOf(
  main: MainFile,
  claims: ReadonlyMap<string, number>,
  folder: FilesByName,
): RefusedRecord | undefined {
  const { name: mainName } = main.file;
  const isDoubtful = (name: string): boolean =>
    folder.find(`${beforeEnding(mainName)}${endingOf(name)}`) !== undefined ||
    folder.find(`${beforeEnding(name)}${endingOf(mainName)}`) !== undefined ||
    (claims.get(name.toLowerCase()) ?? 0) > 1;
  const doubtful = doubtfulOf(main).find(isDoubtful);
  return doubtful === undefined ? undefined : notItsOwn(mainName, doubtful);
}

/** Why a file that is named alone is not read with those that it names. @param beside the other files of its folder */
export function doubtAmong(file: RecordFile, beside: readonly RecordFile[]): RefusedRecord | undefined {
  const format = detectFormat(file);
  return format?.doubtfulNames?.(file).length
    ? groupFiles([file, ...beside]).records.find(({ given }) => given[0] === file)?.fault
    : undefined;
}

const byCodePoints = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Every file that is a record, or that heads one, with the files it names: never across folders, since two
 * records of one archive may have files of the same name. Files that belong to none are `unclaimed`. Records
 * come in the order of folder and name.
 */
export function groupFiles(files: readonly RecordFile[]): {
  records: GroupedRecord[];
  unclaimed: RecordFile[];
} {
  const records: GroupedRecord[] = [];
  const claimed = new Set<RecordFile>();
  const folders = [...Map.groupBy(files, ({ name }) => folderOf(name))].sort(([a], [b]) =>
    byCodePoints(a, b),
  );
  for (const [, inFolder] of folders) {
    const givenAs = new Map(inFolder.map((given) => [{ ...given, name: plainName(given.name) }, given]));
    const locals = [...givenAs.keys()];
    const folder = new FilesByName(locals);
    const mains = mainFiles(locals, folder).sort((a, b) => byCodePoints(a.file.name, b.file.name));
    const claims = countClaims(mains);
    for (const main of mains) {
      const companions = companionsOf(main, folder);
      const fault = typeof companions === 'string' ? unclear(companions) : doubtOf(main, claims, folder);
      const local: GroupedRecord['files'] = [
        main.file,
        ...(typeof companions === 'string' ? [] : companions),
      ];
      const given = local.map((file) => givenAs.get(file) as RecordFile);
      records.push({ given, files: local, ...(fault !== undefined && { fault }) });
      for (const file of given) claimed.add(file);
    }
  }
  return { records, unclaimed: files.filter((file) => !claimed.has(file)) };
}
