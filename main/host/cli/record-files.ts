// The files of a record that a person names on the command line: the file itself and those beside it that
// belong to it.

import { accessSync, constants, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';
import type { PoolFile } from '../../clinic/ports.ts';
import { FilesByName } from '../../formats/files-by-name.ts';
import { companionNames, doubtAmong } from '../../formats/group-files.ts';
import { lookedAt } from '../../pool/looked-at-source.ts';

function requireFile(path: string): void {
  let found: Stats;
  try {
    found = statSync(path);
    // A pipe would wait for its other end, and is not opened.
    if (found.isFile()) accessSync(path, constants.R_OK);
  } catch (error) {
    throw new IsolineError(
      'file_not_found',
      `The file "${path}" is not there or may not be read.`,
      {},
      { cause: error },
    );
  }
  if (!found.isFile()) throw new IsolineError('file_not_found', `"${path}" is not a file.`);
}

/** The named file stands first. @throws IsolineError `file_not_found`, and where it is unclear whose the files beside it are */
export function filesOfRecord(path: string): PoolFile[] {
  requireFile(path);
  const folder = dirname(resolve(path));
  const name = basename(path);
  const fileAt = (entry: string) => ({ name: entry, source: lookedAt(join(folder, entry)) });
  const main = fileAt(name);
  const beside = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && entry.name !== name ? [fileAt(entry.name)] : [],
  );
  const doubt = doubtAmong(main, beside);
  if (doubt !== undefined) throw new IsolineError(doubt.reason, doubt.message);
  const wanted = new Set(
    companionNames(main, new FilesByName([main, ...beside])).map((companion) => companion.toLowerCase()),
  );
  const companions = beside.filter((file) => wanted.has(file.name.toLowerCase()));
  return [main, ...companions].map((file) => ({ name: file.name, path: join(folder, file.name) }));
}
