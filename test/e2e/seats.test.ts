// A day at three places: the workstation, a technician's tablet and a physician's, each in a real Chromium of its own. Touched,
// not clicked, at the tablets.

import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import decodeQr from 'qr/decode.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { attachDesk } from '../../main/host/desk-host.ts';
import { loadRenderer, type PageFile, type PageFiles } from '../../main/host/page/renderer-files.ts';
import { keepSeatDoor, type SeatDoor } from '../../main/host/seats/seat-door.ts';
import { builtScreens } from '../support/built-screens-folder.ts';
import { launchChromium } from '../support/chromium.ts';
import { enterPatient, HOFFMANN } from '../support/enter-patient.ts';
import { freePort } from '../support/free-port.ts';
import { tracePixels } from '../support/live-picture.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { whenAnalysed } from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { addPeople, PASSWORD, PIN } from '../support/seats.ts';

/** A tablet of ten inches, held across and upright. */
const ACROSS = { width: 1280, height: 800 };
const UPRIGHT = { width: 800, height: 1280 };

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let screens: OpenScreens;
let door: SeatDoor;
const tablets: BrowserContext[] = [];
beforeEach(async () => {
  screens = await openScreens(
    browser,
    {},
    {
      overrides: [
        ['storage.reserve', '0'],
        ['seats.host', '127.0.0.1'],
        ['seats.port', String(await freePort())],
      ],
    },
  );
  const { running } = screens;
  door = openDoor(loadRenderer(builtScreens));
  await addPeople(running.bridge);
  await running.bridge.call('user.add', { name: 'Dr. Roe', role: 'reviewer', secret: PIN });
});
afterEach(async () => {
  for (const tablet of tablets.splice(0)) await tablet.close();
  await door[Symbol.asyncDispose]();
  await screens.close();
});

const openDoor = (pages: PageFiles): SeatDoor =>
  keepSeatDoor(screens.running.workstation, attachDesk(screens.desk), pages);

/** The same screens, with the first script renamed, as in a new version. */
function asUpdated(pages: PageFiles): PageFiles {
  const [name = '', script] = [...pages].find(([path]) => /\/index-[\w-]+\.js$/.test(path)) ?? [];
  const newName = name.replace('index-', 'updated-index-');
  const start = pages.get('/index.html') as PageFile;
  const text = start.bytes.toString('utf8').replace(name, newName);
  return new Map([
    ...pages,
    ['/index.html', { ...start, bytes: Buffer.from(text) }],
    [newName, script as PageFile],
  ]);
}

const shot = (page: Page, name: string) => page.screenshot({ path: join(screenshotFolder, `${name}.png`) });

async function signIn(page: Page, name: string, secret = PIN): Promise<void> {
  await page.getByRole('button', { name: new RegExp(name) }).click();
  await page.getByLabel(/PIN or password/).fill(secret);
  await page.keyboard.press('Enter');
  // The places are there while it is locked, too.
  await page.getByLabel(/PIN or password/).waitFor({ state: 'hidden' });
}

/** What a camera reads off the screen. */
async function scan(page: Page): Promise<string> {
  const { data, size } = await page.getByRole('img', { name: /QR code/ }).evaluate(async (drawn) => {
    const picture = new Image();
    picture.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`;
    await picture.decode();
    const canvas = document.createElement('canvas');
    canvas.width = picture.width;
    canvas.height = picture.height;
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    context.drawImage(picture, 0, 0);
    return {
      size: picture.width,
      data: [...context.getImageData(0, 0, picture.width, picture.height).data],
    };
  });
  return decodeQr({ width: size, height: size, data: Uint8ClampedArray.from(data) });
}

/** Adds a seat on the workstation's screen, and opens it on a tablet. */
async function addSeat(name: string, viewport: { width: number; height: number }): Promise<Page> {
  const { page } = screens;
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Show code' }).click();
  const link = await scan(page);
  expect(link).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/#key=[\w-]{43}&fingerprint=[0-9A-F]{64}$/);
  const fingerprint = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  expect(link.endsWith(fingerprint.replaceAll(':', ''))).toBe(true);
  await shot(page, 'seats-add');
  const tablet = await browser.newContext({
    viewport,
    hasTouch: true,
    ignoreHTTPSErrors: true,
    colorScheme: 'light',
    timezoneId: 'Europe/Riga',
  });
  tablets.push(tablet);
  const seat = await tablet.newPage();
  seat.on('pageerror', (error) => screens.faults.push(String(error)));
  await seat.goto(link);
  await seat.getByRole('button', { name: /Tom/ }).waitFor();
  await page.getByText('The seat has been added.').waitFor();
  await page.getByRole('button', { name: 'Close' }).last().click();
  return seat;
}

test('seats are switched on and added; one records, one reads, each sees what the other did; one is removed', async () => {
  const { page, host, running, desk, faults } = screens;
  await page.goto(host.newLink());
  await signIn(page, 'Ada', PASSWORD);
  await page.evaluate(() => {
    location.hash = '#/settings/seats';
  });
  await page.getByRole('switch', { name: 'Seats' }).press(' ');
  await page.getByRole('heading', { name: 'Add a seat' }).waitFor();
  const tom = await addSeat('Tablet 1', ACROSS);
  const lind = await addSeat('Reading room', UPRIGHT);
  await desk.connect('simulator:isoline-idp?rhythm=sinus');

  // A browser that was not told to go on sees no page at all.
  const careful = await browser.newContext();
  tablets.push(careful);
  const stranger = await careful.newPage();
  await expect(stranger.goto(`https://127.0.0.1:${door.port}/`)).rejects.toThrow(/ERR_CERT/);

  await lind.keyboard.press('F9');
  await lind.getByText('press F9 at the workstation itself').waitFor();
  expect(new URL(lind.url()).hash).not.toBe('#/live');
  await shot(lind, 'seats-lock-upright');
  await signIn(tom, 'Tom');
  await signIn(lind, 'Lind');
  await page.getByText('Tom is signed in').waitFor();
  await shot(page, 'seats-settings');
  await tom.getByText('Seat: Tablet 1').waitFor();

  // The technician's tablet sees the leads, and starts and stops.
  await enterPatient(tom, HOFFMANN);
  await tom.getByRole('navigation').getByRole('link', { name: 'Live leads' }).tap();
  await expect.poll(() => tracePixels(tom), { timeout: 10_000 }).toBeGreaterThan(2000);
  await tom
    .getByRole('button', { name: /^Record \d/ })
    .first()
    .tap();
  await tom.getByTestId('recorded-time').waitFor();
  await shot(tom, 'seats-live');
  await tom.waitForTimeout(11_000);
  const row = (await running.bridge.call('task.list', { limit: 5 })).rows[0];
  const taskId = row?.taskId ?? 0;
  await whenAnalysed(running.bridge, taskId);
  const { entries } = await running.bridge.call('audit.list', { limit: 100 });
  expect(entries.some(({ subject, actor }) => subject === `task:${taskId}` && actor === 'user:2')).toBe(true);
  // Devices are connected at the desk.
  await tom.getByRole('navigation').getByRole('link', { name: 'Devices' }).tap();
  await tom.getByText('Devices are connected at the workstation.').waitFor();
  expect(await tom.getByRole('button', { name: 'Disconnect' }).count()).toBe(0);
  await shot(tom, 'seats-devices');

  // The physician's tablet reads and signs it.
  await shot(lind, 'seats-worklist-upright');
  await lind
    .getByRole('row', { name: /HOFFMANN/ })
    .first()
    .tap();
  await lind.locator('aside').getByRole('link', { name: 'Review' }).tap();
  await lind.locator('canvas[data-drawn]').waitFor();
  await shot(lind, 'seats-review-upright');

  // Another physician at the workstation opens the same reading: each is told of the other.
  await page.keyboard.press('Control+l');
  await signIn(page, 'Roe');
  await page.evaluate((id) => {
    location.hash = `#/review/${id}`;
  }, taskId);
  await page.locator('canvas[data-drawn]').waitFor();

  await lind
    .getByRole('button', { name: /^Approve/ })
    .first()
    .tap();
  const pin = lind.getByLabel(/Your PIN/);
  await pin.fill(PIN);
  await pin.press('Enter');
  // A signature waits for its report to be drawn, which takes a busy machine a quarter of a minute; where it is refused, the dialog
  // stays and says why.
  await expect.poll(() => lind.getByRole('dialog').allTextContents(), { timeout: 60_000 }).toEqual([]);
  await expect.poll(async () => (await running.bridge.call('task.get', { taskId })).state).toBe('COMPLETED');
  // At the workstation it is not offered for approval any more.
  await expect.poll(() => page.getByRole('button', { name: /^Approve and sign$/ }).count()).toBe(0);
  await shot(page, 'seats-approved-there');
  await tom.getByRole('navigation').getByRole('link', { name: 'Worklist' }).tap();
  await tom.locator('tbody').getByText('Report ready').waitFor();
  await shot(tom, 'seats-worklist');

  // The workstation is updated and restarts: the tablets reload by themselves.
  await door[Symbol.asyncDispose]();
  await tom.getByText(/Connection to the workstation lost/).waitFor();
  door = openDoor(asUpdated(loadRenderer(builtScreens)));
  const firstScript = () => tom.locator('script[type=module]').first().getAttribute('src');
  await expect.poll(firstScript).toMatch(/updated-index-/);
  await signIn(tom, 'Tom');

  // A seat that is removed is closed at once.
  const { seats } = await running.bridge.call('seat.list', {});
  await running.bridge.call('seat.remove', { seatId: seats[0]?.seatId ?? 0 });
  await tom.getByText(/Connection to the workstation lost/).waitFor();
  await tom.reload();
  await tom.getByText('add it at the workstation: Settings, Seats.', { exact: false }).waitFor();
  await shot(tom, 'seats-removed');
  expect(faults).toEqual([]);
});
