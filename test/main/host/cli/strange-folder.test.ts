// A folder of files of all kinds at the command line: each is named once, with what it is and why it is not taken.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeZip } from '../../../support/make-archives.ts';
import { plainEdf } from '../../../support/plain-edf.ts';
import { isoline } from '../../../support/run-isoline.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { dataFolder } from '../../../support/test-data.ts';
import { beatCode } from '../../../support/text-device.ts';

/** Two recordings, two that cannot be read, two that are none, and an archive with one of each. */
function strangeFolder(path: string): string {
  const folder = join(path, 'strange');
  mkdirSync(folder);
  for (const ending of ['hea', 'dat'])
    copyFileSync(join(dataFolder, 'wfdb', `100_3chan.${ending}`), join(folder, `100_3chan.${ending}`));
  writeFileSync(join(folder, 'sleep.edf'), plainEdf(['C3', 'C4', 'O1', 'ECG']));
  writeFileSync(join(folder, 'eeg.edf'), plainEdf(['C3', 'C4', 'O1']));
  writeFileSync(join(folder, 'cut.edf'), plainEdf(['II']).subarray(0, 300));
  writeFileSync(join(folder, 'notes.txt'), 'nothing of an ECG');
  writeFileSync(join(folder, 'empty.bin'), '');
  const zip = makeZip([
    { name: 'a.edf', content: plainEdf(['II']) },
    { name: 'readme.txt', content: readFileSync(join(dataFolder, 'README.md')) },
  ]);
  writeFileSync(join(folder, 'pack.zip'), zip);
  return folder;
}

test('info lists each file once, and fails because some cannot be read', async () => {
  await using folder = await tempFolder();
  const { code, stdout, stderr } = await isoline('info', strangeFolder(folder.path));
  const { records, ignored } = JSON.parse(stdout);
  const said = [...records, ...ignored].map(
    ({ name, error, message }: { name: string; error?: { message: string }; message?: string }) =>
      `${name}: ${error?.message ?? message ?? 'read'}`,
  );
  expect(said).toEqual([
    '100_3chan: read',
    expect.stringMatching(/^cut: The EDF header/),
    'eeg: read',
    'sleep: read',
    'pack.zip/a: read',
    'empty.bin: The file is empty.',
    expect.stringMatching(/^notes\.txt: The file is not an ECG format/),
    expect.stringMatching(/^pack\.zip\/readme\.txt: The file is not an ECG format/),
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain('1 of 5 cannot be read.');
});

test('analyse does what it can, and names the rest', async () => {
  await using folder = await tempFolder();
  const { code, stdout, stderr } = await isoline('analyse', strangeFolder(folder.path));
  expect(stdout).toMatch(/3 analysed, 2 not readable, 3 files left out\.\n$/);
  for (const name of [
    'cut: ',
    'eeg: The file holds no ECG, but EEG',
    'notes.txt: left out.',
    'empty.bin: left out.',
  ])
    expect(stderr.split(name).length).toBe(2);
  expect(code).toBe(1);
});

test('what is no file, may not be read or has an odd name is named, and ends nothing', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'odd');
  mkdirSync(path);
  const inside = (name: string): string => join(path, name);
  writeFileSync(inside('good.edf'), plainEdf(['II']));
  writeFileSync(inside('damaged.edf'), Buffer.alloc(5000, 7));
  writeFileSync(inside('pack.7z'), Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 0]));
  writeFileSync(Buffer.from(`${path}/M\xfcller.edf`, 'latin1'), plainEdf(['II']));
  symlinkSync(inside('good.edf'), inside('linked.edf'));
  symlinkSync(path, inside('loop'));
  symlinkSync(inside('nothing.edf'), inside('lost.edf'));
  execFileSync('mkfifo', [inside('pipe.edf')]);
  const inner = makeZip([{ name: 'a.edf', content: plainEdf(['II']) }]);
  writeFileSync(inside('outer.zip'), makeZip([{ name: 'inner.zip', content: inner.subarray(0, 60) }]));
  const { code, stdout, stderr } = await isoline('analyse', path);
  expect(stdout).toMatch(/^good: .*\nlinked: .*\n2 analysed, 7 not readable, 1 file left out\.\n$/);
  for (const sentence of [
    'damaged.edf: The file is not an ECG format',
    'pack.7z: The file is a 7z archive',
    'M\uFFFDller.edf: Its name has letters that this computer does not know.',
    'loop: It is a link to a folder',
    'lost.edf: It is a link to something that is not there.',
    'pipe.edf: left out. It is no file.',
    'outer.zip: An archive inside the archive cannot be opened',
    'outer.zip/inner.zip: The file is a zip archive',
  ])
    expect(stderr).toContain(sentence);
  expect(code).toBe(1);
  const named = await isoline('analyse', inside('pipe.edf'));
  expect(named.stderr).toContain('is not a file.');
});

test('a copied header is not read with the samples of the recording that it was copied from', async () => {
  await using folder = await tempFolder();
  const header = readFileSync(join(dataFolder, 'wfdb', '100_3chan.hea'));
  const samples = readFileSync(join(dataFolder, 'wfdb', '100_3chan.dat'));
  for (const name of ['100_3chan', '100_3chan (1)']) writeFileSync(join(folder.path, `${name}.hea`), header);
  writeFileSync(join(folder.path, '100_3chan.dat'), samples);
  const copy = join(folder.path, '100_3chan (1).hea');
  for (const asked of [folder.path, copy]) {
    const { code, stderr } = await isoline('analyse', asked);
    expect(stderr).toContain('"100_3chan (1).hea" names "100_3chan.dat" as its samples');
    expect(code).toBe(1);
  }
  const alone = join(folder.path, 'alone');
  mkdirSync(alone);
  copyFileSync(copy, join(alone, '100_3chan (1).hea'));
  copyFileSync(join(folder.path, '100_3chan.dat'), join(alone, '100_3chan.dat'));
  const { code, stdout } = await isoline('analyse', join(alone, '100_3chan (1).hea'));
  expect(stdout).toContain('a file with another name: check that both belong to one recording');
  expect(code).toBe(0);
});

test('tables without a rate are read as soon as somebody says it, one of them or a folder', async () => {
  await using folder = await tempFolder();
  const text = Array.from({ length: 2500 }, (_, i) => beatCode(i, 250)).join('\n');
  for (const name of ['a.csv', 'b.csv']) writeFileSync(join(folder.path, name), text);
  const unsaid = await isoline('analyse', folder.path);
  expect(unsaid.stderr).toContain('a.csv: left out. The file does not say how many samples a second');
  const said = await isoline('analyse', folder.path, '--channels', '#1=II 1uV 250Hz');
  expect(said.stdout).toMatch(/2 analysed\.\n$/);
  const one = await isoline('analyse', join(folder.path, 'a.csv'), '--channels', '#1=II 1uV 250Hz');
  expect(one.stdout).toContain('250 Hz, 10.0 s');
});

test('import finds the signals beside a header', async () => {
  await using folder = await tempFolder();
  const header = join(strangeFolder(folder.path), '100_3chan.hea');
  const { code, stdout } = await isoline('import', header, '--data-dir', join(folder.path, 'data'));
  expect(stdout).toContain('imported as task');
  expect(code).toBe(0);
});
