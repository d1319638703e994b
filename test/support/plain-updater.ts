// electron-updater's own code for AppImages, without Electron: the network by Node, the program by a few values. Its
// parts are private to it, which is why the exact version is pinned.

import { writeFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Updater } from '../../main/host/electron/updates.ts';

const require = createRequire(import.meta.url);
const inUpdater = createRequire(require.resolve('electron-updater'));

interface ExecutorClass {
  new (): {
    maxRedirects: number;
    doDownload(options: RequestOptions, task: object, redirects: number): void;
    addRedirectHandlers: unknown;
  };
}
interface Token {
  createPromise<T>(
    work: (
      resolve: (value: T) => void,
      reject: (error: Error) => void,
      onCancel: (end: () => void) => void,
    ) => void,
  ): Promise<T>;
}
interface UpdaterClass {
  new (options: null, app: object): Updater & { httpExecutor: unknown; install(isSilent: boolean): boolean };
}

const { HttpExecutor, configureRequestUrl, configureRequestOptions } = inUpdater('builder-util-runtime') as {
  HttpExecutor: ExecutorClass;
  configureRequestUrl(url: URL, options: RequestOptions): void;
  configureRequestOptions(options: RequestOptions): void;
};
const { AppImageUpdater } = inUpdater('electron-updater/out/AppImageUpdater') as {
  AppImageUpdater: UpdaterClass;
};

class NodeExecutor extends HttpExecutor {
  createRequest(options: RequestOptions, callback: (response: IncomingMessage) => void): ClientRequest {
    return request(options, callback);
  }

  download(
    url: URL,
    destination: string,
    options: { headers?: RequestOptions['headers']; cancellationToken: Token },
  ): Promise<string> {
    return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const asked: RequestOptions = { ...(options.headers !== undefined && { headers: options.headers }) };
      configureRequestUrl(url, asked);
      configureRequestOptions(asked);
      const callback = (error: unknown): void =>
        error instanceof Error ? reject(error) : resolve(destination);
      this.doDownload(asked, { destination, options, onCancel, callback, responseHandler: null }, 0);
    });
  }
}

export interface PlainUpdaterOptions {
  readonly version: string;
  /** For what the updater keeps. */
  readonly folder: string;
}

/** Replaces the program at `APPIMAGE`, which has to be set. */
export function plainUpdater({ version, folder }: PlainUpdaterOptions): Updater {
  const app = {
    version,
    name: 'isoline',
    isPackaged: true,
    appUpdateConfigPath: join(folder, 'app-update.yml'),
    userDataPath: join(folder, 'user'),
    baseCachePath: join(folder, 'cache'),
    whenReady: async () => undefined,
    quit: () => undefined,
    relaunch: () => undefined,
    onQuit: () => undefined,
  };
  writeFileSync(
    app.appUpdateConfigPath,
    'provider: generic\nurl: http://127.0.0.1:9\nupdaterCacheDirName: isoline\n',
  );
  const updater = new AppImageUpdater(null, app);
  // Its own one ends Electron, which is not there.
  updater.quitAndInstall = (isSilent = false) => void updater.install(isSilent);
  updater.httpExecutor = new NodeExecutor();
  return updater;
}
