// Releases as the domain sees them: read from a server or a folder, checked against their signature, and the installers
// that are kept.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { IsolineError } from '../../shared/errors.ts';
import type { Releases } from '../clinic/ports.ts';
import type { Release, ReleaseSource } from '../clinic/updates/records.ts';
import { serveReleaseFolder } from './release-folder.ts';
import { RELEASE_LIST, RELEASE_SIGNATURE, readReleaseList } from './release-list.ts';

const MAX_LIST_BYTES = 64 * 1024;
/** The folder of installers, under the data folder. */
const KEPT_INSTALLERS = 'updates';

export interface ReleasesOptions {
  readonly dataDir: string;
  /** The keys of those who may publish releases: Ed25519 public keys in base64. */
  readonly keys: readonly string[];
  readonly nowMs: () => number;
  /** Downloads `maxBytes` at most, the way the host reaches the network. @throws IsolineError `update_unreachable` */
  readonly fetchBytes: (url: string, maxBytes: number) => Promise<Uint8Array>;
}

async function readFromFolder(folder: string, name: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(join(folder, name));
    if (size <= MAX_LIST_BYTES) return await readFile(join(folder, name));
  } catch {
    // What keeps it from being read makes no difference to whoever chose the folder.
  }
  throw new IsolineError(
    'update_unreachable',
    'There is no release of Isoline in this folder. Choose the folder with the file release.json.',
  );
}

async function sha512Of(path: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(path), hash);
  return hash.digest('base64');
}

const damaged = (): IsolineError =>
  new IsolineError(
    'update_damaged',
    'The new version did not arrive as it was published. Nothing was installed. Try again, or get it from somewhere else.',
  );

/** @throws IsolineError `update_damaged` */
async function check(release: Release, path: string): Promise<void> {
  const file = release.files.find(({ name }) => name === basename(path));
  if (file === undefined) throw damaged();
  const sizeBytes = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  if (sizeBytes !== file.sizeBytes || (await sha512Of(path)) !== file.sha512) throw damaged();
}

/** By version; of others than these two nothing stays. */
async function keep(
  folder: string,
  versions: { readonly coming: string; readonly running: string },
  path: string,
): Promise<void> {
  const { coming, running } = versions;
  await mkdir(join(folder, coming), { recursive: true, mode: 0o700 });
  const kept = join(folder, coming, basename(path));
  // Half a copy would be named as the way back.
  await copyFile(path, `${folder}.part`);
  await rename(`${folder}.part`, kept);
  for (const name of await readdir(folder))
    if (name !== coming && name !== running) await rm(join(folder, name), { recursive: true, force: true });
}

async function keptIn(folder: string): Promise<string | undefined> {
  try {
    const [name] = await readdir(folder);
    return name === undefined ? undefined : join(folder, name);
  } catch {
    // There is none: the version was not installed by an update.
    return undefined;
  }
}

export function openReleases({ dataDir, keys, nowMs, fetchBytes }: ReleasesOptions): Releases {
  const readPart = (source: ReleaseSource, name: string): Promise<Uint8Array> =>
    source.kind === 'folder'
      ? readFromFolder(source.path, name)
      : fetchBytes(`${source.url.replace(/\/+$/, '')}/${name}`, MAX_LIST_BYTES);
  return {
    canCheck: keys.length > 0,
    async read(source) {
      const list = await readPart(source, RELEASE_LIST);
      const signature = new TextDecoder().decode(await readPart(source, RELEASE_SIGNATURE));
      return readReleaseList(list, signature, keys, nowMs());
    },
    check,
    async serve(source, release) {
      if (source.kind === 'folder') return serveReleaseFolder(source.path, release);
      return { url: source.url, [Symbol.asyncDispose]: async () => undefined };
    },
    keep: (coming, running, path) => keep(join(dataDir, KEPT_INSTALLERS), { coming, running }, path),
    keptInstaller: (version) => keptIn(join(dataDir, KEPT_INSTALLERS, version)),
    drop: (path) => rm(path, { force: true }),
  };
}
