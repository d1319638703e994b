// The recordings of the shelf by database, as they are scored.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { shelfFolder } from '../support/test-data.ts';

/** The development half of the MIT-BIH Arrhythmia Database without paced records (de Chazal 2004). */
export const DS1 = [
  101, 106, 108, 109, 112, 114, 115, 116, 118, 119, 122, 124, 201, 203, 205, 207, 208, 209, 215, 220, 223,
  230,
].map(String);

/** Path of a record of DS1 without its extension, or undefined where the shelf is not beside the project. */
export function ds1Path(name: string): string | undefined {
  for (const folder of ['annotated/mitdb', 'corpus/mitdb']) {
    const path = shelfFolder(folder);
    if (path !== undefined && readdirSync(path).includes(`${name}.dat`)) return join(path, name);
  }
  return undefined;
}

/** Paths, without extension, of all records of a folder. */
export const recordsIn = (path: string): string[] =>
  readdirSync(path)
    .filter((name) => name.endsWith('.hea'))
    .map((name) => join(path, name.slice(0, -'.hea'.length)));

/** The same of a folder of the shelf. */
export function recordsOf(folder: string): string[] {
  const path = shelfFolder(folder);
  return path === undefined ? [] : recordsIn(path);
}
