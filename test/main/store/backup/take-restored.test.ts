// What the first start restored is taken over, wherever an earlier try was cut off; recordings never make way for it.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RESTORED_FOLDER, takeRestored } from '../../../../main/store/backup/take-restored.ts';
import { noteDamage } from '../../../../main/store/folder/home-folder.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

let folder: TempFolder;
beforeEach(async () => {
  folder = await tempFolder();
});
afterEach(() => folder.remove());

function makeFolder(path: string, tasks: number, file: string): void {
  mkdirSync(join(path, 'files', 'ab'), { recursive: true });
  writeFileSync(join(path, 'files', 'ab', file), file);
  const database = new Database(join(path, 'isoline.sqlite'));
  database.pragma('journal_mode = WAL');
  database.exec(
    'CREATE TABLE task (id INTEGER PRIMARY KEY, state TEXT); CREATE TABLE upload (id INTEGER PRIMARY KEY, state TEXT)',
  );
  for (let i = 0; i < tasks; i++) database.exec("INSERT INTO task (state) VALUES ('COMPLETED')");
  // Only a number is left of what was deleted.
  database.exec("INSERT INTO task (state) VALUES ('DELETED')");
  database.close();
}

const tasksOf = (path: string): unknown => {
  const database = new Database(join(path, 'isoline.sqlite'), { readonly: true });
  try {
    return database.prepare("SELECT count(*) FROM task WHERE state <> 'DELETED'").pluck().get();
  } finally {
    database.close();
  }
};

/** Where a try was cut off: what it had done by then. */
const CUTS: readonly (readonly [string, (dataDir: string) => void])[] = [
  ['before anything', () => undefined],
  [
    'when the empty files of before were gone',
    (dataDir) => rmSync(join(dataDir, 'files'), { recursive: true }),
  ],
  [
    'when the files were there',
    (dataDir) => {
      rmSync(join(dataDir, 'files'), { recursive: true });
      cpSync(join(dataDir, RESTORED_FOLDER, 'files'), join(dataDir, 'files'), { recursive: true });
      rmSync(join(dataDir, RESTORED_FOLDER, 'files'), { recursive: true });
    },
  ],
  [
    'when the database of before was gone',
    (dataDir) => {
      rmSync(join(dataDir, 'files'), { recursive: true });
      cpSync(join(dataDir, RESTORED_FOLDER, 'files'), join(dataDir, 'files'), { recursive: true });
      rmSync(join(dataDir, RESTORED_FOLDER, 'files'), { recursive: true });
      rmSync(join(dataDir, 'isoline.sqlite'));
    },
  ],
];

test.each(CUTS)('cut off %s: the next start has all of it', async (_when, cut) => {
  const dataDir = folder.path;
  makeFolder(dataDir, 0, 'logo');
  writeFileSync(join(dataDir, 'isoline.sqlite-wal'), '');
  makeFolder(join(dataDir, RESTORED_FOLDER), 3, 'recording');
  cut(dataDir);
  expect(await takeRestored(dataDir, 0)).toBe(true);
  expect(tasksOf(dataDir)).toBe(3);
  expect(readdirSync(join(dataDir, 'files', 'ab'))).toEqual(['recording']);
  expect(existsSync(join(dataDir, RESTORED_FOLDER))).toBe(false);
  expect(await takeRestored(dataDir, 0)).toBe(false);
  expect(tasksOf(dataDir)).toBe(3);
});

test.each(CUTS)(
  'where the database is damaged, it is set aside; cut off %s, the next start has all of it',
  async (_when, cut) => {
    const dataDir = folder.path;
    makeFolder(dataDir, 2, 'logo');
    noteDamage(dataDir, 0);
    makeFolder(join(dataDir, RESTORED_FOLDER), 3, 'recording');
    cut(dataDir);
    expect(await takeRestored(dataDir, 0)).toBe(true);
    expect(tasksOf(dataDir)).toBe(3);
    expect(readdirSync(join(dataDir, 'files', 'ab'))).toEqual(['recording']);
  },
);

test('recordings of a whole database stay, even where a folder of an earlier damage is left', async () => {
  makeFolder(folder.path, 3, 'recording');
  mkdirSync(join(folder.path, 'emergency'));
  makeFolder(join(folder.path, RESTORED_FOLDER), 2, 'older');
  expect(await takeRestored(folder.path, 0)).toBe(false);
  expect(tasksOf(folder.path)).toBe(3);
});

test('behind the last rename only the empty folder is taken away', async () => {
  makeFolder(folder.path, 3, 'recording');
  mkdirSync(join(folder.path, RESTORED_FOLDER));
  expect(await takeRestored(folder.path, 0)).toBe(false);
  expect([tasksOf(folder.path), existsSync(join(folder.path, RESTORED_FOLDER))]).toEqual([3, false]);
});

test.each(['a recording', 'an upload'])(
  '%s that came meanwhile stays, and the copy goes: the backup has it',
  async (what) => {
    const isTask = what === 'a recording';
    makeFolder(folder.path, isTask ? 1 : 0, 'recorded');
    if (!isTask) {
      const database = new Database(join(folder.path, 'isoline.sqlite'));
      database.exec("INSERT INTO upload (state) VALUES ('complete')");
      database.close();
    }
    makeFolder(join(folder.path, RESTORED_FOLDER), 3, 'recording');
    expect(await takeRestored(folder.path, 0)).toBe(false);
    expect([tasksOf(folder.path), existsSync(join(folder.path, RESTORED_FOLDER))]).toEqual([
      isTask ? 1 : 0,
      false,
    ]);
    expect(readFileSync(join(folder.path, 'files', 'ab', 'recorded'), 'utf8')).toBe('recorded');
  },
);

test('what a restore that was cut off left is cleared away', async () => {
  makeFolder(folder.path, 0, 'logo');
  makeFolder(join(folder.path, `.${RESTORED_FOLDER}.restoring`), 3, 'recording');
  expect(await takeRestored(folder.path, 0)).toBe(false);
  expect(readdirSync(folder.path).filter((name) => name.includes(RESTORED_FOLDER))).toEqual([]);
});
