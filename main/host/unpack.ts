// Unpacks an archive into a folder: members become numbered files, so that no name of an archive is ever a path (D55).

import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { IsolineError } from '../../shared/errors.ts';
import type { Warning } from '../../shared/signal/recording.ts';
import type { PoolFile } from '../clinic/ports.ts';
import { archiveKindOf, unpackArchive } from '../formats/archive/archive.ts';
import type { MemberSink } from '../formats/archive/unpacking.ts';
import { openFileSource } from './file-source.ts';

/** Room is looked for this often while bytes come out. */
const ROOM_CHECK_BYTES = 64 * 2 ** 20;

class FolderSink implements MemberSink {
  readonly #folder: string;
  readonly #reserveBytes: number;
  #descriptor = -1;
  #sinceCheck = ROOM_CHECK_BYTES;

  constructor(folder: string, reserveBytes: number) {
    this.#folder = folder;
    this.#reserveBytes = reserveBytes;
  }

  path = (index: number): string => join(this.#folder, String(index));

  begin(index: number): void {
    this.#descriptor = openSync(this.path(index), 'wx');
  }

  write(bytes: Uint8Array): void {
    this.#sinceCheck += bytes.length;
    if (this.#sinceCheck >= ROOM_CHECK_BYTES) this.#requireRoom();
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#descriptor, bytes, done);
  }

  end(): void {
    closeSync(this.#descriptor);
  }

  remove(index: number): void {
    rmSync(this.path(index), { force: true });
  }

  #requireRoom(): void {
    this.#sinceCheck = 0;
    const { bavail, bsize } = statfsSync(this.#folder);
    if (bavail * bsize < this.#reserveBytes)
      throw new IsolineError('storage_full', 'There is not enough room on the disk to unpack the archive. Make room and try again.');
  }
}

export interface UnpackedFiles {
  readonly files: readonly PoolFile[];
  readonly warnings: readonly Warning[];
}

/**
 * @returns undefined where the file is no archive
 * @throws IsolineError with the archive reasons of D55, `storage_full`
 */
export async function unpackFile({ name, path }: PoolFile, folder: string, reserveBytes: number): Promise<UnpackedFiles | undefined> {
  using source = openFileSource(path);
  const kind = archiveKindOf({ name, source });
  if (kind === undefined) return undefined;
  const sink = new FolderSink(folder, reserveBytes);
  const { members, warnings } = await unpackArchive({ name, source }, kind, sink);
  return { files: members.map((member) => ({ name: member.name, path: sink.path(member.index) })), warnings };
}
