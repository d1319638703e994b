// What a file is, by its content. The order of the tests is that of the formats reference, section 5.1.

import type { Reason } from '../../shared/errors.ts';
import { AECG } from './aecg/aecg.ts';
import type { ByteSource, RecordFile } from './byte-source.ts';
import { CARDIOSOFT } from './carts/cardiosoft.ts';
import { MORTARA } from './carts/mortara.ts';
import { MUSE } from './carts/muse.ts';
import { PHILIPS } from './carts/philips.ts';
import { SCHILLER } from './carts/schiller.ts';
import { COMPRESSED_DELTA } from './compressed-delta/compressed-delta.ts';
import { DICOM } from './dicom/dicom.ts';
import { EDF } from './edf/edf.ts';
import { FLAC } from './flac/flac.ts';
import { type ReadResult, type RecordFormat, refused } from './format.ts';
import { ISHNE } from './ishne/ishne.ts';
import { MATLAB } from './matlab/matlab.ts';
import { SCP } from './scp/scp.ts';
import { STREAM } from './stream/stream.ts';
import { TEXT_TABLE } from './tables/text-table.ts';
import { ALIVECOR } from './wearables/alivecor.ts';
import { APPLE_ECG } from './wearables/apple-ecg.ts';
import { OPENBCI } from './wearables/openbci.ts';
import { WFDB } from './wfdb/wfdb.ts';

const FORMATS: readonly RecordFormat[] = [
  EDF,
  FLAC,
  SCP,
  COMPRESSED_DELTA,
  STREAM,
  ISHNE,
  AECG,
  MUSE,
  PHILIPS,
  MORTARA,
  CARDIOSOFT,
  SCHILLER,
  MATLAB,
  DICOM,
  ALIVECOR,
  APPLE_ECG,
  OPENBCI,
  WFDB,
  TEXT_TABLE,
];
const HEAD_BYTES = 4096;

interface KnownContent {
  readonly name: string;
  readonly signature: readonly number[];
  readonly offset?: number;
  readonly reason: Reason;
  /** What to do with it instead. */
  readonly remedy?: string;
}

const ascii = (text: string): number[] => [...new TextEncoder().encode(text)];

/** Contents that are recognised in order to be refused by name (D53). */
const OTHER_CONTENTS: readonly KnownContent[] = [
  {
    name: 'an xz archive',
    signature: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00],
    reason: 'archive_format_unsupported',
  },
  {
    name: 'a bzip2 archive',
    signature: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59],
    offset: 4,
    reason: 'archive_format_unsupported',
  },
  { name: 'a Zstandard archive', signature: [0x28, 0xb5, 0x2f, 0xfd], reason: 'archive_format_unsupported' },
  {
    name: 'a 7z archive',
    signature: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
    reason: 'archive_format_unsupported',
  },
  {
    name: 'a rar archive',
    signature: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07],
    reason: 'archive_format_unsupported',
  },
  { name: 'a zip archive', signature: [0x50, 0x4b, 0x03, 0x04], reason: 'archive_format_unsupported' },
  { name: 'a gzip archive', signature: [0x1f, 0x8b, 0x08], reason: 'archive_format_unsupported' },
  {
    name: 'a tar archive',
    signature: [0x75, 0x73, 0x74, 0x61, 0x72],
    offset: 257,
    reason: 'archive_format_unsupported',
  },
  {
    name: 'a MATLAB file of version 7.3',
    signature: ascii('MATLAB 7.3'),
    reason: 'unsupported_format',
    remedy: 'Save it with the option -v7.',
  },
  {
    name: 'an HDF5 file',
    signature: [0x89, 0x48, 0x44, 0x46],
    reason: 'unsupported_format',
    remedy: 'Export the recording as EDF or WFDB.',
  },
  {
    name: 'an HL7 message',
    signature: ascii('MSH|'),
    reason: 'unsupported_format',
    remedy: 'Send it to this workstation, or put it into the order folder.',
  },
  {
    name: 'a GDT message',
    signature: ascii('8000'),
    offset: 3,
    reason: 'unsupported_format',
    remedy: 'Put it into the order folder.',
  },
  {
    name: 'a document of an office program',
    signature: [0xd0, 0xcf, 0x11, 0xe0],
    reason: 'unsupported_format',
    remedy: 'Export the numbers as CSV.',
  },
  { name: 'a PDF file', signature: [0x25, 0x50, 0x44, 0x46], reason: 'unsupported_format' },
  { name: 'a PNG picture', signature: [0x89, 0x50, 0x4e, 0x47], reason: 'unsupported_format' },
  { name: 'a JPEG picture', signature: [0xff, 0xd8, 0xff], reason: 'unsupported_format' },
  {
    name: 'an ISHNE annotation file',
    signature: [0x41, 0x4e, 0x4e, 0x20, 0x20, 0x31, 0x2e, 0x30],
    reason: 'unsupported_format',
  },
];

const READABLE =
  'This program reads EDF, BDF, WFDB, SCP-ECG, Compressed Delta, FLAC, HL7 aECG, DICOM, ISHNE, the XML files of MUSE, Philips, Mortara, CardioSoft and Schiller, ECGs of Apple Watch, Kardia and OpenBCI, MATLAB files with their sample rate, tables with a column of times, and archives of them.';

const headOf = (source: ByteSource): Uint8Array => source.read(0, HEAD_BYTES);

function isText(head: Uint8Array): boolean {
  return head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}

export function detectFormat(file: RecordFile): RecordFormat | undefined {
  if (file.source.sizeBytes === 0) return undefined;
  const head = headOf(file.source);
  return FORMATS.find((format) => format.detect(head, file.source));
}

interface OtherContent {
  readonly reason: Reason;
  readonly sentence: string;
  /** It says what to do with the file. */
  readonly hasRemedy: boolean;
}

/** Files of a WFDB record that say nothing without its header. */
const PART_OF_WFDB = /\.(dat|atr|qrs|xyz)$/i;

/** What a file is that no reader takes. */
export function otherContent({ name, source }: RecordFile): OtherContent {
  if (source.sizeBytes === 0)
    return { reason: 'empty_file', sentence: 'The file is empty.', hasRemedy: false };
  const head = headOf(source);
  const known = OTHER_CONTENTS.find(({ signature, offset = 0 }) =>
    signature.every((byte, index) => head[offset + index] === byte),
  );
  if (known?.reason === 'archive_format_unsupported')
    return {
      reason: known.reason,
      sentence: `The file is ${known.name}, which is not opened here. Unpack it and give its files, or pack them as zip.`,
      hasRemedy: true,
    };
  if (known !== undefined) {
    const sentence = `The file is ${known.name}.${known.remedy === undefined ? '' : ` ${known.remedy}`}`;
    return { reason: known.reason, sentence, hasRemedy: known.remedy !== undefined };
  }
  if (PART_OF_WFDB.test(name) && !isText(head))
    return {
      reason: 'unsupported_format',
      sentence:
        'The file may be part of a WFDB record, which cannot be read without its header. Add the file with the same name that ends in .hea.',
      hasRemedy: true,
    };
  return {
    reason: 'unsupported_format',
    sentence: `The file is not an ECG format this program reads (found: ${isText(head) ? 'text' : 'unknown data'}).`,
    hasRemedy: false,
  };
}

/** The same for somebody who wanted this file to be read. */
export function describeOther(file: RecordFile): ReadResult {
  const { reason, sentence, hasRemedy } = otherContent(file);
  return refused(
    reason,
    reason === 'unsupported_format' && !hasRemedy ? `${sentence} ${READABLE}` : sentence,
  );
}
