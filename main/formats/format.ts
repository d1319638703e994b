// What every format offers. A reader takes what it is given: wrong input is an answer, never an exception
// of its own making; deviations that it can live with go into the recording's warnings.

import type { Reason } from '../../shared/errors.ts';
import type { Recording } from '../../shared/signal/recording.ts';
import type { ByteSource, RecordFile } from './byte-source.ts';
import type { FilesByName } from './files-by-name.ts';

export interface RefusedRecord {
  readonly ok: false;
  readonly reason: Reason;
  readonly message: string;
}

export type ReadResult = { readonly ok: true; readonly recording: Recording } | RefusedRecord;

export interface RecordFormat {
  /** As it stands in results: `EDF`, `EDF+C`, `WFDB`. The recording may name a variant. */
  readonly name: string;
  /** Judges by content alone. `head` holds the first 4 KiB, or all of a shorter file. */
  detect(head: Uint8Array, source: ByteSource): boolean;
  /** @param siblings the other files that came with this one, for formats whose record is several files. */
  read(file: RecordFile, siblings: readonly RecordFile[]): ReadResult;
  /**
   * Names of the files that may belong to the record besides its main file. `folder` is looked into for
   * headers that name more.
   */
  companionNames?(file: RecordFile, folder: FilesByName): readonly string[];
  /** Names of files that may look like records by their content, and are parts of this one. */
  partNames?(file: RecordFile, folder: FilesByName): readonly string[];
  /** Names of the files with its samples, where it was copied or renamed since it named them: they may be those of another. */
  doubtfulNames?(file: RecordFile): readonly string[];
}

export const refused = (reason: Reason, message: string): RefusedRecord => ({ ok: false, reason, message });
