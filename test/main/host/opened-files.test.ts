// Files that an operating system hands over: what is taken of them, and what of them can be read.

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FilesOpenedWith } from '../../../main/host/opened-files.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

test('files that can be ECGs are taken, once, wherever the path begins; everything else is passed by', async () => {
  await using folder = await tempFolder();
  const inFolder = (name: string): string => join(folder.path, name);
  for (const name of ['a.edf', 'B.SCP', 'notes.txt', 'run.sh']) writeFileSync(inFolder(name), name);
  mkdirSync(inFolder('folder.edf'));
  symlinkSync('/dev/zero', inFolder('endless.edf'));
  const opened = new FilesOpenedWith();
  await opened.add(
    [
      inFolder('a.edf'),
      'a.edf',
      'B.SCP',
      '--flag.edf',
      'none.edf',
      'notes.txt',
      'run.sh',
      'folder.edf',
      'endless.edf',
    ],
    folder.path,
  );
  expect(opened.views.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([
    ['a.edf', 5],
    ['B.SCP', 5],
  ]);
});

test('is read by its number alone, as far as it is there, and no more once it was taken', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'a.edf');
  writeFileSync(path, '0123456789');
  const opened = new FilesOpenedWith();
  await opened.add([path], '/');
  const [file] = opened.views;
  const id = file?.id ?? '';
  expect(text(await opened.read(id, 2, 3))).toBe('234');
  for (const [which, offset] of [
    [path, 0],
    ['', 0],
    [id, 8],
  ] as const)
    await expect(opened.read(which, offset, 3)).rejects.toMatchObject({ reason: 'file_not_found' });
  rmSync(path);
  await expect(opened.read(id, 0, 3)).rejects.toMatchObject({ reason: 'file_not_found' });
  opened.close([id]);
  expect(opened.views).toEqual([]);
});
