// A new version, in real Chromium: found at a server and in a folder, downloaded, held up by a recording, and installed by
// electron-updater's own code in place of the program that runs.

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { makeReleaseKeys } from '../../build/release/sign-release.ts';
import { electronInstaller } from '../../main/host/electron/updates.ts';
import { PRODUCT_VERSION } from '../../main/product/product.ts';
import { BridgeClient } from '../../shared/bridge/client.ts';
import { launchChromium } from '../support/chromium.ts';
import { makeRelease, RELEASE_PAIR, writeAppImage } from '../support/made-release.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { plainUpdater } from '../support/plain-updater.ts';
import { RECORDED_DEVICE } from '../support/recorded-device.ts';
import { type ReleaseServer, serveRelease } from '../support/release-server.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';

const NEW = '9.1.0';

let browser: Browser;
let folder: TempFolder;
let server: ReleaseServer;
let screens: OpenScreens;
let program = '';
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  folder = await tempFolder();
  const inFolder = (name: string): string => join(folder.path, name);
  for (const name of ['release', 'updater']) mkdirSync(inFolder(name));
  program = inFolder('Isoline.AppImage');
  writeAppImage(program, PRODUCT_VERSION);
  vi.stubEnv('APPIMAGE', program);
  makeRelease(inFolder('release'), { version: NEW, paddingBytes: 3e6 });
  server = await serveRelease(inFolder('release'));
  screens = await openScreens(
    browser,
    { reducedMotion: 'reduce' },
    {
      releaseKeys: [RELEASE_PAIR.publicKey],
      installer: electronInstaller({
        updater: plainUpdater({ version: PRODUCT_VERSION, folder: inFolder('updater') }),
        fetch: (url, init) => fetch(url, init),
        isRecording: () => false,
        close: () => screens.running.workstation.close(),
        relaunch: () => undefined,
      }),
    },
  );
  await screens.page.goto(screens.host.newLink());
  await screens.page.getByRole('grid').waitFor();
  await screens.page.keyboard.press('Alt+s');
  await screens.page.getByRole('button', { name: 'Updates' }).click();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await screens?.close();
  await server?.[Symbol.asyncDispose]();
  await folder?.remove();
});

const shot = (name: string): Promise<Buffer> =>
  screens.page.screenshot({ path: join(screenshotFolder, `${name}.png`) });

test('a new version is found, downloaded, waits for a recording, and takes the place of the old one', async () => {
  const { page, running, faults } = screens;
  await page.getByText(`Isoline ${PRODUCT_VERSION}`).waitFor();
  const address = page.getByRole('textbox', { name: 'Check for new versions at' });
  await address.fill('clinic.example');
  await address.press('Enter');
  await page.getByRole('alert').waitFor();
  await address.fill(server.url);
  await address.press('Enter');
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText(`Version ${NEW} is available`).waitFor();
  await page.getByText('Measures QT on more leads.').waitFor();
  await shot('settings-update-found');
  await page.getByRole('button', { name: 'Download' }).click();
  const install = page.getByRole('button', { name: 'Install …' });
  await install.waitFor();
  await page.getByText('No backup is set up, so none is made first').waitFor();

  const recorder = new BridgeClient(running.workstation.connect('recorder'));
  const { taskId, folder } = await recorder.call('recorder.begin', {
    sampleRateHz: 500,
    leadCodes: ['MDC_ECG_LEAD_I'],
    scale: { digitalMinimum: -1000, digitalMaximum: 1000, physicalMinimumMv: -1, physicalMaximumMv: 1 },
    device: RECORDED_DEVICE,
    startedMs: Date.now(),
  });
  await page.getByText('A recording is running.').waitFor();
  expect(await install.isDisabled()).toBe(true);
  await shot('settings-update-waits');
  await recorder.call('recorder.discard', { taskId, folder, isTaskOurs: true });
  await install.click();
  expect(faults).toEqual([]);
  await page.getByRole('button', { name: 'Install and restart now' }).click();
  await vi.waitFor(() => expect(readFileSync(`${program}.started`, 'utf8')).toBe(`${NEW}\n`), 15_000);
  expect(readFileSync(program, 'utf8')).toContain(`echo ${NEW}`);
});

test('a release of somebody else is refused in one sentence; a good one comes from a folder without a network', async () => {
  const { page, faults } = screens;
  const elsewhere = join(folder.path, 'stick');
  makeRelease(elsewhere, { version: NEW, keys: makeReleaseKeys() });
  await server[Symbol.asyncDispose]();
  const path = page.getByRole('textbox', { name: 'Folder with the file release.json' });
  const look = page.getByRole('button', { name: 'Check folder' });
  await path.fill(elsewhere);
  await look.click();
  await page.getByText('This is not a genuine release of Isoline').waitFor();
  await shot('settings-update-refused');
  // One that is not newer than what runs is said to be so.
  makeRelease(elsewhere, { version: PRODUCT_VERSION });
  await look.click();
  await page.getByText('The release in this folder is not newer than this version.').waitFor();
  await path.fill(join(folder.path, 'release'));
  await look.click();
  await page.getByText(`Version ${NEW} is available`).waitFor();
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByRole('button', { name: 'Install …' }).waitFor();
  expect(faults).toEqual([]);
});
