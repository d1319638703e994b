// A page of the screens in a browser, before a workstation of its own. Whatever the page does that it must
// not do is kept as a fault.

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Desk } from '../../main/device/desk.ts';
import { type BrowserHost, startBrowserHost } from '../../main/host/browser/browser.ts';
import { connectPage, openDesk } from '../../main/host/desk-host.ts';
import { loadRenderer } from '../../main/host/page/renderer-files.ts';
import type { WorkstationOptions } from '../../main/host/workstation.ts';
import { builtScreens } from './built-screens-folder.ts';
import { type RunningWorkstation, runWorkstation } from './running-workstation.ts';

const PATIENCE_MS = 90_000;

export interface OpenScreens {
  readonly running: RunningWorkstation;
  readonly desk: Desk;
  readonly host: BrowserHost;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of the page, requests to elsewhere, violations of the content security policy (SEC3). */
  readonly faults: string[];
  close(): Promise<void>;
}

export async function openScreens(
  browser: Browser,
  options: BrowserContextOptions = {},
  workstation: Partial<WorkstationOptions> = {},
): Promise<OpenScreens> {
  const faults: string[] = [];
  const running = await runWorkstation(workstation);
  const desk = await openDesk(running.workstation, { isWatching: false });
  const host = await startBrowserHost(
    () => connectPage(running.workstation, desk),
    loadRenderer(builtScreens),
  );
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    timezoneId: 'Europe/Riga',
    ...options,
  });
  // A wait ends with what it waits for. How long that takes on a busy machine is not what these tests are about.
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on(
    'request',
    (request) =>
      !request.url().startsWith(host.url) &&
      !/^(data|blob):/.test(request.url()) &&
      faults.push(`request to ${request.url()}`),
  );
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', (event) =>
      console.error(`CSP ${event.violatedDirective} ${event.blockedURI}`),
    ),
  );
  return {
    running,
    desk,
    host,
    context,
    page,
    faults,
    async close() {
      await context.close();
      await host.close();
      await desk.close();
      await running.stop();
    },
  };
}
