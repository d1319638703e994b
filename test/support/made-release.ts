// A release as it is published: an AppImage of a few lines that notes that it was started, the feed that
// electron-builder would write, and the signed list by the program that signs releases.

import { createHash, createPrivateKey } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeReleaseKeys, type ReleaseKeys, signRelease } from '../../build/release/sign-release.ts';

export const RELEASE_PAIR: ReleaseKeys = makeReleaseKeys();

export interface MadeRelease {
  readonly version?: string;
  readonly minimumVersion?: string;
  readonly nowMs?: number;
  readonly lifeDays?: number;
  readonly keys?: ReleaseKeys;
  readonly paddingBytes?: number;
  /** What is written into the feed besides. */
  readonly feed?: string;
}

export const appImageName = (version: string): string => `Isoline-${version}-linux-x86_64.AppImage`;

/** A program that writes its version beside itself when it is started. */
export function writeAppImage(path: string, version: string, paddingBytes = 0): void {
  writeFileSync(path, `#!/bin/sh\necho ${version} > "$0.started"\nexit 0\n${'#'.repeat(paddingBytes)}\n`);
  chmodSync(path, 0o755);
}

export function writeFeed(folder: string, version: string, more = ''): void {
  const name = appImageName(version);
  const bytes = readFileSync(join(folder, name));
  const sha512 = createHash('sha512').update(bytes).digest('base64');
  writeFileSync(
    join(folder, 'latest-linux.yml'),
    `version: ${version}\nfiles:\n  - url: ${name}\n    sha512: ${sha512}\n    size: ${bytes.length}\npath: ${name}\nsha512: ${sha512}\nreleaseDate: '2026-11-25T09:00:00.000Z'\n${more}`,
  );
}

export function makeRelease(folder: string, made: MadeRelease = {}): void {
  const { version = '9.1.0', keys = RELEASE_PAIR, nowMs = Date.now(), lifeDays = 30 } = made;
  mkdirSync(folder, { recursive: true });
  writeAppImage(join(folder, appImageName(version)), version, made.paddingBytes);
  writeFeed(folder, version, made.feed);
  const notes = { en: 'Measures QT on more leads.', es: 'Mide el QT en más derivaciones.' };
  const { minimumVersion = '0.1.0' } = made;
  signRelease(folder, { version, minimumVersion, notes, nowMs, lifeDays }, createPrivateKey(keys.privateKey));
}
