// The whole Electron door, run against a stand-in made from Electron's own type file, over a real workstation: what it opens,
// what it refuses, how it ends.

import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, describe as group, test, vi } from 'vitest';
import { type Call, type StandIn, standIn, standInClass } from '../../../doubles/electron-standin.ts';
import { eventually } from '../../../support/running-workstation.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

const PAGE = 'app://isoline/index.html';

let folder: TempFolder;
let calls: Call[];
let electron: ReturnType<typeof makeElectron>;
let answer: number;
let isPackaged: boolean;
const argv = process.argv;
/** The door listens to the signal that ends a session; the process of the tests is ended by it, too. */
const listeners = process.listeners('SIGTERM');

function makeElectron() {
  const mainFrame = { url: PAGE };
  const contents: StandIn[] = [];
  const makeContents = (): StandIn => {
    const made = standIn('WebContents', calls, { mainFrame, getURL: () => PAGE, isDestroyed: () => false });
    contents.push(made);
    return made;
  };
  const BrowserWindow = standInClass(
    'BrowserWindow',
    calls,
    () => ({
      webContents: makeContents(),
      getNormalBounds: () => ({ x: 40, y: 50, width: 1300, height: 820 }),
      isMaximized: () => true,
      isMinimized: () => false,
    }),
    { getAllWindows: () => BrowserWindow.made },
  );
  const app = standIn('App', calls, {
    get isPackaged() {
      return isPackaged;
    },
    requestSingleInstanceLock: () => true,
    whenReady: async () => undefined,
    getLocale: () => 'es-MX',
    getPath: () => folder.path,
    commandLine: standIn('CommandLine', calls),
  });
  return {
    app,
    BrowserWindow,
    contents,
    mainFrame,
    dialog: standIn('Dialog', calls, { showMessageBox: async () => ({ response: answer }) }),
    ipcMain: standIn('IpcMain', calls),
    Menu: standInClass('Menu', calls, undefined, {
      setApplicationMenu: undefined,
      buildFromTemplate: (template: unknown) => template,
    }),
    nativeImage: { createFromPath: () => ({}) },
    powerMonitor: standIn('PowerMonitor', calls),
    powerSaveBlocker: standIn('PowerSaveBlocker', calls, { start: () => 7, stop: () => true }),
    protocol: standIn('Protocol', calls),
    safeStorage: standIn('SafeStorage', calls, { isAsyncEncryptionAvailable: async () => false }),
    screen: standIn('Screen', calls, {
      getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }],
    }),
    session: {
      defaultSession: standIn('Session', calls, { webRequest: standIn('WebRequest', calls) }),
      fromPartition(...args: unknown[]) {
        calls.push({ name: 'Session.fromPartition', args });
        return standIn('Session', calls, { fetch: async () => new Response('', { status: 404 }) });
      },
    },
    Tray: standInClass('Tray', calls),
  };
}

const named = (name: string): Call[] => calls.filter((call) => call.name === name);
const lastOf = (name: string): Call | undefined => named(name).at(-1);

/** The arguments of the first call. */
function argsOf<T extends readonly unknown[]>(name: string): T {
  const [call] = named(name);
  if (call === undefined) throw new Error(`${name} was not called`);
  return call.args as T;
}

async function start(...more: string[]): Promise<void> {
  process.argv = [
    ...argv.slice(0, 2),
    '--data-dir',
    join(folder.path, 'data'),
    '--service-port',
    '0',
    ...more,
  ];
  vi.doMock('electron', () => electron);
  vi.doMock('../../../../main/product/product.ts', async (importActual) => ({
    ...(await importActual<object>()),
    rendererFolder: join(folder.path, 'renderer'),
  }));
  await import('../../../../main/host/electron/electron.ts');
  await eventually(
    async () => named('BrowserWindow.loadURL')[0] ?? lastOf('App.exit'),
    'a window or the end',
  );
}

/** As Electron does it: those who listen may keep it from happening. */
function quitEvent(): { preventDefault(): void; isPrevented: boolean } {
  const event = {
    isPrevented: false,
    preventDefault: () => {
      event.isPrevented = true;
    },
  };
  return event;
}

async function end(): Promise<void> {
  const event = quitEvent();
  const before = named('App.quit').length;
  electron.app.emit('before-quit', event);
  expect(event.isPrevented).toBe(true);
  await eventually(async () => (named('App.quit').length > before ? true : undefined), 'the end');
  // The second time nothing keeps it back.
  const second = quitEvent();
  electron.app.emit('before-quit', second);
  expect(second.isPrevented).toBe(false);
}

beforeEach(async () => {
  vi.resetModules();
  folder = await tempFolder();
  mkdirSync(join(folder.path, 'renderer'));
  writeFileSync(join(folder.path, 'renderer', 'index.html'), '<p nonce="__NONCE__"></p>');
  calls = [];
  answer = 0;
  isPackaged = false;
  electron = makeElectron();
});
afterEach(async () => {
  process.argv = argv;
  for (const listener of process.listeners('SIGTERM'))
    if (!listeners.includes(listener)) process.off('SIGTERM', listener);
  vi.doUnmock('electron');
  vi.doUnmock('../../../../main/product/product.ts');
  await folder.remove();
});

/** What a page asks and hears, over the channel of the preload. */
function page(): { ask(name: string, input?: object): Promise<unknown>; sent(): unknown[] } {
  const [sender] = electron.contents;
  let id = 0;
  const sent = (): unknown[] => named('WebContents.send').map(({ args }) => args[1]);
  return {
    sent,
    ask(name, input = {}) {
      id++;
      const mine = id;
      electron.ipcMain.emit(
        'bridge',
        { sender, senderFrame: electron.mainFrame },
        { kind: 'call', id: mine, name, input },
      );
      return eventually(
        async () => sent().find((message) => (message as { id?: number }).id === mine) as object | undefined,
        name,
      );
    },
  };
}

async function record(): Promise<void> {
  const { ask } = page();
  const { output } = (await ask('desk.connect', { port: 'simulator:isoline-idp' })) as {
    output: { id: string };
  };
  await ask('desk.record', { id: output.id, durationMs: 60_000 });
  await eventually(async () => lastOf('PowerSaveBlocker.start'), 'a recording');
}

group('the Electron door', () => {
  test('opens one window, answers its page, and ends in order', async () => {
    await start();
    expect(lastOf('BrowserWindow.loadURL')?.args).toEqual([PAGE]);
    expect(named('new BrowserWindow').length).toBe(1);
    const [scheme, handle] = argsOf<[string, (request: object) => Response]>('Protocol.handle');
    expect([scheme, (await handle({ url: PAGE })).status]).toEqual(['app', 200]);
    const { ask } = page();
    expect(await ask('workstation.about')).toMatchObject({
      kind: 'answer',
      output: { isDemo: false },
    });
    // Whoever starts it again gets the window that is there, with the file that it was started with.
    writeFileSync(join(folder.path, 'ecg.edf'), '0');
    electron.app.emit('second-instance', {}, ['isoline', 'ecg.edf'], folder.path);
    await eventually(
      async () => (JSON.stringify(await ask('opened.list')).includes('ecg.edf') ? true : undefined),
      'the file',
    );
    expect(named('BrowserWindow.focus').length).toBe(1);
    expect(lastOf('Tray.setToolTip')?.args).toEqual(['Isoline: listo']);
    await end();
    expect(named('App.releaseSingleInstanceLock').length).toBe(1);
  });

  test('keeps the computer awake while something is recorded, and asks before it ends', async () => {
    await start();
    const { ask } = page();
    const connected = (await ask('desk.connect', { port: 'simulator:isoline-idp?rhythm=sinus' })) as {
      output: { id: string };
    };
    await eventually(
      async () => (JSON.stringify(await ask('desk.list')).includes('"state":"ready"') ? true : undefined),
      'a device that is ready',
    );
    expect(await ask('desk.record', { id: connected.output.id, durationMs: 60_000 })).toMatchObject({
      kind: 'answer',
    });
    await eventually(async () => lastOf('PowerSaveBlocker.start'), 'no sleep');
    expect(lastOf('PowerSaveBlocker.start')?.args).toEqual(['prevent-app-suspension']);
    expect(lastOf('Tray.setToolTip')?.args).toEqual(['Isoline: grabando']);
    // Somebody closes the window, and thinks better of it.
    const [window] = electron.BrowserWindow.made;
    const closing = quitEvent();
    window?.emit('close', closing);
    expect(closing.isPrevented).toBe(true);
    await eventually(async () => lastOf('Dialog.showMessageBox'), 'a question');
    expect(lastOf('Dialog.showMessageBox')?.args[0]).toMatchObject({ cancelId: 0, defaultId: 0 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(named('App.quit')).toEqual([]);
    expect(await ask('workstation.about')).toMatchObject({ kind: 'answer' });
    answer = 1;
    await end();
    // Where the window was is known the next time.
    expect(JSON.parse(readFileSync(join(folder.path, 'window.json'), 'utf8'))).toMatchObject({
      isMaximized: true,
    });
  });

  test('a computer that shuts down is not kept waiting by a question', async () => {
    await start();
    await record();
    electron.powerMonitor.emit('shutdown', quitEvent());
    await eventually(async () => lastOf('App.quit'), 'the end');
    expect(named('Dialog.showMessageBox')).toEqual([]);
  });

  test('opens where it was, if a screen is there', async () => {
    writeFileSync(
      join(folder.path, 'window.json'),
      JSON.stringify({ bounds: { x: 100, y: 80, width: 1400, height: 900 }, isMaximized: true }),
    );
    await start();
    expect(lastOf('new BrowserWindow')?.args[0]).toMatchObject({ x: 100, y: 80, width: 1400, height: 900 });
    electron.BrowserWindow.made[0]?.emit('ready-to-show');
    expect(named('BrowserWindow.maximize').length).toBe(1);
    await end();
  });

  test.each([
    [
      'on a screen that is gone',
      { bounds: { x: 5000, y: 80, width: 1400, height: 900 }, isMaximized: false },
    ],
    ['that somebody broke', { bounds: { x: 'a' } }],
  ])('a place %s is forgotten', async (_name, place) => {
    writeFileSync(join(folder.path, 'window.json'), JSON.stringify(place));
    await start();
    expect(lastOf('new BrowserWindow')?.args[0]).not.toHaveProperty('x');
    await end();
  });

  test('a page that keeps crashing is reloaded three times a minute, and no more', async () => {
    await start();
    const [contents] = electron.contents;
    for (let crash = 0; crash < 4; crash++) contents?.emit('render-process-gone');
    expect([named('BrowserWindow.loadURL').length, named('Dialog.showErrorBox').length]).toEqual([4, 1]);
    await end();
  });

  test('a data folder that cannot be used is said in one sentence, and ends it', async () => {
    writeFileSync(join(folder.path, 'data'), 'a file');
    await start();
    expect(named('Dialog.showErrorBox').length).toBe(1);
    expect(String(lastOf('Dialog.showErrorBox')?.args[1])).toMatch(/folder/);
    expect(lastOf('App.exit')?.args).toEqual([1]);
  });

  test('a question that nobody answers does not keep a computer from shutting down', async () => {
    await start();
    await record();
    electron.dialog = standIn('Dialog', calls, { showMessageBox: () => new Promise(() => undefined) });
    electron.app.emit('before-quit', quitEvent());
    const shutdown = quitEvent();
    electron.powerMonitor.emit('shutdown', shutdown);
    expect(shutdown.isPrevented).toBe(true);
    await eventually(async () => lastOf('App.quit'), 'the end');
  });

  test('the packaged program asks for releases through a session that lets requests out', async () => {
    isPackaged = true;
    const updater = Object.assign(new EventEmitter(), { setFeedURL: () => undefined });
    vi.doMock('electron-updater', () => ({ default: { autoUpdater: updater } }));
    const { electronInstaller } = await import('../../../../main/host/electron/updates.ts');
    const spy = vi.fn(electronInstaller);
    vi.doMock('../../../../main/host/electron/updates.ts', () => ({ electronInstaller: spy }));
    await start();
    await expect(
      electronInstaller(spy.mock.calls[0]?.[0] as never).read('http://127.0.0.1:9/release.json', 10),
    ).rejects.toMatchObject({ reason: 'update_unreachable' });
    expect(lastOf('Session.fromPartition')?.args).toEqual(['updates', { cache: false }]);
    expect(named('Session.fetch').length).toBe(1);
    expect(updater).toMatchObject({ autoDownload: false, allowDowngrade: false });
    vi.doUnmock('electron-updater');
    vi.doUnmock('../../../../main/host/electron/updates.ts');
    await end();
  });

  test('the menu goes to screens by their address alone', async () => {
    await start();
    const [menu] =
      argsOf<[{ label?: string; submenu?: { label?: string; click?: () => void }[] }[]]>(
        'Menu.buildFromTemplate',
      );
    const items = menu.flatMap(({ submenu }) => submenu ?? []);
    items.find(({ label }) => label === 'Guía del usuario')?.click?.();
    expect(lastOf('BrowserWindow.loadURL')?.args).toEqual([`${PAGE}#/help/user-guide`]);
    await end();
  });

  test('the stand-in refuses what Electron does not have', () => {
    expect(() => standIn('App', calls).quitt).toThrow('Electron’s App has no quitt');
    expect(() => standIn('PowerMonitor', calls).on?.('lock-screeen', () => undefined)).toThrow('no event');
    expect(() => standIn('App', calls, { getLokale: () => 'en' })).toThrow('no getLokale');
  });
});
