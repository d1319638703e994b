// `npm run bench:holter`: what reading a day costs in a real Chromium: how soon its first view is there, how soon a class that is given
// to 13,000 beats is seen, beside one that is given to a single beat; whether families and the whole signal scroll at the display's rate,
// beside a page that stands still; what the page holds in memory; how soon the report is there.
//
//   --leads 3,12    --hours 24    --seconds 10    --rounds 20

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { STANDARD_LEADS } from '../../shared/signal/lead.ts';
import { quantile } from '../../shared/signal/statistics.ts';
import { importRecording } from '../support/import-recording.ts';
import { madeDay } from '../support/made-day.ts';
import { FREE_OF_LIMITS, runWorkstation, whenAnalysed } from '../support/running-workstation.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { printMachine } from './harness.ts';
import { launchBench, metricsOf, ms, percentiles, say, sayLoad, wait } from './screen-bench.ts';
import { sayReport, withScreens } from './workstation-bench.ts';

const { values: options } = parseArgs({
  options: {
    leads: { type: 'string', default: '3,12' },
    hours: { type: 'string', default: '24' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '20' },
  },
});
const HOURS = Number(options.hours);
const SECONDS = Number(options.seconds);
const ROUNDS = Number(options.rounds);
const RATE_HZ = 250;
/** 130,000 beats a day, a tenth of them ventricular. */
const MEAN_BPM = 91;
const VENTRICULAR_PER_HOUR = 620;
const ANALYSIS_MS = 60 * 60_000;

/** From the address to the first view, with its band. */
const firstView = async (taskId: number): Promise<number> => {
  location.hash = '#/worklist';
  await new Promise((resolve) => setTimeout(resolve, 500));
  const startMs = performance.now();
  location.hash = `#/holter/${taskId}`;
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.querySelector('[role=slider] canvas[data-drawn]') === null) requestAnimationFrame(look);
      else requestAnimationFrame(() => resolve(performance.now() - startMs));
    };
    look();
  });
};

/** From the key to the painted words of what it has changed. */
const stepMs = async ({ key, ctrlKey }: { key: string; ctrlKey: boolean }): Promise<number> => {
  const said = (): string =>
    [...document.querySelectorAll('footer [role=status]')].map((each) => each.textContent).join();
  const before = `${said()} ${document.querySelector('[data-family][aria-pressed=true]')?.textContent}`;
  const startMs = performance.now();
  document.body.dispatchEvent(
    new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }),
  );
  // A key of one letter waits until it is sure that it is no code: the next one ends that.
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'F24', bubbles: true, cancelable: true }));
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const now = `${said()} ${document.querySelector('[data-family][aria-pressed=true]')?.textContent}`;
      if (now !== before) requestAnimationFrame(() => resolve(performance.now() - startMs));
      else if (performance.now() - startMs > 20_000) reject(new Error(`nothing changed: ${before}`));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
};

/** Intervals of frames while a list scrolls, or the wheel turns over the rows. */
const scrolled = async ({ what, seconds }: { what: string; seconds: number }): Promise<number[]> => {
  const intervals: number[] = [];
  let [last, frames] = [0, 0];
  const element = what === '' ? undefined : (document.querySelector(what) as HTMLElement);
  await new Promise<void>((resolve) => {
    const end = performance.now() + 1000 * seconds;
    const next = (nowMs: number): void => {
      if (last > 0) intervals.push(nowMs - last);
      last = nowMs;
      frames++;
      if (element !== undefined && element.scrollHeight > element.clientHeight + 10)
        element.scrollTop = Math.abs(((frames * 12) % (2 * element.scrollHeight)) - element.scrollHeight);
      else element?.dispatchEvent(new WheelEvent('wheel', { deltaY: 12, bubbles: true, cancelable: true }));
      if (nowMs > end) resolve();
      else requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  return intervals;
};

async function benchSteps(page: Page): Promise<void> {
  await page.keyboard.press('3');
  await page.locator('[data-family]').first().waitFor();
  const largest = page.locator('[data-family]').filter({ hasText: /^Va/ });
  await largest.click();
  const words = await largest.textContent();
  const [many, undone, single]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS + 3; round++) {
    const labelled = await page.evaluate(stepMs, { key: round % 2 === 0 ? 'f' : 's', ctrlKey: false });
    const back = await page.evaluate(stepMs, { key: 'z', ctrlKey: true });
    // The first ones load what is needed.
    if (round >= 3) {
      many.push(labelled);
      undone.push(back);
    }
  }
  await page.locator('fieldset input[type=checkbox]').first().check();
  for (let round = 0; round < ROUNDS; round++) {
    single.push(await page.evaluate(stepMs, { key: 'f', ctrlKey: false }));
    await page.evaluate(stepMs, { key: 'z', ctrlKey: true });
  }
  say(`  a class for all of ${words}: ${percentiles(many)} ms; undone: ${percentiles(undone)} ms`);
  say(
    `  a class for one beat: ${percentiles(single)} ms: the family takes ${((quantile(many, 0.5) ?? 0) / (quantile(single, 0.5) ?? 1)).toFixed(2)} times as long (median)`,
  );
}

async function benchScrolling(page: Page, session: CDPSession): Promise<void> {
  let mostBytes = 0;
  for (const [name, view, what] of [
    ['still', '3', ''],
    ['families', '3', 'fieldset[aria-label="Beats of the family"]'],
    ['full ECG', '4', 'canvas[role=img]'],
  ] as const) {
    await page.keyboard.press(view);
    await wait(1500);
    const intervals = await page.evaluate(scrolled, { what, seconds: SECONDS });
    mostBytes = Math.max(mostBytes, (await metricsOf(session)).heapBytes);
    const long = intervals.filter((each) => each > 25).length;
    say(
      `  ${name.padEnd(9)} frames: ${percentiles(intervals)} ms, ${long} of ${intervals.length} over 25 ms`,
    );
  }
  say(`  heap at most ${Math.round(mostBytes / 1e6)} MB`);
}

async function benchDay(browser: Browser, leadCount: number): Promise<void> {
  say(`\n${HOURS} h × ${leadCount} leads × ${RATE_HZ} Hz, 1440×900`);
  await using folder = await tempFolder();
  await using running = await runWorkstation({ overrides: FREE_OF_LIMITS });
  const { recording } = madeDay({
    hours: HOURS,
    rateHz: RATE_HZ,
    meanBpm: MEAN_BPM,
    ventricular: Math.round(VENTRICULAR_PER_HOUR * HOURS),
    supraventricular: 10 * HOURS,
    ...(leadCount === STANDARD_LEADS.length && { leads: STANDARD_LEADS }),
  });
  const startMs = performance.now();
  const taskId = await importRecording(running.bridge, recording, join(folder.path, 'day.edf'));
  await whenAnalysed(running.bridge, taskId, ANALYSIS_MS);
  const { beatLabels, pictures } = await running.bridge.call('day.get', { taskId });
  say(
    `  written, imported and analysed in ${Math.round((performance.now() - startMs) / 1000)} s: ${beatLabels.length} beats, ${pictures.length} families with their pictures`,
  );
  await withScreens(browser, running, { width: 1440, height: 900 }, async (page) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const times: number[] = [];
    for (let round = 0; round < 5; round++) times.push(await page.evaluate(firstView, taskId));
    say(`  from the address to the first view: ${ms(times[0])} ms, later ${percentiles(times.slice(1))} ms`);
    await benchSteps(page);
    await benchScrolling(page, session);
  });
  const { corrections } = await running.bridge.call('day.corrections', { taskId });
  if (corrections.length > 0) throw new Error(`${corrections.length} steps were not taken back`);
  await sayReport(running, taskId);
}

printMachine();
const browser = await launchBench();
for (const leadCount of (options.leads ?? '').split(',').map(Number)) await benchDay(browser, leadCount);
await browser.close();
sayLoad();
