// From files to a Recording: finds out by content what the files are, and reads the one record among them. The order of the
// tests is that of the formats reference, section 5.1.

import type { Reason } from '../../shared/errors.ts';
import { ecgChannels } from '../../shared/signal/ecg-channels.ts';
import { type Channel, type Recording, rateHz } from '../../shared/signal/recording.ts';
import { isPlausibleStep } from '../../shared/signal/unit.ts';
import type { RecordFile } from './byte-source.ts';
import { EDF } from './edf/edf.ts';
import { type ReadResult, type RecordFormat, refused } from './format.ts';
import { WFDB, wfdbCompanions } from './wfdb/wfdb.ts';

const FORMATS: readonly RecordFormat[] = [EDF, WFDB];
const HEAD_BYTES = 4096;

interface KnownContent {
  readonly name: string;
  readonly signature: readonly number[];
  readonly offset?: number;
  readonly reason: Reason;
}

/** Contents that are recognised in order to be refused by name. */
const OTHER_CONTENTS: readonly KnownContent[] = [
  { name: 'a zip archive', signature: [0x50, 0x4b], reason: 'archive_format_unsupported' },
  { name: 'a gzip archive', signature: [0x1f, 0x8b, 0x08], reason: 'archive_format_unsupported' },
  { name: 'an xz archive', signature: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], reason: 'archive_format_unsupported' },
  { name: 'a bzip2 archive', signature: [0x42, 0x5a, 0x68], reason: 'archive_format_unsupported' },
  { name: 'a Zstandard archive', signature: [0x28, 0xb5, 0x2f, 0xfd], reason: 'archive_format_unsupported' },
  { name: 'a 7z archive', signature: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], reason: 'archive_format_unsupported' },
  { name: 'a rar archive', signature: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07], reason: 'archive_format_unsupported' },
  { name: 'a tar archive', signature: [0x75, 0x73, 0x74, 0x61, 0x72], offset: 257, reason: 'archive_format_unsupported' },
  { name: 'a BDF file', signature: [0xff, 0x42, 0x49, 0x4f, 0x53, 0x45, 0x4d, 0x49], reason: 'unsupported_format' },
  { name: 'a FLAC file', signature: [0x66, 0x4c, 0x61, 0x43], reason: 'unsupported_format' },
  { name: 'an Ogg file', signature: [0x4f, 0x67, 0x67, 0x53], reason: 'unsupported_format' },
  { name: 'an SCP-ECG file', signature: [0x53, 0x43, 0x50, 0x45, 0x43, 0x47], offset: 16, reason: 'unsupported_format' },
  { name: 'a Compressed Delta file', signature: [0x63, 0x4d, 0x64, 0x54], reason: 'unsupported_format' },
  { name: 'an ISHNE file', signature: [0x49, 0x53, 0x48, 0x4e, 0x45], reason: 'unsupported_format' },
  { name: 'a DICOM file', signature: [0x44, 0x49, 0x43, 0x4d], offset: 128, reason: 'unsupported_format' },
  { name: 'a PDF file', signature: [0x25, 0x50, 0x44, 0x46], reason: 'unsupported_format' },
  { name: 'a PNG picture', signature: [0x89, 0x50, 0x4e, 0x47], reason: 'unsupported_format' },
  { name: 'a JPEG picture', signature: [0xff, 0xd8, 0xff], reason: 'unsupported_format' },
];

const READABLE = 'This version reads EDF, EDF+ and WFDB.';

function isText(head: Uint8Array): boolean {
  return head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}

function describeOther(head: Uint8Array): ReadResult {
  const known = OTHER_CONTENTS.find(({ signature, offset = 0 }) => signature.every((byte, index) => head[offset + index] === byte));
  if (known !== undefined) return refused(known.reason, `The file is ${known.name}. ${READABLE}`);
  return refused(
    'unsupported_format',
    `The file is not an ECG format this program reads (found: ${isText(head) ? 'text' : 'unknown data'}). ${READABLE}`,
  );
}

export function detectFormat(file: RecordFile): RecordFormat | undefined {
  const head = Uint8Array.from(file.source.read(0, HEAD_BYTES));
  return FORMATS.find((format) => format.detect(head, file.source));
}

/** A record of `MIN_SECONDS` … 35 days, 25 Hz … 100 kHz, at most 128 signals with at least one voltage (D54). */
const MIN_SECONDS = 1;
const MAX_SECONDS = 35 * 86_400;
const MAX_RATE_HZ = 100_000;
const MAX_CHANNELS = 128;

/** Checks that a record can be taken on for analysis at all (D54); what is shorter or odder than usual is the analysis' matter. */
function checkRecord(result: ReadResult): ReadResult {
  if (!result.ok) return result;
  const { channels, durationSeconds } = result.recording;
  const leads = ecgChannels(channels);
  if (leads.length === 0)
    return refused(
      'no_ecg_record',
      'The file has no signal that could be an ECG lead: none is in volts, sampled at 25 Hz or more, and not marked as something else.',
    );
  if (channels.length > MAX_CHANNELS)
    return refused('record_unreadable', `The file has ${channels.length} signals; at most ${MAX_CHANNELS} are read.`);
  if (leads.some((channel) => rateHz(channel.rate) > MAX_RATE_HZ))
    return refused('record_unreadable', `The file states a sample rate above ${MAX_RATE_HZ} Hz.`);
  if (durationSeconds > MAX_SECONDS) return refused('record_too_long', 'The recording is longer than 35 days.');
  if (durationSeconds < MIN_SECONDS) return refused('record_unreadable', 'The recording is shorter than one second.');
  return doubtScales(result.recording);
}

/** A scale that can't be is no scale: such a channel keeps its samples and loses its calibration, with a warning. */
function doubtScales(recording: Recording): ReadResult {
  const isDoubtful = (channel: Channel): boolean =>
    channel.isCalibrated && channel.mvPerUnit !== undefined && !isPlausibleStep(channel.scale * channel.mvPerUnit);
  const doubtful = recording.channels.filter(isDoubtful);
  if (doubtful.length === 0) return { ok: true, recording };
  const channels = recording.channels.map((channel) =>
    isDoubtful(channel) ? { ...channel, isCalibrated: false, scale: 1, offset: 0 } : channel,
  );
  const warnings = doubtful.map(({ label }) => ({
    code: 'scale_implausible',
    message: `The header states a scale for "${label}" that can not be; its amplitudes are not measured.`,
  }));
  return { ok: true, recording: { ...recording, channels, warnings: [...recording.warnings, ...warnings] } };
}

/** Reads one file as exactly one record; `siblings` are the files beside it. Never throws on content. */
export function readRecord(file: RecordFile, siblings: readonly RecordFile[]): ReadResult {
  if (file.source.sizeBytes === 0) return refused('empty_file', 'The file is empty.');
  const format = detectFormat(file);
  if (format === undefined) return describeOther(Uint8Array.from(file.source.read(0, HEAD_BYTES)));
  return checkRecord(format.read(file, siblings));
}

/** Names of the files that a record consists of besides its main file; they lie beside it. */
export function companionNames(file: RecordFile): readonly string[] {
  return detectFormat(file) === WFDB ? wfdbCompanions(file) : [];
}

export interface GroupedRecord {
  readonly main: RecordFile;
  readonly companions: readonly RecordFile[];
}

/**
 * Sorts files that were given together into records: every file that is one, or that heads one, with the files it names (D56).
 * Files that belong to none are `unclaimed`.
 */
export function groupFiles(files: readonly RecordFile[]): { records: GroupedRecord[]; unclaimed: RecordFile[] } {
  const mains = files.filter((file) => file.source.sizeBytes > 0 && detectFormat(file) !== undefined);
  const records = mains.map((main): GroupedRecord => {
    const names = companionNames(main);
    const isNamed = (file: RecordFile): boolean => names.some((name) => name.toLowerCase() === file.name.toLowerCase());
    return { main, companions: files.filter((file) => file !== main && isNamed(file)) };
  });
  const claimed = new Set(records.flatMap(({ main, companions }) => [main, ...companions]));
  return { records, unclaimed: files.filter((file) => !claimed.has(file)) };
}
