// Finds the Electron program, fetching it once where a network allows. A failed try is remembered, so that
// every later start doesn't wait for it again.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../product/product.ts';

const DOWNLOAD_LIMIT_MS = 300_000;
const TRY_AGAIN_MS = 7 * 86_400_000;
const NOTE = join(projectRoot, '.cache', 'electron-unavailable.json');

/** The folder of the package `electron`. Its code is never loaded here: loading it starts a download. */
function packageFolder(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** The program inside a package folder or in ELECTRON_OVERRIDE_DIST_PATH, if it is there. */
function installedElectron(folder = packageFolder()): string | undefined {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const name =
    folder !== undefined && existsSync(join(folder, 'path.txt'))
      ? readFileSync(join(folder, 'path.txt'), 'utf8').trim()
      : process.platform === 'win32'
        ? 'electron.exe'
        : 'electron';
  const program =
    override !== undefined
      ? join(override, name)
      : folder === undefined
        ? undefined
        : join(folder, 'dist', name);
  return program !== undefined && existsSync(program) ? program : undefined;
}

/** Its sandbox can't be had as root on Linux, and without the sandbox it is not started. */
const isRefused = (): boolean => process.getuid?.() === 0 && process.platform === 'linux';

/** The program where it is there and may run. */
export const runnableElectron = (): string | undefined => (isRefused() ? undefined : installedElectron());

function wasTriedLately(version: string): boolean {
  if (!existsSync(NOTE)) return false;
  const note = JSON.parse(readFileSync(NOTE, 'utf8')) as { version?: string; triedMs?: number };
  return note.version === version && Date.now() - (note.triedMs ?? 0) < TRY_AGAIN_MS;
}

const INSTEAD = 'Isoline runs in the browser instead.';

/** @param say one line for the person who waits. */
export function findElectron(say: (line: string) => void): string | undefined {
  const program = findOrFetch(say);
  if (program === undefined || !isRefused()) return program;
  say(`Electron does not run for the root user; ${INSTEAD}`);
  return undefined;
}

function findOrFetch(say: (line: string) => void): string | undefined {
  const folder = packageFolder();
  const installed = installedElectron(folder);
  if (installed !== undefined || folder === undefined) return installed;
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  if (wasTriedLately(version)) {
    say(`The Electron program is not on this computer; ${INSTEAD}`);
    return undefined;
  }
  say('Fetching the Electron program (about 120 MB, once) …');
  const run = spawnSync(process.execPath, [join(folder, 'install.js')], {
    timeout: DOWNLOAD_LIMIT_MS,
    stdio: 'ignore',
  });
  const fetched = run.status === 0 ? installedElectron(folder) : undefined;
  if (fetched === undefined) {
    mkdirSync(dirname(NOTE), { recursive: true });
    writeFileSync(NOTE, JSON.stringify({ version, triedMs: Date.now() }));
    say(
      `The Electron program could not be fetched; ${INSTEAD} The next try is in a week, or when ${join('.cache', 'electron-unavailable.json')} is deleted.`,
    );
  }
  return fetched;
}
