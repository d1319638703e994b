// A critical ECG that nobody approved, in a whole Chromium: it also shows a notice outside of the page.

import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { eventually } from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { toRecording, twelveLeads } from '../support/synthetic-recording.ts';
import { V3Client } from '../support/v3-client.ts';
import { write } from '../support/written-records.ts';

declare global {
  interface Window {
    /** Frequencies of tones, in hertz. */
    heard: number[];
    /** Notices outside of the page. */
    shown: string[];
  }
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium({ isWhole: true });
});
afterAll(() => browser?.close());

let screens: OpenScreens;
beforeEach(async () => {
  screens = await openScreens(browser);
});
afterEach(() => screens?.close());

test('a critical ECG that nobody approved is on top of the list, with its minutes, and said on every screen', async () => {
  const { running, host, page, faults } = screens;
  const client = new V3Client(running.url, (await running.makeToken()).text);
  const fast = write(toRecording(twelveLeads({ heartRateBpm: 210 })), 'edf', 'fast').files[0]!;
  const bytes = fast.source.read(0, fast.source.sizeBytes);
  const [taskId = 0] = (
    await client.createTask({ upload_id: await client.upload(bytes), patient_last_name: 'Okafor' })
  ).json.created_task_ids as number[];
  await eventually(
    async () =>
      (await running.bridge.call('task.get', { taskId })).state === 'AWAITING_APPROVAL' ? true : undefined,
    'the analysis',
  );
  for (let n = 0; n < 3; n++)
    await client.createTask({ patient_last_name: `Reihe ${n}`, patient_id: String(n) });
  // What was played and shown outside of the page.
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript(() => {
    window.heard = [];
    window.shown = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
      if (this.context.state === 'running') window.heard.push(this.frequency.value);
      start.call(this, when);
    };
    const Real = window.Notification;
    window.Notification = class extends Real {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        window.shown.push(`${title}: ${options?.body}`);
      }
    };
  });
  const outside = () => page.evaluate(() => ({ heard: window.heard, shown: window.shown }));
  await page.goto(host.newLink());
  const first = page.locator('tbody tr').first();
  await expect.poll(() => first.textContent()).toContain('OKAFOR');
  expect(await first.textContent()).toMatch(/Critical/);
  expect(await first.textContent()).toMatch(/Waiting for approval(< 1|1) min/);
  const notice = page.getByRole('alert').filter({ hasText: /^Critical ECG, waiting (< 1|1) min: OKAFOR/ });
  await notice.waitFor();
  await page.screenshot({ path: join(screenshotFolder, 'worklist-critical.png') });
  // Also where there is no frame: the first start may be resumed after weeks of work.
  await page.evaluate(() => {
    location.hash = '#/start';
  });
  await page.getByRole('heading', { name: 'Where is this computer?' }).waitFor();
  await notice.waitFor();
  await page.evaluate(() => {
    location.hash = '#/worklist';
  });
  await page.getByRole('grid').waitFor();
  // A browser may wait with the sound until the page was touched.
  await page.mouse.click(640, 740);
  await expect.poll(outside).toEqual({
    heard: [880, 660],
    shown: ['Critical ECG: A critical ECG is waiting to be read.'],
  });
  await page.keyboard.press('F2');
  await notice.waitFor();
  await page.waitForTimeout(700);
  expect((await outside()).heard).toEqual([880, 660]);
  await notice.getByRole('button', { name: 'Seen' }).click();
  await notice.waitFor({ state: 'detached' });
  // Seen is not approved: it stays on top of the list.
  await page.keyboard.press('F4');
  await expect.poll(() => first.textContent()).toContain('OKAFOR');
  const { events } = await running.bridge.call('task.history', { taskId });
  expect(events.map(({ action }) => action)).toContain('task.critical_seen');
  expect(faults).toEqual([]);
}, 60_000);
