// Tokens of centres: in a file that their owner alone can read, or locked by the key store of the system;
// never anywhere else (D134, SEC61).

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Seal } from '../../../main/connections/key-store.ts';
import { openTokenVault } from '../../../main/connections/token-vault.ts';
import { writeDurably } from '../../../main/store/files/write-durably.ts';
import { centralAt } from '../../support/made-connections.ts';
import { NEW_THREAD, type RunningWorkstation, runWorkstation } from '../../support/running-workstation.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const TOKEN = 'isl_canary-token-of-the-centre';

/** Turns bytes about: what lies on the disk is not the text. */
const keyStore = (isStale = false): Seal & { isLocked: boolean; sealed: number } => ({
  isLocked: false,
  sealed: 0,
  async seal(text) {
    this.sealed++;
    return Uint8Array.from(Buffer.from(text).reverse());
  },
  async unseal(bytes) {
    if (this.isLocked) throw new Error('locked');
    return { text: Buffer.from(bytes).reverse().toString(), isStale };
  },
});

let running: RunningWorkstation | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

/** Everything in a folder, as text. */
async function allText(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = names
    .filter((each) => each.isFile())
    .map((each) => readFile(join(each.parentPath, each.name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

const CENTRE = {
  to: centralAt('http://127.0.0.1:9'),
  label: '',
  organization: 'clinic',
  secret: TOKEN,
};

test('a token that the key store has locked is nowhere in the folder, and is used all the same', async () => {
  const seal = keyStore();
  running = await runWorkstation({ seal });
  const { connectionId } = await running.bridge.call('connection.add', CENTRE);
  expect((await running.bridge.call('sync.overview', {})).connections).toMatchObject([
    { connectionId, isSealed: true },
  ]);
  expect(seal.sealed).toBe(1);
  expect(await allText(running.dataDir)).not.toContain(TOKEN);
  // Another program of the same person cannot read it, and says so.
  expect(await openTokenVault({ dataDir: running.dataDir, writeDurably }).read(connectionId)).toBeUndefined();
  await running.workstation.crash();
  expect(await openTokenVault({ dataDir: running.dataDir, writeDurably, seal }).read(connectionId)).toBe(
    TOKEN,
  );
});

test('a key store that opens it no more: that is said, and nothing is stopped for it', async () => {
  const seal = keyStore();
  running = await runWorkstation({ seal });
  await running.bridge.call('connection.add', CENTRE);
  const { dataDir } = running;
  await running.workstation.close();
  seal.isLocked = true;
  await using again = await runWorkstation({ dataDir, seal, ...NEW_THREAD });
  await expect
    .poll(async () => (await again.bridge.call('sync.overview', {})).connections[0]?.trouble)
    .toBe('noToken');
  expect((await again.bridge.call('sync.overview', {})).connections[0]?.stop).toBeUndefined();
  // Unlocked, it is looked for at the next occasion.
  seal.isLocked = false;
  await again.bridge.call('sync.now', { connectionId: 1 });
  await expect
    .poll(async () => (await again.bridge.call('sync.overview', {})).connections[0]?.trouble)
    .not.toBe('noToken');
});

test('without a key store it lies in a file of its owner, and nowhere else', async () => {
  await using folder = await tempFolder();
  const vault = openTokenVault({ dataDir: folder.path, writeDurably });
  await vault.write(7, TOKEN);
  const path = join(folder.path, 'secrets', 'centre-7.token');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder.path, 'secrets'))).mode & 0o777).toBe(0o700);
  expect(await vault.read(7)).toBe(TOKEN);
  // Locked later, it is there only locked.
  await openTokenVault({ dataDir: folder.path, writeDurably, seal: keyStore() }).write(7, TOKEN);
  expect(await readdir(join(folder.path, 'secrets'))).toEqual(['centre-7.sealed']);
  await vault.remove(7);
  expect(await readdir(join(folder.path, 'secrets'))).toEqual([]);
});

test('what was locked with a key that goes out of use is locked again', async () => {
  await using folder = await tempFolder();
  const seal = keyStore(true);
  const vault = openTokenVault({ dataDir: folder.path, writeDurably, seal });
  await vault.write(1, TOKEN);
  expect(await vault.read(1)).toBe(TOKEN);
  expect(seal.sealed).toBe(2);
});
