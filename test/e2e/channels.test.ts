// A person says which channels of a file are ECG: of a recording that is there, and of a file that the program took for none.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { FREE_OF_LIMITS, whenAnalysed } from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { strangeEdf } from '../support/strange-channels.ts';
import { beatCode } from '../support/text-device.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
declare const axe: { run(context: Document): Promise<{ violations: { id: string; impact: string }[] }> };

const SLEEP = strangeEdf([
  { label: 'EKG1', is: 'I' },
  { label: 'EKG2', is: 'II', isTurned: true },
  { label: 'EKG3', is: 'V5' },
  { label: 'Chin', is: 'V1' },
  { label: 'C3-A2', is: 'V2' },
]);
const BRAIN = strangeEdf([
  { label: 'C3', is: 'I' },
  { label: 'O2', is: 'II' },
]);

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let screens: OpenScreens;
beforeEach(async () => {
  screens = await openScreens(browser, { reducedMotion: 'reduce' }, { overrides: FREE_OF_LIMITS });
});
afterEach(() => screens?.close());

const picture = (name: string) =>
  screens.page.screenshot({ path: join(screenshotFolder, `channels-${name}.png`) });

async function importFile(name: string, bytes: Uint8Array): Promise<void> {
  const { page, host } = screens;
  mkdirSync(screenshotFolder, { recursive: true });
  const path = join(screens.running.dataDir, name);
  writeFileSync(path, bytes);
  await page.goto(host.newLink());
  await page.getByRole('link', { name: /Worklist/ }).click();
  await page
    .getByRole('button', { name: /^Import/ })
    .first()
    .click();
  await page.locator('input[type=file]').setInputFiles([path]);
  await page.getByRole('button', { name: 'Import 1 file' }).click();
}

test('channels of a recording are named, turned over and left out, and it is analysed again', async () => {
  const { page, running, faults } = screens;
  await importFile('sleep-0031.edf', SLEEP);
  await page.getByText(/imported as task/).waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  const { rows } = await running.bridge.call('task.list', { limit: 1 });
  const taskId = rows[0]!.taskId;
  await whenAnalysed(running.bridge, taskId);
  await page.getByRole('button', { name: 'Channels …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Which channels are ECG?' });
  await dialog.getByText('Upside down?').first().waitFor();
  await picture('1280');
  const use = dialog.getByRole('button', { name: /^Use 3 leads/ });
  await dialog.getByLabel('Lead of EKG1').selectOption({ label: 'Lead I' });
  await dialog.getByLabel('Lead of EKG2').selectOption({ label: 'Lead I' });
  expect(await dialog.getByRole('alert').textContent()).toContain('Two channels are named I.');
  expect(await use.isDisabled()).toBe(true);
  await dialog.getByLabel('Lead of EKG2').selectOption({ label: 'Lead II' });
  await dialog.getByRole('button', { name: 'Turn over EKG2' }).click();
  await dialog.getByLabel('Lead of EKG3').selectOption({ label: 'Not ECG' });
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => axe.run(document));
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
  for (const [name, width, height] of [
    ['1024', 1024, 768],
    ['200', 640, 400],
  ] as const) {
    await page.setViewportSize({ width, height });
    await picture(name);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByRole('button', { name: /^Use 2 leads/ }).click();
  await dialog.waitFor({ state: 'hidden' });
  await whenAnalysed(running.bridge, taskId);
  await page.getByText('The channels were chosen by a person: EKG1 = I, EKG2 = II.').waitFor();
  await page.getByRole('img', { name: 'Lead II, the first' }).first().waitFor();
  await picture('chosen');
  await page.goto(page.url().replace(/#.*/, `#/review/${taskId}`));
  await page.getByText('Left out by a person: EKG3, Chin, C3-A2.').waitFor();
  await picture('review');
  expect(faults).toEqual([]);
});

test('a file that the program takes for no ECG is imported where a person knows better', async () => {
  const { page, running, faults } = screens;
  await importFile('brain.edf', BRAIN);
  await page.getByRole('button', { name: 'Choose channels …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Which channels are ECG?' });
  await dialog.getByText('Choose at least one channel as ECG.').waitFor();
  await picture('asked');
  await dialog.getByLabel('Use C3').click({ force: true });
  await dialog.getByLabel('Lead of C3').selectOption({ label: 'Lead I' });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  // It is asked again, until the import is closed.
  await page.getByRole('button', { name: 'Choose channels …' }).click();
  await dialog.getByLabel('Use C3').click({ force: true });
  await dialog.getByRole('button', { name: /^Use 1 lead/ }).click();
  await page.getByText(/brain\.edf: imported as task/).waitFor();
  const { rows } = await running.bridge.call('task.list', { limit: 5 });
  expect(rows).toHaveLength(1);
  await whenAnalysed(running.bridge, rows[0]!.taskId);
  const task = await running.bridge.call('task.get', { taskId: rows[0]!.taskId });
  expect(task.warnings.map(({ message }) => message)).toContain('The channels were chosen by a person: C3.');
  expect(faults).toEqual([]);
});

test('a table that does not say its rate is imported once a person says it', async () => {
  const { page, running, faults } = screens;
  const lines = Array.from({ length: 3000 }, (_, i) => `${beatCode(i, 250)},${i % 5}`);
  await importFile('board.csv', Buffer.from(`ECG,Switch\n${lines.join('\n')}\n`));
  await page.getByText('does not say how many samples a second it has', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Choose channels …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Which channels are ECG?' });
  await dialog.getByLabel('Use ECG', { exact: true }).click({ force: true });
  await dialog.getByText('Say how many samples a second the file has.').waitFor();
  await picture('no-rate');
  await dialog.getByLabel('Samples a second, which the file does not say').fill('500');
  await dialog.getByText('heartbeats seen, 150 /min').waitFor();
  await dialog.getByLabel('Samples a second, which the file does not say').fill('250');
  await dialog.getByText('heartbeats seen, 75 /min').waitFor();
  await dialog.getByLabel('Lead of ECG', { exact: true }).selectOption({ label: 'Lead II' });
  await picture('rate');
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => axe.run(document));
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
  await dialog.getByRole('button', { name: /^Use 1 lead/ }).click();
  await page.getByText(/board\.csv: imported as task/).waitFor();
  const { rows } = await running.bridge.call('task.list', { limit: 5 });
  await whenAnalysed(running.bridge, rows[0]!.taskId);
  const task = await running.bridge.call('task.get', { taskId: rows[0]!.taskId });
  expect(task.durationMs).toBe(12_000);
  expect(task.warnings.map(({ message }) => message)).toContain(
    'The file does not say how many samples a second it has; a person said 250.',
  );
  expect(faults).toEqual([]);
});
