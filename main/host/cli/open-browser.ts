// Opens an address in the person's browser. The address holds a one-time key, and what a program is started
// with can be read by every account of the computer; so the browser gets a file that only its owner can read,
// and the file leads on.

import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** As long as the key can be used. */
const FILE_LIFE_MS = 60_000;

/** @param address of ours: no letters in it mean anything to HTML */
const leadingTo = (address: string): string =>
  `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${address}"><title>Isoline</title>\n`;

/** @returns where the file is; it is deleted after a minute, or when the program ends. */
export async function writeRedirect(address: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'isoline-'));
  const path = join(folder, 'open.html');
  await writeFile(path, leadingTo(address), { mode: 0o600, flag: 'wx' });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  setTimeout(remove, FILE_LIFE_MS).unref();
  process.once('exit', remove);
  return path;
}

export function browserCommand(
  path: string,
  platform: NodeJS.Platform = process.platform,
): readonly [program: string, args: readonly string[]] {
  if (platform === 'darwin') return ['open', [path]];
  if (platform === 'win32') return ['cmd', ['/c', 'start', '', path]];
  return ['xdg-open', [path]];
}

/** Never as root, and only where there is a screen to open it on. */
export async function openInBrowser(address: string): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  const hasDisplay =
    process.platform !== 'linux' ||
    process.env.DISPLAY !== undefined ||
    process.env.WAYLAND_DISPLAY !== undefined;
  if (isRoot || !hasDisplay) return;
  const [program, args] = browserCommand(await writeRedirect(address));
  // No browser to be found is no fault: the address stands in the terminal.
  spawn(program, [...args], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
