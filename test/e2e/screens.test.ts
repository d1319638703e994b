// Every screen, in both themes and both languages: axe finds nothing serious, nothing is cut at 200 % text,
// what a technician presses is large enough, and no text stands there that is not in the catalogue.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SEVERITY_WORDS } from '../../shared/severity-words.ts';
import { launchChromium } from '../support/chromium.ts';
import { centralAt } from '../support/made-connections.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { dataFolder, projectRoot } from '../support/test-data.ts';
import { V3Client } from '../support/v3-client.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The last one locks. */
const SCREENS = [
  'patient',
  'live',
  'worklist',
  'task',
  'devices',
  'sync',
  'settings',
  'help',
  'report',
  'review',
  'compare',
  'timeline',
  'start',
  'lock',
] as const;
type Screen = (typeof SCREENS)[number];
const OF_A_TASK: readonly Screen[] = ['report', 'review', 'compare', 'timeline', 'worklist', 'task'];
/** What is there once such a screen shows what it is for. */
const DRAWN: Partial<Record<Screen, string>> = {
  report: 'figure canvas[data-drawn]',
  review: '[role=img][data-drawn]',
  compare: 'header[data-side=before] ~ div canvas[data-drawn]',
  timeline: 'tbody path[d^=M]',
};
const OKAFOR = {
  patient_last_name: 'Okafor',
  patient_first_name: 'Chidi',
  patient_birth_date: '1968-09-02',
  patient_id: '003 922',
};
const THEMES = ['light', 'dark'] as const;
const LANGUAGES = ['en', 'es'] as const;

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}
declare const axe: { run(context: Document, options: object): Promise<{ violations: Violation[] }> };

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let screens: OpenScreens;
let { running, desk, host, page, faults } = {} as OpenScreens;
beforeEach(async () => {
  const overrides = [
    ['storage.reserve', '0'],
    ['sync.simulated', 'true'],
    ['sync.when', 'analysed'],
  ] as const;
  screens = await openScreens(browser, { reducedMotion: 'reduce', bypassCSP: true }, { overrides });
  ({ running, desk, host, page, faults } = screens);
});
afterEach(() => screens?.close());

async function open(language: string): Promise<void> {
  await page.addInitScript((chosen) => localStorage.setItem('isoline.language', chosen), language);
  await page.goto(host.newLink());
  await page.getByRole('grid').waitFor();
}

/** Years ago, so that there is something to compare with. */
async function uploadEarlier(patient: object): Promise<void> {
  const client = new V3Client(running.url, (await running.makeToken()).text);
  const upload_id = await client.upload(readFileSync(join(dataFolder, 'edf', 'made_ecg12_plusC.edf')));
  await client.createTask({ upload_id, ...patient, recording_start_time: '2021-05-03T08:00:00Z' });
}

/** A recording with a report that waits for its way to a centre, so that there is something to see. */
async function recordOne(): Promise<number> {
  const centre = {
    to: centralAt('http://127.0.0.1:9'),
    label: 'Cardio centre',
    organization: 'clinic',
    secret: 'isl_nowhere',
  };
  await running.bridge.call('connection.add', centre);
  await uploadEarlier(OKAFOR);
  const id = await desk.connect('simulator:isoline-idp?rhythm=sinus');
  const { taskId } = await desk.handlersFor('test')['desk.record'](
    {
      id,
      durationMs: 10_000,
      entry: {
        fields: OKAFOR,
        identity: { name: 'said', birth: 'said' },
      },
    },
    new AbortController().signal,
  );
  await expect
    .poll(async () => (await running.bridge.call('task.get', { taskId })).state, { timeout: 40_000 })
    .toBe('AWAITING_APPROVAL');
  return taskId;
}

async function show(screen: Screen, taskId: number): Promise<void> {
  if (screen === 'lock') {
    if ((await running.bridge.call('session.get', {})).users.length === 0)
      await running.bridge.call('user.add', {
        name: 'A. Admin',
        role: 'administrator',
        secret: 'correct horse',
      });
    await page.reload();
    await page.locator('form').waitFor();
    return;
  }
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    `#/${screen}${OF_A_TASK.includes(screen) ? `/${taskId}` : ''}`,
  );
  await page
    .locator(DRAWN[screen] ?? 'main h1')
    .first()
    .waitFor({ state: 'attached' });
  if (screen === 'sync')
    await page
      .getByRole('button', { name: /OKAFOR/ })
      .first()
      .click();
  await page.waitForTimeout(screen === 'live' ? 1500 : 300);
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Colours take half of the time. They differ by theme alone: neither language nor size changes them. */
const RULES = {
  all: { runOnly: TAGS },
  colours: { runOnly: { type: 'rule', values: ['color-contrast'] } },
  structure: { runOnly: TAGS, rules: { 'color-contrast': { enabled: false } } },
} as const;

/** What axe checks in each theme: all of it in the first language, in others what their texts can change. */
const OF_THEME = { light: 'all', dark: 'colours' } as const;
const OF_TEXT = { light: 'structure', dark: undefined } as const;

async function violations(of: Page, rules: keyof typeof RULES): Promise<string[]> {
  if (!(await of.evaluate(() => 'axe' in window))) await of.evaluate(AXE);
  const { violations: found } = await of.evaluate((options) => axe.run(document, options), {
    ...RULES[rules],
    resultTypes: ['violations'],
  });
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 300)}`),
    );
}

describe.each(LANGUAGES)('in %s', (language) => {
  test('axe finds nothing serious on any screen, light or dark', async () => {
    const taskId = await recordOne();
    await open(language);
    for (const screen of SCREENS) {
      await show(screen, taskId);
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        await page.waitForTimeout(150);
        const rules = (language === LANGUAGES[0] ? OF_THEME : OF_TEXT)[colorScheme];
        if (rules !== undefined)
          expect([screen, colorScheme, await violations(page, rules)]).toEqual([screen, colorScheme, []]);
        await page.screenshot({
          path: join(
            screenshotFolder,
            `screen-${screen}-${colorScheme}${language === 'en' ? '' : `-${language}`}.png`,
          ),
        });
      }
      await page.emulateMedia({ colorScheme: 'light' });
    }
    expect(faults).toEqual([]);
  }, 120_000);
});

/** Buttons, links and choices that a gloved finger misses. */
const tooSmall = (): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main button, main a, main [role=radio], main select')]
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      // Links inside a sentence are words.
      .filter(
        ({ element, box }) =>
          box.width > 0 &&
          element.closest('p, [role=status]') === null &&
          (box.height < 43.5 || box.width < 43.5),
      )
      .map(
        ({ element, box }) =>
          `${element.outerHTML.slice(0, 100)} ${Math.round(box.width)}×${Math.round(box.height)}`,
      ),
  );

/** Leaves the drawer open, so that axe checks it, too. */
async function expectDrawer(): Promise<void> {
  const preview = page.getByRole('complementary', { name: 'Selected recording' });
  await expect.poll(() => preview.isVisible()).toBe(false);
  await page.keyboard.press('F8');
  await preview.waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => preview.isVisible()).toBe(false);
  await page.getByRole('row').nth(1).click();
  await preview.getByRole('button', { name: 'Open report' }).waitFor();
}

const PRESSED: readonly Screen[] = ['patient', 'live', 'lock'];

test('in the smallest window what a technician presses is at least 44 pixels large; at 200 % text nothing scrolls sideways and no words are cut', async () => {
  const taskId = await recordOne();
  await page.setViewportSize({ width: 1024, height: 768 });
  await open('en');
  for (const screen of SCREENS) {
    await show(screen, taskId);
    if (screen === 'worklist') await expectDrawer();
    await page.screenshot({ path: join(screenshotFolder, `screen-${screen}-1024.png`) });
    // The drawer is nowhere else.
    const rules = screen === 'worklist' ? 'all' : 'structure';
    expect([screen, '1024 × 768', await violations(page, rules)]).toEqual([screen, '1024 × 768', []]);
    if (PRESSED.includes(screen)) expect([screen, await tooSmall()]).toEqual([screen, []]);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '32px';
      dispatchEvent(new Event('resize'));
    });
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(screenshotFolder, `screen-${screen}-200.png`) });
    expect([screen, '200 %', await violations(page, 'structure')]).toEqual([screen, '200 %', []]);
    const found = await page.evaluate(() => {
      const cut = [...document.querySelectorAll<HTMLElement>('button, label, h1, h2, p')].filter(
        (element) => {
          const { overflow, visibility, clipPath } = getComputedStyle(element);
          return (
            element.clientWidth > 0 &&
            overflow === 'hidden' &&
            clipPath === 'none' &&
            visibility === 'visible' &&
            element.scrollWidth > element.clientWidth + 2
          );
        },
      );
      return {
        sideways: document.documentElement.scrollWidth - innerWidth,
        cut: cut.map((element) => element.outerHTML.slice(0, 120)),
      };
    });
    expect([screen, found.sideways <= 0, found.cut]).toEqual([screen, true, []]);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '';
      dispatchEvent(new Event('resize'));
    });
  }
}, 120_000);

test('no text stands on a screen that is not in the catalogue', async () => {
  type Texts = { [key: string]: string | Texts };
  const marked = (texts: Texts): Texts =>
    Object.fromEntries(
      Object.entries(texts).map(([key, value]) => [
        key,
        typeof value === 'string' ? `⟦${value}⟧` : marked(value),
      ]),
    );
  const english = JSON.parse(readFileSync(join(projectRoot, 'renderer', 'text', 'en.json'), 'utf8')) as Texts;
  // The other language is asked for as a file: it gets one in which every text is marked.
  await page.route(/\/assets\/es-[\w-]+\.js$/, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `export default ${JSON.stringify(marked(english))};`,
    }),
  );
  const taskId = await recordOne();
  await open('es');
  const known = [
    /^[\d\s.,:;/·–—−×%°()+-]*$/,
    /OKAFOR|Okafor|Chidi|003 922|Isoline|A\. Admin|Sep 1968/,
    /^[\d.]* ?(mm\/s|mm\/mV|Hz|ms|kg|cm|mV|s|min)\b/,
  ];
  // Names of leads, of electrodes, of keys, of zones, of languages, of paper; the program's findings; what a device
  // says of itself.
  known.push(
    /^(I|II|III|aV[RLF]|V[1-6]|[RLFN]|C[1-6])$/,
    /^(F\d+|Ctrl .|Esc|Enter|Del|[A-Z]|T)$/,
    /^[A-Z]{3,5}$/,
    /^(English|Español|A4|Letter)$/,
  );
  known.push(
    /^(Ritmo sinusal|ECG normal|No valorado: |Probable bloqueo|Desviación extrema|Ondas Q|QT largo|Inversión de la onda T)/,
    /^ST$/,
    /^(latidos( con P)?|frecuencia|PR|QRS) \d/,
    /simulator|\/dev\/|^[A-Z]\w+\/[A-Z][\w/-]+$|pixels|^R–R/,
    /^\d{2}:\d{2}/,
    /^\d{1,2} \w{3}(?: \d{4}|$)/,
  );
  for (const word of Object.values(SEVERITY_WORDS.es)) known.push(new RegExp(`^${word}$`));
  for (const screen of SCREENS) {
    await show(screen, taskId);
    const texts = await page.evaluate(() => {
      const found: string[] = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const parent = node.parentElement;
        if (
          parent === null ||
          parent.closest(
            'script, style, option, [role=option], kbd, time, [class*=hidden], [data-page-text]',
          ) !== null
        )
          continue;
        const text = (parent.textContent ?? '').trim();
        if (text !== '') found.push(text);
      }
      for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]'))
        for (const name of ['aria-label', 'placeholder', 'title']) {
          const text = element.getAttribute(name);
          if (text !== null && text !== '') found.push(text);
        }
      return [...new Set(found)];
    });
    const foreign = texts.filter(
      (text) => !text.includes('⟦') && !known.some((pattern) => pattern.test(text)),
    );
    expect([screen, foreign]).toEqual([screen, []]);
    expect(texts.some((text) => text.includes('⟦'))).toBe(true);
  }
}, 120_000);
