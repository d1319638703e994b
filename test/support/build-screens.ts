// Before the tests that look at the screens: these are built once, as they are shipped.

import { mkdir } from 'node:fs/promises';
import { build } from './build.ts';
import { screenshotFolder } from './screenshot-folder.ts';

export async function setup(): Promise<void> {
  build('renderer.config.ts');
  await mkdir(screenshotFolder, { recursive: true });
}
