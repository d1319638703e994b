// Builds a part of the program for the tests, as it is shipped.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { projectRoot } from './test-data.ts';

const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js');

/**
 * @param config a file in `build/`
 * @throws Error when the build says anything at all
 */
export function build(config: string, ...options: string[]): void {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [vite, 'build', '--config', join(projectRoot, 'build', config), '--logLevel', 'error', ...options],
    { cwd: projectRoot, encoding: 'utf8' },
  );
  if (stderr + stdout !== '') throw new Error(`${config} was not built cleanly: ${stderr}${stdout}`);
}
