// `npm run bench:review`: what reading a recording costs in a real Chromium. A day of twelve leads: how soon its first
// trace is there, whether it scrolls and zooms at the display's rate, what it holds in memory; a page beside uPlot with
// the same samples; how soon a correction has new numbers, and how soon a report is there.
//
//   --only draw,day,report    --hours 24    --seconds 20

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { type Recording, rateHz } from '../../shared/signal/recording.ts';
import { quantile } from '../../shared/signal/statistics.ts';
import { endlessChannel } from '../support/endless-recording.ts';
import { importRecording } from '../support/import-recording.ts';
import {
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
  whenAnalysed,
} from '../support/running-workstation.ts';
import { simulatedPatient } from '../support/simulated-patient.ts';
import { toRecording } from '../support/synthetic-recording.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { printMachine } from './harness.ts';
import {
  benchPage,
  launchBench,
  measure,
  metricsOf,
  ms,
  percentiles,
  printDrawn,
  say,
  sayLoad,
  wait,
} from './screen-bench.ts';
import { sayReport, withScreens } from './workstation-bench.ts';

const PARTS = ['draw', 'day', 'report'] as const;
type Part = (typeof PARTS)[number];

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: PARTS.join() },
    hours: { type: 'string', default: '24' },
    seconds: { type: 'string', default: '20' },
  },
});
const HOURS = Number(options.hours);
const SECONDS = Number(options.seconds);
const RATE_HZ = 250;
const ROUNDS = 15;
/** A day is analysed within minutes. */
const ANALYSIS_MS = 30 * 60_000;

const patientOf = (seconds: number): Recording =>
  toRecording(simulatedPatient({ rhythm: 'pvc', seconds, rateHz: RATE_HZ }));

/** A minute, again and again. */
function dayOf(hours: number): Recording {
  const minute = patientOf(60);
  const channels = minute.channels.map((channel) => {
    const samples = new Int32Array(channel.sampleCount);
    channel.read(0, samples);
    return endlessChannel(channel, samples, rateHz(channel.rate), hours * 3600);
  });
  return { ...minute, durationSeconds: hours * 3600, channels };
}

async function imported({ bridge }: RunningWorkstation, recording: Recording, path: string): Promise<number> {
  const taskId = await importRecording(bridge, recording, path);
  await whenAnalysed(bridge, taskId, ANALYSIS_MS);
  return taskId;
}

async function benchDraw(browser: Browser): Promise<void> {
  say(
    `\nA page of 10 s, 12 leads × 1000 Hz at 1920×1080, one step on with every frame, ${SECONDS} s each, ms`,
  );
  const { page, session, close } = await benchPage(browser);
  const ours = await measure(page, session, 'review', SECONDS);
  const uplot = await measure(page, session, 'reviewUplot', SECONDS);
  printDrawn('review', ours);
  printDrawn('uplot', uplot);
  say(
    `script time of a page: uPlot takes ${(uplot.meanScriptMs / ours.meanScriptMs).toFixed(2)} times ours (mean a frame)`,
  );
  await close();
}

/** From the address to a painted trace. */
const firstTrace = async (taskId: number): Promise<number> => {
  location.hash = '#/worklist';
  await new Promise((resolve) => setTimeout(resolve, 500));
  const startMs = performance.now();
  location.hash = `#/paper/${taskId}`;
  return new Promise((resolve) => {
    const look = (): void => {
      const isDrawn = document.querySelector('canvas[data-drawn]') !== null;
      const isReading = document.querySelector('[aria-busy=true]') !== null;
      if (!isDrawn || isReading) requestAnimationFrame(look);
      else requestAnimationFrame(() => resolve(performance.now() - startMs));
    };
    look();
  });
};

interface Movement {
  readonly kind: 'idle' | 'scroll' | 'filtered' | 'pages' | 'zoom';
  readonly seconds: number;
}

/** Intervals of frames while somebody turns the wheel, holds a key or zooms. */
const move = async ({ kind, seconds }: Movement): Promise<number[]> => {
  const canvas = document.querySelector('canvas[data-drawn]') as HTMLElement;
  const intervals: number[] = [];
  let [last, frames] = [0, 0];
  const wheel = (deltaY: number, ctrlKey: boolean): void =>
    void canvas.dispatchEvent(new WheelEvent('wheel', { deltaY, ctrlKey, cancelable: true, bubbles: true }));
  const press = (key: string): void =>
    void document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  await new Promise<void>((resolve) => {
    const end = performance.now() + 1000 * seconds;
    const next = (nowMs: number): void => {
      if (last > 0) intervals.push(nowMs - last);
      last = nowMs;
      frames++;
      if (kind === 'scroll' || kind === 'filtered') wheel(12, false);
      // As a key repeats that is held.
      if (kind === 'pages' && frames % 2 === 0) press('PageDown');
      if (kind === 'zoom' && frames % 15 === 0) wheel(frames % 60 < 30 ? -120 : 120, true);
      if (nowMs > end) resolve();
      else requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  return intervals;
};

async function benchScreen(page: Page, taskId: number): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    await page.evaluate(() => {
      location.hash = '#/worklist';
    });
    await page.reload();
    await page.getByRole('grid').waitFor();
    times.push(await page.evaluate(firstTrace, taskId));
  }
  say(`  from the address to the first trace: ${percentiles(times)} ms`);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.getByRole('tab').first().waitFor();
  await wait(1000);
  let mostBytes = 0;
  const shownNow = () => page.locator('canvas[data-drawn]').getAttribute('aria-label');
  for (const kind of ['idle', 'scroll', 'filtered', 'pages', 'zoom'] as const) {
    const filter = kind === 'filtered' ? 'monitor' : 'none';
    await page.getByRole('combobox', { name: 'Filter' }).selectOption(filter);
    const before = await shownNow();
    const intervals = await page.evaluate(move, { kind, seconds: SECONDS });
    if (kind !== 'idle' && kind !== 'zoom' && (await shownNow()) === before)
      throw new Error(`nothing moved: ${before}`);
    mostBytes = Math.max(mostBytes, (await metricsOf(session)).heapBytes);
    const long = intervals.filter((each) => each > 25).length;
    say(
      `  ${kind.padEnd(9)} frames: ${percentiles(intervals)} ms, ${long} of ${intervals.length} over 25 ms`,
    );
  }
  say(`  heap at most ${Math.round(mostBytes / 1e6)} MB`);
}

async function benchDay(browser: Browser): Promise<void> {
  say(`\n${HOURS} h × 12 leads × ${RATE_HZ} Hz on the review screen, 1280×800, ${SECONDS} s each`);
  await using folder = await tempFolder();
  await using running = await runWorkstation({ overrides: FREE_OF_LIMITS });
  const startMs = performance.now();
  const taskId = await imported(running, dayOf(HOURS), join(folder.path, 'day.edf'));
  say(`  written, imported and analysed in ${Math.round((performance.now() - startMs) / 1000)} s`);
  await withScreens(browser, running, { width: 1280, height: 800 }, (page) => benchScreen(page, taskId));
  await sayReport(running, taskId);
}

async function benchReport(): Promise<void> {
  await using folder = await tempFolder();
  await using running = await runWorkstation({ overrides: FREE_OF_LIMITS });
  const { bridge } = running;
  const taskId = await imported(running, patientOf(10), join(folder.path, 'ten.edf'));
  const [reports, corrections]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS + 3; round++) {
    let startMs = performance.now();
    await bridge.call('report.read', { taskId });
    const reportMs = performance.now() - startMs;
    startMs = performance.now();
    const ms = 300 + 10 * (round % 5);
    await bridge.call('review.correct', { taskId, change: { kind: 'mark', name: 'tEnd', ms } });
    const { measurements } = await bridge.call('review.reading', { taskId });
    const correctionMs = performance.now() - startMs;
    if (measurements.qtMs === undefined) throw new Error('the correction gave no QT');
    // The first ones load what is needed.
    if (round < 3) continue;
    reports.push(reportMs);
    corrections.push(correctionMs);
  }
  say(`\nTwelve leads, 10 s, over the bridge (${ROUNDS} rounds)`);
  say(`  report, warm: ${percentiles(reports)} ms`);
  say(`  correction to new numbers: ${percentiles(corrections)} ms; most ${ms(quantile(corrections, 1))}`);
}

printMachine();
const browser = await launchBench();
const only = new Set((options.only ?? '').split(',') as Part[]);
if (only.has('draw')) await benchDraw(browser);
if (only.has('report')) await benchReport();
if (only.has('day')) await benchDay(browser);
await browser.close();
sayLoad();
