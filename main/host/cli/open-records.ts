// The records in a file that a person names: the one it is, or those of the archive that it is.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';
import type { Recording, Warning } from '../../../shared/signal/recording.ts';
import type { PoolFile } from '../../clinic/ports.ts';
import type { RecordFile } from '../../formats/byte-source.ts';
import type { ReadResult } from '../../formats/format.ts';
import { groupFiles } from '../../formats/group-files.ts';
import { readRecord } from '../../formats/read-record.ts';
import { type FileSource, openFileSource } from '../file-source.ts';
import { filesOfRecord } from '../record-files.ts';
import { unpackFile } from '../unpack.ts';
import { onInterrupt } from './interrupt.ts';

/** Left free on the disk of the temporary folder. */
const RESERVE_BYTES = 256 * 2 ** 20;

export interface OpenedRecord {
  readonly name: string;
  /** The main file first. */
  readonly files: readonly PoolFile[];
  read(): ReadResult;
}

export interface OpenedRecords extends Disposable {
  readonly records: readonly OpenedRecord[];
  readonly isArchive: boolean;
  /** Names of files that belong to no record. */
  readonly ignored: readonly string[];
  readonly warnings: readonly Warning[];
}

/** Files stay open until the records are disposed of; what was unpacked is then deleted. */
class Records implements OpenedRecords {
  readonly records: readonly OpenedRecord[];
  readonly isArchive: boolean;
  readonly ignored: readonly string[];
  readonly warnings: readonly Warning[];
  readonly #sources: FileSource[] = [];
  readonly #folder: string | undefined;
  readonly #interrupted: Disposable | undefined;

  constructor(files: readonly PoolFile[], archive: { readonly folder: string; readonly warnings: readonly Warning[] } | undefined) {
    this.isArchive = archive !== undefined;
    this.#folder = archive?.folder;
    this.#interrupted = archive === undefined ? undefined : onInterrupt(() => rmSync(archive.folder, { recursive: true, force: true }));
    this.warnings = archive?.warnings ?? [];
    const opened = files.map(({ name, path }): RecordFile => {
      const source = openFileSource(path);
      this.#sources.push(source);
      return { name, source };
    });
    const record = (given: readonly RecordFile[], local: readonly [RecordFile, ...RecordFile[]]): OpenedRecord => ({
      name: given[0]?.name ?? '',
      files: local.map(({ name }, i) => ({ name, path: files[opened.indexOf(given[i] as RecordFile)]?.path ?? '' })),
      read: () => readRecord(local[0], local),
    });
    if (archive === undefined) {
      const [main, ...companions] = opened;
      this.records = main === undefined ? [] : [record(opened, [main, ...companions])];
      this.ignored = [];
      return;
    }
    const { records, unclaimed } = groupFiles(opened);
    this.records = records.map(({ given, files: local }) => record(given, local));
    this.ignored = unclaimed.map(({ name }) => name);
  }

  [Symbol.dispose](): void {
    for (const source of this.#sources) source.close();
    this.#interrupted?.[Symbol.dispose]();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** @throws IsolineError `file_not_found`, or an archive reason */
export async function openRecords(path: string): Promise<OpenedRecords> {
  const files = filesOfRecord(path);
  const folder = mkdtempSync(join(tmpdir(), 'isoline-'));
  using _interrupted = onInterrupt(() => rmSync(folder, { recursive: true, force: true }));
  try {
    const unpacked = await unpackFile({ name: basename(path), path }, folder, { reserveBytes: RESERVE_BYTES, isDurable: false });
    if (unpacked !== undefined) return new Records(unpacked.files, { folder, warnings: unpacked.warnings });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  rmSync(folder, { recursive: true, force: true });
  return new Records(files, undefined);
}

/** The one record that a command works on. @throws IsolineError where there are none or several, or it can't be read */
export function theOnlyRecord(opened: OpenedRecords): OpenedRecord {
  const [record, ...others] = opened.records;
  if (record === undefined) throw new IsolineError('no_ecg_record', 'The archive holds no recording that is read.');
  if (others.length > 0)
    throw new IsolineError(
      'too_many_records',
      `The archive holds ${opened.records.length} recordings. Unpack it and name one of them, for instance "${record.name}".`,
    );
  return record;
}

export function readOrThrow(record: OpenedRecord): Recording {
  const result = record.read();
  if (!result.ok) throw new IsolineError(result.reason, result.message);
  return result.recording;
}
