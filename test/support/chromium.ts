// Finds a Chromium for the tests of the screens, or installs one: a named one, one on the path, Playwright's
// own, Debian's. Beside it, its headless shell, where there is one: the same engine without the windows of a
// browser. A new page takes a sixth of the processor time there, moving leads a third.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES =
  process.platform === 'win32'
    ? ['chrome.exe', 'msedge.exe']
    : ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const SHELL_NAMES = ['chromium-headless-shell', 'chrome-headless-shell'];
const INSTALL_LIMIT_MS = 600_000;

function onPath(names: readonly string[]): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    for (const name of names) if (existsSync(join(folder, name))) return join(folder, name);
  return undefined;
}

/** Where a browser is now, without installing anything. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && existsSync(named)) return named;
  const own = chromium.executablePath();
  return onPath(NAMES) ?? (own !== '' && existsSync(own) ? own : undefined);
}

/** @throws Error in one line that says what to do. */
export function ensureChromium(say: (line: string) => void): string {
  const found = findChromium();
  if (found !== undefined) return found;
  say('No Chromium found: trying to install the one of Playwright …');
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
  spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'ignore', timeout: INSTALL_LIMIT_MS });
  const afterPlaywright = findChromium();
  if (afterPlaywright !== undefined) return afterPlaywright;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say('That failed: trying Debian’s package chromium …');
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', timeout: INSTALL_LIMIT_MS });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
      stdio: 'ignore',
      timeout: INSTALL_LIMIT_MS,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
  const afterDebian = findChromium();
  if (afterDebian !== undefined) return afterDebian;
  throw new Error(
    'No Chromium could be found or installed: install Chromium or Chrome, or set CHROMIUM_PATH to one, and run "npm test" again.',
  );
}

/**
 * No sandbox as root only: Chromium refuses to start otherwise. Background traffic off: tests talk to this
 * computer alone.
 */
const chromiumArguments = (): string[] => [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
];

interface LaunchOptions {
  /** A whole browser shows notices outside of the page; the headless shell has none. */
  readonly isWhole?: boolean;
  readonly args?: readonly string[];
}

/**
 * Opens a browser of its own: the headless shell, unless a whole one is asked for or `CHROMIUM_PATH` names one.
 *
 * @throws Error as {@link ensureChromium}
 */
export function launchChromium({ isWhole = false, args = [] }: LaunchOptions = {}): Promise<Browser> {
  const shell = isWhole || process.env.CHROMIUM_PATH !== undefined ? undefined : onPath(SHELL_NAMES);
  return chromium.launch({
    executablePath: shell ?? ensureChromium((line) => process.stdout.write(`${line}\n`)),
    args: [...chromiumArguments(), ...args],
  });
}
