// A browser to look at the screens with, which were built before the tests began.

import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { chromiumArguments, ensureChromium } from './chromium.ts';
import { projectRoot } from './test-data.ts';

export const screenshotFolder = join(projectRoot, 'out', 'screenshots');

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: ensureChromium((line) => process.stdout.write(`${line}\n`)),
    args: chromiumArguments(),
  });
