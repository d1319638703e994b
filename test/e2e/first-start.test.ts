// From a new data folder to the first report, as somebody new does it; and a new computer that takes over from a backup.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openScreens } from '../support/open-screens.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** E64: to the first test recording. A test clicks faster than a person reads; waiting is the same for both. */
const MOST_MS = 6 * 60_000;
const SECRET = 'correct horse battery';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const shot = (page: Page, name: string): Promise<Buffer> =>
  page.screenshot({ path: join(screenshotFolder, `first-start-${name}.png`) });

test('a newcomer gets from the first start to the first report; a backup of it is restored on a new computer', async () => {
  await using folder = await tempFolder();
  const target = join(folder.path, 'backups');
  const screens = await openScreens(browser, { locale: 'en-US' }, { hasFirstStart: true });
  const { page, host, faults } = screens;
  const startMs = performance.now();
  await page.goto(host.newLink());
  const next = page.getByRole('button', { name: /^Next/ });
  const at = (title: string) => page.getByRole('heading', { name: title, level: 1 }).waitFor();

  await at('Where is this computer?');
  const country = page.getByRole('combobox', { name: 'Country' });
  expect(await country.inputValue()).toBe('United States');
  await country.click();
  await page.keyboard.type('German');
  await page.keyboard.press('Enter');
  await page.getByText('50 Hz').waitFor();
  await shot(page, '1-country');
  await next.click();

  await at('Who works here?');
  await page.getByLabel('Clinic').fill('Praxis am Markt');
  await next.click();
  await page.getByText('Enter the name of the first user.').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('A. Admin');
  await page.getByLabel(/^Password/).fill('short');
  await next.click();
  await page
    .getByText(/10 characters/)
    .nth(1)
    .waitFor();
  await page.getByLabel(/^Password/).fill(SECRET);
  await shot(page, '2-clinic');
  await next.click();

  await at('Where do the backups go?');
  // Nobody passes by in the belief that there are some.
  await next.click();
  await page.getByText('To continue, set up the backup above').waitFor();
  await page.getByLabel('Empty folder').fill(target);
  await page.getByLabel(/^Passphrase, at least/).fill(SECRET);
  await page.getByLabel('Passphrase again').fill(SECRET);
  await shot(page, '3-backup');
  await page.getByRole('button', { name: 'Start backups' }).click();
  await page.getByRole('button', { name: 'Back up now' }).waitFor();
  await next.click();

  await at('Set the true size of the screen');
  await shot(page, '4-screen');
  // Left, and resumed at the same place.
  await page.getByRole('link', { name: 'Go to the worklist' }).click();
  await page.getByRole('grid').waitFor();
  await page.getByRole('link', { name: 'Finish setting up' }).click();
  await at('Set the true size of the screen');
  // Whoever goes back while an answer is being stored stays there, and goes on from there.
  await page.evaluate(() => {
    const later = [...document.querySelectorAll('button')].find(
      (each) => each.textContent === 'Do this later',
    );
    later?.click();
    location.hash = '#/start/clinic';
  });
  await at('Who works here?');
  await page.getByText('Put off').waitFor();
  await at('Who works here?');
  await page
    .getByRole('button', { name: /Screen/ })
    .first()
    .click();
  await at('Set the true size of the screen');
  await page.getByRole('button', { name: 'Do this later' }).click();

  await at('Which cable do you use?');
  expect(await page.getByRole('radio', { name: /IEC/ }).isChecked()).toBe(true);
  await shot(page, '5-electrodes');
  await next.click();

  await at('Connect the ECG device');
  await page.getByRole('button', { name: 'Use the simulator' }).click();
  const record = page.getByRole('button', { name: 'Record 10 seconds' });
  await expect.poll(() => record.isEnabled()).toBe(true);
  await record.click();
  await page.getByText(/^10 s recorded and analysed/).waitFor({ timeout: 60_000 });
  await page.locator('[role=img]').first().waitFor();
  await shot(page, '6-device');
  await next.click();

  await at('Isoline is ready');
  await page.getByText('ECGs on this screen are only approximately true to size.').waitFor();
  await shot(page, '7-ready');
  const tookMs = performance.now() - startMs;
  expect(tookMs).toBeLessThan(MOST_MS);
  await page.getByRole('button', { name: 'Go to the worklist' }).click();
  await page.getByRole('row', { name: /TEST, Isoline/ }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Finish setting up' }).count()).toBe(0);
  // With the recording in it.
  await page.evaluate(() => {
    location.hash = '#/settings/storage';
  });
  const backUp = page.getByRole('button', { name: 'Back up now' });
  await backUp.click();
  await expect.poll(() => readdirSync(join(target, 'backups')).length).toBe(2);
  await expect.poll(() => backUp.isEnabled()).toBe(true);
  expect(faults).toEqual([]);
  await screens.close();
  process.stdout.write(`  from the first page to the first report: ${Math.round(tookMs / 1000)} s\n`);

  const other = await openScreens(browser, {}, { hasFirstStart: true });
  await other.page.goto(other.host.newLink());
  await other.page.getByRole('link', { name: 'Restore a backup of another computer instead' }).click();
  await other.page.getByLabel('Folder with the backups').fill(target);
  await other.page.getByLabel(/^Passphrase, if/).fill('wrong horse battery');
  await other.page.getByRole('button', { name: 'Restore' }).click();
  await other.page.getByText('The passphrase or key file does not open the backup.').waitFor();
  await other.page.getByLabel(/^Passphrase, if/).fill(SECRET);
  await shot(other.page, '8-restore');
  await other.page.getByRole('button', { name: 'Restore' }).click();
  await other.page.getByLabel(/A. Admin/).fill(SECRET);
  await other.page.keyboard.press('Enter');
  await other.page.getByRole('row', { name: /TEST, Isoline/ }).waitFor();
  expect(other.faults).toEqual([]);
  await other.close();
}, 240_000);
