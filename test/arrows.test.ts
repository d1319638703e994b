import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from './support/test-data.ts';

/** [room, what it must not import]. A line here for every arrow that the architecture forbids. */
const FORBIDDEN: readonly (readonly [string, string])[] = [
  ...['analysis', 'report', 'formats'].flatMap((room) =>
    ['clinic/ports.ts', 'store/store.ts', 'host/pool.ts', 'bridge/handlers.ts', 'service/service.ts'].map(
      (target) => [`main/${room}`, `../${target}`] as const,
    ),
  ),
  ['main/analysis', '../formats/read-record.ts'],
  ['main/formats', '../analysis/analyse.ts'],
  ['main/report', '../analysis/analyse.ts'],
  ...['analysis', 'report', 'formats', 'clinic'].map((room) => [`main/${room}`, 'node:fs'] as const),
  ...[
    'store/store.ts',
    'service/service.ts',
    'bridge/handlers.ts',
    'host/workstation.ts',
    'analysis/analyse.ts',
    'report/report.ts',
    'formats/read-record.ts',
  ].map((target) => ['main/clinic', `../${target}`] as const),
  ['main/clinic', 'better-sqlite3'],
  ['main/bridge', '../service/service.ts'],
  ['main/bridge', '../store/store.ts'],
  ['main/bridge', '../host/workstation.ts'],
  ['main/service', '../bridge/handlers.ts'],
  ['main/service', '../store/store.ts'],
  ['main/service', '../analysis/analyse.ts'],
  ['main/service', '../host/pool.ts'],
  ['main/device', '../service/service.ts'],
  ['main/device', '../store/store.ts'],
  ['main/device', '../formats/read-record.ts'],
  ['main/device', '../host/workstation.ts'],
  ['main/sync', '../service/service.ts'],
  ['main/sync', '../store/store.ts'],
  ['main/sync', '../bridge/handlers.ts'],
  ['main/sync', '../device/desk.ts'],
  ['main/sync', '../host/workstation.ts'],
  ['main/sync', '../formats/read-record.ts'],
  ['main/store', '../service/service.ts'],
  ['main/store', '../bridge/handlers.ts'],
  ['main/store', '../host/workstation.ts'],
  ['main/store', '../formats/read-record.ts'],
  ['main/host', '../../renderer/app.tsx'],
  ['shared', '../main/clinic/ports.ts'],
  ['shared', '../renderer/app.tsx'],
  ['shared', 'node:fs'],
  ['shared/signal', 'node:path'],
  ['preload', '../main/host/electron-bridge.ts'],
  ['preload', '../renderer/app.tsx'],
  ['preload', '../shared/signal/recording.ts'],
  ['renderer', '../main/clinic/ports.ts'],
  ['renderer', '../preload/preload.ts'],
  ['renderer', 'node:fs'],
  ['renderer', 'electron'],
];

const biome = join(projectRoot, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
const probeOf = (folder: string, index: number): string => join(projectRoot, folder, `zz-arrow-probe-${process.pid}-${index}.ts`);

/** One file with one import in each room, judged in one run. An allowed import among them must pass, else refusals mean nothing. */
const PROBES = [...FORBIDDEN, ['main/clinic', '../../shared/bridge/contract.ts'] as const, ['main/service', '../clinic/ports.ts'] as const];

describe('arrows of the house', () => {
  let refused: Map<string, string>;

  beforeAll(() => {
    const paths = PROBES.map(([folder, target], index) => {
      writeFileSync(probeOf(folder, index), `export * from '${target}';\n`);
      return probeOf(folder, index);
    });
    const run = spawnSync(
      process.execPath,
      [biome, 'lint', '--vcs-use-ignore-file=false', '--max-diagnostics=none', '--reporter=github', ...paths],
      { cwd: projectRoot, encoding: 'utf8' },
    );
    expect(run.status).toBe(1);
    const lines = (run.stdout + run.stderr).split('\n');
    refused = new Map(
      PROBES.map(([folder], index) => [
        probeOf(folder, index),
        lines.filter((line) => line.includes(basename(probeOf(folder, index)))).join('\n'),
      ]),
    );
  });

  afterAll(() => {
    for (const [index, [folder]] of PROBES.entries()) rmSync(probeOf(folder, index), { force: true });
  });

  test.each(FORBIDDEN.map(([folder, target], index) => [folder, target, index] as const))(
    '%s may not import %s',
    (folder, _target, index) => {
      expect(refused.get(probeOf(folder, index))).toMatch(/noRestrictedImports|noNodejsModules/);
    },
  );

  test('allowed imports pass', () => {
    for (const index of [FORBIDDEN.length, FORBIDDEN.length + 1]) expect(refused.get(probeOf(PROBES[index]![0], index))).toBe('');
  });

  test('no type is imported by an expression across an arrow, which the lint rule does not see', () => {
    const found: string[] = [];
    for (const entry of readdirSync(projectRoot, { recursive: true, withFileTypes: true })) {
      const path = relative(projectRoot, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
      if (!entry.isFile() || !/^(main|shared|preload|renderer)\/.*\.tsx?$/.test(path)) continue;
      for (const [, target] of readFileSync(join(projectRoot, path), 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g)) {
        const to = relative(projectRoot, resolve(projectRoot, dirname(path), target as string)).replaceAll('\\', '/');
        const room = (name: string): string =>
          name.startsWith('main/') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] ?? '');
        if (room(path) !== room(to)) found.push(`${path} → ${to}`);
      }
    }
    expect(found).toEqual([]);
  });

  test('every room that a rule names exists', () => {
    expect(FORBIDDEN.map(([folder]) => folder).filter((folder) => !existsSync(join(projectRoot, folder)))).toEqual([]);
  });
});

describe('what is installed (SEC85)', () => {
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { resolved?: string; hasInstallScript?: boolean; version?: string }>;
  };

  test('the lock file names no addresses', () => {
    expect(Object.values(lock.packages).filter((entry) => entry.resolved?.startsWith('http'))).toEqual([]);
  });

  test('only known packages would run scripts, and none does', () => {
    const scripted = Object.entries(lock.packages)
      .filter(([, entry]) => entry.hasInstallScript === true)
      .map(([name]) => name);
    // The native part of serial ports lies in its package; the script would only look for it.
    expect(scripted).toEqual(['node_modules/@serialport/bindings-cpp', 'node_modules/electron-winstaller']);
    expect(readFileSync(join(projectRoot, '.npmrc'), 'utf8')).toContain('ignore-scripts=true');
  });

  test('versions are exact', () => {
    const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'])
      for (const version of Object.values(manifest[kind])) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
