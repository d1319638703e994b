// Builds what has to be built before the workstation can start from source: the screens, and main and preload
// for Electron. Only when a source is newer than what was built from it.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { IsolineError } from '../../../shared/errors.ts';
import { projectRoot, rendererFolder } from '../../product/product.ts';

function newest(path: string): number {
  if (!existsSync(path)) return 0;
  const own = statSync(path);
  if (!own.isDirectory()) return own.mtimeMs;
  return readdirSync(path, { recursive: true, withFileTypes: true }).reduce(
    (latest, entry) =>
      entry.isFile() ? Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs) : latest,
    0,
  );
}

function isCurrent(target: string, sources: readonly string[]): boolean {
  if (!existsSync(target)) return false;
  const built = statSync(target).mtimeMs;
  return sources.every((source) => newest(join(projectRoot, source)) <= built);
}

function runVite(config: string): void {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js');
  const run = spawnSync(
    process.execPath,
    [vite, 'build', '--config', join(projectRoot, 'build', config), '--logLevel', 'error'],
    {
      cwd: projectRoot,
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    },
  );
  if (run.status !== 0)
    throw new IsolineError(
      'renderer_missing',
      `The build of ${config} failed: ${run.stderr.trim().split('\n')[0] ?? ''}`,
    );
}

/** A packaged program has no sources and nothing to build. */
const hasSources = existsSync(join(projectRoot, 'renderer', 'index.html'));

export async function buildRenderer(say: (line: string) => void): Promise<void> {
  if (
    !hasSources ||
    isCurrent(join(rendererFolder, 'index.html'), [
      'renderer',
      'shared',
      'build/renderer.config.ts',
      'package-lock.json',
    ])
  )
    return;
  say('Building the screens …');
  runVite('renderer.config.ts');
}

const bundle = (name: string): string => join(projectRoot, 'dist', 'main', `${name}.mjs`);

/** Main process and threads as a packaged program has them: one file each, which is read in half the time. */
function buildMain(say: (line: string) => void): void {
  if (
    !hasSources ||
    isCurrent(bundle('electron'), [
      'main',
      'preload',
      'shared',
      'build/electron.config.ts',
      'package-lock.json',
    ])
  )
    return;
  say('Building the program …');
  runVite('electron.config.ts');
  runVite('preload.config.ts');
}

/** @returns the entry of Electron's main process */
export function buildElectron(say: (line: string) => void): string {
  buildMain(say);
  return bundle('electron');
}

/** @returns the entry of the clinic thread */
export function buildThread(say: (line: string) => void): URL {
  buildMain(say);
  return pathToFileURL(bundle('host-clinic-thread'));
}
