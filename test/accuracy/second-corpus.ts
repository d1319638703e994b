// The second corpus of the shelf, which comes packed: laid out once beside other temporary files.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shelfFolder } from '../support/test-data.ts';

/** @returns where its databases lie; undefined where the shelf is not beside the project @throws Error where it cannot be unpacked */
export function secondCorpus(...databases: readonly string[]): string | undefined {
  const packed = shelfFolder('corpus2');
  if (packed === undefined) return undefined;
  const folder = join(tmpdir(), 'isoline-corpus2');
  if (databases.some((database) => !existsSync(join(folder, database)))) {
    const { status, stderr } = spawnSync(join(packed, 'unpack'), [folder, ...databases], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`The second corpus cannot be unpacked: ${stderr}`);
  }
  return folder;
}
