// The files of a record that a person names on the command line: the file itself and those beside it that
// belong to it.

import { closeSync, openSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';
import type { PoolFile } from '../../clinic/ports.ts';
import { FilesByName } from '../../formats/files-by-name.ts';
import { companionNames } from '../../formats/group-files.ts';
import { type FileSource, openFileSource } from '../../pool/file-source.ts';

function requireFile(path: string): void {
  let isFile: boolean;
  try {
    isFile = statSync(path).isFile();
    closeSync(openSync(path, 'r'));
  } catch (error) {
    throw new IsolineError(
      'file_not_found',
      `The file "${path}" is not there or may not be read.`,
      {},
      { cause: error },
    );
  }
  if (!isFile) throw new IsolineError('file_not_found', `"${path}" is not a file.`);
}

/** The named file stands first. @throws IsolineError `file_not_found` */
export function filesOfRecord(path: string): PoolFile[] {
  requireFile(path);
  const folder = dirname(resolve(path));
  const name = basename(path);
  const main = { name, source: openFileSource(path) };
  const open: { name: string; source: FileSource }[] = [main];
  const here = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && entry.name !== name ? [entry.name] : [],
  );
  const companions = (): string[] => {
    const wanted = new Set(
      companionNames(main, new FilesByName(open)).map((companion) => companion.toLowerCase()),
    );
    return here.filter((entry) => wanted.has(entry.toLowerCase()));
  };
  try {
    // The headers of segments name further files: they are looked into, and then asked once more.
    for (const header of companions().filter((entry) => entry.toLowerCase().endsWith('.hea')))
      open.push({ name: header, source: openFileSource(join(folder, header)) });
    return [name, ...companions()].map((entry) => ({ name: entry, path: join(folder, entry) }));
  } finally {
    for (const { source } of open) source.close();
  }
}
