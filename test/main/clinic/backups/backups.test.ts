// Backups by themselves: when one is due, what is noted of it, what a person is told; and with a real folder, disk and thread.

import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BackupMaker } from '../../../../main/clinic/ports.ts';
import { openDataStore } from '../../../../main/host/data-folder.ts';
import { BackupFolder } from '../../../../main/store/backup/backup-folder.ts';
import { makeBackup } from '../../../../main/store/backup/make-backup.ts';
import { BridgeClient } from '../../../../shared/bridge/client.ts';
import { IsolineError } from '../../../../shared/errors.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import { importTestFiles, wfdbFiles } from '../../../support/import-test-files.ts';
import { addImported, openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import {
  eventually,
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
} from '../../../support/running-workstation.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let folder: TempFolder;
beforeEach(async () => {
  folder = await tempFolder();
});
afterEach(() => folder.remove());

describe('when one is due', () => {
  let nowMs = Date.UTC(2026, 10, 24);
  let outcome: () => Promise<{ files: number; sizeBytes: number; lost: number }>;
  let made = 0;
  let dropped = 0;
  let whileRestoring: () => Promise<unknown>;
  const maker: BackupMaker = {
    open: async () => undefined,
    make: () => {
      made++;
      return outcome();
    },
    verify: async () => ({ files: 3, sizeBytes: 5, lost: 0 }),
    restore: async () => {
      await whileRestoring();
      return { files: 3, sizeBytes: 5, lost: 0 };
    },
    dropRestored: async () => void dropped++,
  };
  let open: TestClinic;
  beforeEach(async () => {
    made = 0;
    dropped = 0;
    outcome = async () => ({ files: 3, sizeBytes: 5, lost: 0 });
    open = await openTestClinic(folder.path, new ScriptedPool(), () => nowMs, [], { backupMaker: maker });
  });
  afterEach(() => open.close());

  const look = async (afterMs: number): Promise<number> => {
    nowMs += afterMs;
    open.clinic.backups.startIfDue();
    await open.clinic.backups.settled();
    return made;
  };

  test('what is recorded during a restore stays, and the restored copy goes', async () => {
    whileRestoring = () => addImported(open);
    const restoring = open.clinic.backups.restore('/backups', { kind: 'none' });
    expect(await open.clinic.backups.state()).toMatchObject({
      isRunning: true,
      progress: { kind: 'restore' },
    });
    await expect(restoring).rejects.toMatchObject({ reason: 'something_recorded' });
    expect([dropped, (await open.clinic.backups.state()).isRunning]).toEqual([1, false]);
  });

  test('none without a folder; then one at once, and one a day', async () => {
    expect(await look(2 * DAY)).toBe(0);
    expect(await open.clinic.backups.state()).toEqual({ isRunning: false, isLate: false });
    await open.clinic.backups.setUp('/backups', { kind: 'none' }, 'workstation');
    await open.clinic.backups.settled();
    expect(made).toBe(1);
    expect(await look(23 * HOUR)).toBe(1);
    expect(await look(2 * HOUR)).toBe(2);
    expect(await open.clinic.backups.state()).toMatchObject({
      folder: '/backups',
      isEncrypted: false,
      isLate: false,
      lastGood: { atMs: nowMs, files: 3, sizeBytes: 5, lost: 0 },
    });
  });

  test('one that failed is tried again in an hour, is told with its reason, and is late after days', async () => {
    await open.clinic.backups.setUp('/backups', { kind: 'none' }, 'workstation');
    await open.clinic.backups.settled();
    const goodMs = nowMs;
    outcome = () => Promise.reject(new IsolineError('backup_unusable', 'The disk is away.'));
    expect(await look(25 * HOUR)).toBe(2);
    expect(await look(HOUR / 2)).toBe(2);
    expect(await look(HOUR)).toBe(3);
    expect(await open.clinic.backups.state()).toMatchObject({
      isLate: false,
      lastGood: { atMs: goodMs },
      failed: { atMs: nowMs, reason: 'backup_unusable' },
    });
    await look(3 * DAY);
    expect((await open.clinic.backups.state()).isLate).toBe(true);
    outcome = async () => ({ files: 3, sizeBytes: 5, lost: 0 });
    await look(2 * HOUR);
    const state = await open.clinic.backups.state();
    expect([state.isLate, state.failed]).toEqual([false, undefined]);
    const actions = open.store.audit.of('backup').map(({ action, actor }) => `${actor} ${action}`);
    expect(actions).toEqual([
      'workstation backup.made',
      'program backup.failed',
      'program backup.failed',
      'program backup.failed',
      'program backup.made',
    ]);
  });

  test('a clock that ran ahead for a while neither stops backups nor hides how old they are', async () => {
    nowMs += 365 * DAY;
    await open.clinic.backups.setUp('/backups', { kind: 'none' }, 'workstation');
    await open.clinic.backups.settled();
    nowMs -= 365 * DAY;
    expect((await open.clinic.backups.state()).isLate).toBe(true);
    expect(await look(60_000)).toBe(2);
    expect((await open.clinic.backups.state()).isLate).toBe(false);
  });

  test('however many fail, the last good one stays known', async () => {
    await open.clinic.backups.setUp('/backups', { kind: 'none' }, 'workstation');
    await open.clinic.backups.settled();
    const goodMs = nowMs;
    const failed = {
      kind: 'make',
      folder: '/backups',
      endedMs: nowMs,
      files: 0,
      sizeBytes: 0,
      lost: 0,
    } as const;
    for (let i = 0; i < 1000; i++) open.store.backups.add({ ...failed, reason: 'backup_unusable' });
    expect((await open.clinic.backups.state()).lastGood?.atMs).toBe(goodMs);
  });

  test('a first one that fails is too late already', async () => {
    outcome = () => Promise.reject(new IsolineError('storage_full', 'Full.'));
    await open.clinic.backups.setUp('/backups', { kind: 'none' }, 'workstation');
    await open.clinic.backups.settled();
    expect(await open.clinic.backups.state()).toMatchObject({
      isLate: true,
      failed: { reason: 'storage_full' },
    });
  });

  test('two at once never run; one that is under way is broken off with the program', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    outcome = () => promise;
    await open.clinic.backups.setUp('/backups', { kind: 'none' }, 'workstation');
    expect(() => open.clinic.backups.start('verify', 'workstation')).toThrow(/under way/);
    await expect(open.clinic.backups.setUp('/other', { kind: 'none' }, 'workstation')).rejects.toMatchObject({
      reason: 'storage_busy',
    });
    await expect.poll(() => made).toBe(1);
    const closed = open.clinic.backups.close();
    reject(new Error('ended with its thread'));
    await closed;
    expect(open.store.audit.of('backup')).toEqual([]);
  });
});

describe('with a real folder', () => {
  let running: RunningWorkstation;
  beforeEach(async () => {
    running = await runWorkstation({ dataDir: join(folder.path, 'data'), overrides: FREE_OF_LIMITS });
  });
  afterEach(() => running.stop());

  const state = () => running.bridge.call('backup.state', {});
  const settled = () =>
    eventually(async () => {
      const now = await state();
      return now.isRunning ? undefined : now;
    }, 'the backup');

  test('set up with a passphrase: made, read back, kept on; gone with the disk, and back with it', async () => {
    const { bridge } = running;
    await importTestFiles(bridge, wfdbFiles('1.hea', '1.dat'));
    const target = join(folder.path, 'backup');
    mkdirSync(join(folder.path, 'full', 'something'), { recursive: true });
    for (const [where, passphrase, reason] of [
      [target, 'short', 'backup_key_wrong'],
      [join(folder.path, 'full'), 'nine quiet horses', 'backup_unusable'],
    ] as const)
      await expect(bridge.call('backup.setUp', { folder: where, passphrase })).rejects.toMatchObject({
        reason,
      });
    expect((await state()).folder).toBeUndefined();

    await bridge.call('backup.setUp', { folder: target, passphrase: 'nine quiet horses' });
    expect(await settled()).toMatchObject({ folder: target, isEncrypted: true, lastGood: { lost: 0 } });
    await bridge.call('backup.start', { kind: 'verify' });
    expect((await settled()).verified).toBeDefined();
    expect(readdirSync(join(target, 'backups'))).toHaveLength(1);
    // The passphrase is in no database and no log; its file is for its owner alone.
    const secret = join(running.dataDir, 'secrets', 'backup.token');
    expect(statSync(secret).mode & 0o077).toBe(0);

    renameSync(target, `${target} away`);
    await bridge.call('backup.start', { kind: 'make' });
    expect((await settled()).failed?.reason).toBe('backup_unusable');
    // Nothing was begun anew where the disk is not there.
    expect(readdirSync(folder.path)).not.toContain('backup');
    renameSync(`${target} away`, target);
    await bridge.call('backup.start', { kind: 'make' });
    const good = await settled();
    expect([good.failed, readdirSync(join(target, 'backups')).length]).toEqual([undefined, 2]);

    const [prefix] = readdirSync(join(target, 'objects'));
    rmSync(join(target, 'objects', prefix!), { recursive: true });
    await bridge.call('backup.start', { kind: 'verify' });
    expect((await settled()).damaged?.reason).toBe('backup_damaged');
    await bridge.call('backup.stop', {});
    expect(await state()).toEqual({ isRunning: false, isLate: false });
    expect(readdirSync(join(running.dataDir, 'secrets'))).not.toContain('backup.token');
    using store = openDataStore(running.dataDir, 'command');
    expect(store.audit.of('backup').map(({ action }) => action)).toEqual([
      'backup.made',
      'backup.verified',
      'backup.failed',
      'backup.made',
      'backup.failed',
    ]);
  });

  test('restored only where nothing was recorded, and never from a newer version; then as it was', async () => {
    const target = join(folder.path, 'backup');
    const source = await runWorkstation({ overrides: FREE_OF_LIMITS });
    const taskId = await importTestFiles(source.bridge, wfdbFiles('1.hea', '1.dat'));
    await source.bridge.call('backup.setUp', { folder: target });
    await eventually(async () => (await source.bridge.call('backup.state', {})).lastGood, 'the backup');
    const makeNewer = async (): Promise<void> => {
      const database = new Database(join(source.dataDir, 'isoline.sqlite'));
      database.pragma('user_version = 9999');
      database.close();
      const open = await BackupFolder.open(target, { kind: 'none' });
      await makeBackup(open, { dataDir: source.dataDir, productVersion: '99', nowMs: Date.now() + 1000 });
    };
    const restore = (of: RunningWorkstation) => of.bridge.call('backup.restore', { folder: target });
    const left = (of: RunningWorkstation): string[] =>
      readdirSync(of.dataDir).filter((name) => name.includes('restor'));
    await using empty = await runWorkstation({ overrides: FREE_OF_LIMITS });
    await restore(empty);
    const again = (): BridgeClient => new BridgeClient(empty.workstation.connect());
    await eventually(
      async () =>
        (
          await again()
            .call('task.get', { taskId })
            .catch(() => undefined)
        )?.state,
      'the restored task',
    );
    expect(left(empty)).toEqual([]);

    await importTestFiles(running.bridge, wfdbFiles('1.hea', '1.dat'));
    await expect(restore(running)).rejects.toMatchObject({ reason: 'something_recorded' });
    await source.workstation.close();
    await makeNewer();
    await source.stop();
    await using other = await runWorkstation({ overrides: FREE_OF_LIMITS });
    await expect(restore(other)).rejects.toMatchObject({ reason: 'database_newer' });
    expect(left(other)).toEqual([]);
    expect((await other.bridge.call('task.list', { limit: 1 })).total).toBe(0);
  });
});
