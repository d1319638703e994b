// What the lock file brings onto a computer.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from './support/test-data.ts';

describe('what is installed (SEC85)', () => {
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<
      string,
      { resolved?: string; hasInstallScript?: boolean; version?: string; license?: string; dev?: boolean }
    >;
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

  test('every licence is one that allows what we do (SEC86)', () => {
    const allowed = new Set([
      'MIT',
      'ISC',
      'Apache-2.0',
      'BSD-2-Clause',
      'BSD-3-Clause',
      '0BSD',
      'BlueOak-1.0.0',
      'Python-2.0',
      'OFL-1.1',
      '(MIT AND Zlib)',
    ]);
    const shipped = Object.entries(lock.packages).filter(([name, { dev }]) => name !== '' && dev !== true);
    expect(shipped.length).toBeGreaterThan(100);
    // Its file says MIT, its manifest nothing.
    const known: Readonly<Record<string, string>> = { 'node_modules/png-js': 'MIT' };
    expect(
      shipped
        .filter(([name, { license }]) => !allowed.has(license ?? known[name] ?? ''))
        .map(([name]) => name),
    ).toEqual([]);
    const used = Object.values(lock.packages).map(({ license }) => license ?? '');
    expect(used.filter((license) => /\bA?GPL/.test(license))).toEqual([]);
  });

  test('versions are exact', () => {
    const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'])
      for (const version of Object.values(manifest[kind])) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
