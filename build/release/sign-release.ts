// Writes the signed list of a release beside its installers, and makes the keys for it (docs/releasing.md).

import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RELEASE_LIST, RELEASE_SIGNATURE, type ReleaseList } from '../../main/updates/release-list.ts';

/** What people install and the updater fetches. */
const INSTALLER = /\.(exe|dmg|zip|AppImage|deb|rpm)$/;
const DAY_MS = 86_400_000;

export interface ReleaseKeys {
  /** 32 bytes in base64, for `main/product/release-keys.ts`. */
  readonly publicKey: string;
  /** PKCS #8, PEM; kept where no computer on a network can read it. */
  readonly privateKey: string;
}

export function makeReleaseKeys(): ReleaseKeys {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

export type ReleaseFacts = Pick<ReleaseList, 'version' | 'minimumVersion' | 'notes'> & {
  readonly nowMs: number;
  /** Within these the list is signed again, or clinics are told that they cannot verify it any more. */
  readonly lifeDays: number;
};

/** @returns the names of the files that are listed */
export function signRelease(
  folder: string,
  { nowMs, lifeDays, ...facts }: ReleaseFacts,
  key: KeyObject,
): readonly string[] {
  const files = readdirSync(folder)
    .filter((name) => INSTALLER.test(name))
    .sort()
    .map((name) => {
      const bytes = readFileSync(join(folder, name));
      return { name, sizeBytes: bytes.length, sha512: createHash('sha512').update(bytes).digest('base64') };
    });
  const list: ReleaseList = {
    product: 'isoline',
    channel: 'latest',
    ...facts,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: new Date(nowMs + lifeDays * DAY_MS).toISOString(),
    files,
  };
  const bytes = Buffer.from(`${JSON.stringify(list, null, 2)}\n`);
  writeFileSync(join(folder, RELEASE_LIST), bytes);
  writeFileSync(join(folder, RELEASE_SIGNATURE), `${sign(null, bytes, key).toString('base64')}\n`);
  return files.map(({ name }) => name);
}
