// Some of the disk that is kept for ending a recording in order on a full one (durability reference, 3.5).

import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Files } from '../../clinic/ports.ts';
import { toStorageError } from '../../ground/storage-fault.ts';
import { FILE_MODE } from './file-modes.ts';
import { isThere } from './open-file.ts';

const RESERVE_BYTES = 64 << 20;
const RESERVE_BLOCK_BYTES = 1 << 20;
const RESERVE_NEEDS_FREE_BYTES = 3 * 2 ** 30;

export function diskReserve(dataDir: string): Pick<Files, 'freeBytes' | 'keepReserve' | 'releaseReserve'> {
  const reserve = join(dataDir, 'reserve.bin');
  let keeping: Promise<void> | undefined;
  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(dataDir);
    return bavail * bsize;
  };
  const fill = async (): Promise<void> => {
    const { size } = await stat(reserve).catch(() => ({ size: 0 }));
    if (size >= RESERVE_BYTES || (await freeBytes()) < RESERVE_NEEDS_FREE_BYTES) return;
    const handle = await open(reserve, 'w', FILE_MODE);
    try {
      // Real blocks: a file with holes keeps nothing.
      const block = Buffer.alloc(RESERVE_BLOCK_BYTES, 0xa5);
      for (let done = 0; done < RESERVE_BYTES; done += block.length) await handle.write(block);
      await handle.datasync();
    } catch (error) {
      await rm(reserve, { force: true });
      throw toStorageError(error);
    } finally {
      await handle.close();
    }
  };
  return {
    freeBytes,
    keepReserve() {
      keeping ??= fill().finally(() => {
        keeping = undefined;
      });
      return keeping;
    },
    async releaseReserve() {
      const wasThere = await isThere(reserve);
      await rm(reserve, { force: true });
      return wasThere;
    },
  };
}
