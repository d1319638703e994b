// A physician reads a recording on its paper, in real Chromium against the real workstation.

import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Recording } from '../../shared/signal/recording.ts';
import { launchChromium } from '../support/chromium.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { simulatedPatient } from '../support/simulated-patient.ts';
import { toRecording, twelveLeads } from '../support/synthetic-recording.ts';
import { dataFolder } from '../support/test-data.ts';
import { write } from '../support/written-records.ts';

const RECORD_100 = ['100.hea', '100.dat', '100.atr'].map((name) => join(dataFolder, 'wfdb', name));
const TWELVE_LEADS = ['1.hea', '1.dat'].map((name) => join(dataFolder, 'wfdb', name));

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let screens: OpenScreens;
let { host, page, faults } = {} as OpenScreens;
beforeEach(async () => {
  screens = await openScreens(browser, { reducedMotion: 'reduce' });
  ({ host, page, faults } = screens);
});
afterEach(() => screens?.close());

/** As a file that somebody chooses. */
function asFile(recording: Recording): { name: string; mimeType: string; buffer: Buffer } {
  const { source } = write(recording, 'edf', 'a.edf').files[0]!;
  return {
    name: 'a.edf',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(source.read(0, source.sizeBytes)),
  };
}

async function review(files: string[] | ReturnType<typeof asFile>): Promise<void> {
  await page.goto(host.newLink());
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.locator('input[type=file]').setInputFiles(files);
  await page.getByRole('button', { name: /^Import \d+ files?$/ }).click();
  await page.getByText('imported as task 1').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.locator('tbody tr').filter({ hasText: 'Waiting for approval' }).waitFor();
  await page.locator('aside').getByRole('link', { name: 'Review' }).click();
  await page.locator('canvas[data-drawn]').waitFor();
}

/** How many pixels of the paper are as dark as a trace. */
const darkPixels = (): Promise<number> =>
  page.locator('canvas[data-drawn]').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    let dark = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i]! + data[i + 1]! + data[i + 2]! < 200) dark++;
    return dark;
  });
const shown = () => page.locator('canvas[data-drawn]').getAttribute('aria-label');

test('twelve leads on paper, with what was found beside them', async () => {
  await review(TWELVE_LEADS);
  expect(await shown()).toBe('00:00–00:10 of 00:10');
  await expect.poll(darkPixels).toBeGreaterThan(3000);
  await page.getByText('25 mm/s · 10 mm/mV · Unfiltered').waitFor();
  await page.getByRole('complementary', { name: 'Findings' }).getByText(/Sinus/).first().waitFor();
  await page.screenshot({ path: join(screenshotFolder, 'review.png') });
  await page.getByRole('combobox', { name: 'Layout' }).selectOption('12 × 1');
  await page.getByRole('radio', { name: '50 mm/s' }).click();
  await expect.poll(shown).toBe('00:00–00:05 of 00:10');
  await page.screenshot({ path: join(screenshotFolder, 'review-12x1.png') });
  expect(faults).toEqual([]);
});

test('a lead that somebody points at fills the paper; pointed at again, the others are back', async () => {
  await review(TWELVE_LEADS);
  const layout = page.getByRole('combobox', { name: 'Layout' });
  const paper = page.locator('canvas[data-drawn]');
  const { width, height } = (await paper.boundingBox())!;
  // The second column of the third row is aVF.
  await paper.click({ position: { x: 0.35 * width, y: 0.55 * height } });
  await expect.poll(() => layout.inputValue()).toBe('single');
  expect(await page.getByRole('combobox', { name: 'Lead', exact: true }).inputValue()).toBe('aVF');
  await paper.click({ position: { x: 0.5 * width, y: 0.5 * height } });
  await expect.poll(() => layout.inputValue()).toBe('3x4');
  expect(faults).toEqual([]);
});

test('calipers measure by keys and by mouse, and turn no pages meanwhile', async () => {
  await review(TWELVE_LEADS);
  const said = async (): Promise<number> =>
    Number.parseInt((await page.locator('output').textContent()) ?? '', 10);
  await page.keyboard.press('c');
  expect(await said()).toBe(2500);
  const [first, second] = [
    page.getByRole('slider', { name: 'First caliper line' }),
    page.getByRole('slider', { name: 'Second caliper line' }),
  ];
  await first.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(said).toBe(2490);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(said).toBe(2492);
  expect(await shown()).toBe('00:00–00:10 of 00:10');
  const box = (await second.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 100, box.y + 200, { steps: 5 });
  await page.mouse.up();
  // 100 px are about 31 mm on paper, which is about 1.2 s.
  await expect.poll(said).toBeLessThan(1400);
  expect(await said()).toBeGreaterThan(1200);
  await page.keyboard.press('m');
  await expect
    .poll(() => page.getByRole('button', { name: /March/ }).getAttribute('aria-pressed'))
    .toBe('true');
  await page.keyboard.press('h');
  await page.getByRole('slider', { name: 'Lower caliper line' }).focus();
  await page.keyboard.press('Shift+ArrowDown');
  await expect.poll(() => page.locator('output').textContent()).toContain('1.10 mV');
  await page.screenshot({ path: join(screenshotFolder, 'review-calipers.png') });
  await page.getByRole('button', { name: /Calipers/ }).click();
  await expect.poll(() => page.locator('output').count()).toBe(0);
  expect(faults).toEqual([]);
});

test('a drag over the paper measures there, a click moves the nearer line; several are kept, six at most', async () => {
  await review(TWELVE_LEADS);
  await page.keyboard.press('c');
  const said = async (): Promise<string> => (await page.locator('output').textContent()) ?? '';
  const box = (await page.locator('[data-caliper-field]').boundingBox())!;
  const [left, top] = [box.x + 300, box.y + 60];
  const drag = async (byX: number, byY: number): Promise<void> => {
    await page.mouse.move(left, top);
    await page.mouse.down();
    await page.mouse.move(left + byX, top + byY, { steps: 4 });
    await page.mouse.up();
  };
  await drag(80, 3);
  const first = await said();
  expect(first).toMatch(/^\d+ ms · \d+ \/min$/);
  await page.mouse.click(left + 160, top);
  expect(await said()).not.toBe(first);
  // The height goes with the drag where one is measured.
  await page.keyboard.press('h');
  await drag(80, 50);
  await expect.poll(said).toMatch(/mV$/);
  const measured = await said();
  await page.keyboard.press('k');
  const kept = page.locator('[data-kept]');
  await expect.poll(() => kept.count()).toBe(1);
  expect(await kept.first().textContent()).toContain(measured);
  for (let n = 2; n <= 7; n++) {
    await drag(20 * n, 20);
    await page.keyboard.press('k');
    await expect.poll(() => kept.count()).toBe(Math.min(n, 6));
  }
  await page.screenshot({ path: join(screenshotFolder, 'review-kept-calipers.png') });
  await page.getByRole('button', { name: `Remove: ${measured}` }).click();
  await expect.poll(() => kept.count()).toBe(5);
  expect(faults).toEqual([]);
});

test('the vector of the median beat, and its axes as rows of the paper, named as derived', async () => {
  await review(TWELVE_LEADS);
  await page.getByRole('tab', { name: 'Vector' }).click();
  for (const plane of ['From the front', 'From above', 'From the left'])
    await page.getByRole('img', { name: plane }).waitFor();
  // The gains of this file contradict each other: no number is made of them.
  await page.getByText('QRS-T angle not given: voltages not reliable').waitFor();
  await page.getByRole('combobox', { name: 'Layout' }).selectOption('X Y Z');
  await expect.poll(darkPixels).toBeGreaterThan(1000);
  await page.screenshot({ path: join(screenshotFolder, 'review-vector.png') });
  expect(faults).toEqual([]);
});

test('a caliper line goes from wave to wave, by keys and by mouse, unless snapping is off', async () => {
  await review(TWELVE_LEADS);
  const { fiducialSamples } = await screens.running.bridge.call('review.marks', { taskId: 1 });
  const fiducials = [...new Uint32Array(Uint8Array.from(fiducialSamples).buffer)];
  await page.keyboard.press('c');
  const line = page.getByRole('slider', { name: 'First caliper line' });
  const at = async (): Promise<number> => Number(await line.getAttribute('aria-valuenow'));
  const behind = fiducials.filter((sample) => sample > 1250);
  await line.focus();
  // Without the marks, which may come later, there is no wave to go to.
  await expect
    .poll(async () => {
      if ((await at()) === 1250) await page.keyboard.press('Control+ArrowRight');
      return at();
    })
    .toBe(behind[0]);
  await page.keyboard.press('Control+ArrowRight');
  await expect.poll(at).toBe(behind[1]);
  await page.keyboard.press('Control+ArrowLeft');
  await page.keyboard.press('Control+ArrowLeft');
  await expect.poll(at).toBe(fiducials.filter((sample) => sample <= 1250).at(-1));
  /** By so many samples, in pixels of the paper. */
  const drag = async (samples: number): Promise<void> => {
    const box = (await line.boundingBox())!;
    const [{ x: first }, { x: second }] = [
      box,
      (await page.getByRole('slider', { name: 'Second' }).boundingBox())!,
    ];
    const px = (samples * (second - first)) / (2500 - (await at()));
    await page.mouse.move(box.x + 22, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 22 + px, box.y + 100, { steps: 4 });
    await page.mouse.up();
  };
  const r = fiducials.find((sample) => sample > 1500)!;
  await drag(r + 15 - (await at()));
  await expect.poll(async () => Math.abs((await at()) - r - 15)).toBeLessThanOrEqual(40);
  const onWave = await at();
  expect(fiducials).toContain(onWave);
  await page.keyboard.press('l');
  await page.keyboard.press('ArrowRight');
  await expect.poll(at).toBeGreaterThan(onWave);
  const off = await at();
  await drag(4);
  await expect.poll(async () => Math.abs((await at()) - off - 4)).toBeLessThanOrEqual(3);
  expect(faults).toEqual([]);
});

test('pacing spikes stand below the traces', async () => {
  await review(asFile(toRecording(simulatedPatient({ rhythm: 'paced' }))));
  await page.getByText(/pacing spike$/).waitFor();
  await page.screenshot({ path: join(screenshotFolder, 'review-paced.png') });
  expect(faults).toEqual([]);
});

test('where traces leave their rows, a gain at which they do not is offered', async () => {
  await review(
    asFile(
      toRecording(twelveLeads({ durationSeconds: 10 }), (raw) => {
        for (const [i, value] of raw.entries()) raw[i] = 4 * value;
      }),
    ),
  );
  await page.getByText('Traces leave their rows.').waitFor();
  await page.screenshot({ path: join(screenshotFolder, 'review-tall.png') });
  await page.getByRole('button', { name: /^Show at (2\.5|5) mm\/mV$/ }).click();
  await page.getByText(/^25 mm\/s · (2\.5|5) mm\/mV/).waitFor();
  await expect.poll(() => page.getByText('Traces leave their rows.').count()).toBe(0);
  await page.screenshot({ path: join(screenshotFolder, 'review-tall-shown.png') });
  expect(faults).toEqual([]);
});

test('the wheel goes along the recording, with Ctrl it zooms; the filter is named on the paper', async () => {
  await review(RECORD_100);
  const paper = page.locator('canvas[data-drawn]');
  await paper.hover({ position: { x: 400, y: 100 } });
  await page.mouse.wheel(0, 310);
  await expect.poll(shown).toMatch(/^00:0[345]–00:1[345] of 30:05$/);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 120);
  await page.keyboard.up('Control');
  await page.getByText('12.5 mm/s · 10 mm/mV · Unfiltered').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('combobox', { name: 'Filter' }).selectOption('Monitor 0.5–40');
  await page.getByText('12.5 mm/s · 5 mm/mV · Monitor 0.5–40 Hz, not for ST').waitFor();
  await page.screenshot({ path: join(screenshotFolder, 'review-filtered.png') });
  await page.getByRole('combobox', { name: 'Layout' }).selectOption('One lead');
  await page.getByRole('combobox', { name: 'Lead', exact: true }).selectOption({ index: 1 });
  await page.waitForTimeout(200);
  await page.screenshot({ path: join(screenshotFolder, 'review-one-lead.png') });
  expect(faults).toEqual([]);
});

test('half an hour: keys turn the pages; clicking the overview or a finding jumps to it', async () => {
  await review(RECORD_100);
  expect(await shown()).toBe('00:00–00:10 of 30:05');
  await page.keyboard.press('PageDown');
  await expect.poll(shown).toBe('00:10–00:20 of 30:05');
  await page.keyboard.press('ArrowRight');
  await expect.poll(shown).toBe('00:11–00:21 of 30:05');
  await page.keyboard.press('End');
  await expect.poll(shown).toBe('29:55–30:05 of 30:05');
  await expect.poll(darkPixels).toBeGreaterThan(2000);
  await page.keyboard.press('Home');
  await expect.poll(shown).toBe('00:00–00:10 of 30:05');
  const whole = page.getByRole('img', { name: 'Whole recording' });
  const { width = 0, height = 0 } = (await whole.boundingBox()) ?? {};
  await whole.click({ position: { x: width / 2, y: height / 2 } });
  await expect.poll(shown).toMatch(/^14:5[78]–15:0[78] of 30:05$/);
  await page
    .getByRole('button', { name: /premature beats/ })
    .first()
    .click();
  await expect.poll(shown).not.toMatch(/^14:5/);
  await page.screenshot({ path: join(screenshotFolder, 'review-half-hour.png') });
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
  expect(faults).toEqual([]);
});

test('without a recording, the screen says how to choose one', async () => {
  await page.goto(host.newLink());
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Review' }).click();
  await page.getByText('Choose a recording in the worklist, then press Review.').waitFor();
  await page.screenshot({ path: join(screenshotFolder, 'review-empty.png') });
  expect(faults).toEqual([]);
});
