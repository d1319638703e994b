// The ECGs of one patient compared, in real Chromium against the real workstation: what changed in words, the two beside
// each other, all of them on one axis of time.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Rhythm } from '../../main/device/simulator/rhythms.ts';
import { edfBytes } from '../../main/formats/edf/write-edf.ts';
import { launchChromium } from '../support/chromium.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { FREE_OF_LIMITS, whenAnalysed } from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { simulatedPatient } from '../support/simulated-patient.ts';
import { toRecording } from '../support/synthetic-recording.ts';
import { V3Client } from '../support/v3-client.ts';

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
afterEach(() => screens?.close());

interface Ecg {
  readonly rhythm: Rhythm;
  readonly start: string;
  readonly heartRateBpm?: number;
}

async function uploaded({ rhythm, start, heartRateBpm = 70 }: Ecg): Promise<number> {
  const recording = toRecording(simulatedPatient({ rhythm, heartRateBpm, seed: heartRateBpm }));
  const upload_id = await client.upload(Buffer.concat([...edfBytes(recording)].map((part) => part.slice())));
  const { json } = await client.createTask({
    upload_id,
    patient_id: '004817',
    patient_first_name: 'Anneliese',
    patient_last_name: 'Hoffmann',
    patient_gender: 'FEMALE',
    patient_birth_date: '1951-03-14',
    recording_start_time: start,
  });
  const [taskId] = json.created_task_ids as [number];
  await whenAnalysed(running.bridge, taskId);
  return taskId;
}

const open = async (place: string): Promise<void> => {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${place}`);
};
const drawn = (count: number) =>
  expect.poll(() => page.locator('canvas[data-drawn]').count(), { timeout: 10_000 }).toBe(count);
const side = () => page.getByRole('complementary', { name: 'What changed' });

test('what changed since the earlier ECG, in words and in numbers; back by the same key', async () => {
  await uploaded({ rhythm: 'sinus', start: '2019-06-14T08:00:00Z', heartRateBpm: 66 });
  await uploaded({ rhythm: 'sinus', start: '2023-02-02T08:00:00Z', heartRateBpm: 72 });
  const now = await uploaded({ rhythm: 'lbbb', start: '2026-11-21T13:24:00Z', heartRateBpm: 74 });
  await page.goto(host.newLink());
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
  await open(`review/${now}`);
  await drawn(1);
  await page.keyboard.press('v');
  await drawn(2);
  await side()
    .getByRole('listitem')
    .filter({ hasText: 'New' })
    .filter({ hasText: 'Left bundle branch block' })
    .waitFor();
  await side()
    .getByRole('listitem')
    .filter({ hasText: 'Wider' })
    .filter({ hasText: /QRS \+\d+ ms/ })
    .waitFor();
  await side().getByText('QRS is wider too, which may account for part of the change in QTc.').waitFor();
  const qrs = await side()
    .getByRole('row', { name: /^QRS ms/ })
    .locator('td')
    .allTextContents();
  const [after, before, change] = qrs.map((text) => Number(text.replace('+', '')));
  expect(change).toBe(after! - before!);
  await page.getByText('3 ECGs, the usual range in green').waitFor();
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(screenshotFolder, 'compare.png') });
  await page.getByRole('radio', { name: 'Stacked' }).check({ force: true });
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(screenshotFolder, 'compare-stacked.png') });
  await page.getByRole('radio', { name: 'Median beats' }).check({ force: true });
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(screenshotFolder, 'compare-median.png') });
  await page.getByRole('heading', { name: 'What changed' }).click();
  await page.keyboard.press('v');
  await expect.poll(() => page.url()).toContain(`#/review/${now}`);
  expect(faults).toEqual([]);
});

test('all ECGs of the patient on one axis of time; another one is chosen to compare with', async () => {
  const first = await uploaded({ rhythm: 'sinus', start: '2019-06-14T08:00:00Z', heartRateBpm: 66 });
  await uploaded({ rhythm: 'pvc', start: '2021-02-02T08:00:00Z', heartRateBpm: 72 });
  await uploaded({ rhythm: 'sinus', start: '2022-11-17T08:00:00Z', heartRateBpm: 64 });
  const now = await uploaded({ rhythm: 'afib', start: '2026-11-21T13:24:00Z', heartRateBpm: 88 });
  await page.goto(host.newLink());
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
  await open(`timeline/${now}`);
  await expect.poll(() => page.locator('tbody tr').count()).toBe(4);
  await expect.poll(() => page.locator('tbody svg path[d^="M"]').count()).toBeGreaterThanOrEqual(4);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(screenshotFolder, 'timeline.png') });
  const rates = await page.getByRole('img', { name: /^Rate by date/ }).getAttribute('aria-label');
  const listed = await page.locator('tbody tr td:nth-child(6)').allTextContents();
  expect(rates!.match(/\d{4}: \d+/g)!.map((text) => text.slice(6))).toEqual(listed.toReversed());
  await page.getByRole('radio', { name: 'Compare with 14 Jun 2019' }).check();
  await page.getByRole('button', { name: 'Compare 2 ECGs' }).click();
  await expect.poll(() => page.url()).toContain(`#/compare/${now}/${first}`);
  await drawn(2);
  await side()
    .getByRole('listitem')
    .filter({ hasText: 'New' })
    .filter({ hasText: 'Atrial fibrillation' })
    .waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(screenshotFolder, 'compare-dark.png') });
  await open(`timeline/${now}`);
  await page.locator('tbody tr').first().waitFor();
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(screenshotFolder, 'timeline-dark.png') });
  expect(faults).toEqual([]);
});

test('the first ECG of a patient has none before it', async () => {
  const first = await uploaded({ rhythm: 'sinus', start: '2019-06-14T08:00:00Z' });
  await page.goto(host.newLink());
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
  await open(`compare/${first}`);
  await page.getByText('There is no earlier ECG of this patient to compare with.').waitFor();
  expect(faults).toEqual([]);
});

test('everything of a patient is handed over as one file: reports, recordings, results, a list', async () => {
  await uploaded({ rhythm: 'sinus', start: '2019-06-14T08:00:00Z', heartRateBpm: 66 });
  const now = await uploaded({ rhythm: 'sinus', start: '2023-02-02T08:00:00Z', heartRateBpm: 72 });
  await page.goto(host.newLink());
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
  await open(`timeline/${now}`);
  await page.getByRole('button', { name: 'Export all data of this patient …' }).click();
  await page.getByText('2 recordings with their reports and results').waitFor();
  await page.screenshot({ path: join(screenshotFolder, 'patient-package.png') });
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const zip = new ZipReader(new Uint8ArrayReader(Uint8Array.from(readFileSync(await (await saved).path()))));
  const files = new Map<string, Uint8Array>();
  for (const entry of await zip.getEntries())
    if (!entry.directory) files.set(entry.filename, await entry.getData(new Uint8ArrayWriter()));
  const ofTask = (id: number) =>
    ['report.pdf', `ecg-${id}.edf`, `ecg-${id}.json`].map((name) => `ecg-${id}/${name}`);
  expect([...files.keys()].sort()).toEqual(
    ['READ ME.txt', ...ofTask(now - 1), ...ofTask(now), 'list.csv'].sort(),
  );
  const text = (name: string): string => Buffer.from(files.get(name)!).toString('latin1');
  expect(text(`ecg-${now}/report.pdf`).slice(0, 5)).toBe('%PDF-');
  expect(text(`ecg-${now}/ecg-${now}.edf`).slice(192, 197)).toBe('EDF+C');
  expect(JSON.parse(text(`ecg-${now}/ecg-${now}.json`)).measurements.heartRateBpm).toBe(72);
  expect(text('list.csv').trim().split('\r\n')).toHaveLength(3);
  // Who took it is part of the record.
  const { entries } = await running.bridge.call('audit.list', { kind: 'reading', limit: 50 });
  expect(entries.filter(({ action }) => action === 'recording.exported')).toHaveLength(4);
  expect(faults).toEqual([]);
});
