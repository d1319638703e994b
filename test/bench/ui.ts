// `npm run bench:ui`: what the screens cost in a real Chromium. The live picture beside uPlot and chart.js
// with the same signal in the same run; how late a device's byte is on the screen; whether the heap stays
// flat; a worklist of 100,000 tasks; how soon the first row is there; how much has to be loaded. Absolute
// figures count on a quiet machine only.
//
//   --only draw,latency,heap,worklist,start,size    --seconds 60    --heap-minutes 10

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { startBrowserHost } from '../../main/host/browser/browser.ts';
import { openDataStore } from '../../main/host/data-folder.ts';
import { connectPage, openDesk } from '../../main/host/desk-host.ts';
import { loadRenderer } from '../../main/host/page/renderer-files.ts';
import { startWorkstation } from '../../main/host/workstation.ts';
import { builtScreens } from '../support/built-screens-folder.ts';
import { fillWorklist } from '../support/fill-worklist.ts';
import { openTerminals, PluggedDevice, socatMissing } from '../support/pseudo-terminal.ts';
import { runWorkstation } from '../support/running-workstation.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { projectRoot } from '../support/test-data.ts';
import { printMachine } from './harness.ts';
import {
  benchPage,
  type Drawn,
  launchBench,
  measure,
  metricsOf,
  percentiles,
  printDrawn,
  say,
  sayLoad,
  wait,
} from './screen-bench.ts';
import type { Bench } from './screens/main.ts';

declare const bench: Bench;

const PARTS = ['size', 'draw', 'latency', 'heap', 'worklist', 'start'] as const;
type Part = (typeof PARTS)[number];

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: PARTS.join() },
    seconds: { type: 'string', default: '60' },
    'heap-minutes': { type: 'string', default: '10' },
  },
});
const SECONDS = Number(options.seconds);
const HEAP_MINUTES = Number(options['heap-minutes']);
const TASKS = 100_000;

async function benchDraw(browser: Browser): Promise<void> {
  say(
    `\nLive picture: 12 leads × 1000 Hz at 1920×1080, 12×1, 25 mm/s, ${SECONDS} s (others ${Math.min(20, SECONDS)} s), ms`,
  );
  const { page, session, close } = await benchPage(browser);
  const others = Math.min(20, SECONDS);
  const sweep = await measure(page, session, 'sweep', SECONDS);
  const chartjs = await measure(page, session, 'chartjs', others);
  const uplot = await measure(page, session, 'uplot', others);
  const scroll = await measure(page, session, 'scroll', others);
  const nothing = await measure(page, session, 'nothing', others);
  for (const [name, drawn] of Object.entries({ sweep, scroll, uplot, chartjs, nothing }))
    printDrawn(name, drawn);
  const ratio = (other: Drawn): string => (other.meanScriptMs / sweep.meanScriptMs).toFixed(1);
  say(
    `script time of the sweep: ${ratio(uplot)} times less than uPlot, ${ratio(chartjs)} times less than chart.js (mean a frame)`,
  );
  await close();
}

async function benchLatency(browser: Browser): Promise<void> {
  if (socatMissing !== undefined) {
    say(`\nLeft out: from byte to screen, which ${socatMissing}.`);
    return;
  }
  await using folder = await tempFolder();
  await using pair = await openTerminals(folder.path);
  const device = new PluggedDevice('isoline-idp');
  await device.plugInto(pair.device);
  await using workstation = await startWorkstation({
    dataDir: folder.path,
    port: 0,
    overrides: [['storage.reserve', '0']],
  });
  const desk = await openDesk(workstation, { isWatching: false });
  await desk.connect(pair.host);
  await using host = await startBrowserHost(
    () => connectPage(workstation, desk),
    loadRenderer(join(projectRoot, 'out', 'bench-screens')),
  );
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  await page.goto(host.newLink());
  await page.waitForFunction(() => typeof bench === 'object');
  const found = await page.evaluate(({ origin, seconds }) => bench.latencies(origin, seconds), {
    origin: performance.timeOrigin,
    seconds: Math.min(30, SECONDS),
  });
  say(
    `\nFrom a device's byte at the port to the refresh that shows it: ${percentiles(found)} ms (${found.length} pieces)`,
  );
  await page.close();
  await device.switchOff();
  await desk.close();
}

async function benchHeap(browser: Browser): Promise<void> {
  const { page, session, close } = await benchPage(browser);
  await page.evaluate(() => bench.start('sweep'));
  const heaps: number[] = [];
  const everyMs = Math.max(5000, (HEAP_MINUTES * 60_000) / 40);
  for (const end = performance.now() + HEAP_MINUTES * 60_000; performance.now() < end; ) {
    await wait(everyMs);
    await page.evaluate(() => bench.intervals());
    await session.send('HeapProfiler.collectGarbage');
    heaps.push((await metricsOf(session)).heapBytes / 1024);
  }
  await page.evaluate(() => bench.stop());
  const slope = slopeOf(heaps) * (60_000 / everyMs);
  say(
    `\nHeap over ${HEAP_MINUTES} min of sweep: first ${heaps[0]?.toFixed(0)} KB, last ${heaps.at(-1)?.toFixed(0)} KB, slope ${slope.toFixed(1)} KB/min`,
  );
  await close();
}

/** The slope of a straight line through the values, in value a step. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const above = values.reduce((sum, value, i) => sum + (i - middle) * (value - mean), 0);
  return above / values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0);
}

function benchSize(): void {
  const page = readFileSync(join(builtScreens, 'index.html'), 'utf8');
  const names = [...page.matchAll(/(?:href|src)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, name]) => name as string,
  );
  const bytes = names.reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(builtScreens, name)), { level: 9 }).length,
    0,
  );
  say(
    `\nScript and style loaded at the start: ${(bytes / 1024).toFixed(0)} KB gzip in ${names.length} files`,
  );
}

const ROW_PX = 56;
const WHEEL_PX = 120;
const QUERIES = [
  'h',
  'ho',
  'hof',
  'hoff',
  'mueller',
  'okafor',
  '1951',
  'pre-op',
  'zoe',
  'nakamura aiko',
  'kow',
  'ward',
  '1234',
  'lukasz',
  'abrams',
];

/** From the letter that is typed to the rows that are painted. */
const searchOnce = async (text: string): Promise<number> => {
  const box = document.querySelector<HTMLInputElement>('input[type=search]') as HTMLInputElement;
  const table = document.querySelector('[role=grid]') as HTMLElement;
  const put = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  const painted = (): Promise<number> =>
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))));
  const before = table.getAttribute('aria-rowcount');
  const startMs = performance.now();
  put?.call(box, text);
  box.dispatchEvent(new Event('input', { bubbles: true }));
  for (;;) {
    const nowMs = await painted();
    const isThere =
      table.getAttribute('aria-rowcount') !== before && table.querySelector('[aria-busy]') === null;
    if (isThere) return nowMs - startMs;
    if (nowMs - startMs > 2000) return Number.NaN;
  }
};

/**
 * Intervals of frames while the list is scrolled by so many pixels every so many frames, or while nothing
 * happens.
 */
const frames = async ({
  seconds,
  px,
  every,
}: {
  seconds: number;
  px: number;
  every: number;
}): Promise<number[]> => {
  const table = document.querySelector('[role=grid]') as HTMLElement;
  const intervals: number[] = [];
  let last = 0;
  await new Promise<void>((resolve) => {
    const end = performance.now() + 1000 * seconds;
    const next = (nowMs: number): void => {
      if (last > 0) intervals.push(nowMs - last);
      last = nowMs;
      if (intervals.length % every === 0) table.scrollTop += px;
      if (nowMs < end) requestAnimationFrame(next);
      else resolve();
    };
    requestAnimationFrame(next);
  });
  return intervals;
};

async function benchWorklist(browser: Browser): Promise<void> {
  await using folder = await tempFolder();
  await using running = await runWorkstation({ dataDir: folder.path });
  await running.makeToken();
  {
    using store = openDataStore(folder.path, 'command');
    fillWorklist(store, store.organizations.all()[0]?.id ?? 1, TASKS, Date.now());
  }
  const desk = await openDesk(running.workstation, { isWatching: false });
  await using host = await startBrowserHost(
    () => connectPage(running.workstation, desk),
    loadRenderer(builtScreens),
  );
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(host.newLink());
  await page.getByRole('row').nth(5).waitFor();
  await wait(2000);
  const searches: number[] = [];
  for (let round = 0; round < 6; round++)
    for (const query of QUERIES) {
      searches.push(
        await page.evaluate(searchOnce, `${query}${round % 2 === 0 ? '' : ' '}`.slice(0, query.length)),
      );
      await wait(120);
      searches.push(await page.evaluate(searchOnce, ''));
      await wait(120);
    }
  const known = searches.filter((each) => !Number.isNaN(each));
  say(
    `\nWorklist of ${TASKS} tasks: search, key to painted rows: ${percentiles(known)} ms (${known.length} searches)`,
  );
  const idle = await page.evaluate(frames, { seconds: 20, px: 0, every: 1 });
  // A wheel that spins through 10,000 rows; the key PgDn, held, thirty pages a second.
  const wheel = await page.evaluate(frames, {
    seconds: (10_000 * ROW_PX) / (60 * WHEEL_PX),
    px: WHEEL_PX,
    every: 1,
  });
  await page.evaluate(() => (document.querySelector('[role=grid]') as HTMLElement).scrollTo(0, 0));
  const pages = await page.evaluate(frames, { seconds: 20, px: 10 * ROW_PX, every: 2 });
  for (const [name, intervals] of Object.entries({ idle, wheel, pages })) {
    const long = intervals.filter((each) => each > 32).length;
    say(
      `  ${name.padEnd(8)} frames: ${percentiles(intervals)} ms, over 32 ms: ${long} of ${intervals.length} (${((100 * long) / intervals.length).toFixed(2)} %)`,
    );
  }
  await page.close();
  await desk.close();
}

/** The link that the program prints. */
function linkOf(program: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    program.stdout?.on('data', (data: Buffer) => {
      output += data.toString();
      const link = /http:\/\/127\.0\.0\.1:\d+\/\S*#key=[\w-]+/.exec(output)?.[0];
      if (link !== undefined) resolve(link);
    });
    program.once('exit', () => reject(new Error(`isoline start ended: ${output}`)));
  });
}

async function benchStart(browser: Browser): Promise<void> {
  await using folder = await tempFolder();
  {
    await using running = await runWorkstation({ dataDir: folder.path });
    await running.makeToken();
    using store = openDataStore(folder.path, 'command');
    fillWorklist(store, store.organizations.all()[0]?.id ?? 1, TASKS, Date.now());
  }
  const times: number[] = [];
  for (let round = 0; round < 7; round++) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const startMs = performance.now();
    const program = spawn(
      process.execPath,
      [
        join(projectRoot, 'main', 'host', 'cli', 'isoline.ts'),
        'start',
        '--browser',
        '--data-dir',
        folder.path,
        '--service-port',
        '0',
      ],
      { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, BROWSER: 'none', DISPLAY: '' } },
    );
    const link = await linkOf(program);
    await page.goto(link);
    await page.locator('[data-task]').first().waitFor();
    times.push(performance.now() - startMs);
    await page.close();
    program.kill('SIGTERM');
    await new Promise((resolve) => program.once('exit', resolve));
  }
  say(
    `\nFrom "isoline start" to the first of ${TASKS} rows, Chromium running: ${times.map((each) => Math.round(each)).join(', ')} ms, ${percentiles(times)}`,
  );
}

printMachine();
const browser = await launchBench();
const only = new Set((options.only ?? '').split(',') as Part[]);
if (only.has('size')) benchSize();
if (only.has('draw')) await benchDraw(browser);
if (only.has('latency')) await benchLatency(browser);
if (only.has('worklist')) await benchWorklist(browser);
if (only.has('start')) await benchStart(browser);
if (only.has('heap')) await benchHeap(browser);
await browser.close();
sayLoad();
