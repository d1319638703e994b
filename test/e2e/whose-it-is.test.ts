// What a screen shows and acts on belongs to whom it names (kind K1 of the seams): an emergency and the next patient, two
// devices, an assignment while a dialog is open.

import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { enterPatient, HOFFMANN } from '../support/enter-patient.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { eventually } from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let screens: OpenScreens;
let { running, desk, page, host } = {} as OpenScreens;
beforeEach(async () => {
  screens = await openScreens(browser);
  ({ running, desk, page, host } = screens);
});
afterEach(() => screens?.close());

const shot = (name: string) => page.screenshot({ path: join(screenshotFolder, `${name}.png`) });
const rows = async () => (await running.bridge.call('task.list', { limit: 10 })).rows;
const bar = () => page.getByTestId('record-bar');

async function open(...devices: string[]): Promise<void> {
  for (const device of devices) await desk.connect(device);
  await page.goto(host.newLink());
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
}

/** By F9, for two seconds. */
async function recordEmergency(): Promise<number> {
  await page.getByRole('link', { name: /· Ready$/ }).waitFor();
  await page.keyboard.press('F9');
  await expect.poll(() => page.getByTestId('recorded-time').textContent()).toMatch(/^00:0[2-9]/);
  await page.keyboard.press('F5');
  await page.getByRole('button', { name: /^Save, next patient/ }).waitFor();
  const [row] = await rows();
  return row!.taskId;
}

test('behind an emergency, choosing the next patient ends what could be done with it', async () => {
  await open('simulator:isoline-idp?rhythm=sinus');
  const emergency = await recordEmergency();
  await enterPatient(page, HOFFMANN);
  await page.keyboard.press('F3');
  await expect.poll(() => page.getByTestId('patient-banner').textContent()).toContain('HOFFMANN');
  // What is left of it is named, and can be assigned; it cannot be discarded under this name.
  await expect
    .poll(() => page.getByTestId('unassigned').textContent())
    .toMatch(/^UNKNOWN, emergency .*stored/);
  expect(
    await bar()
      .getByRole('button', { name: /Discard|Repeat|Save, next/ })
      .count(),
  ).toBe(0);
  await shot('live-next-patient');
  await page.keyboard.press('F5');
  await expect.poll(async () => (await rows()).length).toBe(2);
  const next = (await rows()).find(({ taskId }) => taskId !== emergency);
  expect(next?.patient.lastName).toBe('Hoffmann');
  expect((await rows()).find(({ taskId }) => taskId === emergency)).toMatchObject({
    isPatientMissing: true,
    patient: {},
  });
  expect(screens.faults).toEqual([]);
});

test('a dialog that deletes names whose recording it is, and deletes nothing that is another’s by now', async () => {
  await open('simulator:isoline-idp?rhythm=sinus');
  const emergency = await recordEmergency();
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.getByTestId('whose').textContent()).toMatch(/UNKNOWN, emergency .* s$/);
  await shot('discard-emergency');
  await eventually(
    async () =>
      (await running.bridge.call('task.get', { taskId: emergency })).state === 'AWAITING_APPROVAL' ||
      undefined,
    'the analysis',
  );
  // Somebody else says meanwhile who it was.
  await running.bridge.call('task.assign', {
    taskId: emergency,
    entry: {
      fields: { patient_last_name: 'Weber', patient_id: '5123' },
      identity: { name: 'said', birth: 'said' },
    },
    reason: 'Identified',
  });
  const late = { taskId: emergency, reason: 'Test', of: { patient: {}, isPatientMissing: true } };
  await expect(running.bridge.call('task.delete', late)).rejects.toMatchObject({ reason: 'patient_changed' });
  await expect.poll(() => dialog.getByTestId('whose').textContent()).toMatch(/^WEBER/);
  expect((await rows()).map(({ taskId }) => taskId)).toEqual([emergency]);
});

test('of two devices, the one that was chosen is shown, named, and recorded from', async () => {
  await open('simulator:isoline-idp?rhythm=sinus', 'simulator:isoline-idp?rhythm=vf');
  await page.keyboard.press('Alt+D');
  await page.getByText('Isoline simulator 2').first().click();
  await page
    .getByRole('link', { name: /^Live leads/ })
    .last()
    .click();
  await expect.poll(() => page.getByTestId('live-device').textContent()).toBe('Isoline simulator 2');
  await shot('live-two-devices');
  await page.keyboard.press('F9');
  const second = desk.views.find(({ name }) => name === 'Isoline simulator 2');
  const recorded = () => desk.views.filter(({ recording }) => recording !== undefined).map(({ id }) => id);
  await expect.poll(recorded).toEqual([second!.id]);
  // Live offers the other one.
  await page.getByTestId('live-device').click();
  await page.getByRole('menuitemradio', { name: /^Isoline simulator ·/ }).click();
  await expect.poll(() => page.getByTestId('live-device').textContent()).toBe('Isoline simulator');
  await expect.poll(() => page.getByRole('button', { name: /^Record/ }).count()).toBe(1);
  expect(screens.faults).toEqual([]);
});
