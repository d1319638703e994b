// Devices without a cable, in real Chromium against the real workstation: a strap by Bluetooth, streams of other programs.

import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAllSamples } from '../../shared/signal/recording.ts';
import { BrainFlowStreamer } from '../support/brainflow-streamer.ts';
import { launchChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { inLongForm } from '../support/long-form.ts';
import { LslOutlet } from '../support/lsl-outlet.ts';
import { type OpenScreens, openScreens } from '../support/open-screens.ts';
import { eventually } from '../support/running-workstation.ts';
import { screenshotFolder } from '../support/screenshot-folder.ts';
import { BLUETOOTH_ARGUMENTS, SimulatedStrap, STRAP_NAME } from '../support/simulated-strap.ts';
import { storedRecording } from '../support/stored-recording.ts';

const RECORDED_MS = inLongForm(10_000, 60_000);

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium({ args: BLUETOOTH_ARGUMENTS });
});
afterAll(() => browser?.close());

let screens: OpenScreens;
let { desk, running, host, page, faults } = {} as OpenScreens;
beforeEach(async () => {
  screens = await openScreens(browser);
  ({ desk, running, host, page, faults } = screens);
});
afterEach(() => screens?.close());

/** Beats at 75 a minute, in µV, never twice the same. */
const ecgUv = (sample: number, rateHz: number): number =>
  Math.round(1000 * Math.exp(-((((sample / rateHz) % 0.8) - 0.3) ** 2) / 0.0002)) + (sample % 97);

async function openDialog(): Promise<void> {
  await page.goto(host.newLink());
  await page.getByRole('link', { name: 'Devices' }).click();
  await page.getByRole('button', { name: 'Bluetooth or network' }).click();
  await page.getByRole('dialog', { name: 'Connect without a cable' }).waitFor();
}

const panel = () => page.getByRole('complementary', { name: 'Selected device' });
const untilState = (word: string) =>
  expect.poll(() => panel().getByText(word, { exact: true }).count(), { timeout: 20_000 }).toBeGreaterThan(0);

/** Where the samples begin among those that were sent. */
function beginsAt(stored: readonly number[], value: (sample: number) => number): number {
  for (let first = 0; first < 100_000; first++)
    if (stored.every((code, i) => code === value(first + i))) return first;
  return -1;
}

describe('a strap by Bluetooth', () => {
  test('is paired, recorded without a lost sample, let go of', async () => {
    await using strap = await SimulatedStrap.switchOn(page, (sample) => ecgUv(sample, 130));
    await openDialog();
    await page.screenshot({ path: join(screenshotFolder, 'wireless-dialog.png') });
    await page.getByRole('button', { name: 'Pair Polar H10' }).click();
    await untilState('Ready');
    await page.screenshot({ path: join(screenshotFolder, 'wireless-strap.png') });
    const [{ id, adapter }] = desk.views as [(typeof desk.views)[0]];
    expect(adapter).toBe(`Bluetooth, ${STRAP_NAME}`);
    const device = desk.device(id);
    await device.record({ durationMs: RECORDED_MS });
    const { taskId } = await device.untilEnded();
    const recording = await storedRecording(running, taskId);
    expect(recording.gaps ?? []).toEqual([]);
    expect(recording.device).toMatchObject({ isSimulated: false });
    const stored = [...readAllSamples(recording.channels[0]!)];
    expect(stored.length).toBeGreaterThanOrEqual((RECORDED_MS / 1000) * 130);
    expect(beginsAt(stored, (sample) => ecgUv(sample, 130))).toBeGreaterThanOrEqual(0);
    await panel().getByRole('button', { name: 'Disconnect' }).click();
    await expect.poll(() => desk.views.length).toBe(0);
    await expect.poll(() => strap.requests.at(-1)).toEqual([3, 0]);
    expect(faults).toEqual([]);
  });

  test('out of reach and back it leaves a gap of its length, counted by the strap', async () => {
    await using strap = await SimulatedStrap.switchOn(page, (sample) => ecgUv(sample, 130));
    await openDialog();
    await page.getByRole('button', { name: 'Pair Polar H10' }).click();
    await untilState('Ready');
    const device = desk.device(desk.views[0]!.id);
    await device.record({ durationMs: 12_000 });
    await page.waitForTimeout(2000);
    strap.isOutOfReach = true;
    const before = strap.sent;
    await page.waitForTimeout(2500);
    const missed = strap.sent - before;
    strap.isOutOfReach = false;
    strap.feel(false);
    await eventually(async () => (device.view.electrodesOff !== 0 ? true : undefined), 'no contact is told');
    strap.feel(true);
    const { taskId } = await device.untilEnded();
    const recording = await storedRecording(running, taskId);
    expect(
      (recording.gaps ?? []).map(({ startSeconds, endSeconds }) =>
        Math.round(130 * (endSeconds - startSeconds)),
      ),
    ).toEqual([missed]);
  });

  test('a page that is closed in the middle is missed, and another page takes the strap up', async () => {
    await using strap = await SimulatedStrap.switchOn(page, (sample) => ecgUv(sample, 130));
    await openDialog();
    await page.getByRole('button', { name: 'Pair Polar H10' }).click();
    await untilState('Ready');
    const device = desk.device(desk.views[0]!.id);
    await device.record({ durationMs: 600_000 });
    await page.reload();
    await expect.poll(() => device.view.state, { timeout: 20_000 }).toBe('lost');
    await strap.appearAgain();
    await page.getByRole('link', { name: 'Devices' }).click();
    await page.getByRole('button', { name: 'Bluetooth or network' }).click();
    await page.getByRole('button', { name: 'Pair Polar H10' }).click();
    await expect.poll(() => device.view.state, { timeout: 20_000 }).toBe('recording');
    await device.stop();
  });

  test('a browser without Bluetooth says what to do', async () => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'bluetooth', { value: undefined }));
    await openDialog();
    await page.getByRole('button', { name: 'Pair Polar H10' }).click();
    await page.getByText('This browser cannot use Bluetooth.', { exact: false }).waitFor();
  });
});

describe('streams of other programs', () => {
  test('one of LSL is searched, connected and seen', async () => {
    await using _outlet = await LslOutlet.start({
      name: 'Bedside ECG',
      sourceId: 'screens',
      rateHz: 250,
      channels: [
        { label: 'II', unit: 'microvolts', type: 'ECG' },
        { label: 'V1', unit: 'microvolts', type: 'ECG' },
      ],
      value: (sample) => ecgUv(sample, 250),
    });
    await openDialog();
    await page.getByLabel('Computer').fill('127.0.0.1');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('button', { name: 'Connect Bedside ECG' }).waitFor();
    await page.screenshot({ path: join(screenshotFolder, 'wireless-streams.png') });
    await page.getByRole('button', { name: 'Connect Bedside ECG' }).click();
    await untilState('Ready');
    await page.waitForTimeout(3000);
    await page.screenshot({ path: join(screenshotFolder, 'wireless-lsl.png') });
    expect(await panel().getByLabel('Driver').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('a board of BrainFlow is connected by its address, and a wrong one is told in a sentence', async () => {
    const port = await freePort();
    using _streamer = new BrainFlowStreamer('cyton', port, (sample, channel) => ecgUv(sample, 250) + channel);
    await openDialog();
    await page.getByLabel('Address and port').fill('somewhere');
    await page.getByRole('region', { name: 'BrainFlow' }).getByRole('button', { name: 'Connect' }).click();
    await page.getByText('four numbers, a colon and the port', { exact: false }).waitFor();
    await page.getByLabel('Address and port').fill(`127.0.0.1:${port}`);
    await page.getByRole('region', { name: 'BrainFlow' }).getByRole('button', { name: 'Connect' }).click();
    await untilState('Ready');
    await page.waitForTimeout(2000);
    await page.screenshot({ path: join(screenshotFolder, 'wireless-brainflow.png') });
  });
});
