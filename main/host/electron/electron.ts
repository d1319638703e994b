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
  nativeImage,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  Tray,
} from 'electron';
import updaters from 'electron-updater';
import { IsolineError } from '../../../shared/errors.ts';
import type { HostInstaller } from '../../bridge/installer-link.ts';
import type { Seal } from '../../connections/key-store.ts';
import type { Desk } from '../../device/desk.ts';
import { projectRoot, rendererFolder } from '../../product/product.ts';
import { defaultDataFolder } from '../default-data-folder.ts';
import { attachDesk, connectPage, openDesk } from '../desk-host.ts';
import { openWith } from '../open-with.ts';
import { loadRenderer, type PageFiles } from '../page/renderer-files.ts';
import { keepSeatDoor, type SeatDoor } from '../seats/seat-door.ts';
import { startWorkstation, type Workstation } from '../workstation.ts';
import { startAppImage } from './app-image.ts';
import { answerPage } from './app-protocol.ts';
import { chooseBluetooth } from './bluetooth-choice.ts';
import { closeSession, refuseNavigation } from './closed-session.ts';
import { Ending } from './ending.ts';
import { serveBridge } from './ipc-bridge.ts';
import { menuTemplate } from './menu.ts';
import { openTray, stayAwake, watchRecording } from './recording-state.ts';
import { electronInstaller, type InstallerParts } from './updates.ts';
import { CrashCount, PAGE_ORIGIN, PAGE_SCHEME, windowOptions } from './window.ts';
import { isReachable, keepPlace, readPlace } from './window-place.ts';
import { type HostWords, wordsFor } from './words.ts';

const { values } = parseArgs({
  options: { 'data-dir': { type: 'string' }, 'service-port': { type: 'string' }, seats: { type: 'boolean' } },
  strict: false,
});

app.enableSandbox();
// On Linux the engine counts it among what is tried out.
if (process.platform === 'linux') app.commandLine.appendSwitch('enable-blink-features', 'WebBluetooth');
protocol.registerSchemesAsPrivileged([
  {
    scheme: PAGE_SCHEME,
    privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
  },
]);

const placeFile = (): string => join(app.getPath('userData'), 'window.json');

function reloadAfterCrash(window: BrowserWindow): void {
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
}

/** @param onClose may keep it open */
function openWindow(onClose: (event: Electron.Event) => void): BrowserWindow {
  const place = readPlace(placeFile());
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const isThere = place !== undefined && isReachable(place, areas);
  const window = new BrowserWindow({
    ...windowOptions(join(projectRoot, 'dist', 'preload', 'preload.cjs'), app.isPackaged),
    ...(isThere && place.bounds),
  });
  // Its shortcuts work all the same.
  window.setMenuBarVisibility(false);
  window.once('ready-to-show', () => {
    if (isThere && place.isMaximized) window.maximize();
    window.show();
  });
  window.on('close', (event) => {
    onClose(event);
    // While something is recorded this thread touches no disk, and the window stays.
    if (!event.defaultPrevented) keepPlace(placeFile(), window);
  });
  reloadAfterCrash(window);
  chooseBluetooth(window.webContents, dialog, wordsFor(app.getLocale()));
  void window.loadURL(`${PAGE_ORIGIN}/index.html`);
  return window;
}

function showWindow(): void {
  const [window] = BrowserWindow.getAllWindows();
  if (window?.isMinimized() === true) window.restore();
  window?.show();
  window?.focus();
}

/** The page stays the one that it is; only what stands behind `#` changes. */
function go(place: string): void {
  showWindow();
  void BrowserWindow.getAllWindows()[0]?.loadURL(`${PAGE_ORIGIN}/index.html#/${place}`);
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

type InstallerNeeds = Pick<InstallerParts, 'close' | 'isRecording'>;

const installerOf = (needs: InstallerNeeds): HostInstaller =>
  electronInstaller({
    ...needs,
    updater: updaters.autoUpdater,
    // A session of its own: that of the pages lets nothing out.
    fetch: (url, init) => session.fromPartition('updates', { cache: false }).fetch(url, init),
    relaunch() {
      const { APPIMAGE: appImage } = process.env;
      if (appImage === undefined) app.relaunch();
      else startAppImage(appImage);
      app.exit(0);
    },
  });

interface Running {
  readonly workstation: Workstation;
  readonly desk: Desk;
  readonly seats: SeatDoor;
}

/**
 * By a double click or on the icon, before there is a window and while there is one. What is opened before the
 * workstation is there waits for it.
 */
function takeOpenedFiles(started: Promise<Workstation>): void {
  const take = (args: readonly string[], folder: string): void =>
    void started
      .then((workstation) => openWith(workstation, args, folder))
      // The clinic thread is just being started again: whoever opened it opens it again.
      .catch(() => undefined);
  // The first arguments are the program, and its sources where it runs from them.
  take(process.argv.slice(app.isPackaged ? 1 : 2), process.cwd());
  app.on('open-file', (event, path) => {
    event.preventDefault();
    take([path], '/');
  });
  app.on('second-instance', (_event, argv, folder) => {
    showWindow();
    take(argv.slice(1), folder);
  });
}

async function start(pages: PageFiles, needs: InstallerNeeds): Promise<Running> {
  const servicePort = typeof values['service-port'] === 'string' ? Number(values['service-port']) : undefined;
  const seal = await keyStore();
  const workstation = await startWorkstation({
    dataDir: typeof values['data-dir'] === 'string' ? values['data-dir'] : defaultDataFolder(),
    port: servicePort,
    isServiceOptional: true,
    hasFirstStart: true,
    ...(values.seats === true && { overrides: [['seats.on', 'true']] as const }),
    ...(seal !== undefined && { seal }),
    // From its sources it is not what could be replaced.
    ...(app.isPackaged && { installer: installerOf(needs) }),
    onTrouble: (sentence) => void dialog.showMessageBox({ type: 'warning', message: sentence }),
  });
  protocol.handle(PAGE_SCHEME, (request) => answerPage(pages, request.url));
  const desk = await openDesk(workstation);
  serveBridge(ipcMain, () => connectPage(workstation, desk));
  powerMonitor.on('lock-screen', () => void desk.lockPages());
  return { workstation, desk, seats: keepSeatDoor(workstation, attachDesk(desk), pages) };
}

function showState(desk: Desk, words: HostWords): void {
  const icon = nativeImage.createFromPath(join(rendererFolder, 'tray.png'));
  const setTray = openTray({
    electron: { Tray, Menu },
    icon,
    words,
    show: showWindow,
    quit: () => app.quit(),
  });
  const setAwake = stayAwake(powerSaveBlocker);
  watchRecording(desk, (isOn) => {
    setTray(isOn);
    setAwake(isOn);
  });
}

async function main(): Promise<void> {
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  refuseNavigation(app);
  const { promise: started, resolve: setStarted } = Promise.withResolvers<Workstation>();
  takeOpenedFiles(started);
  await app.whenReady();
  closeSession(session.defaultSession, app.isPackaged);
  const words = wordsFor(app.getLocale());
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(words, process.platform, go)));
  let running: Running | undefined;
  const isBusy = (): boolean => running?.desk.isRecording === true;
  const ending = new Ending({
    app,
    dialog,
    words,
    isRecording: isBusy,
    async closeAll() {
      // What is being recorded ends in order, whatever becomes of the rest.
      await running?.desk.close();
      await running?.seats[Symbol.asyncDispose]();
      await running?.workstation.close();
    },
  });
  try {
    running = await start(loadRenderer(rendererFolder), {
      close: ending.close,
      isRecording: isBusy,
    });
  } catch (error) {
    // The border of the program: one sentence, then the end.
    dialog.showErrorBox(
      'Isoline',
      error instanceof IsolineError
        ? error.message
        : 'Isoline could not start. Start it again; if that does not help, ask for help with the log at hand.',
    );
    app.exit(1);
    return;
  }
  const { desk, workstation } = running;
  setStarted(workstation);
  showState(desk, words);
  /** The computer waits until it is closed; the type file does not name the event of its power monitor. */
  const endAtOnce = (event?: { preventDefault(): void }): void => {
    if (ending.isClosed) return;
    event?.preventDefault();
    void ending.end(false);
  };
  const open = (): BrowserWindow =>
    openWindow((event) => {
      if (ending.isClosed || !isBusy()) return;
      event.preventDefault();
      void ending.end();
    }).on('query-session-end', endAtOnce);
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) open();
  });
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (ending.isClosed) return;
    event.preventDefault();
    void ending.end();
  });
  // Windows ends a session by its windows, the others by the power monitor, a session of Linux by a signal.
  powerMonitor.on('shutdown', endAtOnce);
  process.on('SIGTERM', () => void ending.end(false));
  open();
}

void main();
