import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answerPage } from '../../../../main/host/electron/app-protocol.ts';
import { isTrustedSender } from '../../../../main/host/electron/ipc-bridge.ts';
import { switchAutomaticUpdatesOff, type Updater } from '../../../../main/host/electron/updates.ts';
import {
  isAllowedPermission,
  isAllowedRequest,
  isOwnPage,
  windowOptions,
} from '../../../../main/host/electron/window.ts';
import type { PageFiles } from '../../../../main/host/page/renderer-files.ts';
import { projectRoot } from '../../../support/test-data.ts';

describe('Electron door', () => {
  test('every window has exactly the options of SEC1', () => {
    expect(windowOptions('/preload.cjs', true).webPreferences).toEqual({
      preload: '/preload.cjs',
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
      devTools: false,
      safeDialogs: true,
    });
  });

  test('windows are made in one place only, and nothing loads remote pages', () => {
    const files = ['main', 'preload', 'shared']
      .flatMap((folder) => readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'));
    const using = (pattern: RegExp): string[] =>
      files
        .filter((entry) => pattern.test(readFileSync(join(entry.parentPath, entry.name), 'utf8')))
        .map((entry) => entry.name);
    expect(using(/new BrowserWindow\(|WebContentsView/)).toEqual(['electron.ts']);
    expect(using(/loadURL\((?!`\$\{PAGE_ORIGIN\})/)).toEqual([]);
    expect(using(/loadFile\(|openExternal|setUsePlainTextEncryption|exposeInIsolatedWorld/)).toEqual([]);
  });

  test('the glue stays thin', () => {
    const lines = readFileSync(join(projectRoot, 'main/host/electron/electron.ts'), 'utf8').split(
      '\n',
    ).length;
    expect(lines).toBeGreaterThan(100);
    expect(lines).toBeLessThan(300);
  });

  test.each([
    ['app://isoline/index.html', true],
    ['app://isoline/', true],
    ['app://isoline.evil/', false],
    ['app://evil/isoline', false],
    ['http://isoline/', false],
    ['file:///app://isoline/', false],
    ['app:isoline', false],
    ['', false],
    ['app://isoline@evil/', false],
  ])('%s is a page of ours: %s (SEC11)', (address, isOurs) => {
    expect(isOwnPage(address as string)).toBe(isOurs);
  });

  test.each([
    ['app://isoline/assets/a.js', true],
    ['blob:app://isoline/uuid', true],
    ['data:image/png;base64,x', true],
    ['data:text/html,x', false],
    ['https://example.org/', false],
    ['file:///etc/passwd', false],
    ['ws://127.0.0.1:1/', false],
    ['devtools://x', false],
  ])('a page may ask for %s: %s (SEC7)', (address, isAllowed) => {
    expect(isAllowedRequest(address as string, true)).toBe(isAllowed);
  });

  test('of all permissions that Electron knows two are given, and to our own page alone (SEC5)', () => {
    const types = readFileSync(join(projectRoot, 'node_modules', 'electron', 'electron.d.ts'), 'utf8');
    // The list grows with Electron: it is read where it stands.
    const [, union = ''] =
      /setPermissionRequestHandler\(handler: \(\(webContents: WebContents, permission: ([^,]+),/.exec(
        types,
      ) ?? [];
    const names = [...union.matchAll(/'([^']+)'/g)].map(([, name]) => name as string);
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => isAllowedPermission(name, 'app://isoline/index.html'))).toEqual([
      'clipboard-sanitized-write',
      'notifications',
    ]);
    for (const page of ['https://example.org/', 'app://isoline.evil/', ''])
      expect(names.filter((name) => isAllowedPermission(name, page))).toEqual([]);
  });

  test('messages of subframes, of foreign pages and of nobody are not heard', () => {
    const mainFrame = { url: 'app://isoline/index.html' };
    type Sender = Parameters<typeof isTrustedSender>[0];
    const from = (senderFrame: { url: string } | null, frame = mainFrame): Sender =>
      ({ sender: { mainFrame: frame }, senderFrame }) as unknown as Sender;
    expect(isTrustedSender(from(mainFrame))).toBe(true);
    expect(isTrustedSender(from({ url: 'app://isoline/index.html' }))).toBe(false);
    expect(isTrustedSender(from(null))).toBe(false);
    const evil = { url: 'app://isoline.evil/' };
    expect(isTrustedSender(from(evil, evil))).toBe(false);
  });

  test('app:// answers exact names of the built list and nothing else (SEC2)', async () => {
    const files: PageFiles = new Map([
      ['/index.html', { bytes: Buffer.from('<p nonce="__NONCE__">'), type: 'text/html; charset=utf-8' }],
      ['/a/b.js', { bytes: Buffer.from('1'), type: 'text/javascript' }],
    ]);
    const page = answerPage(files, 'app://isoline/index.html');
    expect([page.status, (await page.text()).includes('__NONCE__')]).toEqual([200, false]);
    expect(page.headers.get('content-security-policy')).toContain("connect-src 'self'");
    expect(answerPage(files, 'app://isoline/a/b.js?x#y').status).toBe(200);
    for (const path of [
      'a/../index.html',
      '../index.html',
      '%2e%2e/index.html',
      'a%5cb.js',
      'a%2fb.js',
      'index.html%00',
      'none',
      '/index.html',
    ])
      expect(answerPage(files, `app://isoline/${path}`).status, path).toBe(404);
    expect(answerPage(files, 'app://evil/index.html').status).toBe(404);
  });

  test('no update happens by itself, and the channel is set before downgrades are forbidden (SEC82)', () => {
    const order: string[] = [];
    const updater = new Proxy({} as Updater, {
      set: (target, key, value) => Reflect.set(target, key, value) && order.push(String(key)) > 0,
    });
    switchAutomaticUpdatesOff(updater);
    expect(updater).toMatchObject({
      autoDownload: false,
      autoInstallOnAppQuit: false,
      allowDowngrade: false,
      allowPrerelease: false,
      disableWebInstaller: true,
    });
    expect(order.indexOf('allowDowngrade')).toBeGreaterThan(order.indexOf('channel'));
  });

  test('the module electron is imported by the door and the preload alone, so that no test starts its download', () => {
    expect(existsSync(join(projectRoot, 'main/host/electron/electron.ts'))).toBe(true);
    const files = ['main', 'preload', 'shared', 'renderer']
      .flatMap((folder) => readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name));
    const importing = files
      .filter((entry) =>
        /^import (?!type)[^;]* from 'electron'/m.test(
          readFileSync(join(entry.parentPath, entry.name), 'utf8'),
        ),
      )
      .map((entry) => entry.name);
    expect(importing.sort()).toEqual(['electron.ts', 'preload.ts']);
  });
});
