// Unpacks an archive into a folder: members become numbered files, so that no name of an archive is ever a
// path (D55).

import { closeSync, fdatasyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { IsolineError } from '../../shared/errors.ts';
import type { PoolFile, Unpacked } from '../clinic/ports.ts';
import { unpackArchive } from '../formats/archive/archive.ts';
import { archiveKindOf } from '../formats/archive/archive-kind.ts';
import type { MemberSink } from '../formats/archive/unpacking.ts';
import { assert } from '../ground/assert.ts';
import { onDisk } from '../ground/storage-fault.ts';
import { openFileSource } from './file-source.ts';

const FILE_MODE = 0o600;
/** Room is looked for this often while bytes come out. */
const ROOM_CHECK_BYTES = 64 * 2 ** 20;

export interface UnpackOptions {
  /** Left free on the disk. */
  readonly reserveBytes: number;
  readonly isDurable: boolean;
}

class FolderSink implements MemberSink {
  readonly #folder: string;
  readonly #reserveBytes: number;
  readonly #isDurable: boolean;
  #descriptor = -1;
  #sinceCheck = ROOM_CHECK_BYTES;

  constructor(folder: string, { reserveBytes, isDurable }: UnpackOptions) {
    this.#folder = folder;
    this.#reserveBytes = reserveBytes;
    this.#isDurable = isDurable;
  }

  path = (index: number): string => join(this.#folder, String(index));

  begin(index: number): void {
    this.#descriptor = onDisk(() => openSync(this.path(index), 'wx', FILE_MODE));
  }

  write(bytes: Uint8Array): void {
    this.#sinceCheck += bytes.length;
    if (this.#sinceCheck >= ROOM_CHECK_BYTES) this.#requireRoom();
    onDisk(() => {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#descriptor, bytes, done);
    });
  }

  /** A recording that is acknowledged must be on the disk. */
  end(): void {
    try {
      if (this.#isDurable) onDisk(() => fdatasyncSync(this.#descriptor));
    } finally {
      closeSync(this.#descriptor);
    }
  }

  remove(index: number): void {
    rmSync(this.path(index), { force: true });
  }

  #requireRoom(): void {
    this.#sinceCheck = 0;
    const { bavail, bsize } = statfsSync(this.#folder);
    if (bavail * bsize < this.#reserveBytes)
      throw new IsolineError(
        'storage_full',
        'There is not enough disk space to unpack the archive. Free some space and try again.',
      );
  }
}

export function isArchive({ name, path }: PoolFile): boolean {
  using source = openFileSource(path);
  return archiveKindOf({ name, source }) !== undefined;
}

/**
 * @param file an archive
 * @throws IsolineError with the archive reasons of D55, `storage_full`
 */
export async function unpackFile(
  { name, path }: PoolFile,
  folder: string,
  options: UnpackOptions,
): Promise<Unpacked> {
  using source = openFileSource(path);
  const kind = archiveKindOf({ name, source });
  assert(kind !== undefined, 'only archives are unpacked');
  const sink = new FolderSink(folder, options);
  const { members, warnings } = await unpackArchive({ name, source }, kind, sink, {
    async open(member, use) {
      using own = openFileSource(sink.path(member.index));
      return await use({ name: member.name, source: own });
    },
  });
  return { files: members.map(({ index, ...member }) => ({ ...member, path: sink.path(index) })), warnings };
}
