// A disk of a few megabytes, mounted for a test. Only root may mount.

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tempFolder } from '../support/temp-folder.ts';

function canMount(): boolean {
  return (
    process.platform === 'linux' &&
    process.getuid?.() === 0 &&
    spawnSync('unshare', ['--mount', 'true']).status === 0
  );
}

/** Why it can't be had here, if so. */
export const smallDiskMissing = canMount() ? undefined : 'needs root on Linux, which may mount';

export interface SmallDisk extends AsyncDisposable {
  readonly path: string;
}

export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await tempFolder();
  const path = `${folder.path}/disk`;
  mkdirSync(path);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', path], {
    encoding: 'utf8',
  });
  if (mounted.status !== 0) throw new Error(mounted.stderr);
  return {
    path,
    async [Symbol.asyncDispose]() {
      spawnSync('umount', ['-l', path]);
      await folder.remove();
    },
  };
}
