// The settings, in real Chromium: found by a word, taken back, and what they do to a report and to printing.

import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { importTestFiles, wfdbFiles } from '../support/import-test-files.ts';
import { madePng } from '../support/made-png.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { dataFolder } from '../support/test-data.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let screens: OpenScreens;
let { running, host, page, faults } = {} as OpenScreens;
beforeEach(async () => {
  screens = await openScreens(browser, { reducedMotion: 'reduce' });
  ({ running, host, page, faults } = screens);
  await page.goto(host.newLink());
  await page.getByRole('grid').waitFor();
  await page.keyboard.press('Alt+s');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
});
afterEach(async () => {
  expect(faults).toEqual([]);
  await screens?.close();
});

const shot = (name: string): Promise<Buffer> =>
  page.screenshot({ path: join(screenshotFolder, `${name}.png`) });
const stored = async (key: string): Promise<string | undefined> =>
  (await running.bridge.call('setting.list', {})).values[key];

test('a setting is found by a word, changed, and taken back; what it was stands beside it', async () => {
  await page.keyboard.press('/');
  const search = page.getByRole('searchbox', { name: 'Find a setting' });
  await expect.poll(() => search.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type('no such thing');
  await page.getByText('No setting matches.').waitFor();
  await search.fill('paper');
  await page.getByRole('radio', { name: 'Letter' }).click();
  await page.getByText('Was A4 ·').waitFor();
  expect(await stored('report.paper')).toBe('Letter');
  await shot('settings-found');
  // It is still known in its group, and goes back from there.
  await page.getByRole('main').getByRole('button', { name: 'Report' }).first().click();
  await page.getByText('Was A4 ·').waitFor();
  await shot('settings-report');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Was A4 ·').waitFor({ state: 'detached' });
  expect(await stored('report.paper')).toBe('A4');
  await page.getByRole('textbox', { name: 'Rhythm strips' }).fill('V9');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  expect(await stored('report.rhythmLeads')).toBe('II, V1, V5');
});

test.each([
  ['png', 'image/png', madePng(2400, 400)],
  [
    'svg',
    'image/svg+xml',
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 24"><rect width="120" height="24" fill="#0a5a78"/></svg>',
    ),
  ],
])('a logo of any size is drawn anew and kept: %s', async (ending, mimeType, buffer) => {
  await page.getByRole('button', { name: 'Report' }).click();
  const file = (content: Buffer, name: string) =>
    page.locator('input[type=file][accept*=png]').setInputFiles({ name, mimeType, buffer: content });
  await file(Buffer.from('no picture'), `broken.${ending}`);
  await page.getByText('This file is not a picture that can be used.').waitFor();
  await file(buffer, `logo.${ending}`);
  await page.getByRole('img', { name: 'Logo' }).waitFor();
  await shot(`settings-logo-${ending}`);
  const { png } = await running.bridge.call('setting.logo', {});
  expect(Buffer.from(png!).readUInt32BE(16)).toBeLessThanOrEqual(1040);
  expect(Buffer.from(png!).readUInt32BE(20)).toBeGreaterThan(100);
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('img', { name: 'Logo' }).waitFor({ state: 'detached' });
  expect(await running.bridge.call('setting.logo', {})).toEqual({});
});

test('backups are set up, made and read back; what is amiss stands on every screen', async () => {
  await using target = await tempFolder();
  await page.getByRole('img', { name: 'Needs attention' }).waitFor();
  await page.getByRole('button', { name: /Storage and backup/ }).click();
  await page.getByText('No backups are made').waitFor();
  const setUp = page.getByRole('button', { name: 'Start backups' });
  expect(await setUp.isDisabled()).toBe(true);
  await page.getByLabel('Empty folder on another disk').fill(join(target.path, 'backup'));
  await page.getByLabel('Passphrase, at least').fill('nine quiet horses');
  await page.getByLabel('Passphrase again').fill('nine quiet house!');
  await page.getByText('The passphrases differ.').waitFor();
  expect(await setUp.isDisabled()).toBe(true);
  await shot('settings-backup-new');
  await page.getByLabel('Passphrase again').fill('nine quiet horses');
  await setUp.click();
  await page.getByText(/^Last good backup: .* Encrypted\./).waitFor();
  await page.getByRole('button', { name: 'Check backup' }).click();
  await page.getByText(/Whole on/).waitFor();
  await shot('settings-backup');
  expect(await page.getByRole('img', { name: 'Needs attention' }).count()).toBe(0);

  // The disk is away: the next one fails, and says what to do.
  await rename(join(target.path, 'backup'), join(target.path, 'away'));
  await page.getByRole('button', { name: 'Back up now' }).click();
  await page
    .getByText(/failed: There is no backup in this folder.*Check that the disk or share is connected/)
    .waitFor();
  await shot('settings-backup-failed');
});

test('the printer is measured once; one that shrinks pages is said so', async () => {
  await page.getByRole('button', { name: 'Printing' }).click();
  await page.getByText('This printer has not been measured yet.').waitFor();
  await page.evaluate(() => {
    window.print = () => {
      throw new Error('not printed in a test');
    };
  });
  faults.length = 0;
  await page.getByRole('button', { name: 'Print test page' }).click();
  await page.locator('html[data-printing]').waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'print' });
  const lines = page.locator('body > div:last-child > div > div');
  const [across, down] = [await lines.nth(0).boundingBox(), await lines.nth(1).boundingBox()];
  expect(Math.abs(across!.width - (150 / 25.4) * 96)).toBeLessThan(0.6);
  expect(Math.abs(down!.height - (100 / 25.4) * 96)).toBeLessThan(0.6);
  await shot('print-test-page');
  await page.emulateMedia({ media: null });
  await page.reload();
  await page.keyboard.press('Alt+s');
  await page.getByRole('button', { name: 'Printing' }).click();
  faults.length = 0;
  const measure = async (a: string, d: string): Promise<void> => {
    await page.getByLabel('Line across').fill(a);
    await page.getByLabel('Line down').fill(d);
    await page.getByRole('button', { name: 'Save measurement' }).click();
  };
  await measure('145.2', '100');
  await page.getByText('This printer prints at 96.8 %').waitFor();
  await shot('settings-printing');
  await measure('150', '99.5');
  await page.getByText('This printer prints true to size.').waitFor();
  await page.getByRole('button', { name: 'Forget the measurement' }).click();
  await page.getByText('This printer has not been measured yet.').waitFor();
});

test('a legal hold is set and seen; the audit trail is searched by words and names, checked, exported', async () => {
  await importTestFiles(running.bridge, wfdbFiles('1.hea', '1.dat'));
  const taskId = await importTestFiles(running.bridge, [
    { name: 'a.edf', bytes: readFileSync(join(dataFolder, 'edf', 'made_ecg12_plusC.edf')) },
  ]);
  await page.keyboard.press('F4');
  await page.getByRole('row', { name: /Harry/i }).click();
  await page.getByRole('button', { name: 'Legal hold …' }).click();
  await page.getByRole('button', { name: 'Set legal hold' }).click();
  await page.getByText('Give a reason of at least three letters.').waitFor();
  await page.getByRole('button', { name: 'Legal proceedings' }).click();
  await shot('legal-hold');
  await page.getByRole('button', { name: 'Set legal hold' }).click();
  await page.getByText(/^Under legal hold since/).waitFor();
  expect(await page.getByRole('button', { name: 'Delete …' }).count()).toBe(0);

  await page.evaluate(() => {
    location.hash = '#/settings/audit';
  });
  const rows = page.locator('tbody tr');
  await page.getByRole('cell', { name: 'Legal hold set' }).waitFor();
  const all = await rows.count();
  const search = page.getByRole('searchbox', { name: 'Words, name or task number' });
  await search.fill('hold set');
  await expect.poll(() => rows.count()).toBe(2);
  await search.fill('harry');
  await expect.poll(() => rows.count()).toBeLessThan(all - 1);
  await page
    .getByRole('link', { name: `Task ${taskId}` })
    .first()
    .waitFor();
  await search.fill('no such thing');
  await page.getByText('No earlier entries.').waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  await search.fill('');
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText(/^Complete: \d+ entries, checked/).waitFor();
  await shot('settings-audit');
  // What is exported is what was typed last, however fast the click follows.
  await search.fill('no such thing');
  await page.getByText('No earlier entries.').waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  const saved = page.waitForEvent('download');
  await search.fill('');
  await page.getByRole('button', { name: 'Export' }).click();
  expect(readFileSync(await (await saved).path(), 'utf8')).toContain('patient.held');
});
