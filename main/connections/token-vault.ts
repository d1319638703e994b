// Secrets in files that their owner alone can read, locked by the key store of the system where the host has one (D134, SEC61):
// the tokens of centres, and the passphrase of the backups.

import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SecretText, TokenVault } from '../clinic/ports.ts';
import type { Seal } from './key-store.ts';

const FOLDER = 'secrets';

export interface SecretOptions {
  readonly dataDir: string;
  /** Leaves the old content or the new one as a whole, for its owner alone. */
  writeDurably(path: string, content: Uint8Array): Promise<void>;
  readonly seal?: Seal | undefined;
}

/** @param name of its file */
function secretNamed({ dataDir, writeDurably, seal }: SecretOptions, name: string): SecretText {
  const folder = join(dataDir, FOLDER);
  const pathOf = (isSealed: boolean): string => join(folder, `${name}.${isSealed ? 'sealed' : 'token'}`);
  const readIf = async (path: string): Promise<Buffer | undefined> => readFile(path).catch(() => undefined);
  const unseal = async (sealed: Uint8Array): Promise<string | undefined> => {
    // What another account or another computer has locked opens nowhere else: it is asked for again.
    const opened = await seal?.unseal(sealed).catch(() => undefined);
    if (opened?.isStale === true) await write(opened.text);
    return opened?.text;
  };
  const write = async (text: string): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const bytes = seal === undefined ? Buffer.from(text, 'utf8') : await seal.seal(text);
    await writeDurably(pathOf(seal !== undefined), bytes);
    await rm(pathOf(seal === undefined), { force: true });
  };
  return {
    write,
    async read() {
      const sealed = seal === undefined ? undefined : await readIf(pathOf(true));
      if (sealed !== undefined) return unseal(sealed);
      const plain = (await readIf(pathOf(false)))?.toString('utf8');
      // One that a command wrote beside the program is locked when it is first seen.
      if (plain !== undefined && seal !== undefined) await write(plain);
      return plain;
    },
    async remove() {
      for (const isSealed of [true, false]) await rm(pathOf(isSealed), { force: true });
    },
  };
}

export function openTokenVault(options: SecretOptions): TokenVault {
  const secretOf = (connectionId: number): SecretText => secretNamed(options, `centre-${connectionId}`);
  return {
    isSealed: options.seal !== undefined,
    read: (connectionId) => secretOf(connectionId).read(),
    write: (connectionId, token) => secretOf(connectionId).write(token),
    remove: (connectionId) => secretOf(connectionId).remove(),
  };
}

export const openBackupSecret = (options: SecretOptions): SecretText => secretNamed(options, 'backup');
