// The two functions that every format offers. A reader takes what it is given: wrong input is an answer, never an exception
// of its own making; deviations that it can live with go into the recording's warnings.

import type { Reason } from '../../shared/errors.ts';
import type { Recording } from '../../shared/signal/recording.ts';
import type { ByteSource, RecordFile } from './byte-source.ts';

export type ReadResult =
  | { readonly ok: true; readonly recording: Recording }
  | { readonly ok: false; readonly reason: Reason; readonly message: string };

export interface RecordFormat {
  /** As it stands in results: `EDF`, `EDF+C`, `WFDB`. The recording may name a variant. */
  readonly name: string;
  /** Judges by content alone. `head` holds the first 4 KiB, or all of a shorter file. */
  detect(head: Uint8Array, source: ByteSource): boolean;
  /** @param siblings the other files that came with this one, for formats whose record is several files. */
  read(file: RecordFile, siblings: readonly RecordFile[]): ReadResult;
}

export const refused = (reason: Reason, message: string): ReadResult => ({ ok: false, reason, message });
