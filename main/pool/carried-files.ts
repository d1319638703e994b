// What a report carries on request: the recording as EDF+ or BDF+, the result, and the sheet that says which is which.

import { createHash } from 'node:crypto';
import { IsolineError } from '../../shared/errors.ts';
import { given } from '../../shared/given.ts';
import type { Recording } from '../../shared/signal/recording.ts';
import { edfBytes } from '../formats/edf/write-edf.ts';
import { RECORDING_NAME, RESULT_NAME, type ReportSheet, SHEET_NAME } from '../ground/report-attachments.ts';
import type { ReportFile } from '../report/report-file.ts';

/** Larger recordings are not attached to a report: a day of twelve leads is a gigabyte. */
const MOST_BYTES = 64 * 2 ** 20;
const BDF_MARK = 0xff;

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Undefined where it is too large, or has samples that neither format holds. */
function recordingFile(recording: Recording): ReportFile | undefined {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (const part of edfBytes(recording)) {
      size += part.length;
      if (size > MOST_BYTES) return undefined;
      parts.push(Uint8Array.from(part));
    }
  } catch (error) {
    if (error instanceof IsolineError && error.reason === 'format_unsuitable') return undefined;
    throw error;
  }
  const bytes = Buffer.concat(parts);
  const ending = bytes[0] === BDF_MARK ? 'bdf' : 'edf';
  return { name: `${RECORDING_NAME}.${ending}`, type: `application/x-${ending}`, relation: 'Source', bytes };
}

export interface CarriedFacts {
  readonly recording: Recording;
  readonly resultJson: Uint8Array;
  readonly taskId?: number | undefined;
  readonly revision?: number | undefined;
}

/** Empty where the recording cannot be carried: a result alone gives nobody the signal back. */
export function carriedFiles({ recording, resultJson, taskId, revision }: CarriedFacts): ReportFile[] {
  const signal = recordingFile(recording);
  if (signal === undefined) return [];
  const result: ReportFile = {
    name: RESULT_NAME,
    type: 'application/json',
    relation: 'Data',
    bytes: resultJson,
  };
  const sheet: ReportSheet = {
    version: 1,
    ...given({ taskId, revision }),
    files: Object.fromEntries([signal, result].map(({ name, bytes }) => [name, sha256Of(bytes)])),
  };
  return [
    signal,
    result,
    { ...result, name: SHEET_NAME, bytes: new TextEncoder().encode(JSON.stringify(sheet)) },
  ];
}
