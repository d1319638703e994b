// A folder of files of all kinds at the command line: each is named once, with what it is and why it is not taken.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeZip } from '../../../support/make-archives.ts';
import { plainEdf } from '../../../support/plain-edf.ts';
import { isoline } from '../../../support/run-isoline.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { dataFolder } from '../../../support/test-data.ts';

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
    expect.stringMatching(/^pack\.zip\/readme\.txt: The file is no recording/),
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

test('import finds the signals beside a header', async () => {
  await using folder = await tempFolder();
  const header = join(strangeFolder(folder.path), '100_3chan.hea');
  const { code, stdout } = await isoline('import', header, '--data-dir', join(folder.path, 'data'));
  expect(stdout).toContain('imported as task');
  expect(code).toBe(0);
});
