// Before the tests that look at the screens: these are built once, as they are shipped.

import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { screenshotFolder } from './built-screens.ts';
import { projectRoot } from './test-data.ts';

export async function setup(): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [vite, 'build', '--config', join(projectRoot, 'build', 'renderer.config.ts'), '--logLevel', 'error'],
    { cwd: projectRoot, encoding: 'utf8' },
  );
  if (stderr + stdout !== '') throw new Error(`The screens were not built cleanly: ${stderr}${stdout}`);
  await mkdir(screenshotFolder, { recursive: true });
}
