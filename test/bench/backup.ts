// `node test/bench/backup.ts`: what a backup of a large data folder takes, beside a plain copy of the same files on the same
// disk: the first one, the next one, reading it back, and a restore; without and with encryption.
//
//   --gb 10    --file-mb 1.5

import { spawnSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDataStore } from '../../main/host/data-folder.ts';
import { hashFile } from '../../main/pool/hash-file.ts';
import { BackupFolder } from '../../main/store/backup/backup-folder.ts';
import { type KeySource, readKeyFile } from '../../main/store/backup/backup-key.ts';
import { makeBackup } from '../../main/store/backup/make-backup.ts';
import { restoreBackup } from '../../main/store/backup/restore-backup.ts';
import { newestSnapshot, verifyBackups } from '../../main/store/backup/verify-backup.ts';
import { storedFiles } from '../../main/store/files/stored-files.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { printMachine } from './harness.ts';
import { say, sayLoad } from './screen-bench.ts';

const { values } = parseArgs({ options: { gb: { type: 'string' }, 'file-mb': { type: 'string' } } });
const GIGABYTES = Number(values.gb ?? 2);
const FILE_BYTES = Math.round(Number(values['file-mb'] ?? 1.5) * 1e6);

printMachine();
await using folder = await tempFolder();
const at = (name: string): string => join(folder.path, name);

async function seconds(work: () => unknown): Promise<number> {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1000;
}

/** What a copy says is done may only be in memory: this waits for the disk. */
function syncDisk(): void {
  spawnSync('sync');
}

const dataDir = at('data');
mkdirSync(join(dataDir, 'files'), { recursive: true });
openDataStore(dataDir, 'writer')[Symbol.dispose]();
const files = storedFiles(join(dataDir, 'files'), hashFile);
const count = Math.round((GIGABYTES * 1e9) / FILE_BYTES);
for (let i = 0; i < count; i++) await files.put(randomFillSync(new Uint8Array(FILE_BYTES)));
syncDisk();

const copy = await seconds(async () => {
  cpSync(join(dataDir, 'files'), at('copy'), { recursive: true });
  syncDisk();
});
rmSync(at('copy'), { recursive: true });
say(`${count} files, ${GIGABYTES} GB. A plain copy: ${copy.toFixed(1)} s`);

async function measure(name: string, source: KeySource): Promise<void> {
  const target = await BackupFolder.make(at(name), source);
  const make = async (): Promise<void> => {
    await makeBackup(target, { dataDir, productVersion: 'bench', nowMs: Date.now() });
    syncDisk();
  };
  const first = await seconds(make);
  const next = await seconds(make);
  const verify = await seconds(() => verifyBackups(target));
  const { snapshot } = await newestSnapshot(target);
  const restore = await seconds(() => restoreBackup(target, snapshot, at('restored')));
  rmSync(at('restored'), { recursive: true });
  rmSync(at(name), { recursive: true });
  say(
    `${name}: first ${first.toFixed(1)} s (${(first / copy).toFixed(2)} of the copy), next ${next.toFixed(1)} s, read back ${verify.toFixed(1)} s, restore ${restore.toFixed(1)} s (${(restore / copy).toFixed(2)})`,
  );
}

await measure('unencrypted', { kind: 'none' });
await measure('encrypted', readKeyFile('cd'.repeat(32)));
sayLoad();
