// A technician's way through the device page, in real Chromium against the real workstation: the simulator and a device at a
// pseudo-terminal, live, recorded, unplugged, plugged in again.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildAndLaunch, screenshotFolder } from '../support/built-screens.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { openTerminals, PluggedDevice, socatMissing } from '../support/pseudo-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await buildAndLaunch();
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

const panel = () => page.getByRole('complementary', { name: 'Chosen device' });
const state = () =>
  panel()
    .locator('span', { hasText: /^(Ready|Recording|Detecting …|Not connected|Lost.*)$/ })
    .first();

/** Pixels of the strip that are as dark as a trace. */
const tracePixels = () =>
  page.locator('canvas').evaluate((element) => {
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
    await panel().getByRole('button', { name: 'Record 10 s' }).click();
    await expect.poll(() => state().textContent()).toBe('Recording');
    await page.waitForTimeout(2500);
    await page.screenshot({ path: join(screenshotFolder, 'devices-recording.png') });
    await expect.poll(() => state().textContent(), { timeout: 20_000 }).toBe('Ready');
    await page.getByRole('link', { name: 'Worklist' }).click();
    const row = page.getByRole('row', { name: /10 s/ });
    await row.waitFor();
    await row.getByText('SIMULATED').waitFor();
    await row.click();
    await page.getByRole('button', { name: 'Open report' }).waitFor({ timeout: 30_000 });
    const { rows } = await running.bridge.call('task.list', { limit: 10 });
    const { pdf } = await running.bridge.call('report.read', { taskId: rows[0]!.taskId });
    writeFileSync(join(screenshotFolder, 'simulated.pdf'), pdf);
    expect(faults).toEqual([]);
  });

  test('is dark and large where asked for', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await openDevices();
    await startSimulator('OpenBCI Cyton');
    await expect.poll(() => panel().getByText('Monitoring quality: not for ST or morphology').count()).toBe(1);
    await page.waitForTimeout(6000);
    await page.screenshot({ path: join(screenshotFolder, 'devices-dark.png') });
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(screenshotFolder, 'devices-200-percent.png') });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
  });

  test('tells in a sentence what is wrong with a port', async () => {
    await openDevices();
    await page.getByLabel('Other port').fill('/dev/no-such-port');
    await page.getByRole('button', { name: 'Connect' }).first().click();
    await page.getByText('There is no such port: plug the device in, or choose another one.').first().waitFor();
    await page.screenshot({ path: join(screenshotFolder, 'devices-no-port.png') });
  });

  test.skipIf(socatMissing !== undefined)(
    `goes on with the recording of a device that is unplugged and plugged in again${socatMissing === undefined ? '' : ` (${socatMissing})`}`,
    async () => {
      await using folder = await tempFolder();
      let pair = await openTerminals(folder.path);
      const device = new PluggedDevice('isoline-idp');
      await device.plugInto(pair.device);
      try {
        await openDevices();
        await page.getByLabel('Other port').fill(pair.host);
        await page.getByRole('button', { name: 'Connect' }).first().click();
        await expect.poll(() => state().textContent(), { timeout: 20_000 }).toBe('Ready');
        await panel().getByRole('button', { name: 'Record', exact: true }).click();
        await expect.poll(() => state().textContent()).toBe('Recording');
        await page.waitForTimeout(1500);
        await pair.unplug();
        await device.pullOut();
        await expect.poll(() => state().textContent(), { timeout: 5000 }).toMatch(/^Lost since/);
        await panel()
          .getByText(/The recording waits and goes on in the same task/)
          .waitFor();
        await page.screenshot({ path: join(screenshotFolder, 'devices-lost.png') });
        pair = await openTerminals(folder.path);
        await device.plugInto(pair.device);
        await expect.poll(() => state().textContent(), { timeout: 10_000 }).toBe('Recording');
        await page.waitForTimeout(1000);
        await panel().getByRole('button', { name: 'Stop' }).click();
        await panel()
          .getByText(/The recording is task \d+/)
          .waitFor({ timeout: 10_000 });
        const { rows } = await running.bridge.call('task.list', { limit: 10 });
        expect(rows).toHaveLength(1);
        expect(faults).toEqual([]);
      } finally {
        await device.switchOff();
        await pair.unplug();
      }
    },
  );

  test('says that the store was started again in the middle of a recording, of which nothing is lost', async () => {
    await openDevices();
    await startSimulator('Isoline device protocol');
    await panel().getByRole('button', { name: 'Record', exact: true }).click();
    await expect.poll(() => state().textContent()).toBe('Recording');
    await page.waitForTimeout(1000);
    await running.workstation.crash();
    await page.getByText('The store stopped and was started again. Nothing recorded is lost.').waitFor({ timeout: 15_000 });
    await page.screenshot({ path: join(screenshotFolder, 'devices-store-restarted.png') });
  });
});
