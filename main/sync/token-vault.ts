// Tokens of centres, in files that their owner alone can read; locked by the key store of the system where
// the host has one (D134, SEC61).

import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TokenVault } from '../clinic/ports.ts';
import type { Seal } from './key-store.ts';

const FOLDER = 'secrets';

export interface TokenVaultOptions {
  readonly dataDir: string;
  /** Leaves the old content or the new one as a whole, for its owner alone. */
  writeDurably(path: string, content: Uint8Array): Promise<void>;
  readonly seal?: Seal | undefined;
}

export function openTokenVault({ dataDir, writeDurably, seal }: TokenVaultOptions): TokenVault {
  const folder = join(dataDir, FOLDER);
  const pathOf = (centreId: number, isSealed: boolean): string =>
    join(folder, `centre-${centreId}.${isSealed ? 'sealed' : 'token'}`);
  const readIf = async (path: string): Promise<Buffer | undefined> => readFile(path).catch(() => undefined);
  const remove = async (centreId: number): Promise<void> => {
    for (const isSealed of [true, false]) await rm(pathOf(centreId, isSealed), { force: true });
  };
  const unseal = async (centreId: number, sealed: Uint8Array): Promise<string | undefined> => {
    // What another account or another computer has locked opens nowhere else: the token is asked for again.
    const opened = await seal?.unseal(sealed).catch(() => undefined);
    if (opened?.isStale === true) await write(centreId, opened.text);
    return opened?.text;
  };
  const write: TokenVault['write'] = async (centreId, token) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const bytes = seal === undefined ? Buffer.from(token, 'utf8') : await seal.seal(token);
    await writeDurably(pathOf(centreId, seal !== undefined), bytes);
    await rm(pathOf(centreId, seal === undefined), { force: true });
  };
  return {
    isSealed: seal !== undefined,
    async read(centreId) {
      const sealed = seal === undefined ? undefined : await readIf(pathOf(centreId, true));
      if (sealed !== undefined) return unseal(centreId, sealed);
      const plain = (await readIf(pathOf(centreId, false)))?.toString('utf8');
      // One that a command wrote beside the program is locked when it is first seen.
      if (plain !== undefined && seal !== undefined) await write(centreId, plain);
      return plain;
    },
    write,
    remove,
  };
}
