// What a command gives away, or lets steer: keys in the process list, control characters in the terminal,
// files that others can read.

import { readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { requireSerialPath } from '../../../../main/device/transports/port-path.ts';
import { browserCommand, writeRedirect } from '../../../../main/host/cli/open-browser.ts';
import { CrashCount } from '../../../../main/host/electron/window.ts';
import { openTerminals, socatMissing } from '../../../support/pseudo-terminal.ts';
import { isoline } from '../../../support/run-isoline.ts';
import { runWorkstation } from '../../../support/running-workstation.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { dataFolder } from '../../../support/test-data.ts';

test('the key of a link is in no argument of a program: the browser gets a file that only its owner can read', async () => {
  const path = await writeRedirect('http://127.0.0.1:5000/#key=abc');
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    expect(browserCommand(path, platform).flat().join(' ')).not.toContain('key=');
  expect(await readFile(path, 'utf8')).toContain('url=http://127.0.0.1:5000/#key=abc"');
  if (process.platform !== 'win32') {
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
  }
  await rm(dirname(path), { recursive: true });
});

test('escapes of a file reach neither terminal nor stderr (SEC32)', async () => {
  await using folder = await tempFolder();
  const header = (await readFile(join(dataFolder, 'wfdb', '100.hea'), 'utf8')).replace(
    'MLII',
    '\u001b]0;owned\u0007\u001b[2J\u009b31mMLII',
  );
  await writeFile(join(folder.path, '100.hea'), header);
  await writeFile(join(folder.path, '100.dat'), await readFile(join(dataFolder, 'wfdb', '100.dat')));
  for (const args of [
    ['analyse', join(folder.path, '100.hea')],
    ['convert', join(folder.path, '100.hea'), join(folder.path, 'out.csv')],
    ['info', join(folder.path, '\u001b[31mmissing.edf')],
  ]) {
    const { stdout, stderr } = await isoline(...args);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  }
});

test('what a command writes is its owner’s alone (SEC62)', async () => {
  if (process.platform === 'win32') return;
  await using folder = await tempFolder();
  const out = join(folder.path, 'result.json');
  const pdf = join(folder.path, 'result.pdf');
  expect(
    (await isoline('analyse', join(dataFolder, 'wfdb', '1.hea'), '--json', out, '--pdf', pdf)).code,
  ).toBe(0);
  for (const path of [out, pdf]) expect((await stat(path)).mode & 0o077).toBe(0);
});

test('a page reaches serial ports and nothing else (SEC14)', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'file');
  await writeFile(file, 'x');
  await symlink(file, join(folder.path, 'ttyUSB0'));
  for (const path of [
    file,
    join(folder.path, 'ttyUSB0'),
    '/dev/null',
    '/dev/zero',
    '/etc/passwd',
    '/dev/../etc/passwd',
    'relative',
    '/dev/tty\0x',
  ])
    await expect(requireSerialPath(path, 'linux'), path).rejects.toMatchObject({
      reason: expect.stringMatching(/^device_not_/),
    });
  await expect(requireSerialPath('COM3', 'win32')).resolves.toBeUndefined();
  for (const path of ['C:\\Windows\\win.ini', '\\\\.\\pipe\\x', 'COM3\\..\\x'])
    await expect(requireSerialPath(path, 'win32')).rejects.toThrow();
});

test.skipIf(socatMissing !== undefined)(
  'a pseudo-terminal behind a link is one of them (left out without socat)',
  async () => {
    await using folder = await tempFolder();
    await using terminals = await openTerminals(folder.path);
    await expect(requireSerialPath(terminals.host)).resolves.toBeUndefined();
  },
);

test('a page that keeps crashing is not reloaded for ever (SEC9)', () => {
  const crashes = new CrashCount();
  expect([0, 1000, 2000, 3000].map((ms) => crashes.mayReload(ms))).toEqual([true, true, true, false]);
  expect(crashes.mayReload(120_000)).toBe(true);
});

test('a taken service port does not stop the workstation: it opens, says so, and offers another', async () => {
  const taken = createServer();
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
  const { port } = taken.address() as AddressInfo;
  const running = await runWorkstation({ port, isServiceOptional: true });
  try {
    const about = await running.bridge.call('workstation.about', {});
    expect(about).toMatchObject({ serviceUrl: '', serviceTrouble: { port } });
    expect(about.serviceTrouble?.freePort).toBeGreaterThan(port);
    expect((await running.bridge.call('task.list', { limit: 1 })).total).toBe(0);
  } finally {
    await running.stop();
    taken.close();
  }
});
