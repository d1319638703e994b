// What tells patients apart is never cut: twelve names in the scripts of the world, and the longest, in the worklist at every width, in
// real Chromium.

import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { FREE_OF_LIMITS } from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { V3Client } from '../support/v3-client.ts';

const NAMES: readonly (readonly [last: string, first: string])[] = [
  ['الأحمد', 'محمد عبد الله'],
  ['כהן', 'שרה'],
  ['李', '小龙'],
  ['山田', 'さくら'],
  ['ใจดี', 'สมชาย'],
  ['शर्मा', 'श्री कृष्ण'],
  ['Щербаков-Задунайский', 'Константин Константинович'],
  ['Παπαδόπουλος', 'Ιωάννης'],
  ['Nguyễn', 'Thị Hồng Đào'],
  ['Mu\u0308ller-Lu\u0308denscheidt', 'Ju\u0308rgen'],
  // 64 letters.
  ['Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren', 'Hubert Bl'],
  ['Suharto', ''],
];

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let screens: OpenScreens;
beforeEach(async () => {
  screens = await openScreens(browser, { reducedMotion: 'reduce' }, { overrides: FREE_OF_LIMITS });
  const { running } = screens;
  const client = new V3Client(running.url, (await running.makeToken()).text);
  for (const [i, [last, first]] of NAMES.entries())
    await client.createTask({
      patient_id: `2026-0000-${1000 + i}`,
      patient_last_name: last,
      ...(first !== '' && { patient_first_name: first }),
      patient_birth_date: `19${50 + i}-03-14`,
      patient_gender: 'FEMALE',
    });
});
afterEach(() => screens?.close());

/** Names and facts of which a part is not seen: beyond their cell, or below their row. */
const CUT = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('tbody tr[data-task]')].flatMap((row) => {
    const cell = row.querySelector('th') as HTMLElement;
    const [outer, bounds] = [row.getBoundingClientRect(), cell.getBoundingClientRect()];
    return [...cell.querySelectorAll<HTMLElement>('b, small')]
      .filter((text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        return (
          left < bounds.left - 1 ||
          right > bounds.right + 1 ||
          top < outer.top - 1 ||
          bottom > outer.bottom + 1
        );
      })
      .map(({ textContent }) => textContent ?? '');
  });

test('no name, date of birth or number is cut in the worklist, whatever the width and the language', async () => {
  const { page, host, faults } = screens;
  await page.goto(host.newLink());
  const cut: string[] = [];
  for (const language of ['en', 'es']) {
    await page.evaluate((chosen) => localStorage.setItem('isoline.language', chosen), language);
    await page.reload();
    for (const [width, height] of [
      [1024, 768],
      [1280, 800],
      [1600, 900],
      [1920, 1080],
      [640, 400],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.locator('tbody tr[data-task]').first().waitFor();
      await page.screenshot({ path: join(screenshotFolder, `names-${width}-${language}.png`) });
      for (const text of await page.evaluate(CUT)) cut.push(`${width} ${language}: ${text}`);
    }
  }
  expect(cut).toEqual([]);
  expect(faults).toEqual([]);
});
