// Backups of a real workstation: made while it works and records, read back, damaged, restored, and started again.

import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDesk } from '../../../../main/host/desk-host.ts';
import { BackupFolder } from '../../../../main/store/backup/backup-folder.ts';
import { type KeySource, makeKeyFile, readKeyFile } from '../../../../main/store/backup/backup-key.ts';
import { type BackupOptions, makeBackup } from '../../../../main/store/backup/make-backup.ts';
import { backupsToForget, pruneBackups } from '../../../../main/store/backup/prune-backups.ts';
import { restoreBackup } from '../../../../main/store/backup/restore-backup.ts';
import { newestSnapshot, verifyBackups } from '../../../../main/store/backup/verify-backup.ts';
import { importTestFiles, wfdbFiles } from '../../../support/import-test-files.ts';
import { isoline } from '../../../support/run-isoline.ts';
import {
  eventually,
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
} from '../../../support/running-workstation.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

const NONE = { kind: 'none' } as const;
const KEYS: readonly (readonly [string, KeySource])[] = [
  ['unencrypted', NONE],
  ['with a key file', readKeyFile(makeKeyFile())],
  ['with a passphrase', { kind: 'passphrase', passphrase: 'nine quiet horses' }],
];

let folder: TempFolder;
let running: RunningWorkstation;
let optionsOf: (nowMs?: number) => BackupOptions;
beforeAll(async () => {
  folder = await tempFolder();
  running = await runWorkstation({ dataDir: join(folder.path, 'data'), overrides: FREE_OF_LIMITS });
  await importTestFiles(running.bridge, wfdbFiles('1.hea', '1.dat'));
  await importTestFiles(running.bridge, wfdbFiles('100.hea', '100.dat'));
  optionsOf = (nowMs = Date.now()) => ({ dataDir: running.dataDir, productVersion: '0.1.0', nowMs });
});
afterAll(async () => {
  await running.stop();
  await folder.remove();
});

const target = (name: string): string => join(folder.path, name);
const filesIn = (path: string): string[] =>
  (readdirSync(path, { recursive: true, encoding: 'utf8' }) as string[])
    .map((name) => join(path, name))
    .filter((each) => statSync(each).isFile());

/** All rows of all tables, and all files by their content. */
function contentOf(dataDir: string): { rows: Record<string, unknown[]>; files: Record<string, string> } {
  const db = new Database(join(dataDir, 'isoline.sqlite'), { readonly: true });
  try {
    const tables = db
      .prepare<[], string>(`SELECT name FROM sqlite_master WHERE type = 'table'`)
      .pluck()
      .all();
    const rows = Object.fromEntries(
      tables.map((table) => [
        table,
        db
          .prepare(`SELECT * FROM "${table}"`)
          .raw()
          .all()
          .map((row) => JSON.stringify(row))
          .sort(),
      ]),
    );
    const files = Object.fromEntries(
      filesIn(join(dataDir, 'files')).map((path) => [
        path.slice(dataDir.length),
        createHash('sha256').update(readFileSync(path)).digest('hex'),
      ]),
    );
    return { rows, files };
  } finally {
    db.close();
  }
}

describe.each(KEYS)('%s', (name, source) => {
  test('made while the program runs, read back, restored: every task, file and audit row is there', async () => {
    const made = await BackupFolder.make(target(name), source);
    const first = await makeBackup(made, optionsOf());
    expect(first.missing).toEqual([]);
    expect(first.newFiles).toBe(first.files);
    const again = await makeBackup(await BackupFolder.open(target(name), source), optionsOf());
    expect([again.newFiles, again.newBytes]).toEqual([0, 0]);

    const open = await BackupFolder.open(target(name), source);
    expect((await verifyBackups(open)).backups).toBe(2);
    const { snapshot } = await newestSnapshot(open);
    await restoreBackup(open, snapshot, target(`${name} restored`));
    expect(contentOf(target(`${name} restored`))).toEqual(contentOf(running.dataDir));
  });

  // A passphrase takes its time at each look; the content is sealed as with a key file.
  if (source.kind === 'passphrase') return;

  test('one flipped bit in any of its files is found, and nothing is restored then', async () => {
    const paths = filesIn(target(name));
    expect(paths.length).toBeGreaterThan(8);
    for (const [i, path] of paths.entries()) {
      const whole = readFileSync(path);
      const changed = Buffer.from(whole);
      const place = (i * 7919) % whole.length;
      changed[place] = changed[place]! ^ (1 << (i % 8));
      writeFileSync(path, changed);
      const look = async (): Promise<unknown> => verifyBackups(await BackupFolder.open(target(name), source));
      await expect(look(), path).rejects.toMatchObject({ reason: expect.stringMatching(/^backup_/) });
      writeFileSync(path, whole);
    }
    expect((await verifyBackups(await BackupFolder.open(target(name), source))).backups).toBe(2);
  });

  test('a missing file is found, and what was cut', async () => {
    for (const path of filesIn(target(name))
      .filter((each) => each.includes('objects'))
      .slice(0, 3)) {
      const whole = readFileSync(path);
      for (const damage of [
        () => rmSync(path),
        () => writeFileSync(path, whole.subarray(0, whole.length - 1)),
      ]) {
        damage();
        const open = await BackupFolder.open(target(name), source);
        await expect(verifyBackups(open)).rejects.toMatchObject({ reason: 'backup_damaged' });
        const { snapshot } = await newestSnapshot(open);
        await expect(restoreBackup(open, snapshot, target('never'))).rejects.toMatchObject({
          reason: 'backup_damaged',
        });
        expect(readdirSync(target('never'))).toEqual([]);
        expect(readdirSync(folder.path).filter((each) => each.includes('restoring'))).toEqual([]);
        writeFileSync(path, whole);
      }
    }
  });
});

test('what is encrypted opens with nothing else, and shows neither names nor content', async () => {
  const path = target('with a passphrase');
  for (const source of [
    NONE,
    readKeyFile(makeKeyFile()),
    { kind: 'passphrase', passphrase: 'nine quiet horse' },
  ] as const)
    await expect(BackupFolder.open(path, source)).rejects.toMatchObject({ reason: 'backup_key_wrong' });
  const stored = filesIn(join(running.dataDir, 'files')).map((each) => each.split('/').slice(-2).join(''));
  for (const each of filesIn(path)) {
    expect(stored).not.toContain(each.split('/').slice(-2).join(''));
    const bytes = readFileSync(each).toString('latin1');
    expect(/%PDF|SQLite format|"patient"|isoline\.sqlite/.test(bytes), each).toBe(false);
  }
  await expect(
    BackupFolder.make(target('weak'), { kind: 'passphrase', passphrase: 'short' }),
  ).rejects.toMatchObject({ reason: 'backup_key_wrong' });
});

test('a backup while twelve leads are recorded at 1000 Hz loses none of their samples', async () => {
  const desk = await openDesk(running.workstation, { isWatching: false });
  try {
    const id = await desk.connect('simulator:isoline-idp?rhythm=sinus');
    const { taskId } = await desk.handlersFor('test')['desk.record'](
      {
        id,
        durationMs: 10_000,
        entry: { fields: { patient_last_name: 'Okafor' }, identity: { name: 'said', birth: 'said' } },
      },
      new AbortController().signal,
    );
    const busy = await BackupFolder.make(target('busy'), NONE);
    const state = async () => (await running.bridge.call('task.get', { taskId })).state;
    let backups = 0;
    while ((await state()) === 'RECEIVING') {
      await makeBackup(busy, optionsOf());
      backups++;
    }
    expect(backups).toBeGreaterThan(1);
    await eventually(
      async () => ((await state()) === 'AWAITING_APPROVAL' ? true : undefined),
      'the analysis',
    );
    const { recordedSamples } = await running.bridge.call('review.signal', {
      taskId,
      startSample: 0,
      sampleCount: 1,
    });
    expect(recordedSamples).toBe(10_000);
    const { warnings } = await running.bridge.call('task.get', { taskId });
    expect(warnings.filter(({ name }) => /gap|lost|missing/.test(name ?? ''))).toEqual([]);
    // The one that was made in the middle is whole, with what was recorded by then.
    expect((await verifyBackups(busy)).backups).toBe(backups);
  } finally {
    await desk.close();
  }
});

test('a restored folder starts, has its reports byte by byte, and is known to be a copy', async () => {
  const open = await BackupFolder.open(target('unencrypted'), NONE);
  const { snapshot } = await newestSnapshot(open);
  await restoreBackup(open, snapshot, target('started'));
  await using restored = await runWorkstation({ dataDir: target('started'), overrides: FREE_OF_LIMITS });
  for (const taskId of [1, 2]) {
    const [before, after] = await Promise.all(
      [running, restored].map(({ bridge }) => bridge.call('report.read', { taskId })),
    );
    expect(Buffer.compare(before!.pdf, after!.pdf)).toBe(0);
  }
  const outcome = await isoline('audit', 'verify', '--data-dir', target('started'));
  expect(outcome.stderr + outcome.stdout).toMatch(/restored backup/);
});

test('a file that was lost in the data folder is told, and the rest is backed up', async () => {
  const open = await BackupFolder.open(target('unencrypted'), NONE);
  const { snapshot } = await newestSnapshot(open);
  await restoreBackup(open, snapshot, target('broken'));
  const [gone, changed] = filesIn(join(target('broken'), 'files'));
  rmSync(gone!);
  writeFileSync(changed!, 'something else');
  const made = await BackupFolder.make(target('of broken'), NONE);
  const { missing, lost, files } = await makeBackup(made, { ...optionsOf(), dataDir: target('broken') });
  expect([missing.length, lost.length]).toEqual([2, 2]);
  expect(files).toBe(snapshot.files.length - 2);
  const outcome = await isoline('backup', target('of broken'), '--data-dir', target('broken'));
  expect([outcome.code, /lost or damaged: 2, of which the backup still has 0/.test(outcome.stderr)]).toEqual([
    1,
    true,
  ]);

  // A backup that had them keeps them.
  const kept = await makeBackup(open, { ...optionsOf(), dataDir: target('broken') });
  expect([kept.missing.length, kept.lost.length, kept.files]).toEqual([0, 2, snapshot.files.length]);
  await restoreBackup(open, (await newestSnapshot(open)).snapshot, target('mended'));
  expect(filesIn(join(target('mended'), 'files'))).toHaveLength(snapshot.files.length);
});

test('a folder has the backups of one workstation: those of another are refused', async () => {
  const other = await runWorkstation({ overrides: FREE_OF_LIMITS });
  try {
    const open = await BackupFolder.open(target('unencrypted'), NONE);
    await expect(makeBackup(open, { ...optionsOf(), dataDir: other.dataDir })).rejects.toMatchObject({
      reason: 'backup_unusable',
      message: expect.stringMatching(/another workstation/),
    });
  } finally {
    await other.stop();
  }
});

test('a passphrase for a backup without one is refused: nobody must believe that it was used', async () => {
  const source = { kind: 'passphrase', passphrase: 'nine quiet horses' } as const;
  await expect(BackupFolder.open(target('unencrypted'), source)).rejects.toMatchObject({
    reason: 'backup_key_wrong',
  });
});

test('what others put into the folder is left alone and hinders nothing', async () => {
  const path = target('shared');
  const made = await BackupFolder.make(path, NONE);
  await makeBackup(made, optionsOf());
  for (const name of ['backups/@eaDir', 'objects/@eaDir', 'objects/ab/@eaDir'])
    mkdirSync(join(path, name), { recursive: true });
  writeFileSync(join(path, 'objects', '.DS_Store'), 'x');
  await makeBackup(made, optionsOf());
  expect((await verifyBackups(made)).backups).toBe(2);
  const kept = new Set<string>();
  await made.forget([], kept, Date.now() + 3 * 86_400_000);
  expect(readdirSync(join(path, 'objects', 'ab'))).toEqual(['@eaDir']);
});

test('a file of the backup that goes away while one is made: it does not count', async () => {
  const path = target('raced');
  const made = await BackupFolder.make(path, NONE);
  await makeBackup(made, optionsOf());
  const [first] = filesIn(join(path, 'objects'));
  const race = makeBackup(made, { ...optionsOf(), onProgress: () => rmSync(first!, { force: true }) });
  await expect(race).rejects.toMatchObject({ reason: 'backup_damaged' });
  expect(await made.snapshotNames()).toHaveLength(1);
});

test('a folder that is taken away while one is made is not begun anew', async () => {
  const path = target('unplugged');
  const made = await BackupFolder.make(path, NONE);
  const away = makeBackup(made, {
    ...optionsOf(),
    onProgress: () => rmSync(path, { recursive: true, force: true }),
  });
  await expect(away).rejects.toBeDefined();
  expect(readdirSync(folder.path)).not.toContain('unplugged');
});

test('restored through a link, into its real place', async () => {
  const open = await BackupFolder.open(target('unencrypted'), NONE);
  mkdirSync(target('real'));
  symlinkSync(target('real'), target('link'));
  await restoreBackup(open, (await newestSnapshot(open)).snapshot, target('link'));
  expect(readdirSync(target('real')).sort()).toEqual(['files', 'isoline.sqlite']);
  expect(readdirSync(folder.path).filter((name) => name.includes('restoring'))).toEqual([]);
});

describe('old backups', () => {
  const day = 86_400_000;
  const nameAt = (ms: number): string =>
    `${new Date(ms).toISOString().replaceAll(/[:.]/g, '').replace('Z', '')}-${'0'.repeat(64)}`;

  test('the newest fourteen stay, and the last of each month for a year', () => {
    const now = Date.UTC(2026, 10, 24);
    const names = Array.from({ length: 600 }, (_, i) => nameAt(now - i * day));
    const kept = names.filter((name) => !backupsToForget(names).includes(name));
    expect(kept.slice(0, 14)).toEqual(names.slice(0, 14));
    const months = new Set(kept.map((name) => name.slice(0, 7)));
    expect(months.size).toBe(12);
    expect(kept.length).toBeLessThanOrEqual(14 + 11);
    expect(kept.some((name) => name.startsWith('2026-10-31'))).toBe(true);
    expect(backupsToForget(names.slice(0, 5))).toEqual([]);
  });

  test('what only they had goes; what others have, and what is young, stays', async () => {
    const path = target('pruned');
    const made = await BackupFolder.make(path, NONE);
    const now = Date.now();
    for (let i = 16; i >= 0; i--) await makeBackup(made, optionsOf(now - i * 60_000));
    const objects = filesIn(join(path, 'objects'));
    const orphan = join(path, 'objects', 'ab', 'c'.repeat(62));
    const young = join(path, 'objects', 'ab', 'd'.repeat(62));
    await made.put(`ab${'c'.repeat(62)}`, (async function* () {})());
    await made.put(`ab${'d'.repeat(62)}`, (async function* () {})());
    utimesSync(orphan, (now - 3 * day) / 1000, (now - 3 * day) / 1000);
    for (const each of objects) utimesSync(each, (now - 3 * day) / 1000, (now - 3 * day) / 1000);
    expect(await pruneBackups(made, now)).toBe(3);
    expect((await made.snapshotNames()).length).toBe(14);
    const left = filesIn(join(path, 'objects'));
    expect(left).not.toContain(orphan);
    expect(left).toContain(young);
    rmSync(young);
    await verifyBackups(made);
  });
});

describe('on the command line', () => {
  const on = (...args: string[]) => isoline(...args);

  test('an unencrypted one is made only if that is said; one in its own data folder never', async () => {
    const refused = await on('backup', target('cli'), '--data-dir', running.dataDir);
    expect([refused.code, /--unencrypted/.test(refused.stderr)]).toEqual([2, true]);
    const inside = await on(
      'backup',
      join(running.dataDir, 'x'),
      '--data-dir',
      running.dataDir,
      '--unencrypted',
    );
    expect([inside.code, /lost together/.test(inside.stderr)]).toEqual([1, true]);
    const other = await on(
      'backup',
      running.dataDir.replace(/data$/, ''),
      '--data-dir',
      running.dataDir,
      '--unencrypted',
    );
    expect([other.code, /has other files/.test(other.stderr)]).toEqual([1, true]);
  });

  test('made with a new key file, verified, restored; the key is never written over', async () => {
    const key = target('key.txt');
    const make = await on('backup', target('cli'), '--data-dir', running.dataDir, '--make-key-file', key);
    expect(make).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Backup .* made and read back: \d+ files/),
    });
    expect(statSync(key).mode & 0o077).toBe(0);
    const again = await on('backup', target('cli 2'), '--data-dir', running.dataDir, '--make-key-file', key);
    expect([again.code, /is there already/.test(again.stderr)]).toEqual([2, true]);
    expect((await on('verify', target('cli'))).stderr).toMatch(/key file is needed/);
    expect((await on('verify', target('cli'), '--key-file', key)).stdout).toMatch(/^Whole: 1 backup/);
    const restored = await on('restore', target('cli'), '--data-dir', target('cli data'), '--key-file', key);
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/restored into .* tasks/) });
    const full = await on('restore', target('cli'), '--data-dir', target('cli data'), '--key-file', key);
    expect([full.code, /is not empty/.test(full.stderr)]).toEqual([1, true]);
    expect((await on('restore', target('nowhere'), '--data-dir', target('x'))).stderr).toMatch(
      /no backup of Isoline/,
    );
  });
});
