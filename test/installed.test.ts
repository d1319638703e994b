// What the lock file brings onto a computer.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { billOfMaterials, shippedParts, thirdPartyNotices } from '../build/release/shipped-parts.ts';
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
    // The native part of serial ports lies in its package, and the script would only look for it; that of core-js-pure,
    // which dcmjs needs, would print a request for money.
    expect(scripted).toEqual([
      'node_modules/@serialport/bindings-cpp',
      'node_modules/core-js-pure',
      'node_modules/electron-winstaller',
    ]);
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
      '(MIT OR CC0-1.0)',
      '(MIT OR Apache-2.0)',
    ]);
    const shipped = shippedParts(projectRoot);
    expect(shipped.length).toBeGreaterThan(100);
    expect(shipped.filter(({ licence }) => !allowed.has(licence)).map(({ name }) => name)).toEqual([]);
    const used = Object.values(lock.packages).map(({ license }) => license ?? '');
    expect(used.filter((license) => /\bA?GPL/.test(license))).toEqual([]);
  });

  test('what is shipped is told, with its licence: to people, and to programs that look for known faults (SEC86)', () => {
    const shipped = shippedParts(projectRoot).map(({ name, version }) => `${name} ${version}`);
    // Packed, bundled into the screens, bundled into the main part, and what those stand on.
    for (const name of ['better-sqlite3', 'react', 'chart.js', '@zip.js/zip.js', 'scheduler', 'electron'])
      expect(
        shipped.some((each) => each.startsWith(`${name} `)),
        name,
      ).toBe(true);
    // Tools stay here.
    for (const name of ['vite', 'vitest', 'typescript', 'electron-builder', 'playwright-core'])
      expect(
        shipped.some((each) => each.startsWith(`${name} `)),
        name,
      ).toBe(false);
    const notices = thirdPartyNotices(projectRoot);
    expect(shipped.filter((each) => !notices.includes(`${each} · `))).toEqual([]);
    expect(notices).toContain('SIL OPEN FONT LICENSE');
    expect(notices).toContain('Copyright (c) Meta Platforms');
    const bom = JSON.parse(billOfMaterials(projectRoot)) as {
      bomFormat: string;
      components: { name: string; version: string; hashes?: unknown[] }[];
    };
    expect(bom.bomFormat).toBe('CycloneDX');
    expect([...new Set(bom.components.map(({ name, version }) => `${name} ${version}`))].sort()).toEqual(
      [...new Set(shipped)].sort(),
    );
    expect(bom.components.filter(({ hashes }) => hashes === undefined)).toEqual([]);
  });

  test('versions are exact', () => {
    const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'])
      for (const version of Object.values(manifest[kind])) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
