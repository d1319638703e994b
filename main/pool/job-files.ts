// The files of a job, open as long as it takes, and the recording in them.

import { IsolineError } from '../../shared/errors.ts';
import type { Recording } from '../../shared/signal/recording.ts';
import type { ChosenFiles, PoolFile } from '../clinic/ports.ts';
import type { RecordFile } from '../formats/byte-source.ts';
import { admit, readRecord } from '../formats/read-record.ts';
import { type FileSource, openFileSource } from './file-source.ts';

interface OpenFiles extends Disposable {
  readonly files: readonly RecordFile[];
}

/** @throws IsolineError `record_unreadable` */
export function openAll(files: readonly PoolFile[]): OpenFiles {
  const sources: FileSource[] = [];
  const close = (): void => {
    for (const source of sources) source.close();
  };
  try {
    for (const { path } of files) sources.push(openFileSource(path));
  } catch (error) {
    close();
    if (error instanceof IsolineError) throw error;
    throw new IsolineError(
      'record_unreadable',
      'A file of the recording is missing or cannot be opened.',
      {},
      { cause: error },
    );
  }
  return {
    files: files.map(({ name }, index) => ({ name, source: sources[index] as FileSource })),
    [Symbol.dispose]: close,
  };
}

export function mainOf([main]: readonly RecordFile[]): RecordFile {
  if (main === undefined) throw new IsolineError('record_unreadable', 'The recording has no files.');
  return main;
}

/**
 * @param files of the job, open; the record's main file stands first
 * @param job a start time from the request wins over the file's (D57)
 */
export function readJob(
  files: readonly RecordFile[],
  { channels, startMs }: Pick<ChosenFiles, 'channels'> & { readonly startMs?: number | undefined },
): Recording {
  const result = admit(readRecord(mainOf(files), files, channels));
  if (!result.ok) throw new IsolineError(result.reason, result.message);
  return startMs === undefined
    ? result.recording
    : { ...result.recording, startTime: { utcMs: startMs, isZoneKnown: true } };
}
