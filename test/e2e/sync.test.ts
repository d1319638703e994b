// A clinic that records without a network, and what goes to its centre when there is one, in real Chromium
// against two real workstations.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { FaultProxy } from '../faults/fault-proxy.ts';
import { launchChromium } from '../support/chromium.ts';
import { centralAt } from '../support/made-connections.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { untilStopCounts } from '../support/recorded-time.ts';
import {
  eventually,
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
} from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { dataFolder } from '../support/test-data.ts';
import { V3Client } from '../support/v3-client.ts';
import { smallEdf } from '../support/varied-edf.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let screens: OpenScreens;
let { running, desk, host, page, faults } = {} as OpenScreens;
let centre: RunningWorkstation;
let proxy: FaultProxy;
let token: string;
const OVERRIDES = [...FREE_OF_LIMITS, ['sync.simulated', 'true'], ['sync.autoComplete', 'true']] as const;
beforeEach(async () => {
  centre = await runWorkstation({ overrides: [['service.rate.enabled', 'false']] });
  await centre.bridge.call('setting.change', { key: 'storage.reserve', text: '0' });
  token = (await centre.makeToken()).text;
  proxy = await FaultProxy.before(centre.url);
  screens = await openScreens(browser, {}, { overrides: OVERRIDES });
  ({ running, desk, host, page, faults } = screens);
});
afterEach(async () => {
  await screens?.close();
  await proxy[Symbol.asyncDispose]();
  await centre.stop();
});

const shot = (name: string) => page.screenshot({ path: join(screenshotFolder, `${name}.png`) });
const open = async (): Promise<void> => {
  await page.goto(host.newLink());
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
};
const openSync = () => page.keyboard.press('Alt+y');
const chip = (name: RegExp) => page.getByRole('banner').getByRole('link', { name });

async function connect(address: string, secret = token): Promise<void> {
  await openSync();
  await page.getByText('This workstation works on its own').waitFor();
  await page.getByLabel('Address').fill(address);
  await page.getByLabel('Organization there').fill('clinic');
  await page.getByLabel('Token').fill(secret);
  await page.getByLabel('Name', { exact: true }).fill('Cardio centre');
  await shot('sync-connect');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText('Nothing is waiting').waitFor();
}

async function importOne(): Promise<number> {
  const script = new V3Client(running.url, (await running.makeToken()).text);
  const upload_id = await script.upload(await readFile(join(dataFolder, 'edf', 'made_ecg12_plusC.edf')));
  const made = await script.createTask({
    upload_id,
    auto_complete: true,
    patient_last_name: 'Okafor',
    patient_first_name: 'Chidi',
    patient_id: '0 815',
  });
  return (made.json.created_task_ids as number[])[0]!;
}

test('recorded without a network; with one it goes up, and the report of the centre comes back', async () => {
  await open();
  const { port } = proxy;
  await connect(proxy.url);
  await proxy[Symbol.asyncDispose]();
  await desk.connect('simulator:isoline-idp?rhythm=sinus');
  await page.keyboard.press('F2');
  await page.keyboard.press('F7');
  await page.getByLabel('Last name').fill('Hoffmann');
  await page.getByLabel('First name').fill('Anneliese');
  await page.getByRole('textbox', { name: 'Date of birth' }).fill('14.3.1951');
  await page.getByLabel('Patient ID').fill('004 817');
  await page.getByRole('radio', { name: 'Female' }).check();
  await page.getByLabel('Approve automatically').check();
  await page.getByLabel('Name is correct').check();
  await page.getByLabel('Date of birth is correct').check();
  await page.keyboard.press('F3');
  await page.getByTestId('live-picture').waitFor();
  await page.keyboard.press('F5');
  await page.getByText('10 s stored.').waitFor({ timeout: 25_000 });
  await page.keyboard.press('Enter');
  await chip(/Offline · 1 waiting/).waitFor({ timeout: 20_000 });
  await openSync();
  await page.getByText('The central service cannot be reached').waitFor();
  await page.getByRole('button', { name: /HOFFMANN, Anneliese/ }).click();
  await page.getByText('Sending continues automatically, even after an interruption or a restart.').waitFor();
  await shot('sync-offline');
  proxy = await FaultProxy.before(centre.url, port);
  await page.getByRole('button', { name: 'Send now' }).click();
  await page
    .getByText(/Sent \(\d+\), awaiting report/)
    .first()
    .waitFor({ timeout: 20_000 });
  await chip(/All sent/).waitFor();
  await shot('sync-at-centre');
  await page.getByRole('radio', { name: /^Sent / }).check();
  await page.getByRole('button', { name: /HOFFMANN, Anneliese/ }).click({ timeout: 30_000 });
  await page.getByText('The central service has received it, and its report is here.').waitFor();
  await shot('sync-done');
  await page.getByRole('link', { name: 'Report of the central service' }).click();
  await page.getByRole('heading', { name: 'Report of the central service' }).waitFor();
  await page.locator('canvas').first().waitFor();
  await shot('sync-report');
  expect((await centre.bridge.call('task.list', { limit: 5 })).rows).toMatchObject([
    { patient: { lastName: 'Hoffmann', birthDate: '1951-03-14' } },
  ]);
  expect(faults).toEqual([]);
}, 120_000);

test('what was recorded before a central service was added is offered there, and goes with one answer', async () => {
  await open();
  const taskId = await importOne();
  await eventually(
    async () =>
      (await running.bridge.call('task.get', { taskId })).state === 'COMPLETED' ? true : undefined,
    'the report',
  );
  await connect(proxy.url);
  await page.getByText('1 recording was made before this central service was added.').waitFor();
  expect(await chip(/All sent/).count()).toBe(0);
  await shot('sync-earlier');
  const send = page.getByRole('button', { name: 'Send 1 earlier recording' });
  await send.click();
  await send.waitFor({ state: 'detached' });
  await page.getByText(/Sent \(\d+\)/).waitFor({ timeout: 20_000 });
  expect((await centre.bridge.call('task.list', { limit: 5 })).rows).toHaveLength(1);
  expect(faults).toEqual([]);
}, 60_000);

test('as long as the central service was not reached nothing is said to be sent, and what is simulated is never offered', async () => {
  await screens.close();
  screens = await openScreens(browser, {}, { overrides: FREE_OF_LIMITS });
  ({ running, desk, host, page, faults } = screens);
  await open();
  await desk.connect('simulator:isoline-idp?rhythm=sinus');
  await page.getByRole('link', { name: /Ready$/ }).waitFor();
  await page.keyboard.press('F9');
  await untilStopCounts(page);
  await page.keyboard.press('F5');
  await page.getByText('s stored.').waitFor();
  const [{ taskId } = { taskId: 0 }] = (await running.bridge.call('task.list', { limit: 1 })).rows;
  await expect
    .poll(async () => (await running.bridge.call('task.get', { taskId })).state, { timeout: 30_000 })
    .toBe('AWAITING_APPROVAL');
  await running.bridge.call('connection.add', {
    to: centralAt('http://127.0.0.1:9'),
    label: 'Cardio centre',
    organization: 'clinic',
    secret: 'isl_x',
  });
  await page.goto(`${page.url().split('#')[0]}#/worklist/${taskId}`);
  const panel = page.getByRole('complementary', { name: 'Selected recording' });
  await panel.getByText('SIMULATED').waitFor();
  expect(await panel.getByRole('button', { name: /send/i }).count()).toBe(0);
  expect(await chip(/All sent/).count()).toBe(0);
  await openSync();
  await page.getByText('The central service has not been reached yet.').waitFor();
  expect(await page.getByRole('button', { name: /Send .*earlier/ }).count()).toBe(0);
  await shot('sync-not-reached');
}, 60_000);

test('one answer is for all that wait for the same reason', async () => {
  await open();
  await connect(proxy.url);
  const script = new V3Client(running.url, (await running.makeToken()).text);
  for (const n of [1, 2, 3])
    await script.createTask({
      upload_id: await script.upload(smallEdf(n)),
      patient_last_name: `Okafor${n}`,
      patient_id: `0 81${n}`,
    });
  await page.getByRole('radio', { name: 'Queue 3' }).waitFor({ timeout: 20_000 });
  await page.getByRole('button', { name: /OKAFOR2/ }).click();
  await page.getByLabel('Apply to all 3 waiting for the same reason').check();
  await shot('sync-for-all');
  await page.getByRole('button', { name: 'Do not send' }).click();
  await page.getByRole('radio', { name: 'Not sent 3' }).waitFor();
  expect((await centre.bridge.call('task.list', { limit: 5 })).rows).toEqual([]);
  expect(faults).toEqual([]);
}, 60_000);

test('a wrong token: said on every screen, nothing is lost, and another one lets it go', async () => {
  await open();
  await connect(proxy.url, 'isl_wrong');
  await importOne();
  await chip(/Sync stopped/).waitFor({ timeout: 20_000 });
  await page.getByText('The central service rejects the token.').waitFor();
  await shot('sync-token');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByText('read status and reports: no').waitFor();
  await page.getByLabel('New token').fill(token);
  await page.getByRole('button', { name: 'Save token' }).click();
  await page.getByText(/Sent \(\d+\)/).waitFor({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByText('Device recordings are sent as streams.').waitFor();
  await shot('sync-tested');
  expect(faults).toEqual([]);
}, 60_000);

test('a full disk at the centre: it is tried again, and goes when there is room', async () => {
  await centre.bridge.call('setting.change', { key: 'storage.reserve', text: '1000000000000000' });
  await open();
  await connect(proxy.url);
  await importOne();
  await page.getByText('The central service reports a fault.').waitFor({ timeout: 20_000 });
  await chip(/Offline · 1 waiting/).waitFor();
  await shot('sync-full');
  await centre.bridge.call('setting.change', { key: 'storage.reserve', text: '0' });
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.getByText(/Sent \(\d+\)/).waitFor({ timeout: 20_000 });
  expect(faults).toEqual([]);
}, 60_000);

test('a lost answer: a person looks, and says what is there', async () => {
  proxy.when('POST', '/tasks', { kind: 'loseAnswer' });
  await open();
  await connect(proxy.url);
  await importOne();
  await chip(/1 to decide/).waitFor({ timeout: 20_000 });
  await page.getByRole('radio', { name: /^To decide / }).check();
  await page.getByRole('button', { name: /OKAFOR, Chidi/ }).click();
  await page.getByText('the reply was lost').waitFor();
  // The service may still be at it: what nobody can know yet cannot be said, and the panel says until when.
  await page.getByText(/^Until \d\d:\d\d:\d\d the central service may still be creating it\./).waitFor();
  expect(await page.getByRole('button', { name: 'Not found: send again' }).isDisabled()).toBe(true);
  const there = await eventually(
    async () => (await centre.bridge.call('task.list', { limit: 5 })).rows[0],
    'the task',
  );
  await page.getByLabel('Task number there').fill('999');
  await page.getByRole('button', { name: 'Found', exact: true }).click();
  await page.getByText('The central service has no task with this number.').waitFor();
  await shot('sync-question');
  await page.getByLabel('Task number there').fill(String(there.taskId));
  await page.getByRole('button', { name: 'Found', exact: true }).click();
  await page.getByText('Nothing needs a decision.').waitFor();
  expect((await centre.bridge.call('task.list', { limit: 5 })).rows).toHaveLength(1);
  expect(faults).toEqual([]);
}, 60_000);
