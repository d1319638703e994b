// kill -9 in the middle of backups, restores and migrations: the old state or the new one is there, never less.

import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDataStore } from '../../main/host/data-folder.ts';
import { hashFile } from '../../main/pool/hash-file.ts';
import { BackupFolder } from '../../main/store/backup/backup-folder.ts';
import { readKeyFile } from '../../main/store/backup/backup-key.ts';
import { makeBackup } from '../../main/store/backup/make-backup.ts';
import { restoreBackup } from '../../main/store/backup/restore-backup.ts';
import { newestSnapshot, verifyBackups } from '../../main/store/backup/verify-backup.ts';
import { MIGRATIONS, migrate } from '../../main/store/database/migrate.ts';
import { storedFiles } from '../../main/store/files/stored-files.ts';
import { commandLine } from '../support/built-program.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { projectRoot } from '../support/test-data.ts';
import { randomFrom } from './kill-harness.ts';

/** A few at each run of the tests; `ISOLINE_KILLS=50` for the figure that was asked for. */
const KILLS = Number(process.env.ISOLINE_KILLS ?? 5);
const FILES = 24;
const FILE_BYTES = 1_500_000;
const SOURCE = readKeyFile('ab'.repeat(32));

let folder: TempFolder;
let dataDir: string;
const at = (...names: string[]): string => join(folder.path, ...names);

/** A folder with files that the program would have stored, large enough for a kill to meet any step. */
beforeAll(async () => {
  folder = await tempFolder();
  dataDir = at('data');
  mkdirSync(join(dataDir, 'files'), { recursive: true });
  openDataStore(dataDir, 'writer')[Symbol.dispose]();
  const files = storedFiles(join(dataDir, 'files'), hashFile);
  const random = randomFrom(5);
  for (let i = 0; i < FILES; i++)
    await files.put(Uint8Array.from({ length: FILE_BYTES }, () => Math.floor(256 * random())));
});
afterAll(() => folder.remove());

/** @returns whether it was killed before it ended */
async function killed(child: ChildProcess, afterMs: number): Promise<boolean> {
  const ended = new Promise<boolean>((resolve) =>
    child.once('exit', (_code, signal) => resolve(signal === 'SIGKILL')),
  );
  await Promise.race([wait(afterMs), ended]);
  child.kill('SIGKILL');
  return ended;
}

function run(...args: string[]): ChildProcess {
  const keyFile = at('key');
  return spawn(process.execPath, [commandLine, ...args, '--key-file', keyFile], { stdio: 'ignore' });
}

async function lengthOf(child: ChildProcess): Promise<number> {
  const startMs = performance.now();
  await new Promise((resolve) => child.once('exit', resolve));
  return performance.now() - startMs;
}

/** A run that has not begun yet has nothing to lose. */
const START_UP_MS = 150;

/**
 * Kills so many runs in their middle, at moments spread over how long one takes. A run that ends before its moment was
 * faster than those before it: it is no kill, and the next moments are earlier.
 * @param look what is there after each run, killed or not
 */
async function killRuns(
  seed: number,
  wholeMs: number,
  start: (run: number) => ChildProcess,
  look: (run: number, wasKilled: boolean) => Promise<void>,
): Promise<void> {
  const random = randomFrom(seed);
  let [kills, lengthMs] = [0, wholeMs];
  for (let i = 0; kills < KILLS && i < 4 * KILLS; i++) {
    const begunMs = performance.now();
    const wasKilled = await killed(start(i), START_UP_MS + random() * Math.max(0, lengthMs - START_UP_MS));
    if (wasKilled) kills++;
    else lengthMs = performance.now() - begunMs;
    await look(i, wasKilled);
  }
  expect(kills).toBe(KILLS);
}

test(`${KILLS} kills of a backup: each earlier one is whole, and the next one is made`, async () => {
  writeFileSync(at('key'), 'ab'.repeat(32));
  const target = at('backup');
  await makeBackup(await BackupFolder.make(target, SOURCE), { dataDir, productVersion: '0', nowMs: 0 });
  const wholeMs = await lengthOf(run('backup', at('timed'), '--data-dir', dataDir));
  let whole = 1;
  // Every other one from the beginning, so that a kill meets files that are new.
  const fresh = (i: number): string => at(`fresh-${i}`);
  const into = (i: number): string => (i % 2 === 0 ? target : fresh(i));
  await killRuns(
    11,
    wholeMs,
    (i) => run('backup', into(i), '--data-dir', dataDir),
    async (i) => {
      const names = await (await BackupFolder.open(target, SOURCE)).snapshotNames();
      expect(names.length).toBeGreaterThanOrEqual(whole);
      whole = names.length;
      if (into(i) === fresh(i) && existsSync(join(fresh(i), 'backups'))) {
        const open = await BackupFolder.open(fresh(i), SOURCE);
        // Finished or none: what is listed is whole.
        if ((await open.snapshotNames()).length > 0) await verifyBackups(open);
      }
      rmSync(fresh(i), { recursive: true, force: true });
    },
  );
  const open = await BackupFolder.open(target, SOURCE);
  await verifyBackups(open);
  const { newFiles } = await makeBackup(open, { dataDir, productVersion: '0', nowMs: Date.now() });
  expect(newFiles).toBe(0);
}, 300_000);

test(`${KILLS} kills of a restore: the folder is empty or whole, and the next restore succeeds`, async () => {
  const target = at('backup');
  const wholeMs = await lengthOf(run('restore', target, '--data-dir', at('timed data')));
  const into = at('restored');
  let restoredByKilled = 0;
  await killRuns(
    13,
    wholeMs,
    () => run('restore', target, '--data-dir', into),
    async (_, wasKilled) => {
      if (!existsSync(into) || readdirSync(into).length === 0) return;
      expect(
        readdirSync(join(into, 'files'), { recursive: true }).filter((name) => String(name).length > 2),
      ).toHaveLength(FILES);
      openDataStore(into, 'command')[Symbol.dispose]();
      rmSync(into, { recursive: true });
      if (wasKilled) restoredByKilled++;
    },
  );
  const open = await BackupFolder.open(target, SOURCE);
  await restoreBackup(open, (await newestSnapshot(open)).snapshot, at('restored'));
  expect(existsSync(at('.restored.restoring'))).toBe(false);
  // Some met it before its folder was in its place.
  expect(restoredByKilled).toBeLessThan(KILLS);
}, 300_000);

test(`${KILLS} kills of a migration: the database has the old version or the new one`, async () => {
  const old = at('old.sqlite');
  const db = new Database(old);
  db.pragma('journal_mode = WAL');
  db.pragma(`application_id = ${0x49_53_4f_4c}`);
  const halfWay = MIGRATIONS.slice(0, 4);
  migrate(db, undefined, 0, []);
  for (const { id, up } of halfWay) {
    up(db);
    db.pragma(`user_version = ${id}`);
  }
  db.pragma('journal_mode = DELETE');
  db.close();
  const newest = MIGRATIONS.at(-1)!.id;
  const random = randomFrom(17);
  const found = new Set<number>();
  for (let i = 0; i < KILLS; i++) {
    const into = at(`migrated-${i}`);
    mkdirSync(into);
    copyFileSync(old, join(into, 'isoline.sqlite'));
    const script = `const { openDataStore } = await import(${JSON.stringify(join(projectRoot, 'main', 'host', 'data-folder.ts'))}); openDataStore(process.argv[1], 'writer');`;
    await killed(
      spawn(process.execPath, ['--input-type=module', '-e', script, into], { stdio: 'ignore' }),
      100 + random() * 450,
    );
    const after = new Database(join(into, 'isoline.sqlite'));
    found.add(after.pragma('user_version', { simple: true }) as number);
    expect(after.pragma('integrity_check', { simple: true })).toBe('ok');
    after.close();
    // And what was cut off is made up for by the next start.
    openDataStore(into, 'writer')[Symbol.dispose]();
    rmSync(into, { recursive: true });
  }
  expect([...found].every((version) => version === halfWay.at(-1)!.id || version === newest)).toBe(true);
}, 300_000);
