// Updates by electron-updater, which knows how each system replaces a program. What may be installed, and when, is
// decided in the clinic thread; here nothing happens by itself.

import updaters, { type AppUpdater, type ProgressInfo } from 'electron-updater';
import { IsolineError } from '../../../shared/errors.ts';
import type { HostInstaller } from '../../bridge/installer-link.ts';
import type { OfferedVersion } from '../../clinic/ports.ts';
import { requireReplaceable } from './app-image.ts';

export type Updater = Pick<
  AppUpdater,
  | 'autoDownload'
  | 'autoInstallOnAppQuit'
  | 'channel'
  | 'allowDowngrade'
  | 'allowPrerelease'
  | 'disableWebInstaller'
  | 'logger'
  | 'requestHeaders'
  | 'setFeedURL'
  | 'checkForUpdates'
  | 'downloadUpdate'
  | 'quitAndInstall'
  | 'on'
  | 'off'
>;

/** The order of assignments matters: setting the channel turns downgrades on (SEC82). */
export function switchAutomaticUpdatesOff(updater: Updater): void {
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.channel = 'latest';
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  updater.disableWebInstaller = true;
  // It names paths and addresses.
  updater.logger = null;
  // Instead of the number by which a server could tell this computer from others.
  updater.requestHeaders = { 'x-user-staging-id': 'none' };
}

export interface InstallerParts {
  readonly updater: Updater;
  /** Through the proxy of the system, and with the certificates that the system trusts. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The last word: a recording may have begun since the clinic looked. Asked before it installs, and while it fetches. */
  readonly isRecording: () => boolean;
  /** Ends what runs, in order. */
  readonly close: () => Promise<void>;
  /** Starts the program that is there. */
  readonly relaunch: () => void;
  /** A server that says nothing for so long has ended. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 60_000;

const unreachable = (): IsolineError =>
  new IsolineError(
    'update_unreachable',
    'The server with the new versions does not answer. Check the address and the network.',
  );

const unavailable = (): IsolineError =>
  new IsolineError(
    'update_unavailable',
    'This installation of Isoline cannot update itself. Install the new version as you installed this one.',
  );

const recordingBegan = (): IsolineError =>
  new IsolineError('update_blocked', 'A recording has begun. Try again when it has ended.', {
    hindrance: 'recording',
  });

function toInstallerError(error: unknown): IsolineError {
  if (error instanceof IsolineError) return error;
  const isOther = (error as { code?: unknown } | null)?.code === 'ERR_CHECKSUM_MISMATCH';
  return isOther
    ? new IsolineError(
        'update_damaged',
        'The new version did not arrive as it was published. Nothing was installed. Try again.',
      )
    : unreachable();
}

async function readBytes(response: Response, maxBytes: number): Promise<Uint8Array> {
  if (!response.ok || response.body === null) throw unreachable();
  const bytes = new Uint8Array(maxBytes);
  let length = 0;
  for await (const part of response.body) {
    if (length + part.length > maxBytes) throw unreachable();
    bytes.set(part, length);
    length += part.length;
  }
  return bytes.slice(0, length);
}

/**
 * Rejects where nothing has moved for the patience that there is.
 * @param stop makes the work reject; without it the work is left to itself
 */
async function whileItMoves<T>(
  patienceMs: number,
  work: (moved: () => void) => Promise<T>,
  stop?: () => void,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = stop ?? (() => reject(unreachable()));
  let timer = setTimeout(giveUp, patienceMs);
  const moved = (): void => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, patienceMs);
  };
  try {
    return await Promise.race([work(moved), promise]);
  } catch (error) {
    throw toInstallerError(error);
  } finally {
    clearTimeout(timer);
  }
}

export function electronInstaller({
  updater,
  fetch,
  isRecording,
  close,
  relaunch,
  patienceMs = PATIENCE_MS,
}: InstallerParts): HostInstaller {
  switchAutomaticUpdatesOff(updater);
  let fetched: string | undefined;
  return {
    read: (url, maxBytes) => {
      const aborted = new AbortController();
      const read = async (): Promise<Uint8Array> =>
        readBytes(await fetch(url, { signal: aborted.signal, cache: 'no-store' }), maxBytes);
      return whileItMoves(patienceMs, read, () => aborted.abort());
    },
    look: (url) =>
      whileItMoves(patienceMs, async (): Promise<OfferedVersion | undefined> => {
        updater.setFeedURL({ provider: 'generic', url, channel: 'latest', useMultipleRangeRequest: false });
        const found = await updater.checkForUpdates();
        // The updater cannot replace this kind of installation.
        if (found === null) throw unavailable();
        if (!found.isUpdateAvailable) return undefined;
        const files = found.updateInfo.files.map(({ url: name, sha512 }) => ({
          name: decodeURIComponent(name.split('/').at(-1) ?? ''),
          sha512,
        }));
        return { version: found.updateInfo.version, files };
      }),
    fetch: (onProgress) => {
      const token = new updaters.CancellationToken();
      return whileItMoves(
        patienceMs,
        async (moved) => {
          let isInterrupted = false;
          const onMove = ({ transferred, total }: ProgressInfo): void => {
            moved();
            onProgress(transferred, total);
            // It is written by the thread that the devices are read by.
            isInterrupted ||= isRecording();
            if (isInterrupted) token.cancel();
          };
          updater.on('download-progress', onMove);
          try {
            const [path] = await updater.downloadUpdate(token);
            if (path === undefined) throw unreachable();
            fetched = path;
            return path;
          } catch (error) {
            throw isInterrupted ? recordingBegan() : error;
          } finally {
            updater.off('download-progress', onMove);
          }
        },
        () => token.cancel(),
      );
    },
    async install() {
      const { APPIMAGE: appImage } = process.env;
      if (appImage !== undefined && fetched !== undefined) await requireReplaceable(appImage, fetched);
      if (isRecording()) throw recordingBegan();
      // The answer goes out before everything ends.
      setImmediate(() => {
        updater.on('error', relaunch);
        void close()
          .then(() => updater.quitAndInstall(true, true))
          .catch(relaunch);
      });
    },
  };
}
