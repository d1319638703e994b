// What benches of the screens share: a real Chromium, a page of the bench, what a frame costs.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { startBrowserHost } from '../../main/host/browser/browser.ts';
import { loadRenderer } from '../../main/host/page/renderer-files.ts';
import { quantile } from '../../shared/signal/statistics.ts';
import { launchChromium } from '../support/chromium.ts';
import { projectRoot } from '../support/test-data.ts';
import type { Bench } from './screens/main.ts';

const SAMPLE_MS = 500;
const WARM_UP_MS = 3000;

export const say = (line: string): void => void process.stdout.write(`${line}\n`);
export const ms = (value: number | undefined): string =>
  value === undefined ? '–' : value.toFixed(value < 10 ? 2 : 1);
export const wait = (duration: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, duration));
export const percentiles = (values: readonly number[]): string =>
  [0.5, 0.95, 0.99].map((q) => `p${Math.round(100 * q)} ${ms(quantile(values, q))}`).join('  ');

export function build(config: string): void {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js');
  const made = spawnSync(
    process.execPath,
    [vite, 'build', '--config', join(projectRoot, 'build', config), '--logLevel', 'error'],
    {
      cwd: projectRoot,
      encoding: 'utf8',
    },
  );
  if (made.status !== 0) throw new Error(made.stderr + made.stdout);
}

declare const bench: Bench;

export interface Metrics {
  readonly scriptMs: number;
  readonly taskMs: number;
  readonly heapBytes: number;
}

export async function metricsOf(session: CDPSession): Promise<Metrics> {
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return {
    scriptMs: 1000 * of('ScriptDuration'),
    taskMs: 1000 * of('TaskDuration'),
    heapBytes: of('JSHeapUsedSize'),
  };
}

export interface Drawn {
  readonly scriptMs: readonly number[];
  readonly taskMs: readonly number[];
  readonly intervalsMs: readonly number[];
  readonly meanScriptMs: number;
}

/** Script and task time a frame, looked at twice a second, and the intervals of frames. */
export async function measure(
  page: Page,
  session: CDPSession,
  variant: Parameters<Bench['start']>[0],
  seconds: number,
): Promise<Drawn> {
  await page.evaluate((name) => bench.start(name), variant);
  await wait(WARM_UP_MS);
  await page.evaluate(() => bench.intervals());
  const [scriptMs, taskMs, intervalsMs]: [number[], number[], number[]] = [[], [], []];
  const first = await metricsOf(session);
  let before = first;
  for (const end = performance.now() + 1000 * seconds; performance.now() < end; ) {
    await wait(SAMPLE_MS);
    const frames = await page.evaluate(() => bench.intervals());
    const now = await metricsOf(session);
    if (frames.length > 0) {
      scriptMs.push((now.scriptMs - before.scriptMs) / frames.length);
      taskMs.push((now.taskMs - before.taskMs) / frames.length);
      intervalsMs.push(...frames);
    }
    before = now;
  }
  await page.evaluate(() => bench.stop());
  return {
    scriptMs,
    taskMs,
    intervalsMs,
    meanScriptMs: (before.scriptMs - first.scriptMs) / Math.max(1, intervalsMs.length),
  };
}

export function printDrawn(name: string, { scriptMs, taskMs, intervalsMs }: Drawn): void {
  const perSecond = (1000 * intervalsMs.length) / intervalsMs.reduce((sum, each) => sum + each, 0);
  const long = intervalsMs.filter((each) => each > 25).length;
  say(
    `${name.padEnd(9)} script a frame: ${percentiles(scriptMs)}   task: ${percentiles(taskMs)}   frames/s ${perSecond.toFixed(1)}, ` +
      `interval p95 ${ms(quantile(intervalsMs, 0.95))} ms, ${long} of ${intervalsMs.length} over 25 ms`,
  );
}

export async function benchPage(
  browser: Browser,
): Promise<{ page: Page; session: CDPSession; close(): Promise<void> }> {
  const host = await startBrowserHost(
    () => {
      throw new Error('this page needs no bridge');
    },
    loadRenderer(join(projectRoot, 'out', 'bench-screens')),
  );
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  await page.goto(host.url);
  await page.waitForFunction(() => typeof bench === 'object');
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return {
    page,
    session,
    async close() {
      await page.close();
      await host.close();
    },
  };
}

export async function launchBench(): Promise<Browser> {
  build('renderer.config.ts');
  build('bench-screens.config.ts');
  const browser = await launchChromium({ isWhole: true, args: ['--force-device-scale-factor=1'] });
  say(
    `Chromium ${browser.version()}, headless: its frames come of a timer of 60 Hz, and it draws by the processor`,
  );
  return browser;
}

export const sayLoad = (): void =>
  say(
    `\nload at the end: ${loadavg()
      .map((each) => each.toFixed(2))
      .join(' ')}`,
  );
