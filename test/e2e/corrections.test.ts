// A physician corrects and approves recordings, in real Chromium against the real workstation: with the mouse, and once
// with keys alone. What was corrected outlives the program.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CallOutput } from '../../shared/bridge/contract.ts';
import { launchChromium } from '../support/chromium.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { FREE_OF_LIMITS, whenAnalysed } from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { dataFolder } from '../support/test-data.ts';
import { V3Client } from '../support/v3-client.ts';

const PIN = '135790';
const PASSWORD = 'nine quiet horses';
const RECORD_106 = ['106.hea', '106.dat'].map((name) => join(dataFolder, 'wfdb', name));
const TWELVE_LEADS = join(dataFolder, 'edf', 'made_ecg12_plusC.edf');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let screens: OpenScreens;
let { running, host, page, faults } = {} as OpenScreens;
let client: V3Client;
beforeEach(async () => {
  screens = await openScreens(browser, { reducedMotion: 'reduce' }, { overrides: FREE_OF_LIMITS });
  ({ running, host, page, faults } = screens);
  client = new V3Client(running.url, (await running.makeToken()).text);
  const { bridge } = running;
  const admin = await bridge.call('user.add', { name: 'A', role: 'administrator', secret: PASSWORD });
  await bridge.call('session.signIn', { userId: admin.userId, secret: PASSWORD });
  const lind = await bridge.call('user.add', { name: 'Dr. Lind', role: 'reviewer', secret: PIN });
  await bridge.call('session.signIn', { userId: lind.userId, secret: PIN });
});
afterEach(() => screens?.close());

async function signIn(): Promise<void> {
  await page.goto(host.newLink());
  await page.getByRole('button', { name: /Dr\. Lind/ }).click();
  await page.getByLabel(/PIN or password/).fill(PIN);
  await page.keyboard.press('Enter');
  // The places are there while it is locked, too.
  await page.getByLabel(/PIN or password/).waitFor({ state: 'hidden' });
}

async function uploaded(): Promise<number> {
  const upload_id = await client.upload(readFileSync(TWELVE_LEADS));
  const { json } = await client.createTask({
    upload_id,
    patient_id: '004817',
    patient_first_name: 'Anneliese',
    patient_last_name: 'Hoffmann',
    patient_gender: 'FEMALE',
    patient_birth_date: '1951-03-14',
  });
  const [taskId] = json.created_task_ids as [number];
  await whenAnalysed(running.bridge, taskId);
  return taskId;
}

async function review(taskId: number): Promise<void> {
  await page.evaluate((id) => {
    location.hash = `#/review/${id}`;
  }, taskId);
  await page.locator('canvas[data-drawn]').waitFor();
  await page.getByRole('tab', { name: 'Median beats' }).waitFor();
}

const readingOf = (taskId: number): Promise<CallOutput<'review.reading'>> =>
  running.bridge.call('review.reading', { taskId });
const number = async (name: string): Promise<number> =>
  Number(await page.getByRole('row', { name }).locator('b').textContent());
const finding = (name: RegExp): Locator => page.locator('aside li').filter({ hasText: name });
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('one cluster of beats gets another class: all follow, and the findings with them', async () => {
  await signIn();
  await page.getByRole('navigation').getByRole('link', { name: 'Worklist' }).click();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.locator('input[type=file]').setInputFiles(RECORD_106);
  await page.getByRole('button', { name: /^Import \d+ files?$/ }).click();
  await page.getByText('imported as task 1').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.locator('tbody tr').filter({ hasText: 'Waiting for approval' }).waitFor();
  await page.locator('aside').getByRole('link', { name: 'Review' }).click();
  await page.getByRole('tab', { name: 'Beats', exact: true }).click();
  const shape = page.getByRole('button', { name: /^V Family 2 \d+ beats/ });
  await shape.click();
  await page.getByText(/^Beat at .*, V$/).waitFor();
  const before = await readingOf(1);
  await page.screenshot({ path: join(screenshotFolder, 'review-beats.png') });
  const all = page.getByRole('group', { name: /^All \d+ of this family$/ });
  await all.getByRole('button', { name: 'N: normal' }).click();
  await page.getByText(/^Beat at .*, N$/).waitFor();
  const after = await readingOf(1);
  const countOf = ({ statements }: typeof after): string =>
    statements.find(({ statement }) => statement.code.startsWith('ECT-PVC'))!.statement.text;
  expect(countOf(after)).not.toBe(countOf(before));
  await finding(/ventricular premature beats/)
    .getByText(countOf(after))
    .waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText(/^Beat at .*, V$/).waitFor();
  await finding(/ventricular premature beats/)
    .getByText(countOf(before))
    .waitFor();
  expect(faults).toEqual([]);
});

test('T end dragged, a finding rejected, one added, approved; /v3 answers with it; then amended', async () => {
  const taskId = await uploaded();
  await signIn();
  await review(taskId);
  const tEnd = page.getByRole('slider', { name: 'T end' });
  const qtBefore = await number('QT interval');
  const box = (await tEnd.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 20, box.y + 100, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => number('QT interval')).toBeGreaterThan(qtBefore + 20);
  const [first] = (await readingOf(taskId)).statements;
  const text = first!.statement.text;
  await page
    .locator('aside')
    .getByRole('group', { name: text })
    .getByRole('button', { name: 'Reject' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Artefact' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await page.locator('aside').getByRole('heading', { name: 'Rejected' }).waitFor();
  await page.keyboard.press('a');
  await page.getByRole('combobox', { name: 'Finding' }).fill('Hypothermia?');
  await page.getByRole('dialog').getByRole('radio', { name: 'Important' }).click();
  await page.screenshot({ path: join(screenshotFolder, 'review-add.png') });
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await finding(/Hypothermia/)
    .getByText('added by Dr. Lind')
    .waitFor();
  await page.screenshot({ path: join(screenshotFolder, 'review-corrected.png') });

  await page.getByRole('button', { name: 'Change severity' }).click();
  await page.getByRole('dialog').getByRole('radio', { name: 'Moderate' }).click();
  await page.getByLabel('Why?').fill('Known since 2019');
  await page.screenshot({ path: join(screenshotFolder, 'review-severity.png') });
  await page.getByRole('button', { name: 'Set severity' }).click();
  await page.getByText('Set by hand: Known since 2019').waitFor();

  expect((await client.status(taskId)).json).toMatchObject({ processed: false });
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').getByText('4 corrections').waitFor();
  await page.screenshot({ path: join(screenshotFolder, 'review-approve.png') });
  await page.getByLabel(/Your PIN/).fill(PIN);
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => (await client.status(taskId)).json)
    .toMatchObject({ processed: true, report_available: true, severity: 'MODERATE' });
  const report = sha256((await client.report(taskId)).bytes);

  await review(taskId);
  await finding(/Hypothermia/)
    .getByRole('button', { name: 'Reject' })
    .click();
  await page.getByText('5 corrections, not approved yet').waitFor();
  expect(sha256((await client.report(taskId)).bytes)).toBe(report);
  await page.getByRole('button', { name: 'Approve and sign the change' }).click();
  await page.getByLabel('Why was it changed?').fill('The patient was warm');
  await page.getByLabel(/Your PIN/).fill(PIN);
  await page.keyboard.press('Enter');
  await expect.poll(async () => sha256((await client.report(taskId)).bytes)).not.toBe(report);
  expect((await readingOf(taskId)).revision).toBe(3);
  await page.getByRole('link', { name: 'Report' }).click();
  const versions = page.getByRole('combobox', { name: 'Version' });
  await versions.selectOption('2');
  await page.getByText('This report was replaced by version 3. Reason: The patient was warm').waitFor();
  await page.locator('figure canvas[data-drawn]').first().waitFor();
  await page.screenshot({ path: join(screenshotFolder, 'report-replaced.png') });
  await page.getByRole('button', { name: 'Export' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'EDF+' }).click();
  expect((await saved).suggestedFilename()).toBe(`ecg-${taskId}.edf`);
  expect(faults).toEqual([]);
});

test('the program dies in the middle: the corrections are there', async () => {
  const taskId = await uploaded();
  await signIn();
  await review(taskId);
  await page.getByRole('slider', { name: 'T end' }).focus();
  await page.keyboard.press('Shift+ArrowRight');
  const qtBefore = await number('QT interval');
  await expect.poll(() => number('QT interval')).toBe(qtBefore + 10);
  await running.workstation.crash();
  await page.getByRole('button', { name: /Dr\. Lind/ }).click();
  await page.getByLabel(/PIN or password/).fill(PIN);
  await page.keyboard.press('Enter');
  await expect.poll(() => number('QT interval')).toBe(qtBefore + 10);
  await page.getByText('1 correction, not approved yet').waitFor();
});

test('a finding by its acronym: found, limited and added with keys alone, with the severity that it usually has', async () => {
  await signIn();
  const taskId = await uploaded();
  await review(taskId);
  await page.keyboard.press('a');
  const words = page.getByRole('combobox', { name: 'Finding' });
  await expect.poll(() => words.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type('lbbb');
  await page
    .getByRole('option')
    .filter({ hasText: /^Left bundle branch block/ })
    .waitFor();
  await page.screenshot({ path: join(screenshotFolder, 'review-library.png') });
  await page.keyboard.press('Enter');
  await expect.poll(() => words.inputValue()).toBe('Left bundle branch block');
  expect(await page.getByRole('radio', { name: 'Important' }).isChecked()).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  expect(await words.inputValue()).toBe('Left bundle branch block, probable');
  await page.getByRole('button', { name: 'unchanged' }).click();
  expect(await words.inputValue()).toBe('Left bundle branch block, probable, unchanged');
  await page.getByRole('button', { name: 'probable', exact: true }).click();
  expect(await words.inputValue()).toBe('Left bundle branch block, unchanged');
  await page.screenshot({ path: join(screenshotFolder, 'review-library-limits.png') });
  await words.press('Enter');
  await finding(/Left bundle branch block, unchanged/).waitFor();
  const added = (await readingOf(taskId)).statements.find(({ state }) => state === 'added');
  expect(added?.statement).toMatchObject({ code: 'CON-LBBB', severity: 'IMPORTANT' });
  // A severity that was chosen for one finding does not stay with other words.
  await page.keyboard.press('a');
  await words.fill('Normal axis');
  await page.getByRole('radio', { name: 'Low' }).click();
  expect(await page.getByRole('radio', { name: 'Low' }).isChecked()).toBe(true);
  await words.fill('Ventricular tachycardia');
  expect(await page.getByRole('radio', { name: 'Critical' }).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Cancel' }).click();
  // Own words keep their own code, and what denies a finding is none.
  for (const [said, code] of [
    ['Left anterior fascicular block ruled out', 'FREE-1'],
    ['Cold hands', 'FREE-2'],
  ] as const) {
    await page.keyboard.press('a');
    await words.fill(said);
    await words.press('Enter');
    await finding(new RegExp(said)).waitFor();
    const { statements } = await readingOf(taskId);
    expect(statements.find(({ statement }) => statement.text === said)?.statement).toMatchObject({
      code,
      severity: 'MODERATE',
    });
  }
  expect(faults).toEqual([]);
}, 60_000);

test('without a mouse: from the worklist to an approved report', async () => {
  const taskId = await uploaded();
  await signIn();
  await review(taskId);
  await page.keyboard.press('c');
  await page.getByRole('slider', { name: 'First caliper line' }).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => page.locator('output').textContent()).toMatch(/ms · \d+ \/min/);
  const row = page.getByRole('toolbar', { name: 'Beats' });
  await row.getByRole('button').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('v');
  await expect.poll(() => row.getByRole('button', { pressed: true }).textContent()).toBe('V');
  await page.keyboard.press('Control+z');
  await expect.poll(() => row.getByRole('button', { pressed: true }).textContent()).toBe('N');
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => row.getByRole('button', { pressed: true }).textContent()).toBe('V');
  await page.getByText('1 correction, not approved yet').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.locator('[role=dialog] input:focus').waitFor();
  await page.keyboard.type(PIN);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await client.status(taskId)).json).toMatchObject({ processed: true });
  expect(faults).toEqual([]);
});

test('in a session of reading: from the list to signed and the next one open in three keys, one PIN for all', async () => {
  await running.bridge.call('session.signIn', { userId: 1, secret: PASSWORD });
  await running.bridge.call('setting.change', { key: 'security.pinMinutes', text: '10' });
  const tasks = [await uploaded(), await uploaded(), await uploaded()];
  await signIn();
  const isSigned = async (taskId: number): Promise<boolean> =>
    (await running.bridge.call('task.get', { taskId })).state === 'COMPLETED';
  // The first one takes the PIN, and goes on to the next.
  await review(tasks[0]!);
  await page.keyboard.press('Control+Enter');
  await page.locator('[role=dialog] input:focus').waitFor();
  await page.getByRole('button', { name: 'Sign, then open the next' }).waitFor();
  await page.keyboard.type(PIN);
  await page.screenshot({ path: join(screenshotFolder, 'review-approve-next.png') });
  await page.keyboard.press('Enter');
  await expect.poll(() => isSigned(tasks[0]!)).toBe(true);
  await expect.poll(() => page.url()).not.toContain(`#/review/${tasks[0]}`);
  // From the list: the row, the dialog, the signature.
  await page.keyboard.press('F4');
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
  await page.getByRole('grid', { name: 'Worklist' }).focus();
  const chosen = (): Promise<string | undefined> =>
    page.evaluate(() => document.querySelector<HTMLElement>('tr[aria-selected="true"]')?.dataset.task);
  for (let now = await chosen(); now !== String(tasks[1]); now = await chosen()) {
    await page.keyboard.press('ArrowDown');
    await expect.poll(chosen).not.toBe(now);
  }
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('button', { name: 'Approve and sign' }).isEnabled()).toBe(true);
  // The key that opens the dialog, pressed twice, signs nothing.
  await page.evaluate(async () => {
    const formThere = (): HTMLFormElement | null => document.querySelector('[role=dialog] form');
    const buttons = [...document.querySelectorAll('button')];
    buttons.find(({ textContent }) => textContent === 'Approve and sign')?.click();
    while (formThere() === null) await new Promise(requestAnimationFrame);
    formThere()?.requestSubmit();
  });
  await wait(700);
  expect(await isSigned(tasks[1]!)).toBe(false);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+Enter');
  await page.getByText(/Your PIN counts until \d\d:\d\d\./).waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe('Sign, then open the next');
  await wait(600);
  await page.screenshot({ path: join(screenshotFolder, 'review-approve-session.png') });
  await page.keyboard.press('Enter');
  await expect.poll(() => isSigned(tasks[1]!)).toBe(true);
  await expect.poll(() => page.url()).toContain(`#/review/${tasks[2]}`);
  // Whoever locks the screen has to type it again; the last one has none behind it.
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await page.getByRole('button', { name: 'Approve and sign' }).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: /Dr\. Lind/ }).click();
  await page.getByLabel(/PIN or password/).fill(PIN);
  await page.keyboard.press('Enter');
  await page.getByLabel(/PIN or password/).waitFor({ state: 'hidden' });
  await expect.poll(() => page.getByRole('button', { name: 'Approve and sign' }).isEnabled()).toBe(true);
  await page.keyboard.press('Control+Enter');
  await page.locator('[role=dialog] input:focus').waitFor();
  expect(await page.getByRole('button', { name: 'Sign, then open the next' }).count()).toBe(0);
  expect(faults).toEqual([]);
}, 60_000);

test('Ctrl → opens the next recording to read, the gravest first, and goes round', async () => {
  const first = await uploaded();
  const upload_id = await client.upload(readFileSync(join(dataFolder, 'edf', 'made_ecg8.bdf')));
  const { json } = await client.createTask({ upload_id, patient_id: '1' });
  const [second] = json.created_task_ids as [number];
  await whenAnalysed(running.bridge, second);
  await signIn();
  await review(first);
  await page.keyboard.press('Control+ArrowRight');
  await expect.poll(() => page.url()).toContain(`#/review/${second}`);
  // The address is there before the screen.
  await page.locator(`a[href="#/compare/${second}"]`).waitFor();
  await page.keyboard.press('Control+ArrowRight');
  await expect.poll(() => page.url()).toContain(`#/review/${first}`);
  expect(faults).toEqual([]);
});

test('Ctrl → pressed before the next recording is known opens it as soon as it is', async () => {
  const first = await uploaded();
  const second = await uploaded();
  const held: (() => void)[] = [];
  await page.routeWebSocket(/\/bridge$/, (socket) => {
    const workstation = socket.connectToServer();
    socket.onMessage((message) => {
      const pass = () => workstation.send(message);
      if (message.includes('review.next')) held.push(pass);
      else pass();
    });
  });
  await signIn();
  await review(first);
  await expect.poll(() => held.length).toBe(1);
  await page.keyboard.press('Control+ArrowRight');
  await page.keyboard.press('Control+ArrowRight');
  expect(page.url()).toContain(`#/review/${first}`);
  held[0]?.();
  await expect.poll(() => page.url()).toContain(`#/review/${second}`);
  // Whoever has gone elsewhere by then stays there.
  await expect.poll(() => held.length).toBe(2);
  await page.keyboard.press('Control+ArrowRight');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.url()).toContain('#/worklist');
  held[1]?.();
  await wait(500);
  expect(page.url()).toContain('#/worklist');
  expect(faults).toEqual([]);
});
