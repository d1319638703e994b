// What benches of a whole workstation share: its screens in a browser, and how soon a report is there.

import type { Browser, Page, ViewportSize } from 'playwright-core';
import { startBrowserHost } from '../../main/host/browser/browser.ts';
import { connectPage, openDesk } from '../../main/host/desk-host.ts';
import { loadRenderer } from '../../main/host/page/renderer-files.ts';
import { builtScreens } from '../support/built-screens-folder.ts';
import type { RunningWorkstation } from '../support/running-workstation.ts';
import { say } from './screen-bench.ts';

/** A page of the workstation's screens, at its list. */
export async function withScreens(
  browser: Browser,
  { workstation }: RunningWorkstation,
  viewport: ViewportSize,
  bench: (page: Page) => Promise<void>,
): Promise<void> {
  const desk = await openDesk(workstation, { isWatching: false });
  {
    await using host = await startBrowserHost(
      () => connectPage(workstation, desk),
      loadRenderer(builtScreens),
    );
    const page = await browser.newPage({ viewport });
    await page.goto(host.newLink());
    await page.getByRole('grid').waitFor();
    await bench(page);
    await page.close();
  }
  await desk.close();
}

export async function sayReport({ bridge }: RunningWorkstation, taskId: number): Promise<void> {
  const startMs = performance.now();
  const { pdf } = await bridge.call('report.read', { taskId });
  say(`  its report: ${Math.round(performance.now() - startMs)} ms, ${Math.round(pdf.length / 1024)} KiB`);
}
