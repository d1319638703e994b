// The import journey in the real Electron, where its program is on this machine; else one line that says it
// isn't.

import { join } from 'node:path';
import { _electron } from 'playwright-core';
import { buildElectron, buildRenderer } from '../../main/host/cli/build.ts';
import { runnableElectron } from '../../main/host/cli/electron-program.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { dataFolder } from '../support/test-data.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function journey(program: string): Promise<void> {
  await buildRenderer(say);
  const entry = buildElectron(say);
  await using folder = await tempFolder();
  const app = await _electron.launch({
    executablePath: program,
    args: [entry, `--data-dir=${folder.path}`, '--service-port=0'],
  });
  try {
    const page = await app.firstWindow();
    await page.getByRole('heading', { name: 'Worklist' }).waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page
      .locator('input[type=file]')
      .setInputFiles(['100.hea', '100.dat', '100.atr'].map((name) => join(dataFolder, 'wfdb', name)));
    await page.getByRole('switch', { name: /Approve automatically/ }).check();
    await page.getByRole('button', { name: /^Import \d+ files$/ }).click();
    await page.getByText('100.hea: imported as task 1').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('Report ready').waitFor();
    await page.getByRole('button', { name: /Open report/ }).click();
    await page.locator('canvas[data-drawn]').waitFor();
    say('1 passed, 0 failed');
  } finally {
    await app.close();
  }
}

const program = runnableElectron();
if (program === undefined)
  say(
    'The Electron program is not on this machine, or may not run as root: the journey in the real Electron was left out.',
  );
else await journey(program);
