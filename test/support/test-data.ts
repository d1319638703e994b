// The test files of the repository, and the larger shelf beside it where there is one.

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bufferSource, type RecordFile } from '../../main/formats/byte-source.ts';
import type { ReadResult } from '../../main/formats/format.ts';
import { readRecord } from '../../main/formats/read-record.ts';
import { filesOfRecord } from '../../main/host/cli/record-files.ts';
import type { Recording } from '../../shared/signal/recording.ts';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
export const dataFolder = join(projectRoot, 'test', 'data');
const shelf = join(projectRoot, '..', 'shared', 'ecg');

/** A folder of the shelf, or undefined: then the sweep over it is left out, and says so. */
export function shelfFolder(name: string): string | undefined {
  const folder = join(shelf, name);
  return existsSync(folder) ? folder : undefined;
}

export function fileOf(path: string): RecordFile {
  return { name: basename(path), source: bufferSource(readFileSync(path)) };
}

/** A record with the files beside it that belong to it, as the command line finds them. */
export function readFrom(path: string): ReadResult {
  const files = filesOfRecord(path).map((file) => ({
    name: file.name,
    source: bufferSource(readFileSync(file.path)),
  }));
  return readRecord(files[0]!, files);
}

export function recordingFrom(path: string): Recording {
  const result = readFrom(path);
  if (!result.ok) throw new Error(`${path}: ${result.message}`);
  return result.recording;
}

export function bytesFile(name: string, bytes: Uint8Array): RecordFile {
  return { name, source: bufferSource(bytes) };
}
