// Before the tests that look at the screens: these are built once, as they are shipped.

import { mkdir } from 'node:fs/promises';
import { build } from './build.ts';
import { screenshotFolder } from './screenshot-folder.ts';

/** It is of this process alone: each group of tests sets itself up. */
const DONE = 'ISOLINE_TEST_SCREENS_ARE_BUILT';

export async function setup(): Promise<void> {
  if (process.env[DONE] !== '1') build('renderer.config.ts');
  process.env[DONE] = '1';
  await mkdir(screenshotFolder, { recursive: true });
}
