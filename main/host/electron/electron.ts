// The Electron door: one window on app://isoline, bridge over IPC, everything that a page could misuse
// refused. Thin on purpose: what matters lives behind the bridge and is tested in the browser host.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  net,
  powerMonitor,
  protocol,
  safeStorage,
  session,
} from 'electron';
import updaters from 'electron-updater';
import { IsolineError } from '../../../shared/errors.ts';
import type { HostInstaller } from '../../bridge/installer-link.ts';
import type { Desk } from '../../device/desk.ts';
import { projectRoot, rendererFolder } from '../../product/product.ts';
import type { Seal } from '../../sync/key-store.ts';
import { defaultDataFolder } from '../default-data-folder.ts';
import { connectPage, openDesk } from '../desk-host.ts';
import { loadRenderer, type PageFiles } from '../page/renderer-files.ts';
import { startWorkstation, type Workstation } from '../workstation.ts';
import { answerPage } from './app-protocol.ts';
import { serveBridge } from './ipc-bridge.ts';
import { electronInstaller } from './updates.ts';
import {
  CrashCount,
  isAllowedPermission,
  isAllowedRequest,
  isOwnPage,
  PAGE_ORIGIN,
  PAGE_SCHEME,
  windowOptions,
} from './window.ts';

const { values } = parseArgs({
  options: { 'data-dir': { type: 'string' }, 'service-port': { type: 'string' } },
  strict: false,
});

app.enableSandbox();
protocol.registerSchemesAsPrivileged([
  {
    scheme: PAGE_SCHEME,
    privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
  },
]);

/** SEC4: a page goes nowhere and opens nothing. */
function refuseNavigation(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.on('will-navigate', (event) => {
      if (!isOwnPage(event.url)) event.preventDefault();
    });
    contents.on('will-frame-navigate', (event) => {
      if (!isOwnPage(event.url)) event.preventDefault();
    });
    contents.on('will-redirect', (event) => {
      if (!isOwnPage(event.url)) event.preventDefault();
    });
  });
}

/** SEC5, SEC7: no other permissions, no devices, no network for pages. */
function closeSession(): void {
  const current = session.defaultSession;
  current.setPermissionRequestHandler((contents, permission, answer) =>
    answer(isAllowedPermission(permission, contents.getURL())),
  );
  current.setPermissionCheckHandler((_contents, permission, origin) =>
    isAllowedPermission(permission, `${origin}/`),
  );
  current.setDevicePermissionHandler(() => false);
  current.on('select-serial-port', (event, _ports, _contents, answer) => {
    event.preventDefault();
    answer('');
  });
  current.on('select-hid-device', (event, _details, answer) => {
    event.preventDefault();
    answer(null);
  });
  current.on('select-usb-device', (event, _details, answer) => {
    event.preventDefault();
    answer();
  });
  current.setDisplayMediaRequestHandler((_request, answer) => answer({}));
  current.webRequest.onBeforeRequest((details, answer) =>
    answer({ cancel: !isAllowedRequest(details.url, app.isPackaged) }),
  );
}

function openWindow(): void {
  const window = new BrowserWindow(
    windowOptions(join(projectRoot, 'dist', 'preload', 'preload.cjs'), app.isPackaged),
  );
  window.once('ready-to-show', () => window.show());
  const crashes = new CrashCount();
  // A page that crashed is reloaded; what is recorded doesn't depend on it (SEC9).
  window.webContents.on('render-process-gone', () => {
    if (crashes.mayReload(Date.now())) void window.loadURL(`${PAGE_ORIGIN}/index.html`);
    else
      dialog.showErrorBox(
        'Isoline',
        'The screens stopped several times. What is being recorded goes on. Close Isoline and start it again.',
      );
  });
  void window.loadURL(`${PAGE_ORIGIN}/index.html`);
}

/**
 * Where there is none, or one that locks with a password that everybody knows, the token lies in a file, and
 * the screen says so (SEC61).
 */
async function keyStore(): Promise<Seal | undefined> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return undefined;
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text')
    return undefined;
  return {
    seal: async (text) => Uint8Array.from(await safeStorage.encryptStringAsync(text)),
    async unseal(bytes) {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(bytes));
      return { text: result, isStale: shouldReEncrypt };
    },
  };
}

const installerOf = (close: () => Promise<void>): HostInstaller =>
  electronInstaller({
    updater: updaters.autoUpdater,
    fetch: (url, init) => net.fetch(url, init),
    close,
    relaunch() {
      app.relaunch();
      app.exit(0);
    },
  });

interface Running {
  readonly workstation: Workstation;
  readonly desk: Desk;
}

async function start(pages: PageFiles, close: () => Promise<void>): Promise<Running> {
  const servicePort = typeof values['service-port'] === 'string' ? Number(values['service-port']) : undefined;
  const seal = await keyStore();
  const workstation = await startWorkstation({
    dataDir: typeof values['data-dir'] === 'string' ? values['data-dir'] : defaultDataFolder(),
    port: servicePort,
    isServiceOptional: true,
    hasFirstStart: true,
    ...(seal !== undefined && { seal }),
    // From its sources it is not what could be replaced.
    ...(app.isPackaged && { installer: installerOf(close) }),
    onTrouble: (sentence) => void dialog.showMessageBox({ type: 'warning', message: sentence }),
  });
  protocol.handle(PAGE_SCHEME, (request) => answerPage(pages, request.url));
  const desk = await openDesk(workstation);
  serveBridge(ipcMain, () => connectPage(workstation, desk));
  powerMonitor.on('lock-screen', () => void desk.lockPages());
  return { workstation, desk };
}

async function main(): Promise<void> {
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  refuseNavigation();
  await app.whenReady();
  closeSession();
  Menu.setApplicationMenu(
    process.platform === 'darwin'
      ? Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }])
      : null,
  );
  let running: Running | undefined;
  let isClosed = false;
  /** What is being recorded is ended in order before the store closes. */
  const close = async (): Promise<void> => {
    await running?.desk.close();
    await running?.workstation.close();
    isClosed = true;
    // The version that is started next, maybe at once, takes it.
    app.releaseSingleInstanceLock();
  };
  try {
    running = await start(loadRenderer(rendererFolder), close);
  } catch (error) {
    // The border of the program: one sentence, then the end.
    dialog.showErrorBox(
      'Isoline',
      error instanceof IsolineError ? error.message : 'Isoline could not start. Nothing recorded is lost.',
    );
    app.exit(1);
    return;
  }
  app.on('second-instance', () => BrowserWindow.getAllWindows()[0]?.focus());
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) openWindow();
  });
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (isClosed) return;
    event.preventDefault();
    void close().finally(() => {
      isClosed = true;
      app.quit();
    });
  });
  openWindow();
}

void main();
