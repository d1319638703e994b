// The live leads in real Chromium: places that stay where they are, a sweep that outlives its screen but not
// its patient, slips of the hand.

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { disturb, disturbedThread } from '../faults/thread-faults.ts';
import { launchChromium } from '../support/chromium.ts';
import { enterPatient, HOFFMANN } from '../support/enter-patient.ts';
import { livePicture, paperPixels, traceColumns, tracePixels } from '../support/live-picture.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { openTerminals, PluggedDevice, socatMissing } from '../support/pseudo-terminal.ts';
import { untilStopCounts } from '../support/recorded-time.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The pixels of style sheets. */
const PX_PER_MM = 96 / 25.4;

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let screens: OpenScreens;
afterEach(() => screens?.close());

const shot = (name: string) => screens.page.screenshot({ path: join(screenshotFolder, `${name}.png`) });

async function openWith(path: string): Promise<string> {
  const { page, host, desk } = screens;
  await page.goto(host.newLink());
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
  const id = await desk.connect(path);
  await page.getByRole('link', { name: /Ready$/ }).waitFor({ timeout: 10_000 });
  return id;
}

/** Where the picture, its toolbar, and the buttons and the line of the record bar stand, in whole pixels. */
async function places(): Promise<readonly string[]> {
  const { page } = screens;
  const found: string[] = [];
  const parts = [
    page.getByTestId('live-picture'),
    page.getByRole('toolbar'),
    page.getByTestId('record-bar'),
    ...(await page.getByTestId('record-bar').locator('> div').all()),
  ];
  for (const part of parts) found.push(JSON.stringify(await part.boundingBox()));
  // The last place is that of Record and Stop, whatever it is made of.
  for (const [place, button] of (
    await page.getByTestId('record-bar').locator('> div').last().locator('> *').all()
  ).entries())
    found.push(`${place} ${JSON.stringify(await button.boundingBox())}`);
  return found;
}

test.skipIf(socatMissing !== undefined).each([
  [1280, 800],
  [1024, 768],
])(
  `nothing moves in a window of %i × %i when a recording begins, its device is lost, and it ends${socatMissing === undefined ? '' : ` (${socatMissing})`}`,
  async (width, height) => {
    await using folder = await tempFolder();
    screens = await openScreens(browser, { viewport: { width, height } });
    const { page, faults } = screens;
    let pair = await openTerminals(folder.path);
    const device = new PluggedDevice('isoline-idp');
    await device.plugInto(pair.device);
    try {
      await openWith(pair.host);
      await enterPatient(page, HOFFMANN);
      await page.keyboard.press('F3');
      await page.getByRole('button', { name: /Save last 10 s/ }).waitFor({ timeout: 15_000 });
      const idle = await places();
      await shot(`record-bar-idle-${width}`);
      await page.keyboard.press('F5');
      await page.getByTestId('recorded-time').waitFor();
      await page.getByRole('button', { name: /Stop/ }).waitFor();
      expect(await places()).toEqual(idle);
      await wait(2000);
      await page.keyboard.press('e');
      await page.getByRole('button', { name: 'Event · 1 set' }).waitFor();
      expect(await places()).toEqual(idle);
      await shot(`record-bar-recording-${width}`);
      await pair.unplug();
      await device.pullOut();
      await page.getByText('Device disconnected').first().waitFor();
      expect(await places()).toEqual(idle);
      await shot(`record-bar-lost-${width}`);
      pair = await openTerminals(folder.path);
      await device.plugInto(pair.device);
      await page.getByText('10 s stored.').waitFor({ timeout: 30_000 });
      expect(await places()).toEqual(idle);
      await shot(`record-bar-finished-${width}`);
      expect(faults).toEqual([]);
    } finally {
      await device.switchOff();
      await pair.unplug();
    }
  },
  90_000,
);

test('nothing moves when the disk is slow; it is said as long as it is so', async () => {
  screens = await openScreens(browser, {}, { openThread: disturbedThread });
  const { page, desk } = screens;
  const id = await openWith('simulator:isoline-idp?rhythm=sinus');
  await page.keyboard.press('F3');
  await page.keyboard.press('F9');
  await page.getByTestId('recorded-time').waitFor();
  const before = await places();
  disturb('blocked');
  await page.getByText('The disk is slow').waitFor({ timeout: 20_000 });
  expect(await page.getByText('The disk is slow').textContent()).not.toContain('last 0 s');
  expect(await places()).toEqual(before);
  await shot('record-bar-slow-disk');
  await page.getByText('The disk is slow').waitFor({ state: 'hidden', timeout: 30_000 });
  expect(await places()).toEqual(before);
  expect((await desk.device(id).stop()).lostShare).toBe(0);
}, 90_000);

test('what is missing for a recording is said without moving anything', async () => {
  screens = await openScreens(browser);
  const { page } = screens;
  await openWith('simulator:isoline-idp?rhythm=sinus');
  await page.keyboard.press('F3');
  await page.getByTestId('record-bar').waitFor();
  const before = await places();
  await page.getByRole('button', { name: /^Record 10 s/ }).click();
  await page.getByText('No patient is confirmed for this recording.').waitFor();
  expect(await places()).toEqual(before);
  await shot('record-bar-nobody');
}, 60_000);

test('a double click on Record begins a recording and does not stop it; one on Stop does not put the patient away', async () => {
  screens = await openScreens(browser);
  const { page, running } = screens;
  await openWith('simulator:isoline-idp?rhythm=sinus');
  await enterPatient(page, HOFFMANN);
  await page.keyboard.press('F3');
  await page.getByRole('button', { name: /^Record 10 s/ }).dblclick({ delay: 30 });
  await untilStopCounts(page);
  await page.getByRole('button', { name: /^Stop/ }).dblclick({ delay: 30 });
  await page.getByText(/^[\d.]+ s stored\.$/).waitFor();
  await wait(800);
  await page.getByRole('button', { name: 'Save, next patient' }).waitFor();
  expect(page.url()).toContain('#/live');
  // The same with the key of both.
  await page.keyboard.press('r');
  await page.getByRole('button', { name: /^Record 10 s/ }).waitFor();
  await wait(700);
  // Both at once: on a busy machine a second one that waits for the first could come a second later, and stop it.
  await Promise.all([page.keyboard.press('F5'), page.keyboard.press('F5')]);
  await untilStopCounts(page);
  await page.keyboard.press('F5');
  await page.getByText(/^[\d.]+ s stored\.$/).waitFor();
  expect((await running.bridge.call('task.list', { limit: 10 })).rows).toHaveLength(2);
}, 60_000);

test('pressed again before the page has heard that a recording runs, Record does not forget it', async () => {
  screens = await openScreens(browser);
  const { page } = screens;
  let hold = false;
  const held: (() => void)[] = [];
  await page.routeWebSocket(/\/bridge$/, (socket) => {
    socket.connectToServer().onMessage((message) => {
      const pass = () => socket.send(message);
      if (hold && message.includes('desk.changed')) held.push(pass);
      else pass();
    });
  });
  await openWith('simulator:isoline-idp?rhythm=sinus');
  await enterPatient(page, HOFFMANN);
  await page.keyboard.press('F3');
  await page.getByRole('button', { name: /^Record 10 s/ }).waitFor();
  await wait(700);
  hold = true;
  await page.keyboard.press('F5');
  await wait(200);
  await page.keyboard.press('F5');
  await wait(200);
  expect(await page.getByRole('alert').count()).toBe(0);
  // So late that it is no slip of the hand: it is refused, and said so.
  await wait(700);
  await page.keyboard.press('F5');
  await page.getByTestId('record-bar').getByRole('alert').waitFor();
  hold = false;
  for (const pass of held) pass();
  await untilStopCounts(page);
  await page.keyboard.press('F5');
  await page.getByText(/^[\d.]+ s stored\.$/).waitFor();
}, 60_000);

test('the sweep stands as it stood when the screen or the layout changes, and not when the patient does', async () => {
  screens = await openScreens(browser);
  const { page, faults } = screens;
  await openWith('simulator:isoline-idp?rhythm=sinus');
  await enterPatient(page, HOFFMANN);
  await page.keyboard.press('F3');
  // A whole sweep.
  await page.getByRole('button', { name: /Save last 10 s/ }).waitFor({ timeout: 15_000 });
  const full = await tracePixels(page);
  expect(full).toBeGreaterThan(5000);
  const hasStood = (): Promise<void> =>
    expect.poll(() => tracePixels(page), { timeout: 1500, interval: 50 }).toBeGreaterThan(0.7 * full);
  for (const screen of ['F4', 'F2']) {
    await page.keyboard.press(screen);
    await page.getByTestId('live-picture').waitFor({ state: 'detached' });
    await wait(500);
    await page.getByRole('link', { name: 'Live leads' }).click();
    await hasStood();
  }
  for (const order of ['Cabrera', 'Classic order']) {
    await page.getByRole('button', { name: /^Layout/ }).click();
    await page.getByRole('menuitemradio', { name: order }).click();
    await page.keyboard.press('Escape');
    await hasStood();
  }
  await page.getByTestId('live-picture').click();
  await page.keyboard.press('2');
  await page.keyboard.press('1');
  await hasStood();
  await shot('live-kept');
  // Recorded, saved, next patient: nothing of this one is drawn any more.
  await page.keyboard.press('F6');
  await page.getByText('10 s stored.').waitFor();
  const nextSince = performance.now();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
  await page.keyboard.press('F3');
  await page.getByTestId('live-picture').waitFor();
  await wait(300);
  // No more seconds than have passed since, in two strips of 25 mm/s.
  const columns = await traceColumns(page);
  const passedSeconds = (performance.now() - nextSince) / 1000 + 0.5;
  expect(columns).toBeLessThan(passedSeconds * 2 * 25 * PX_PER_MM);
  expect(faults).toEqual([]);
}, 90_000);

test('a frozen picture stays the same picture in another window, another layout and back, and after a fault of the graphics card', async () => {
  screens = await openScreens(browser);
  const { page } = screens;
  await openWith('simulator:isoline-idp?rhythm=sinus');
  await page.keyboard.press('F3');
  await expect.poll(() => tracePixels(page), { timeout: 15_000 }).toBeGreaterThan(5000);
  await page.keyboard.press('Space');
  await page.getByText('Frozen.').waitFor();
  const still = await traceColumns(page);
  const layout = page.getByRole('button', { name: /^Layout/ });
  await page.keyboard.press('2');
  await layout.getByText('12 × 1').waitFor();
  // One strip of as many seconds instead of two.
  await expect.poll(() => traceColumns(page)).toBeGreaterThan(0.45 * still);
  await page.keyboard.press('1');
  await layout.getByText('6 × 2').waitFor();
  await expect.poll(async () => Math.abs((await traceColumns(page)) - still)).toBeLessThan(0.02 * still);
  const again = await tracePixels(page);
  await page.setViewportSize({ width: 1100, height: 760 });
  await expect.poll(() => tracePixels(page)).not.toBe(again);
  expect(await traceColumns(page)).toBeGreaterThan(0.9 * still);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => tracePixels(page)).toBe(again);
  await wait(600);
  expect(await tracePixels(page)).toBe(again);
  const paper = await paperPixels(page);
  for (const canvas of [livePicture(page).last(), livePicture(page).first()])
    await canvas.evaluate((element) => {
      const lost = element as HTMLCanvasElement;
      lost.width += 0;
      element.dispatchEvent(new Event('contextrestored'));
    });
  await expect.poll(() => tracePixels(page)).toBe(again);
  expect(await paperPixels(page)).toBe(paper);
}, 60_000);

test('keys act on the trace and not on what was used last; F3 leads back to a recording', async () => {
  screens = await openScreens(browser);
  const { page, desk } = screens;
  const id = await openWith('simulator:isoline-idp?rhythm=sinus');
  await page.keyboard.press('F9');
  await page.getByTestId('recorded-time').waitFor();
  await page.getByRole('button', { name: /^Filter/ }).click();
  await page.getByRole('menuitemradio', { name: /Muscle 40 Hz/ }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.keyboard.press('Space');
  await page.getByText('Frozen. Recording continues.').waitFor();
  expect(await page.getByRole('menu').count()).toBe(0);
  await page.keyboard.press('Space');
  await page.getByText('Frozen.').waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  expect(await page.getByRole('menu').count()).toBe(0);
  // Nor on the button or the choice that was pressed last.
  await page.getByRole('button', { name: 'Event' }).click();
  await page.getByRole('button', { name: 'Event · 1 set' }).waitFor();
  await page.getByRole('radio', { name: '12.5 mm/s' }).click();
  for (const words of ['Frozen. Recording continues.', undefined]) {
    await page.keyboard.press('Space');
    await page.getByText('Frozen.').waitFor({ state: words === undefined ? 'hidden' : 'visible' });
  }
  await page.getByRole('button', { name: 'Event · 1 set' }).waitFor();
  for (const away of ['F4', 'F2']) {
    await page.keyboard.press(away);
    await page.getByTestId('live-picture').waitFor({ state: 'detached' });
    await page.keyboard.press('F3');
    await page.getByTestId('live-picture').waitFor();
  }
  expect((await desk.device(id).stop()).lostShare).toBe(0);
}, 60_000);
