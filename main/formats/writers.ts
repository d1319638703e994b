// The formats that a recording can be written in.

import { AECG_WRITER } from './aecg/write-aecg.ts';
import { COMPRESSED_DELTA_WRITER } from './compressed-delta/write-compressed-delta.ts';
import { DICOM_WRITER } from './dicom/write-dicom.ts';
import { EDF_WRITER } from './edf/write-edf.ts';
import { FLAC_WRITER } from './flac/write-flac.ts';
import type { RecordWriter } from './record-writer.ts';
import { SCP_WRITER } from './scp/write-scp.ts';
import { WFDB_WRITER } from './wfdb/write-wfdb.ts';
import { CSV_WRITER } from './write-csv.ts';

export const WRITERS: readonly RecordWriter[] = [
  EDF_WRITER,
  WFDB_WRITER,
  COMPRESSED_DELTA_WRITER,
  FLAC_WRITER,
  DICOM_WRITER,
  AECG_WRITER,
  SCP_WRITER,
  CSV_WRITER,
];

export function writerFor(fileName: string, formatName: string | undefined): RecordWriter | undefined {
  if (formatName !== undefined) return WRITERS.find(({ name }) => name === formatName.toLowerCase());
  return WRITERS.find(({ extensions }) =>
    extensions.some((extension) => fileName.toLowerCase().endsWith(extension)),
  );
}
