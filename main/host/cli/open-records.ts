// The records in a file that a person names: the one it is, or those of the archive that it is.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';
import type { Recording, Warning } from '../../../shared/signal/recording.ts';
import type { PoolFile } from '../../clinic/ports.ts';
import type { RecordFile } from '../../formats/byte-source.ts';
import type { ReadResult, RefusedRecord } from '../../formats/format.ts';
import { type GroupedRecord, groupFiles } from '../../formats/group-files.ts';
import { asRead, readAsStored } from '../../formats/read-record.ts';
import { assert } from '../../ground/assert.ts';
import { type FileSource, openFileSource } from '../../pool/file-source.ts';
import { isArchive, unpackFile } from '../../pool/unpack.ts';
import { type LeftOut, leftOut } from './analyse/left-out.ts';
import { reasonOf } from './analyse/write-whole.ts';
import { channelChoice } from './chosen-channels.ts';
import { onInterrupt } from './interrupt.ts';
import { filesOfRecord } from './record-files.ts';

/** Left free on the disk of the temporary folder. */
const RESERVE_BYTES = 256 * 2 ** 20;

export interface OpenedRecord {
  readonly name: string;
  /** The main file first. */
  readonly files: readonly PoolFile[];
  /** Why it must not be read. */
  readonly fault?: RefusedRecord;
  /** @param channels as `--channels` names them */
  read(channels?: string): ReadResult;
}

export interface LeftOutMember extends LeftOut {
  readonly name: string;
}

export interface OpenedRecords extends Disposable {
  readonly records: readonly OpenedRecord[];
  readonly isArchive: boolean;
  /** Files that belong to no record. */
  readonly leftOut: readonly LeftOutMember[];
  readonly warnings: readonly Warning[];
}

function readChosen(files: GroupedRecord['files'], channels: string | undefined): ReadResult {
  const stored = readAsStored(files[0], files);
  const choice =
    channels === undefined || !stored.ok ? undefined : channelChoice(channels, stored.recording.channels);
  return asRead(stored, choice);
}

/** Files stay open until the records are disposed of; what was unpacked is then deleted. */
class Records implements OpenedRecords {
  readonly records: readonly OpenedRecord[];
  readonly isArchive: boolean;
  readonly leftOut: readonly LeftOutMember[];
  readonly warnings: readonly Warning[];
  readonly #sources: FileSource[] = [];
  readonly #folder: string | undefined;
  readonly #interrupted: Disposable | undefined;

  constructor(
    files: readonly PoolFile[],
    archive: { readonly folder: string; readonly warnings: readonly Warning[] } | undefined,
  ) {
    this.isArchive = archive !== undefined;
    this.#folder = archive?.folder;
    this.#interrupted =
      archive === undefined
        ? undefined
        : onInterrupt(() => rmSync(archive.folder, { recursive: true, force: true }));
    this.warnings = archive?.warnings ?? [];
    const opened = files.map(({ name, path }): RecordFile => {
      const source = openFileSource(path);
      this.#sources.push(source);
      return { name, source };
    });
    const pathOf = new Map(opened.map((file, i) => [file, files[i]?.path ?? '']));
    const record = ({ given, files: local, fault }: GroupedRecord): OpenedRecord => ({
      name: given[0]?.name ?? '',
      files: local.map(({ name }, i) => ({ name, path: pathOf.get(given[i] as RecordFile) ?? '' })),
      ...(fault !== undefined && { fault }),
      read: (channels) => fault ?? readChosen(local, channels),
    });
    if (archive === undefined) {
      const [main, ...companions] = opened;
      this.records = main === undefined ? [] : [record({ given: opened, files: [main, ...companions] })];
      this.leftOut = [];
      return;
    }
    const { records, unclaimed } = groupFiles(opened);
    this.records = records.map(record);
    this.leftOut = unclaimed.map((file) => ({ name: file.name, ...leftOut(file) }));
  }

  [Symbol.dispose](): void {
    for (const source of this.#sources) source.close();
    this.#interrupted?.[Symbol.dispose]();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** One record by its files, the main one first, which stay open until it is disposed of. */
export function openRecord(files: readonly PoolFile[]): OpenedRecord & Disposable {
  const opened = new Records(files, undefined);
  const [record] = opened.records;
  assert(record !== undefined, 'a record has files');
  return { ...record, [Symbol.dispose]: () => opened[Symbol.dispose]() };
}

function makeTemporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'isoline-'));
  } catch (error) {
    throw new IsolineError(
      reasonOf(error),
      `The archive cannot be unpacked: the folder for temporary files, "${tmpdir()}", cannot be written to.`,
      {},
      { cause: error },
    );
  }
}

async function unpackedRecords(archive: PoolFile): Promise<OpenedRecords> {
  const folder = makeTemporaryFolder();
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  using _interrupted = onInterrupt(remove);
  try {
    const { files, warnings } = await unpackFile(archive, folder, {
      reserveBytes: RESERVE_BYTES,
      isDurable: false,
    });
    return new Records(files, { folder, warnings });
  } catch (error) {
    remove();
    throw error;
  }
}

/** @throws IsolineError `file_not_found`, an archive reason, `storage_full` */
export async function openRecords(path: string): Promise<OpenedRecords> {
  const files = filesOfRecord(path);
  const named: PoolFile = { name: basename(path), path };
  return isArchive(named) ? unpackedRecords(named) : new Records(files, undefined);
}

/**
 * The one record that a command works on. @throws IsolineError where there are none or several, or it can't
 * be read
 */
export function theOnlyRecord(opened: OpenedRecords): OpenedRecord {
  const [record, ...others] = opened.records;
  if (record === undefined)
    throw new IsolineError('no_ecg_record', 'The archive contains no recording in a supported format.');
  if (others.length > 0)
    throw new IsolineError(
      'too_many_records',
      `The archive holds ${opened.records.length} recordings. Unpack it and name one of them, for instance "${record.name}".`,
    );
  return record;
}

export function readOrThrow(record: OpenedRecord, channels?: string): Recording {
  const result = record.read(channels);
  if (!result.ok) throw new IsolineError(result.reason, result.message);
  return result.recording;
}
