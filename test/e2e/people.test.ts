// Accounts in real Chromium: the first one locks the workstation, roles hold, a forgotten PIN is reset.

import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { enterPatient, HOFFMANN } from '../support/enter-patient.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { eventually } from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { V3Client } from '../support/v3-client.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let screens: OpenScreens;
beforeEach(async () => {
  screens = await openScreens(browser);
});
afterEach(() => screens?.close());

const shot = (name: string) => screens.page.screenshot({ path: join(screenshotFolder, `${name}.png`) });

test('the first account locks the workstation; a physician approves with the PIN, and /v3 says so at once; rights hold', async () => {
  const { running, desk, host, page, faults } = screens;
  await page.goto(host.newLink());
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
  await desk.connect('simulator:isoline-idp?rhythm=sinus');
  await enterPatient(page, HOFFMANN);
  await page.keyboard.press('F3');
  await page.getByTestId('live-picture').waitFor();
  await page.keyboard.press('F5');
  await page.getByText('10 s stored.').waitFor({ timeout: 25_000 });
  await page.keyboard.press('Enter');
  const [task] = (await running.bridge.call('task.list', { limit: 10 })).rows;
  const taskId = task!.taskId;
  await eventually(
    async () =>
      (await running.bridge.call('task.get', { taskId })).state === 'AWAITING_APPROVAL' ? true : undefined,
    'the analysis',
  );

  await page.keyboard.press('Alt+s');
  await page.getByRole('button', { name: 'Users' }).click();
  await page.getByLabel('Name').fill('A. Admin');
  await page.getByLabel('Password, 10').fill('short');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('Choose a PIN of 6 to 8 digits').waitFor();
  await page.getByLabel('Password, 10').fill('correct horse');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await shot('lock');
  await page.getByLabel(/PIN or password/).fill('correct horse');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Users' }).click();
  for (const [name, role] of [
    ['Dr. Lind', 'physician'],
    ['M. Keller', 'technician'],
  ] as const) {
    await page.getByLabel('Name').fill(name);
    await page.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: role }).click();
    for (const guessable of ['123456', '111111', '140351']) {
      await page.getByLabel('PIN, 6 to 8').fill(guessable);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByText('that is not easy to guess').waitFor();
      expect(await page.getByRole('listitem').filter({ hasText: name }).count()).toBe(0);
    }
    await page.getByLabel('PIN, 6 to 8').fill('135790');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('listitem').filter({ hasText: name }).waitFor();
  }
  await shot('settings-users');

  // A technician sees that a physician has to approve; the workstation refuses a page that asks all the same.
  const signIn = async (name: string): Promise<void> => {
    await page.keyboard.press('Control+l');
    await page.getByRole('button', { name }).click();
    await page.getByLabel(/PIN or password/).fill('135790');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name }).waitFor();
  };
  await signIn('M. Keller');
  await page.keyboard.press('F4');
  await page.getByRole('row', { name: /HOFFMANN/ }).click();
  await page.getByRole('button', { name: 'Open report' }).click();
  await page.getByText('A physician must approve this.').waitFor();
  expect(await page.getByRole('button', { name: 'Approve and sign' }).count()).toBe(0);

  await signIn('Dr. Lind');
  await page.getByRole('button', { name: 'Approve and sign' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('HOFFMANN, Anneliese').waitFor();
  await dialog.getByLabel(/Your PIN/).fill('000000');
  await dialog.getByRole('button', { name: 'Approve and sign' }).click();
  await dialog.getByText('Wrong PIN or password.').waitFor();
  await dialog.getByLabel(/Your PIN/).fill('135790');
  await shot('approve');
  await dialog.getByRole('button', { name: 'Approve and sign' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const { text } = await running.makeToken();
  const status = await new V3Client(running.url, text).request(
    'GET',
    `/v3/orgs/clinic/tasks/${taskId}/status`,
  );
  expect(status.json).toMatchObject({ processed: true, report_available: true });
  await page.getByText('NOT APPROVED: this is a preliminary report.').waitFor({ state: 'hidden' });
  await page.locator('canvas[data-drawn]').first().waitFor();
  await shot('report-approved');
  // Nobody signed in: nothing is answered, whoever asks.
  await page.keyboard.press('Control+l');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.getByText('HOFFMANN').count()).toBe(0);

  // A PIN was forgotten: the administrator sets one for a single sign-in, and never learns the one that follows.
  await page.getByRole('button', { name: 'A. Admin' }).click();
  await page.getByLabel(/PIN or password/).fill('correct horse');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'A. Admin' }).waitFor();
  await page.keyboard.press('Alt+s');
  await page.getByRole('button', { name: 'Users' }).click();
  const keller = page.getByRole('listitem').filter({ hasText: 'M. Keller' });
  await keller.getByRole('button', { name: 'Reset PIN …' }).click();
  const reset = page.getByRole('dialog', { name: 'New PIN or password for M. Keller' });
  await reset.getByLabel('PIN or password for one sign-in').fill('246802');
  await reset.getByLabel('Your own password').fill('correct horse');
  await shot('users-reset');
  await reset.getByRole('button', { name: 'Set' }).click();
  await reset.waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+l');
  await page.getByRole('button', { name: 'M. Keller' }).click();
  await page.getByLabel(/PIN or password/).fill('246802');
  await page.keyboard.press('Enter');
  await page.getByText('An administrator has set this one.').waitFor();
  await shot('lock-own');
  await page.getByLabel('M. Keller: choose your own PIN or password').fill('975310');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'M. Keller' }).waitFor();
  expect(faults).toEqual([]);
}, 120_000);
