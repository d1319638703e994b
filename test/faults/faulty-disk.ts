// The preloaded disk that is slow or fails (faulty-disk.c), built with the system's compiler.

import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../support/test-data.ts';

export interface FaultyDisk {
  /** For the environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** From now on, until `heal`. Without an error it is only slow. */
  plan(operation: 'sync' | 'write' | 'all', delayMs: number, error?: 'EIO' | 'ENOSPC' | 'EROFS'): void;
  heal(): void;
}

/** Why it can't be had here, if so. */
export const faultyDiskMissing =
  process.platform !== 'linux'
    ? 'needs Linux'
    : spawnSync('gcc', ['--version']).error === undefined
      ? undefined
      : 'needs gcc';

export function buildFaultyDisk(folder: string): FaultyDisk {
  const library = join(folder, 'faulty-disk.so');
  const plan = join(folder, 'faults');
  const built = spawnSync('gcc', [
    '-shared',
    '-fPIC',
    '-O1',
    '-Wall',
    '-Werror',
    '-o',
    library,
    join(projectRoot, 'test/faults/faulty-disk.c'),
    '-ldl',
  ]);
  if (built.status !== 0) throw new Error(String(built.stderr));
  return {
    env: { LD_PRELOAD: library, ISOLINE_FAULTS: plan },
    plan: (operation, delayMs, error) =>
      writeFileSync(plan, `${operation} ${delayMs} ${error === undefined ? 0 : constants.errno[error]}\n`),
    heal: () => rmSync(plan, { force: true }),
  };
}
