// The device page, in real Chromium against the real workstation: the simulator, its signal, what is wrong
// with a port.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { openTerminals, socatMissing } from '../support/pseudo-terminal.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { beatCode, printLines } from '../support/text-device.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let screens: OpenScreens;
let { running, host, page, faults } = {} as OpenScreens;
beforeEach(async () => {
  screens = await openScreens(browser);
  ({ running, host, page, faults } = screens);
});
afterEach(() => screens?.close());

async function openDevices(): Promise<void> {
  await page.goto(host.newLink());
  await page.getByRole('link', { name: 'Devices' }).click();
  await page.getByRole('heading', { name: 'Devices', exact: true }).waitFor();
}

const panel = () => page.getByRole('complementary', { name: 'Selected device' });
const state = () =>
  panel()
    .locator('span', { hasText: /^(Ready|Recording|Detecting …|Not connected|Disconnected.*)$/ })
    .first();

/** Pixels of the strip that are as dark as a trace. */
const tracePixels = () =>
  page
    .locator('[data-testid=live-strip] canvas')
    .last()
    .evaluate((element) => {
      const canvas = element as HTMLCanvasElement;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      let dark = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i]! + data[i + 1]! + data[i + 2]! < 200) dark++;
      return dark;
    });

async function startSimulator(driver: string, rhythm = 'sinus'): Promise<void> {
  await page.getByRole('button', { name: 'Simulator' }).click();
  await page.getByLabel('Rhythm').selectOption(rhythm);
  await page.getByRole('menuitem', { name: driver }).click();
  await expect.poll(() => state().textContent(), { timeout: 20_000 }).toBe('Ready');
}

describe('the device page', () => {
  test('shows the simulator live, records ten seconds of it, and marks it everywhere', async () => {
    await openDevices();
    await page.screenshot({ path: join(screenshotFolder, 'devices-empty.png') });
    await startSimulator('Isoline device protocol', 'afib');
    await expect.poll(() => panel().getByText('SIMULATED').count()).toBeGreaterThan(0);
    await expect.poll(() => tracePixels(), { timeout: 10_000 }).toBeGreaterThan(300);
    await expect.poll(() => panel().getByText('/min').count(), { timeout: 15_000 }).toBe(1);
    await panel().getByRole('img', { name: 'Electrode positions; all in contact' }).waitFor();
    await page.keyboard.press('F9');
    await page.getByTestId('recorded-time').waitFor();
    await page.getByRole('link', { name: 'Devices' }).click();
    await expect.poll(() => state().textContent()).toBe('Recording');
    await page.waitForTimeout(2500);
    await page.screenshot({ path: join(screenshotFolder, 'devices-recording.png') });
    await page.keyboard.press('F3');
    await page.waitForTimeout(7000);
    await page.keyboard.press('F5');
    await page.getByText(/stored\./).waitFor({ timeout: 20_000 });
    await page.getByRole('link', { name: 'Worklist' }).click();
    const row = page.getByRole('row', { name: /UNKNOWN, emergency/ });
    await row.waitFor();
    await row.getByText('SIMULATED').waitFor();
    await row.click();
    await page.getByRole('button', { name: 'Open report' }).waitFor({ timeout: 30_000 });
    const { rows } = await running.bridge.call('task.list', { limit: 10 });
    const { pdf } = await running.bridge.call('report.read', { taskId: rows[0]!.taskId });
    writeFileSync(join(screenshotFolder, 'simulated.pdf'), pdf);
    expect(faults).toEqual([]);
  });

  test('takes a name of the clinic for a device, which Live says too', async () => {
    await openDevices();
    await startSimulator('Isoline device protocol');
    await panel().getByRole('button', { name: 'Rename' }).click();
    await page.screenshot({ path: join(screenshotFolder, 'device-rename.png') });
    await page.getByLabel('Name in this clinic').fill('Trolley 2');
    await page.keyboard.press('Enter');
    await panel().getByText('Trolley 2').waitFor();
    await page.screenshot({ path: join(screenshotFolder, 'device-renamed.png') });
    await page.keyboard.press('F3');
    await page.getByTestId('live-device').getByText('Trolley 2').waitFor();
  });

  test('is dark and large where asked for', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await openDevices();
    await startSimulator('OpenBCI Cyton');
    await expect
      .poll(() => panel().getByText('Monitoring quality: not for ST or morphology').count())
      .toBe(1);
    await page.waitForTimeout(6000);
    await page.screenshot({ path: join(screenshotFolder, 'devices-dark.png') });
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(screenshotFolder, 'devices-200-percent.png') });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
  });

  test('tells in a sentence what is wrong with a port', async () => {
    await openDevices();
    await page.getByLabel('Other port').fill('/dev/no-such-port');
    await page.getByRole('button', { name: 'Connect' }).first().click();
    await page.getByText('Port not found. Plug the device in or choose another port.').first().waitFor();
    await page.screenshot({ path: join(screenshotFolder, 'devices-no-port.png') });
    // No device was there, and none is in the list.
    expect(
      (await screens.desk.handlersFor('test')['desk.list']({}, new AbortController().signal)).devices,
    ).toEqual([]);
    expect(await page.getByRole('link', { name: 'No device' }).count()).toBe(1);
  });

  test('says that the store was started again in the middle of a recording, of which nothing is lost', async () => {
    await openDevices();
    await startSimulator('Isoline device protocol');
    await page.keyboard.press('F9');
    await page.getByTestId('recorded-time').waitFor();
    await page.waitForTimeout(1000);
    await running.workstation.crash();
    await page.getByText('Storage was restarted. Nothing recorded is lost.').waitFor({ timeout: 15_000 });
    await page.screenshot({ path: join(screenshotFolder, 'devices-store-restarted.png') });
  });
});

describe.skipIf(socatMissing)('a board that prints numbers', () => {
  const RATE_HZ = 250;

  test('shows its columns, and the ECG among them is chosen in three clicks', async () => {
    await using folder = await tempFolder();
    await using pair = await openTerminals(folder.path, 'board');
    using _board = printLines(
      pair.device,
      RATE_HZ,
      (i) =>
        `${1000 + 4 * i},${500 + ((i * 7) % 5)},${Math.round(600 + 40 * Math.sin(i / 200))},${beatCode(i, RATE_HZ)},0`,
    );
    await openDevices();
    await screens.desk.connect(pair.host, { driver: 'text' });
    await expect.poll(() => state().textContent(), { timeout: 20_000 }).toBe('Ready');
    await page.waitForTimeout(7000);
    await panel().getByRole('button', { name: 'Columns …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Which column is the ECG?' });
    await dialog.getByText('heartbeats seen, 75 /min').waitFor();
    await dialog.getByLabel('Lead of column 4').selectOption({ label: 'Lead II' });
    await page.screenshot({ path: join(screenshotFolder, 'devices-columns.png') });
    await page.setViewportSize({ width: 640, height: 400 });
    await page.screenshot({ path: join(screenshotFolder, 'devices-columns-200.png') });
    await page.setViewportSize({ width: 1280, height: 800 });
    await dialog.getByRole('button', { name: /^Use lead II/ }).click();
    await dialog.waitFor({ state: 'hidden' });
    await panel()
      .locator('b', { hasText: /^7[45]$/ })
      .waitFor({ timeout: 20_000 });
    expect(faults).toEqual([]);
  });
});
