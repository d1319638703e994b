// A physician reads a day in real Chromium against the real workstation: with keys alone from open to signed, with families, episodes,
// strips and events by hand, after a crash, and two at once.

import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { CallOutput } from '../../shared/bridge/contract.ts';
import { launchChromium } from '../support/chromium.ts';
import { importRecording } from '../support/import-recording.ts';
import { type MadeDay, madeDay } from '../support/made-day.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { eventually, FREE_OF_LIMITS, whenAnalysed } from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}
declare const axe: { run(context: Document): Promise<{ violations: Violation[] }> };

const PIN = '135790';
const PASSWORD = 'nine quiet horses';
/** A day is analysed within minutes. */
const ANALYSIS_MS = 10 * 60_000;
const SHORT = { hours: 1.2, ventricular: 60, supraventricular: 16 };

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let folder: TempFolder | undefined;
let screens: OpenScreens;
let { running, host, page, faults } = {} as OpenScreens;

async function start(options: Parameters<typeof openScreens>[1] = {}): Promise<void> {
  folder ??= await tempFolder();
  screens = await openScreens(
    browser,
    { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', bypassCSP: true, ...options },
    { dataDir: folder.path, overrides: FREE_OF_LIMITS },
  );
  ({ running, host, page, faults } = screens);
}

afterEach(async () => {
  await screens?.close();
  await folder?.remove();
  folder = undefined;
});

/** The workstation with two physicians and a recording that is analysed. */
async function withDay(
  { recording }: MadeDay,
  options: Parameters<typeof openScreens>[1] = {},
): Promise<number> {
  await start(options);
  const { bridge } = running;
  const admin = await bridge.call('user.add', { name: 'A', role: 'administrator', secret: PASSWORD });
  await bridge.call('session.signIn', { userId: admin.userId, secret: PASSWORD });
  for (const name of ['Dr. Lind', 'Dr. Roe'])
    await bridge.call('user.add', { name, role: 'reviewer', secret: PIN });
  const taskId = await importRecording(bridge, recording, join(folder!.path, 'day.edf'));
  return whenAnalysed(bridge, taskId, ANALYSIS_MS);
}

async function signIn(at: Page, name: string): Promise<void> {
  await at.goto(host.newLink());
  await at.getByRole('button', { name }).click();
  const pin = at.locator('input[type=password]');
  await pin.fill(PIN);
  await at.keyboard.press('Enter');
  await pin.waitFor({ state: 'hidden' });
}

/** Opened as from the list: the address of a reading leads a day to its own screen. */
async function openDay(at: Page, taskId: number): Promise<void> {
  await at.evaluate((id) => {
    location.hash = `#/review/${id}`;
  }, taskId);
  await at.getByRole('navigation', { name: 'Views of the recording' }).waitFor();
  await at.locator('canvas[data-drawn]').first().waitFor();
}

/** Somewhat more than an hour, opened. */
async function withShortDay(): Promise<number> {
  const taskId = await withDay(madeDay(SHORT));
  await signIn(page, 'Dr. Lind');
  await openDay(page, taskId);
  return taskId;
}

const shows = (view: string): Promise<void> =>
  page.locator('nav[aria-label="Views of the recording"] [aria-current]').filter({ hasText: view }).waitFor();

const readingOf = (taskId: number): Promise<CallOutput<'review.reading'>> =>
  running.bridge.call('review.reading', { taskId });
const correctionsOf = async (taskId: number): Promise<string[]> =>
  (await running.bridge.call('day.corrections', { taskId })).corrections.map(({ change }) => change.kind);
const kept = (taskId: number, kinds: readonly string[]): Promise<unknown> =>
  eventually(async () => {
    const found = await correctionsOf(taskId);
    return JSON.stringify(found) === JSON.stringify(kinds) ? true : undefined;
  }, `corrections ${kinds.join()}`);

/** What a person takes for an action of each part (Holter, section 8), seconds. */
const PACE = { open: 12, question: 6.9, day: 4.2, families: 5, strips: 7, sign: 2.4 } as const;

test('a day of 1,000 ectopic beats, from open to signed by keys alone: the numbers are those of the heart', async () => {
  const day = madeDay();
  const taskId = await withDay(day);
  await signIn(page, 'Dr. Lind');
  let [actions, seconds] = [0, 0];
  const press = async (part: keyof typeof PACE, ...keys: string[]): Promise<void> => {
    for (const key of keys) {
      await page.keyboard.press(key);
      actions++;
      seconds += PACE[part];
    }
  };
  await openDay(page, taskId);
  actions++;
  seconds += PACE.open;
  // Questions: all of them are episodes that are there.
  await shows('Questions');
  const questions = page.getByRole('region', { name: 'The chosen question' });
  for (;;) {
    const title = await questions.getByRole('heading').textContent();
    const isEpisode = /^(Is|Does)/.test(title ?? '');
    await press('question', isEpisode ? 'y' : 'n');
    await expect.poll(() => questions.getByRole('heading').allTextContents()).not.toEqual([title]);
    if ((await questions.count()) === 0) break;
  }
  await page.getByText('No open questions').waitFor();
  // Day: every episode is looked at.
  await press('day', '2');
  await shows('Day');
  const open = page.locator('li[data-state=found]');
  const episodes = await page.locator('li[data-state]').count();
  expect(episodes).toBeLessThan(25);
  for (let i = 0; i < episodes && (await open.count()) > 0; i++) await press('day', 'Enter');
  await expect.poll(() => open.count()).toBe(0);
  // Families: the ventricular ones are looked at; one is named otherwise, and that is undone.
  await press('families', '3', 'ArrowRight', 'ArrowRight');
  await shows('Families');
  const before = await page
    .getByRole('region', { name: 'The chosen family' })
    .getByRole('heading')
    .first()
    .textContent();
  await press('families', 'f');
  await page
    .getByRole('region', { name: 'The chosen family' })
    .getByText(/fusion beat/)
    .waitFor();
  await press('families', 'Control+z');
  await page.getByRole('region', { name: 'The chosen family' }).getByText(before!).waitFor();
  // Strips: one is exchanged, one annotated.
  await press('strips', '5');
  await shows('Strips');
  await press('strips', 'ArrowDown', 'ArrowRight', 'Enter');
  await page.locator('textarea:focus').waitFor();
  await page.keyboard.type('The longest one');
  await press('strips', 'Enter');
  await page.locator('ol li p').filter({ hasText: 'The longest one' }).waitFor();
  await page.screenshot({ path: join(screenshotFolder, 'holter-strips.png') });
  // Signed, once its numbers are worked out.
  await press('sign', 'Control+Enter');
  await page.locator('[role=dialog] input:focus').waitFor({ timeout: ANALYSIS_MS });
  await press('sign', ...PIN, 'Enter');
  await eventually(
    async () =>
      (await running.bridge.call('task.get', { taskId })).state === 'COMPLETED' ? true : undefined,
    'signing',
    ANALYSIS_MS,
  );
  console.info(`a day of 24 h: ${actions} actions, ${Math.round(seconds)} s at a person's pace`);
  expect(actions).toBeLessThanOrEqual(60);
  expect(seconds).toBeLessThanOrEqual(300);
  expect(faults).toEqual([]);

  // What was signed, against what the heart did.
  const signed = await running.bridge.call('day.get', { taskId });
  const countOf = (letter: string): number => [...signed.beatLabels].filter((each) => each === letter).length;
  const truthOf = (letter: string): number => day.truth.beats.filter(({ label }) => label === letter).length;
  expect(Math.abs(countOf('V') - truthOf('V'))).toBeLessThanOrEqual(0.01 * truthOf('V'));
  expect(Math.abs(countOf('S') - truthOf('S'))).toBeLessThanOrEqual(0.1 * truthOf('S'));
  const secondsOf = (code: string): number[] =>
    signed.episodes
      .filter((each) => each.code === code)
      .map(({ startSample, endSample }) => (endSample - startSample) / signed.sampleRateHz);
  expect(secondsOf('PAUSE').map((each) => each.toFixed(1))).toEqual(['3.2', '2.8', '3.8']);
  const total = (spans: readonly (readonly [number, number])[]): number =>
    spans.reduce((sum, [from, to]) => sum + to - from, 0);
  const fibrillation = secondsOf('AFIB').reduce((sum, each) => sum + each, 0);
  expect(Math.abs(fibrillation - total(day.truth.fibrillation))).toBeLessThan(
    0.05 * total(day.truth.fibrillation),
  );
}, 900_000);

test('families are named, merged and divided; each step is seen at once, kept, and undone', async () => {
  const taskId = await withShortDay();
  await page.keyboard.press('3');
  const cards = page.getByRole('region', { name: 'Families' });
  const card = (name: string) => cards.getByRole('button', { name: new RegExp(`^${name} `) });
  await card('Va').waitFor();
  await page.screenshot({ path: join(screenshotFolder, 'holter-families.png') });
  const detail = page.getByRole('region', { name: 'The chosen family' });
  await card('Va').click();
  await detail.getByText(/ventricular beats$/).waitFor();
  const ventricular = Number((await detail.getByRole('heading').first().textContent())?.replace(/\D/g, ''));
  await detail.getByRole('button', { name: 'F: fusion' }).click();
  await card('Fa').waitFor();
  await page.getByText(`F for ${ventricular} beats`).waitFor();
  await kept(taskId, ['families']);
  await page.keyboard.press('Control+z');
  await card('Va').waitFor();
  await kept(taskId, []);
  // Two of its beats are picked out of the list.
  await card('Va').click();
  const boxes = detail.getByRole('checkbox');
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await detail.getByRole('button', { name: 'N: normal' }).click();
  await page.getByText('N for 2 beats').waitFor();
  await kept(taskId, ['beats']);
  // Merged with its closest relative, and divided into the same two again.
  await page.keyboard.press('Control+z');
  await kept(taskId, []);
  const count = Number(
    (await page.getByRole('button', { name: /^Families/ }).textContent())?.replace(/\D/g, '').slice(0, -1),
  );
  await card('Na').click();
  await detail.getByRole('button', { name: /^Merge with/ }).click();
  await kept(taskId, ['familiesMerged']);
  await expect
    .poll(async () =>
      Number(
        (await page.getByRole('button', { name: /^Families/ }).textContent())
          ?.replace(/\D/g, '')
          .slice(0, -1),
      ),
    )
    .toBe(count - 1);
  await detail.getByRole('button', { name: /^Divide/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Divide/ });
  await dialog.getByText('become a family of their own').waitFor();
  await page.screenshot({ path: join(screenshotFolder, 'holter-divide.png') });
  await dialog.getByRole('button', { name: 'Divide' }).click();
  await kept(taskId, ['familiesMerged', 'familyDivided']);
  await expect
    .poll(async () =>
      Number(
        (await page.getByRole('button', { name: /^Families/ }).textContent())
          ?.replace(/\D/g, '')
          .slice(0, -1),
      ),
    )
    .toBe(count);
  expect(faults).toEqual([]);
}, 240_000);

test('episodes are rejected and moved, events and strips added; the report has all of it, and a crash loses none', async () => {
  const taskId = await withShortDay();
  await page.keyboard.press('2');
  const listed = () => page.getByRole('region', { name: 'Episodes' });
  const episodes = listed();
  await episodes
    .getByRole('button', { name: /^Reject: Pause/ })
    .first()
    .click();
  await episodes.getByText('rejected').waitFor();
  await kept(taskId, ['episodeRejected']);
  await episodes
    .getByRole('button', { name: /^Move the borders: Atrial fibrillation/ })
    .first()
    .click();
  const editor = page.getByRole('region', { name: 'Borders of the episode' });
  const begins = editor.getByRole('button', { name: /^Begins/ });
  await begins.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Tab');
  await page.screenshot({ path: join(screenshotFolder, 'holter-borders.png') });
  await begins.focus();
  await page.keyboard.press('Enter');
  await episodes.getByText('borders moved by hand').waitFor();
  await kept(taskId, ['episodeRejected', 'episodeMoved']);
  await page.keyboard.press('e');
  const noting = page.getByRole('dialog');
  await noting.getByLabel('Time').fill('9:40');
  await noting.getByLabel('In the patient’s words').fill('Dizzy on the stairs');
  await page.keyboard.press('Enter');
  await page.getByText('1 event', { exact: true }).waitFor();
  await kept(taskId, ['episodeRejected', 'episodeMoved', 'eventAdded']);
  // A rhythm that the program has not found.
  await page.keyboard.press('d');
  const drawing = page.getByRole('dialog', { name: 'Draw a rhythm' });
  await drawing.getByLabel('Rhythm').selectOption('Ventricular tachycardia');
  await drawing.getByLabel('From').fill('9:50:20');
  await drawing.getByLabel('To').fill('9:50:10');
  await drawing.getByText('The end must come after the start.').waitFor();
  await drawing.getByLabel('To').fill('9:50:40');
  await page.screenshot({ path: join(screenshotFolder, 'holter-draw.png') });
  await page.keyboard.press('Enter');
  await episodes.getByText('drawn by hand').waitFor();
  const steps = ['episodeRejected', 'episodeMoved', 'eventAdded', 'rhythm', 'strips'];
  await page.keyboard.press('p');
  await kept(taskId, steps);
  await page.keyboard.press('5');
  await page.getByText('by hand', { exact: true }).waitFor();
  await page.keyboard.press('4');
  await shows('Full ECG');
  await page.getByLabel('Go to a time').fill('10:00');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '10:00:00' }).waitFor();
  // The power fails: another program finds what lies on the disk at this moment.
  const [atFailure, before] = [await tempFolder(), folder!];
  await cp(before.path, atFailure.path, { recursive: true });
  await screens.close();
  await before.remove();
  folder = atFailure;
  await start();
  await running.bridge.call('session.signIn', { userId: 1, secret: PASSWORD });
  await signIn(page, 'Dr. Lind');
  await openDay(page, taskId);
  expect(await correctionsOf(taskId)).toEqual(steps);
  await page.keyboard.press('2');
  await listed().getByText('rejected').waitFor();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  const { statements } = await readingOf(taskId);
  expect(statements.find(({ statement }) => statement.code === 'RHY-PAUSE')?.statement.text).not.toContain(
    '3 pauses',
  );
  await page.keyboard.press('6');
  await page.getByRole('complementary', { name: 'Summary' }).waitFor();
  await page.screenshot({ path: join(screenshotFolder, 'holter-findings.png') });
  expect(faults).toEqual([]);
}, 240_000);

test('two at once: the second is told who reads it, and takes over with all of it', async () => {
  const taskId = await withShortDay();
  await page.keyboard.press('2');
  await page
    .getByRole('button', { name: /^Accept: / })
    .first()
    .click();
  await kept(taskId, ['episodeAccepted']);
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  const other = await context.newPage();
  await signIn(other, 'Dr. Roe');
  await openDay(other, taskId);
  await other.getByText(/Dr\. Lind/).waitFor();
  await other.keyboard.press('2');
  expect(
    await other
      .getByRole('button', { name: /^Reject: / })
      .first()
      .isDisabled(),
  ).toBe(true);
  await other.getByRole('button', { name: 'Take over' }).click();
  await other
    .getByRole('button', { name: /^Reject: / })
    .nth(1)
    .click();
  await kept(taskId, ['episodeAccepted', 'episodeRejected']);
  // The first is told, and sees what the second did.
  await page.getByText(/Dr\. Roe/).waitFor();
  await page.getByRole('region', { name: 'Episodes' }).getByText('rejected').waitFor();
  await context.close();
  expect(faults).toEqual([]);
}, 240_000);

/** Whether a view is there and every picture has its lines, those outside the window included. */
const DRAWN = (): boolean =>
  document.querySelector('main [data-loading]') === null &&
  [...document.querySelectorAll<HTMLCanvasElement>('main canvas')].every(
    ({ dataset }) => dataset.drawn !== undefined,
  );

/** Text that sticks out of the screen, or is cut by its own box. */
const CUT = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('main button, main h2, main th, main td')]
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 0 && (left < -1 || right > innerWidth + 1);
    })
    .map(({ textContent }) => textContent ?? '');

/** What is pressed here and smaller than a finger hits. */
const TOO_SMALL = (): string[] =>
  [
    ...document.querySelectorAll<HTMLElement>(
      'main button, main a, main [role=slider], main label:has(input)',
    ),
  ]
    .filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 0 && (width < 43.5 || height < 43.5);
    })
    .map((element) => {
      const { width, height } = element.getBoundingClientRect();
      const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return `${name.slice(0, 40)} ${Math.round(width)} × ${Math.round(height)}`;
    });

/** Parts of a view that can be scrolled sideways: their right edge is cut until somebody does. */
const SIDEWAYS = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('main *')]
    .filter((element) => {
      const { overflowX } = getComputedStyle(element);
      return (
        (overflowX === 'auto' || overflowX === 'scroll') && element.scrollWidth > element.clientWidth + 1
      );
    })
    .map(({ className, scrollWidth, clientWidth }) => `${className}: ${scrollWidth} in ${clientWidth}`);

test('by touch alone: the views, an answer, a family, an episode, a strip; what is touched is large enough', async () => {
  const taskId = await withDay(madeDay(SHORT), {
    viewport: { width: 1280, height: 800 },
    hasTouch: true,
  });
  await page.goto(host.newLink());
  await page.getByRole('button', { name: 'Dr. Lind' }).tap();
  await page.locator('input[type=password]').fill(PIN);
  await page.keyboard.press('Enter');
  await page.locator('input[type=password]').waitFor({ state: 'hidden' });
  await openDay(page, taskId);
  const views = page.getByRole('navigation', { name: 'Views of the recording' });
  await views.getByRole('button', { name: /^Questions/ }).tap();
  await page
    .getByRole('button', { name: /^Y?\s*Yes/ })
    .first()
    .tap();
  await kept(taskId, ['episodeAccepted']);
  await page.screenshot({ path: join(screenshotFolder, 'holter-questions-touch.png') });
  await views.getByRole('button', { name: /^Families/ }).tap();
  await page.locator('[data-family]').nth(1).tap();
  await page.screenshot({ path: join(screenshotFolder, 'holter-families-touch.png') });
  await views.getByRole('button', { name: /^Day/ }).tap();
  await page
    .getByRole('button', { name: /^Reject: / })
    .first()
    .tap();
  await kept(taskId, ['episodeAccepted', 'episodeRejected']);
  await page.screenshot({ path: join(screenshotFolder, 'holter-day-touch.png') });
  await views.getByRole('button', { name: /^Strips/ }).tap();
  await page.getByRole('button', { name: 'Take out' }).tap();
  await kept(taskId, ['episodeAccepted', 'episodeRejected', 'strips']);
  const small = new Set<string>();
  for (const view of ['Questions', 'Day', 'Families', 'Full ECG', 'Strips', 'Findings']) {
    await views.getByRole('button', { name: new RegExp(`^${view}`) }).tap();
    await shows(view);
    await page.waitForFunction(DRAWN);
    for (const each of await page.evaluate(TOO_SMALL)) small.add(`${view}: ${each}`);
  }
  expect([...small]).toEqual([]);
  expect(faults).toEqual([]);
});

test('all views in both themes and languages, on small and large screens: axe finds nothing serious, nothing is cut', async () => {
  const taskId = await withDay(madeDay(SHORT));
  await signIn(page, 'Dr. Lind');
  const sizes = [
    { name: '1024', width: 1024, height: 768 },
    { name: '1280', width: 1280, height: 800 },
    { name: '1920', width: 1920, height: 1080 },
    // 1280 at 200 %.
    { name: '200', width: 640, height: 400 },
  ];
  for (const [scheme, language, size] of [
    ['light', 'en', sizes[0]],
    ['light', 'en', sizes[1]],
    ['dark', 'en', sizes[2]],
    ['dark', 'es', sizes[1]],
    ['light', 'es', sizes[3]],
  ] as const) {
    const { name, width, height } = size!;
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    await page.evaluate((chosen) => localStorage.setItem('isoline.language', chosen), language);
    await page.goto('about:blank');
    await signIn(page, 'Dr. Lind');
    await page.evaluate((id) => {
      location.hash = `#/holter/${id}`;
    }, taskId);
    await page.locator('[role=slider] canvas[data-drawn]').waitFor();
    await page.evaluate(AXE);
    for (const [i, view] of ['questions', 'day', 'families', 'full', 'strips', 'findings'].entries()) {
      await page.keyboard.press(String(i + 1));
      await page.locator(`main nav > button:nth-of-type(${i + 1})[aria-current=page]`).waitFor();
      await page.waitForFunction(DRAWN);
      await page.screenshot({
        path: join(screenshotFolder, `holter-${view}-${name}-${scheme}-${language}.png`),
      });
      const { violations } = await page.evaluate(() => axe.run(document));
      const grave = violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
        );
      expect(grave, `${view} ${name} ${scheme} ${language}`).toEqual([]);
      expect(await page.evaluate(CUT), `${view} ${name} ${language}`).toEqual([]);
      expect(await page.evaluate(SIDEWAYS), `${view} ${name} ${language}`).toEqual([]);
    }
  }
  expect(faults).toEqual([]);
}, 300_000);
