// The report on the screen, in real Chromium: pages, size, search, gain, letterhead, test page, files for others.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { importTestFiles, wfdbFiles } from '../support/import-test-files.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { readPdf } from '../support/read-pdf.ts';
import { FREE_OF_LIMITS, whenAnalysed } from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { dataFolder } from '../support/test-data.ts';
import { V3Client } from '../support/v3-client.ts';

const PATIENT = { patient_id: '004817', patient_first_name: 'Anneliese', patient_last_name: 'Hoffmann' };

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
});
afterEach(async () => {
  expect(faults).toEqual([]);
  await screens?.close();
});

async function uploaded(file: Uint8Array): Promise<number> {
  const upload_id = await client.upload(file);
  const { json } = await client.createTask({ upload_id, ...PATIENT });
  const [taskId] = json.created_task_ids as [number];
  return whenAnalysed(running.bridge, taskId);
}

async function open(taskId: number): Promise<void> {
  await page.goto(host.newLink());
  await page.getByRole('grid').waitFor();
  await page.evaluate((id) => {
    location.hash = `#/report/${id}`;
  }, taskId);
  await page.locator('canvas[data-drawn]').first().waitFor();
}
const shot = (name: string): Promise<Buffer> =>
  page.screenshot({ path: join(screenshotFolder, `${name}.png`) });
const area = () => page.getByRole('region', { name: 'Report' });

test('a long report: pages beside it, size in percent of true size, words found on every page', async () => {
  const taskId = await importTestFiles(running.bridge, wfdbFiles('106.hea', '106.dat'));
  await open(taskId);
  const pages = page.getByRole('navigation', { name: 'Pages' }).getByRole('button');
  const count = await pages.count();
  expect(count).toBeGreaterThan(1);
  await pages.nth(count - 1).click();
  await expect.poll(() => pages.nth(count - 1).getAttribute('aria-current')).toBe('page');
  await page.getByTestId(`page-${count}`).and(page.locator('[data-drawn]')).waitFor();
  await shot('report-long-pages');

  // 100 % is what a ruler says: an A4 page is 210 mm wide.
  const size = page.getByRole('combobox', { name: 'Size' });
  await size.selectOption('100');
  const widthMm = () =>
    page
      .getByTestId(`page-${count}`)
      .evaluate((canvas) => canvas.getBoundingClientRect().width / (96 / 25.4));
  await expect.poll(async () => Math.abs((await widthMm()) - 210)).toBeLessThan(0.5);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(async () => Math.abs((await widthMm()) - 262.5)).toBeLessThan(0.6);
  await area().focus();
  await page.keyboard.press('0');
  await expect.poll(() => size.inputValue()).toBe('page');

  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find in the report' }).fill('NAME nót given');
  const status = page.getByRole('search').getByRole('status');
  // In the header and the footer of each page.
  await expect.poll(() => status.textContent()).toBe(`1 of ${2 * count}`);
  await page.keyboard.press('Enter');
  expect(await status.textContent()).toBe(`2 of ${2 * count}`);
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Shift+Enter');
  expect(await status.textContent()).toBe(`${2 * count} of ${2 * count}`);
  await shot('report-find');
  await page.getByRole('textbox', { name: 'Find in the report' }).fill('no such words');
  await expect.poll(() => status.textContent()).toBe('Not found');
  await page.keyboard.press('Escape');
  await page.getByRole('search').waitFor({ state: 'detached' });
  // The text lies where the letters are, whatever the size.
  const [canvas, text] = await Promise.all([
    page.getByTestId('page-1').boundingBox(),
    page.locator('[data-page-text="1"]').getByText('Name not given', { exact: true }).first().boundingBox(),
  ]);
  expect(Math.abs((text!.x - canvas!.x) / canvas!.width - 10 / 210)).toBeLessThan(0.01);
  expect(text!.width / canvas!.width).toBeGreaterThan(0.2);
});

test('half the gain is chosen for a report, can be undone, and stands in its file', async () => {
  const taskId = await uploaded(readFileSync(join(dataFolder, 'edf', 'made_ecg12_plusC.edf')));
  await open(taskId);
  const gain = page.getByRole('combobox', { name: 'Gain on the report' });
  await gain.selectOption('10/5');
  const scale = async (): Promise<string | undefined> =>
    /25 mm\/s · [^·]+/.exec((await page.locator('[data-page-text="1"]').textContent()) ?? '')?.[0].trim();
  await expect.poll(scale).toBe('25 mm/s · 10 mm/mV, chest leads (½) 5 mm/mV');
  await page.locator('canvas[data-drawn]').first().waitFor();
  await shot('report-gain');
  const { version } = await running.bridge.call('review.reading', { taskId });
  await running.bridge.call('review.undo', { taskId, version });
  await expect.poll(scale).toBe('25 mm/s · 10 mm/mV');
});

test('every beat on paper, and no result for the practice system before the approval', async () => {
  const taskId = await importTestFiles(running.bridge, wfdbFiles('100.hea', '100.dat'));
  await open(taskId);
  await page.getByRole('button', { name: 'Export' }).click();
  await shot('report-export');
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /Every beat on paper/ }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe(`ecg-${taskId}-every-beat.pdf`);
  const [first] = await readPdf(readFileSync(await download.path()));
  expect(first!.lines.filter((points) => points.length > 100)).toHaveLength(31);
  await page.getByRole('button', { name: 'Export' }).click();
  expect(await page.getByRole('menuitem', { name: /GDT 6310/ }).isDisabled()).toBe(true);
});

test('what a format cannot keep is said beside the file; what it cannot hold, with another format to take', async () => {
  const taskId = await importTestFiles(running.bridge, wfdbFiles('100_3chan.hea', '100_3chan.dat'));
  await open(taskId);
  const save = (format: string): Promise<void> =>
    page
      .getByRole('button', { name: 'Export' })
      .click()
      .then(() => page.getByRole('menuitem', { name: format, exact: true }).click());
  const saved = page.waitForEvent('download');
  await save('SCP-ECG');
  expect((await saved).suggestedFilename()).toBe(`ecg-${taskId}.scp`);
  await page.getByText(/Values were rounded by up to 0\.25 µV to fit the format\./).waitFor();
  await shot('export-rounded');
  await save('DICOM');
  await page.getByText('This format cannot hold the recording. Choose another format.').waitFor();
  expect(await page.getByText(/Values were rounded/).count()).toBe(0);
});
