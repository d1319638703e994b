// What readers keep for themselves and ask each other, in real Chromium against the real workstation: phrases, the normal ECG by one
// key, a question to a colleague and its answer, and the findings in the worklist.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CallOutput } from '../../shared/bridge/contract.ts';
import { launchChromium } from '../support/chromium.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { FREE_OF_LIMITS, whenAnalysed } from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { dataFolder } from '../support/test-data.ts';
import { V3Client } from '../support/v3-client.ts';

const PIN = '135790';
const TWELVE_LEADS = join(dataFolder, 'edf', 'made_ecg12_plusC.edf');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let screens: OpenScreens;
let { running, host, page, faults } = {} as OpenScreens;
beforeEach(async () => {
  screens = await openScreens(browser, { reducedMotion: 'reduce' }, { overrides: FREE_OF_LIMITS });
  ({ running, host, page, faults } = screens);
  const { bridge } = running;
  const secret = 'nine quiet horses';
  const admin = await bridge.call('user.add', { name: 'A', role: 'administrator', secret });
  await bridge.call('session.signIn', { userId: admin.userId, secret });
  const lind = await bridge.call('user.add', { name: 'Dr. Lind', role: 'reviewer', secret: PIN });
  await bridge.call('user.add', { name: 'Dr. Osei', role: 'reviewer', secret: PIN });
  await bridge.call('session.signIn', { userId: lind.userId, secret: PIN });
});
afterEach(() => screens?.close());

async function signIn(name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByLabel(/PIN or password/).fill(PIN);
  await page.keyboard.press('Enter');
  await page.getByLabel(/PIN or password/).waitFor({ state: 'hidden' });
}

async function uploaded(lastName: string): Promise<number> {
  const client = new V3Client(running.url, (await running.makeToken()).text);
  const upload_id = await client.upload(readFileSync(TWELVE_LEADS));
  const { json } = await client.createTask({ upload_id, patient_id: lastName, patient_last_name: lastName });
  const [taskId] = json.created_task_ids as [number];
  await whenAnalysed(running.bridge, taskId);
  return taskId;
}

async function review(taskId: number): Promise<void> {
  await page.evaluate((id) => {
    location.hash = `#/review/${id}`;
  }, taskId);
  await page.locator('canvas[data-drawn]').waitFor();
  await page.getByRole('button', { name: /^Phrases/ }).waitFor();
}

const readingOf = (taskId: number): Promise<CallOutput<'review.reading'>> =>
  running.bridge.call('review.reading', { taskId });
const saidOf = async (taskId: number): Promise<string[]> =>
  (await readingOf(taskId)).statements.map(({ statement, state }) => `${statement.text} (${state})`);
const shot = (name: string) => page.screenshot({ path: join(screenshotFolder, `${name}.png`) });

test('findings are kept as a phrase, and said of the next patient by two keys, with the numbers of that one', async () => {
  const [first, second] = [await uploaded('Okafor'), await uploaded('Lopez')];
  await page.goto(host.newLink());
  await signIn('Dr. Lind');
  await review(first);
  await page.keyboard.press('a');
  await page.getByRole('combobox', { name: 'Finding' }).fill('lbbb');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.locator('aside li').filter({ hasText: 'Left bundle branch block' }).waitFor();
  await page.keyboard.press('o');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the phrase').fill('lb');
  await shot('review-phrases-keep');
  await dialog.getByRole('button', { name: 'Keep' }).click();
  await dialog.getByText('Kept.').waitFor();
  await shot('review-phrases');
  await page.keyboard.press('Escape');
  await review(second);
  await page.keyboard.press('o');
  await dialog.getByRole('button', { name: 'Say: lb' }).waitFor();
  await page.keyboard.press('1');
  await page.locator('aside li').filter({ hasText: 'Left bundle branch block' }).waitFor();
  const said = await saidOf(second);
  expect(said).toContain('Left bundle branch block (added)');
  // Only what a person had said was kept: of the rest, nobody has said anything here.
  expect(said.filter((each) => !each.endsWith('(program)'))).toHaveLength(1);
  await page.keyboard.press('Control+z');
  await expect.poll(() => saidOf(second)).not.toContain('Left bundle branch block (added)');
  expect(faults).toEqual([]);
});

test('a normal ECG is said by one key; what is abnormal needs a reason, and what is grave goes by no phrase', async () => {
  const taskId = await uploaded('Okafor');
  await page.goto(host.newLink());
  await signIn('Dr. Lind');
  await review(taskId);
  const program = (await readingOf(taskId)).statements.map(({ statement }) => statement);
  const grave = program.filter(({ severity }) => severity === 'IMPORTANT');
  expect(grave.map(({ code }) => code).sort()).toEqual(['ISC-QMIAGE', 'REP-LQT']);
  const dialog = page.getByRole('dialog');
  await page.keyboard.press('0');
  await dialog.getByText('A phrase never rejects a grave finding.').waitFor();
  expect(await dialog.getByRole('listitem').count()).toBe(2);
  await shot('review-normal-grave');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  for (const { code } of grave)
    await running.bridge.call('review.correct', {
      taskId,
      change: { kind: 'rejected', code, reason: 'Not seen' },
    });
  await page.locator('aside').getByRole('heading', { name: 'Rejected' }).waitFor();
  await page.keyboard.press('0');
  await dialog.getByText('These findings are rejected').waitFor();
  await dialog.getByRole('button', { name: 'Known and unchanged' }).click();
  await shot('review-normal');
  await dialog.getByRole('button', { name: 'Say: Normal ECG' }).click();
  // Without the block that was rejected, the wide QRS is another finding: an ECG with one is not called normal.
  for (const instead of ['intraventricular conduction delay', 'Wide QRS']) {
    await expect
      .poll(() => saidOf(taskId))
      .toEqual([expect.stringContaining(instead), expect.stringMatching(/^Sinus rhythm/)]);
    await page.locator('aside li').filter({ hasText: instead }).waitFor();
    await page.keyboard.press('0');
    await dialog.getByRole('button', { name: 'Known and unchanged' }).click();
    await dialog.getByRole('button', { name: 'Say: Normal ECG' }).click();
  }
  await expect
    .poll(() => saidOf(taskId))
    .toEqual([expect.stringMatching(/^Sinus rhythm/), 'Normal ECG (added)']);
  expect((await readingOf(taskId)).severity).toBe('NONE');
  // One step back takes one phrase back, with all that it rejected; steps in quick succession are all taken.
  for (const _ of [4, 3, 2]) await page.keyboard.press('Control+z');
  await expect.poll(async () => (await readingOf(taskId)).corrections.length).toBe(2);
  expect((await readingOf(taskId)).rejected).toHaveLength(2);
  expect(faults).toEqual([]);
});

test('the worklist says the gravest finding of each, and finds by acronyms and in both languages', async () => {
  const taskId = await uploaded('Okafor');
  await running.bridge.call('review.correct', {
    taskId,
    change: { kind: 'stated', code: 'CON-LBBB', text: 'Left bundle branch block', severity: 'CRITICAL' },
  });
  const { revision, version } = await readingOf(taskId);
  await running.bridge.call('task.approve', { taskId, revision, version, secret: PIN });
  await page.goto(host.newLink());
  await signIn('Dr. Lind');
  await page.getByRole('navigation').getByRole('link', { name: 'Worklist' }).click();
  const row = page.locator('tbody tr').filter({ hasText: 'OKAFOR' });
  await expect.poll(() => row.textContent()).toContain('CriticalLeft bundle branch block+5');
  const search = page.getByRole('searchbox');
  for (const [text, isFound] of [
    ['lbbb', true],
    ['stemi', false],
    ['bloqueo rama izquierda', true],
    ['long qt', true],
    ['afib', false],
    ['BRI okafor', true],
  ] as const) {
    await search.fill(text);
    await expect.poll(async () => [text, (await row.count()) > 0]).toEqual([text, isFound]);
  }
  await search.fill('okafro');
  await page.getByText('Nothing matches “okafro”. These are similar:').waitFor();
  await shot('worklist-similar');
  await search.press('ArrowDown');
  await page.locator('tbody tr[aria-selected=true]').filter({ hasText: 'OKAFOR' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('canvas[data-drawn]').first().waitFor();
  await page.keyboard.press('Escape');
  await search.fill('okafor');
  await expect.poll(() => page.getByText('These are similar:').count()).toBe(0);
  await shot('worklist-findings');
  await page.setViewportSize({ width: 1024, height: 768 });
  await shot('worklist-findings-1024');
  await page.setViewportSize({ width: 1920, height: 1080 });
  await shot('worklist-findings-1920');
  expect(faults).toEqual([]);
});

test('a colleague is asked, sees it on every screen, answers, and the answer is read', async () => {
  const taskId = await uploaded('Okafor');
  await page.goto(host.newLink());
  await signIn('Dr. Lind');
  await review(taskId);
  await page.getByRole('button', { name: 'Ask a colleague' }).click();
  await page.getByRole('dialog').getByLabel('What you ask').fill('Is V2 misplaced?');
  await shot('review-ask');
  await page.getByRole('dialog').getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByText('Dr. Lind asks Dr. Osei').waitFor();
  await page.keyboard.press('Control+l');
  await signIn('Dr. Osei');
  const banner = page.getByRole('status').filter({ hasText: 'asks you about an ECG: OKAFOR' });
  await banner.waitFor();
  await banner.getByRole('link', { name: 'Review' }).click();
  await page.getByLabel('Your answer').fill('Yes, repeat it.');
  await shot('review-asked');
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await banner.waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+l');
  await signIn('Dr. Lind');
  const answered = page.getByText(/Dr\. Osei has answered your question about an ECG: OKAFOR/);
  await answered.waitFor();
  await review(taskId);
  await page.getByText('Yes, repeat it.').waitFor();
  await shot('review-answered');
  await page.getByRole('button', { name: 'Answer read' }).click();
  await answered.waitFor({ state: 'hidden' });
  expect(faults).toEqual([]);
});
