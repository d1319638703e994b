// What must not mislead or expose anybody, as a person meets it in Chromium: alarms, locks, PINs, words that
// read as normal.

import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { eventually } from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { simulatedPatient } from '../support/simulated-patient.ts';
import { toRecording } from '../support/synthetic-recording.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { dataFolder } from '../support/test-data.ts';
import { V3Client } from '../support/v3-client.ts';
import { write } from '../support/written-records.ts';

const PASSWORD = 'correct horse battery';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let screens: OpenScreens;
afterEach(() => screens?.close());

const shot = (name: string) => screens.page.screenshot({ path: join(screenshotFolder, `${name}.png`) });
const open = async (title = 'Worklist'): Promise<void> => {
  await screens.page.goto(screens.host.newLink());
  await screens.page.getByRole('heading', { name: title }).waitFor();
};
const openPdf = async (bytes: Uint8Array) => {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  return getDocument({ data: new Uint8Array(bytes) }).promise;
};

async function importRhythm(rhythm: 'stemi-anterior' | 'vf' | 'sinus' | 'afib'): Promise<number> {
  await using folder = await tempFolder();
  const path = join(folder.path, 'a.edf');
  const { files } = write(toRecording(simulatedPatient({ rhythm })), 'edf', 'a.edf');
  await writeFile(path, files[0]!.source.read(0, files[0]!.source.sizeBytes));
  const { page, running } = screens;
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.locator('input[type=file]').setInputFiles(path);
  await page.getByRole('button', { name: /^Import \d+ files?$/ }).click();
  await page.getByText(/^a\.edf: imported as task \d+/).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  return await eventually(async () => {
    const [row] = (await running.bridge.call('task.list', { limit: 1 })).rows;
    return row?.state === 'AWAITING_APPROVAL' ? row.taskId : undefined;
  }, 'the analysis');
}

test.each([
  ['vf', 'Ventricular fibrillation or an artefact. Check the patient.'],
  ['asystole', 'No heartbeat: asystole or loose electrodes. Check the patient.'],
])('%s is an alarm while it runs, without a rate', async (rhythm, words) => {
  screens = await openScreens(browser);
  const { page, running, desk, faults } = screens;
  await open();
  await desk.connect(`simulator:isoline-idp?rhythm=${rhythm}`);
  await page.keyboard.press('F3');
  await page.getByRole('alert').getByText(words).waitFor({ timeout: 20_000 });
  expect(await page.getByTestId('heart-rate').textContent()).toBe('--');
  await shot(`live-${rhythm}`);
  expect(await running.bridge.call('session.get', {})).toMatchObject({ isNeeded: false });
  expect(faults).toEqual([]);
});

test('an alarm stands on every screen with its sound, until the sound is silenced; nothing is called ready beside it', async () => {
  screens = await openScreens(browser);
  const { page, running, desk, faults } = screens;
  await open();
  const secret = 'nine quiet horses';
  const admin = await running.bridge.call('user.add', { name: 'A', role: 'administrator', secret });
  await running.bridge.call('session.signIn', { userId: admin.userId, secret });
  await page.getByLabel(/PIN or password/).fill(secret);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
  await desk.connect('simulator:isoline-idp?rhythm=vf');
  const alarm = page
    .getByRole('alert')
    .getByText('Ventricular fibrillation or an artefact. Check the patient.');
  await alarm.waitFor({ timeout: 20_000 });
  await page.getByRole('link', { name: /: Alarm$|· Alarm$/ }).waitFor();
  expect(await page.getByText(/Ready$/).count()).toBe(0);
  const sound = () => page.evaluate(() => document.documentElement.dataset.alarmSound);
  await expect.poll(sound).toBe('running');
  await shot('alarm-worklist');
  for (const key of ['Alt+S', 'Alt+Y', 'F2', 'F3', 'Alt+D']) {
    await page.keyboard.press(key);
    expect([key, await alarm.isVisible()]).toEqual([key, true]);
  }
  await page.keyboard.press('F10');
  await page.getByRole('button', { name: 'Silenced' }).waitFor();
  await expect.poll(sound).toBe(undefined);
  expect(await alarm.isVisible()).toBe(true);
  // Nobody is signed in: it stands all the same.
  await page.keyboard.press('Control+l');
  await page.getByLabel(/PIN or password/).waitFor();
  expect(await alarm.isVisible()).toBe(true);
  await shot('alarm-lock');
  await page.setViewportSize({ width: 640, height: 400 });
  await shot('alarm-200');
  expect(faults).toEqual([]);
});

test('a pause is an alarm, and the rate comes back with the beats', async () => {
  screens = await openScreens(browser);
  const { page, desk, faults } = screens;
  await open();
  await desk.connect('simulator:isoline-idp?rhythm=pause');
  await page.keyboard.press('F3');
  await page
    .getByRole('alert')
    .getByText('Pause of more than 3 s. Check the patient.')
    .waitFor({ timeout: 30_000 });
  await shot('live-pause');
  await page.getByTestId('heart-rate').getByText(/^\d+$/).waitFor();
  expect(faults).toEqual([]);
});

test('a screen that cannot be loaded says so; the recording continues, and reloading brings the screen back', async () => {
  screens = await openScreens(browser);
  const { page, desk, faults } = screens;
  await open();
  await desk.connect('simulator:isoline-idp?rhythm=sinus');
  await page.getByRole('link', { name: /Ready$/ }).waitFor();
  await page.keyboard.press('F9');
  await page.getByTestId('recorded-time').waitFor();
  const part = /patient-screen-[\w-]+\.(css|js)$/;
  await page.route(part, (route) => route.abort());
  await page.keyboard.press('F2');
  const notice = page.getByRole('alert').filter({ hasText: 'This screen could not be shown.' });
  await notice.getByText('any recording in progress continues').waitFor();
  await shot('screen-not-shown');
  await page.keyboard.press('F3');
  await page.getByTestId('recorded-time').waitFor();
  expect(await notice.count()).toBe(0);
  const recordedThen = await page.getByTestId('recorded-time').textContent();
  await expect.poll(() => page.getByTestId('recorded-time').textContent()).not.toBe(recordedThen);
  await page.unroute(part);
  await page.keyboard.press('F2');
  await notice.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('button', { name: /F7$/ }).waitFor();
  expect(faults.filter((each) => !/ERR_FAILED|patient-screen/.test(each))).toEqual([]);
});

test.each(['css', 'js'])(
  'a part whose file (%s) fails once comes all the same, without a word',
  async (ending) => {
    screens = await openScreens(browser);
    const { page } = screens;
    await open();
    let failed = 0;
    await page.route(new RegExp(`patient-screen-[\\w-]+\\.${ending}$`), (route) =>
      failed++ === 0 ? route.abort() : route.continue(),
    );
    await page.keyboard.press('F2');
    await page.getByRole('button', { name: /F7$/ }).waitFor();
    expect(failed).toBeGreaterThan(1);
    expect(await page.getByText('This screen could not be shown.').count()).toBe(0);
  },
);

test('a menu that cannot be loaded takes nothing else from the page, and comes with the next load', async () => {
  screens = await openScreens(browser);
  const { page, faults } = screens;
  const part = /top-menus-[\w-]+\.js$/;
  await page.route(part, (route) => route.abort());
  await open();
  const reload = page.getByRole('button', { name: 'Menu not loaded. Reload page' });
  await reload.waitFor();
  await shot('menu-not-loaded');
  await page.keyboard.press('F2');
  await page.getByRole('button', { name: /F7$/ }).waitFor();
  await page.unroute(part);
  await reload.click();
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor();
  expect(faults.filter((each) => !/ERR_FAILED|top-menus/.test(each))).toEqual([]);
});

test('an infarct is said to be one; what was not assessed is said, in the language of the screens', async () => {
  screens = await openScreens(browser);
  const { page, faults } = screens;
  await open();
  const infarct = await importRhythm('stemi-anterior');
  const worklist = `${page.url().split('#')[0]}#/worklist`;
  await page.goto(`${worklist}/${infarct}`);
  const panel = page.getByRole('complementary', { name: 'Selected recording' });
  await panel
    .getByText(/^ST elevation \(V1, V2, V3, V4.*: possible acute infarction, septal, anterior/)
    .waitFor();
  expect(await panel.textContent()).not.toMatch(/normal|No finding/i);
  await shot('preview-infarct');
  const fibrillation = await importRhythm('afib');
  await page.goto(`${worklist}/${fibrillation}`);
  await panel
    .getByText('Not assessed: AV block, PR limits, atria, QT limits (only in proven sinus rhythm)')
    .waitFor();
  await shot('preview-not-assessed');
  await page.evaluate(() => localStorage.setItem('isoline.language', 'es'));
  await page.reload();
  await page.getByText('No valorado: bloqueo AV, límites de PR, aurículas, límites de QT').waitFor();
  await shot('preview-not-assessed-es');
  await page.goto(`${worklist}/${infarct}`);
  await page
    .getByText(/^Elevación del ST \(V1, V2, V3, V4.*: posible infarto agudo, septal, anterior/)
    .waitFor();
  await page.getByText('Ritmo sinusal, 72/min').waitFor();
  expect(faults).toEqual([]);
});

test('warnings of a file, sex and report are in the language of the screens', async () => {
  screens = await openScreens(browser);
  const { page, running, faults } = screens;
  await page.addInitScript(() => localStorage.setItem('isoline.language', 'es'));
  await open('Lista de trabajo');
  await running.bridge.call('setting.change', { key: 'report.language', text: 'es' });
  const script = new V3Client(running.url, (await running.makeToken()).text);
  const whole = await readFile(join(dataFolder, 'edf', 'made_ecg12_plusC.edf'));
  const upload_id = await script.upload(whole.subarray(0, Math.round(whole.length * 0.9)));
  const made = await script.createTask({
    upload_id,
    patient_last_name: 'Okafor',
    patient_birth_date: '1968-09-02',
    patient_gender: 'FEMALE',
  });
  const taskId = (made.json.created_task_ids as number[])[0]!;
  await eventually(
    async () =>
      (await running.bridge.call('task.get', { taskId })).state === 'AWAITING_APPROVAL' ? true : undefined,
    'the analysis',
  );
  await page.goto(`${page.url().split('#')[0]}#/worklist/${taskId}`);
  const panel = page.getByRole('complementary');
  await panel
    .getByText(
      /^El archivo termina antes de tiempo: hay \d+ de \d+ registros de datos anunciados \(\d+ %\)\.$/,
    )
    .waitFor();
  await panel.getByText(/mujer/).first().waitFor();
  await shot('preview-warning-es');
  const { pdf } = await running.bridge.call('report.read', { taskId });
  const { items } = await (await (await openPdf(pdf)).getPage(1)).getTextContent();
  const text = items.map((item) => ('str' in item ? item.str : '')).join(' ');
  expect(text).toContain('mujer');
  expect(text).toMatch(/Sobre el registro: El archivo termina antes de tiempo/);
  expect(text).not.toMatch(/Not assessed|Female/);
  expect(faults).toEqual([]);
}, 60_000);

test('what has neither name nor number is assigned before it is approved, imports too', async () => {
  screens = await openScreens(browser);
  const { page, running } = screens;
  await open();
  const taskId = await importRhythm('sinus');
  await page.goto(`${page.url().split('#')[0]}#/worklist/${taskId}`);
  await page.getByRole('link', { name: 'Assign patient' }).waitFor();
  const admin = await running.bridge.call('user.add', {
    name: 'A. Admin',
    role: 'administrator',
    secret: PASSWORD,
  });
  await running.bridge.call('session.signIn', { userId: admin.userId, secret: PASSWORD });
  const reviewer = await running.bridge.call('user.add', {
    name: 'Dr. Lind',
    role: 'reviewer',
    secret: '135790',
  });
  await running.bridge.call('session.signIn', { userId: reviewer.userId, secret: '135790' });
  await expect(
    running.bridge.call('task.approve', { taskId, revision: 1, version: 0, secret: '135790' }),
  ).rejects.toMatchObject({
    reason: 'patient_missing',
  });
  expect((await running.bridge.call('task.get', { taskId })).state).toBe('AWAITING_APPROVAL');
});

test('a locked computer signs out; the recording goes on with trace, rate and state on the lock screen', async () => {
  screens = await openScreens(browser);
  const { page, running, desk, faults } = screens;
  await open();
  const id = await desk.connect('simulator:isoline-idp');
  await running.bridge.call('user.add', { name: 'A. Admin', role: 'administrator', secret: PASSWORD });
  await page.reload();
  await page.getByLabel(/PIN or password/).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
  await page.keyboard.press('F9');
  await eventually(async () => (desk.device(id).isRecording ? true : undefined), 'the recording');
  await desk.lockPages();
  await page.getByLabel(/PIN or password/).waitFor({ timeout: 5000 });
  await expect.poll(() => page.getByTestId('heart-rate').textContent(), { timeout: 20_000 }).toMatch(/^7\d$/);
  expect(await page.getByTestId('live-picture').count()).toBe(1);
  await page.waitForTimeout(1500);
  await shot('lock-recording');
  expect(desk.device(id).isRecording).toBe(true);
  await page.keyboard.press('F5');
  await eventually(async () => (desk.device(id).isRecording ? undefined : true), 'the end of the recording');
  expect(faults).toEqual([]);
});

test('a PIN typed as fast as a scanner is no code, and the approval begins in its field', async () => {
  screens = await openScreens(browser);
  const { page, running } = screens;
  await open();
  const taskId = await importRhythm('sinus');
  await running.bridge.call('task.assign', {
    taskId,
    entry: {
      fields: { patient_last_name: 'Hoffmann', patient_birth_date: '1951-03-14' },
      identity: { name: 'said', birth: 'said' },
    },
    reason: 'Imported without a name',
  });
  await eventually(
    async () =>
      (await running.bridge.call('task.get', { taskId })).state === 'AWAITING_APPROVAL' ? true : undefined,
    'the analysis',
  );
  const admin = await running.bridge.call('user.add', {
    name: 'A. Admin',
    role: 'administrator',
    secret: PASSWORD,
  });
  await running.bridge.call('session.signIn', { userId: admin.userId, secret: PASSWORD });
  await running.bridge.call('user.add', { name: 'Dr. Lind', role: 'reviewer', secret: '135790' });
  await page.reload();
  await page.getByRole('button', { name: 'Dr. Lind' }).click();
  await page.keyboard.type('135790', { delay: 5 });
  await page.keyboard.press('Enter');
  await page.goto(`${page.url().split('#')[0]}#/report/${taskId}`);
  await page.getByRole('button', { name: 'Approve and sign' }).click();
  const field = page.getByRole('dialog').getByLabel(/Your PIN/);
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type('135790', { delay: 5 });
  await page.keyboard.press('Enter');
  await eventually(
    async () =>
      (await running.bridge.call('task.get', { taskId })).state === 'COMPLETED' ? true : undefined,
    'the approval',
  );
  expect(page.url()).toContain(`#/report/${taskId}`);
});

test('a taken service port is said on the screen, with another one to use', async () => {
  const taken = createServer();
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
  const { port } = taken.address() as AddressInfo;
  screens = await openScreens(browser, {}, { port, isServiceOptional: true });
  const { page, running } = screens;
  await open();
  await page.getByText(`Another program is using port ${port}`).waitFor();
  await shot('service-off');
  await page.getByRole('button', { name: /^Use port \d+$/ }).click();
  await page.getByText('Port changed.').waitFor();
  expect((await running.bridge.call('setting.list', {})).values['service.port']).not.toBe(String(port));
  taken.close();
});

/** From the keys into the guide, to one of its sections, over a link into another guide, and back to the worklist. */
async function readGuide(page: OpenScreens['page']): Promise<void> {
  await page.keyboard.press('F1');
  await page.getByRole('link', { name: 'Open the user guide' }).click();
  await page.getByRole('heading', { name: 'User guide' }).waitFor();
  await page.getByRole('button', { name: 'Trouble' }).click();
  await expect
    .poll(() =>
      page
        .getByRole('heading', { name: 'Trouble' })
        .evaluate((heading) => Math.round(heading.getBoundingClientRect().bottom) <= innerHeight),
    )
    .toBe(true);
  const picture = page.getByRole('img', { name: 'Live leads while recording' });
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1280);
  await page.getByRole('link', { name: 'intended use', exact: true }).click();
  await page.getByRole('heading', { name: 'Intended use' }).waitFor();
  expect(
    await page.getByRole('region', { name: 'Intended use' }).evaluate((region) => region.scrollTop),
  ).toBe(0);
  await page.getByRole('link', { name: 'Third-party licences' }).click();
  await page.getByText(/^Inter \(fonts of the reports\)/).waitFor();
  await page.getByRole('link', { name: 'Support information' }).click();
  const support = page.getByRole('region', { name: 'Support information' }).locator('pre');
  await expect.poll(() => support.textContent()).toMatch(/^Isoline .*\n[\s\S]*\nTasks: /);
  await shot('help-support');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save' }).click();
  expect((await saving).suggestedFilename()).toBe('isoline-support.txt');
  await page.keyboard.press('F4');
  await page.getByRole('grid').waitFor();
}

test('F1 shows the keys and leads to the guide; Esc closes what is on top alone; after a report its row has the keys', async () => {
  screens = await openScreens(browser);
  const { page, faults } = screens;
  await open();
  const taskId = await importRhythm('sinus');
  await page.keyboard.press('F1');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await keys.getByText('Emergency: record now').waitFor();
  await shot('keys');
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  await readGuide(page);
  // The row leads to a report as soon as it says that there is one.
  const row = page.locator('tbody tr', { hasText: 'Waiting for approval' });
  // The row can be redrawn between the two clicks while the analysis finishes; a person clicks again.
  await expect
    .poll(
      async () => {
        if (!page.url().includes('#/report/')) await row.dblclick({ timeout: 2000 }).catch(() => undefined);
        return page.url();
      },
      { timeout: 20_000, interval: 1000 },
    )
    .toContain('#/report/');
  await page.locator('canvas[data-drawn]').first().waitFor();
  await page.keyboard.press('F1');
  await keys.getByText('Back to the worklist').waitFor();
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  expect(page.url()).toContain(`#/report/${taskId}`);
  await page.keyboard.press('Escape');
  await page.waitForURL(`**/#/worklist/${taskId}`);
  const grid = page.getByRole('grid');
  await expect.poll(() => grid.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await grid.getAttribute('aria-activedescendant')).toBe(`task-${taskId}`);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/#/report/${taskId}`);
  expect(faults).toEqual([]);
});

test('Ctrl+P prints the report alone, on its own paper in its own size', async () => {
  screens = await openScreens(browser);
  const { page } = screens;
  await open();
  const taskId = await importRhythm('sinus');
  await page.goto(`${page.url().split('#')[0]}#/report/${taskId}`);
  await page.locator('canvas[data-drawn]').first().waitFor();
  // The dialog of the system stays away, and what would be printed stays on the page.
  await page.evaluate(() => {
    window.print = () => {
      throw new Error('not printed in a test');
    };
  });
  await page.keyboard.press('Control+p');
  // A printer that nobody has measured is asked about first.
  await page.getByRole('button', { name: 'Print report without a check' }).click();
  await page.locator('html[data-printing]').waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('main').isVisible()).toBe(false);
  const [sheet, ...others] = await page.locator('body > div:last-child img').all();
  expect(others).toHaveLength(1);
  // 297 mm, in pixels of CSS.
  expect(Math.abs(((await sheet?.boundingBox())?.width ?? 0) - (297 / 25.4) * 96)).toBeLessThan(2);
  await page.emulateMedia({ media: null });
  const printed = await page.pdf({ preferCSSPageSize: true });
  const document = await openPdf(printed);
  expect(document.numPages).toBe(2);
  const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 });
  // A4 in landscape, in points.
  expect([Math.abs(width - 841.9) < 1, Math.abs(height - 595.3) < 1]).toEqual([true, true]);
});
