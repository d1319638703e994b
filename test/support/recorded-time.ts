// A recording on the screen that has run for a while.

import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** Whatever takes the place of a button is heeded once it has stood there for 0.6 s. */
const SETTLED_MS = 700;

/** Two seconds are recorded, and a press on Stop counts. */
export async function untilStopCounts(page: Page): Promise<void> {
  await page
    .getByTestId('recorded-time')
    .getByText(/00:0[2-9]/)
    .waitFor();
  await wait(SETTLED_MS);
}
