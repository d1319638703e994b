// The options of every window, as a plain value that a test can read (SEC1). Nothing else in the program
// makes windows.

import type { BrowserWindowConstructorOptions } from 'electron';

export const PAGE_SCHEME = 'app';
const PAGE_HOST = 'isoline';
export const PAGE_ORIGIN = `${PAGE_SCHEME}://${PAGE_HOST}`;

const CRASH_WINDOW_MS = 60_000;
const MAX_CRASHES = 3;

/**
 * A page that keeps crashing is not reloaded for ever: that would eat the computer that a recording runs on
 * (SEC9).
 */
export class CrashCount {
  #times: number[] = [];

  /** @returns whether the page may be reloaded */
  mayReload(nowMs: number): boolean {
    this.#times = [...this.#times.filter((ms) => nowMs - ms < CRASH_WINDOW_MS), nowMs];
    return this.#times.length <= MAX_CRASHES;
  }
}

export function windowOptions(preload: string, isPackaged: boolean): BrowserWindowConstructorOptions {
  return {
    width: 1280,
    height: 800,
    minWidth: 1024,
    minHeight: 700,
    show: false,
    title: 'Isoline',
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      plugins: false,
      spellcheck: false,
      devTools: !isPackaged,
      safeDialogs: true,
    },
  };
}

/** Whether an address is a page of ours. Compares parsed parts, never prefixes (SEC11). */
export function isOwnPage(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === `${PAGE_SCHEME}:` && url.host === PAGE_HOST;
}

/** A critical ECG is told outside of the window, too. Devices are opened by the main process alone (SEC5), but for those of Bluetooth that a person pairs. */
const PERMISSIONS: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'notifications']);

export const isAllowedPermission = (permission: string, address: string): boolean =>
  PERMISSIONS.has(permission) && isOwnPage(address);

/** Requests that a page may make at all: its own files and what it made itself (SEC7). */
export function isAllowedRequest(address: string, isPackaged: boolean): boolean {
  if (isOwnPage(address)) return true;
  return (
    /^blob:app:\/\/isoline\//.test(address) ||
    address.startsWith('data:image/') ||
    address.startsWith('data:font/') ||
    (!isPackaged && address.startsWith('devtools://'))
  );
}
