import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashFile } from '../../../main/pool/hash-file.ts';
import { openDatabase } from '../../../main/store/database/database.ts';
import { MIGRATIONS, migrate } from '../../../main/store/database/migrate.ts';
import { openFiles } from '../../../main/store/files/files.ts';
import { lockFolder } from '../../../main/store/folder/folder-lock.ts';
import { type OpenStore, openStore } from '../../../main/store/store.ts';
import type { AuditAction } from '../../../shared/audit-actions.ts';
import { checkConnection } from '../../../shared/connections/connections.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { dataFolder } from '../../support/test-data.ts';

const open = (folder: string): OpenStore =>
  openStore({
    path: join(folder, 'isoline.sqlite'),
    role: 'writer',
    nowMs: 1000,
    makeInstallationId: () => 'abcdefgh',
  });
const SHA = 'a'.repeat(64);

function schemaOf(folder: string): unknown[] {
  const database = new Database(join(folder, 'isoline.sqlite'), { readonly: true });
  try {
    return database.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY type, name').all();
  } finally {
    database.close();
  }
}

describe('database', () => {
  test('is opened with every commit synced, in WAL, STRICT tables throughout', async () => {
    await using folder = await tempFolder();
    const db = openDatabase(join(folder.path, 'isoline.sqlite'), 'writer', 0);
    expect([
      db.pragma('journal_mode', { simple: true }),
      db.pragma('synchronous', { simple: true }),
      db.pragma('foreign_keys', { simple: true }),
    ]).toEqual(['wal', 2, 1]);
    const tables = db.pragma('table_list') as { name: string; strict: number; type: string }[];
    expect(
      tables.filter(
        (table) => table.type === 'table' && !table.name.startsWith('sqlite_') && table.strict === 0,
      ),
    ).toEqual([]);
    db.close();
  });

  test('refuses a database of a newer version and changes nothing', async () => {
    await using folder = await tempFolder();
    open(folder.path).close();
    const path = join(folder.path, 'isoline.sqlite');
    const raw = new Database(path);
    raw.pragma('user_version = 9990');
    raw.close();
    expect(() => open(folder.path)).toThrow(expect.objectContaining({ reason: 'database_newer' }));
    expect(new Database(path).pragma('user_version', { simple: true })).toBe(9990);
  });

  test.each([
    ['text', 'this is no database, only some text in a file of that name', 'database_damaged'],
    ['a foreign database', undefined, 'data_folder_unusable'],
  ])('refuses %s in place of its own', async (_name, content, reason) => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'isoline.sqlite');
    if (content !== undefined) writeFileSync(path, content.repeat(100));
    else {
      const other = new Database(path);
      other.exec('CREATE TABLE t (a); PRAGMA user_version = 3');
      other.close();
    }
    expect(() => open(folder.path)).toThrow(expect.objectContaining({ reason }));
  });

  test('a migration that fails leaves version and tables as they were', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'isoline.sqlite');
    const db = openDatabase(path, 'writer', 0);
    const newest = MIGRATIONS.at(-1)!.id;
    const next = newest + 10;
    const broken = [
      ...MIGRATIONS,
      {
        id: next,
        name: 'broken',
        up: (d: Database.Database) =>
          void d.exec('CREATE TABLE half (a) STRICT; INSERT INTO nowhere VALUES (1)'),
      },
    ];
    expect(() => migrate(db, path, 5, broken)).toThrow();
    expect(db.pragma('user_version', { simple: true })).toBe(newest);
    expect(db.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'half'").pluck().get()).toBe(0);
    expect(existsSync(join(folder.path, 'backups', `before-${next}-5.sqlite`))).toBe(true);
    db.close();
  });

  test.each(readdirSync(join(dataFolder, 'databases')).filter((name) => name.endsWith('.sqlite')))(
    'a filled database of schema %s opens, is like a new one, with its audit trail whole',
    async (name) => {
      await using folder = await tempFolder();
      const source = new Database(join(dataFolder, 'databases', name), { readonly: true });
      await source.backup(join(folder.path, 'isoline.sqlite'));
      source.close();
      using store = open(folder.path);
      await using fresh = await tempFolder();
      open(fresh.path).close();
      expect(schemaOf(folder.path)).toEqual(schemaOf(fresh.path));
      const { tasks, total } = store.tasks.list({ terms: [] }, 10, 0);
      expect(total).toBeGreaterThan(0);
      expect(store.audit.verify().brokenAt).toBeUndefined();
      expect(
        tasks.every(
          ({ task }) =>
            task.recordingId === undefined || store.recordings.byId(task.recordingId) !== undefined,
        ),
      ).toBe(true);
    },
  );
});

test('connections of schema 240, a column for each kind, are kinds with their configuration', async () => {
  await using folder = await tempFolder();
  const source = new Database(join(dataFolder, 'databases', '240.sqlite'), { readonly: true });
  await source.backup(join(folder.path, 'isoline.sqlite'));
  source.close();
  using store = open(folder.path);
  const all = store.connections.all();
  expect(all.map(({ to, label }) => [label, to])).toEqual([
    [
      'Cardio centre',
      { kind: 'central', config: { url: 'http://127.0.0.1:9', organizationThere: 'clinic' } },
    ],
    ['ARCHIVE1', { kind: 'dicom', config: { host: '127.0.0.1', port: 104, isTls: true, title: 'ARCHIVE1' } }],
    [
      'Hospital',
      {
        kind: 'hl7',
        config: { host: '::1', port: 2575, isTls: false, application: 'KIS', facility: 'ST ANNA' },
      },
    ],
    [
      '127.0.0.1:9',
      {
        kind: 'fhir',
        config: {
          url: 'http://127.0.0.1:9/r4',
          patientSystem: 'urn:oid:1.2.3',
          clientId: 'isoline',
          tokenUrl: 'http://127.0.0.1:9/token',
          orders: 'status=active',
        },
      },
    ],
  ]);
  // Each is as its kind has it today: it can be added nowhere a second time.
  for (const { to } of all) expect(checkConnection(to, 'secret').to).toEqual(to);
  expect(all[0]?.proven).toEqual({ isIdempotent: false, isStreamProven: false });
  // What was on its way goes on.
  expect(store.outbox.queue(1, ['HELD', 'READY', 'SENDING'], 10)).toHaveLength(1);
});

describe('audit trail (SEC72)', () => {
  const entry = (action: AuditAction) => ({
    timeMs: 1,
    actor: 'program',
    action,
    subject: 'task:1',
    detail: { b: 1, a: 'x' },
  });

  async function filled(): Promise<{
    folder: Awaited<ReturnType<typeof tempFolder>>;
    db: Database.Database;
    store: OpenStore;
  }> {
    const folder = await tempFolder();
    const store = open(folder.path);
    for (const action of ['task.created', 'task.analysed', 'task.deleted'] as const)
      store.transaction(() => store.audit.append(entry(action)));
    return { folder, store, db: new Database(join(folder.path, 'isoline.sqlite')) };
  }

  test('refuses changes and removals', async () => {
    const { folder, db, store } = await filled();
    expect(() => db.exec("UPDATE audit SET actor = 'x'")).toThrow(/append-only/);
    expect(() => db.exec('DELETE FROM audit')).toThrow(/append-only/);
    db.close();
    store.close();
    await folder.remove();
  });

  test.each([
    ['changed', "UPDATE audit SET detail = '{}' WHERE seq = 2", 2],
    ['removed', 'DELETE FROM audit WHERE seq = 2', 2],
    [
      'swapped',
      'UPDATE audit SET seq = -seq WHERE seq IN (1, 2); UPDATE audit SET seq = 3 + seq WHERE seq < 0',
      1,
    ],
  ])('finds a row that was %s behind its back', async (_name, sql, brokenAt) => {
    const { folder, db, store } = await filled();
    db.exec('DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_cut');
    db.exec(sql);
    expect(store.audit.verify().brokenAt).toBe(brokenAt);
    db.close();
    store.close();
    await folder.remove();
  });
});

describe('upload ranges', () => {
  test('merge with their neighbours to exactly the bytes that were added', async () => {
    await using folder = await tempFolder();
    using store = open(folder.path);
    const organization = store.organizations.add('clinic', 'Clinic', 0);
    let n = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 15 })), { minLength: 1, maxLength: 20 }),
        (pieces) => {
          const id = `upload-${n++}`;
          store.uploads.add({
            id,
            organizationId: organization.id,
            totalSizeBytes: 100,
            sha256: SHA,
            state: 'receiving',
            createdMs: 0,
            touchedMs: 0,
          });
          const bytes = new Uint8Array(100);
          for (const [start, length] of pieces) {
            store.uploads.addRange(id, [start, start + length], 0);
            bytes.fill(1, start, start + length);
          }
          const ranges = store.uploads.ranges(id);
          const again = new Uint8Array(100);
          for (const [start, end] of ranges) again.fill(1, start, end);
          expect(again).toEqual(bytes);
          for (let i = 1; i < ranges.length; i++) expect(ranges[i]![0]).toBeGreaterThan(ranges[i - 1]![1]);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('files', () => {
  test('are stored once by content, readable by the owner alone, and checked when read', async () => {
    await using folder = await tempFolder();
    const files = await openFiles(folder.path, hashFile);
    const sha256 = await files.put(new TextEncoder().encode('hello'));
    expect(sha256).toBe('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
    expect(await files.put(new TextEncoder().encode('hello'))).toBe(sha256);
    if (process.platform !== 'win32') expect(statSync(files.path(sha256)).mode & 0o777).toBe(0o600);
    await writeFile(files.path(sha256), 'hallo');
    expect(await files.get(sha256)).toBeUndefined();
    await files.put(new TextEncoder().encode('hello'));
    expect(Buffer.from((await files.get(sha256))!).toString()).toBe('hello');
    expect(readdirSync(join(folder.path, 'files')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('never become a path of somebody’s making', async () => {
    await using folder = await tempFolder();
    const files = await openFiles(folder.path, hashFile);
    expect(() => files.path('../../etc/passwd')).toThrow();
    expect(() => files.incomingPath('../x')).toThrow();
  });
});

describe('folder lock', () => {
  test('is held by one, names its holder, and is free again after release', async () => {
    await using folder = await tempFolder();
    const lock = lockFolder(folder.path, Date.UTC(2026, 10, 21, 14, 32));
    expect(() => lockFolder(folder.path, 0)).toThrow(
      expect.objectContaining({
        reason: 'data_folder_in_use',
        message: expect.stringContaining(`process ${process.pid}, running since 2026-11-21 14:32 UTC`),
      }),
    );
    lock.release();
    lockFolder(folder.path, 0).release();
  });

  test('says it when the folder is a file', async () => {
    await using folder = await tempFolder();
    await mkdir(join(folder.path, 'x'));
    writeFileSync(join(folder.path, 'x', 'y'), '');
    expect(() => lockFolder(join(folder.path, 'x', 'y'), 0)).toThrow(
      expect.objectContaining({ reason: 'data_folder_unusable' }),
    );
  });
});
