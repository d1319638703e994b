// The screens, built as they are shipped, and a browser to look at them.

import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { expect } from 'vitest';
import { chromiumArguments, ensureChromium } from './chromium.ts';
import { projectRoot } from './test-data.ts';

export const screenshotFolder = join(projectRoot, 'out', 'screenshots');

export async function buildAndLaunch(): Promise<Browser> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js');
  const build = spawnSync(
    process.execPath,
    [vite, 'build', '--config', join(projectRoot, 'build', 'renderer.config.ts'), '--logLevel', 'error'],
    { cwd: projectRoot, encoding: 'utf8' },
  );
  expect(build.stderr + build.stdout).toBe('');
  await mkdir(screenshotFolder, { recursive: true });
  return chromium.launch({ executablePath: ensureChromium((line) => process.stdout.write(`${line}\n`)), args: chromiumArguments() });
}
