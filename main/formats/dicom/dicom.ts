// DICOM ECG waveforms (12-lead, general, ambulatory) into a Recording. Formats reference, section 7 (DICOM
// PS3.3, C.10.9).

import { inflateRawSync } from 'node:zlib';
import dicomParser, { type DataSet } from 'dicom-parser';
import { identifyChannel } from '../../../shared/signal/channel-identity.ts';
import type { Channel, FileAnnotation, StartTime } from '../../../shared/signal/recording.ts';
import { bufferSource } from '../byte-source.ts';
import { Deviations } from '../deviations.ts';
import { type ReadResult, type RecordFormat, refused } from '../format.ts';
import { scpLeadName } from '../scp/scp-lead-names.ts';
import { parseCompactStart } from '../start-time.ts';
import { type Interleaved, readInterleaved } from '../stored-channel.ts';
import { parseDecimal } from '../text-field.ts';
import { UNSPECIFIED_LEAD } from './dicom-uids.ts';
import { decimalOf, itemsOf, noteCharacterSet, textOf } from './read-elements.ts';
import { patientOf } from './read-patient.ts';

const MARK_OFFSET = 128;
const MAX_BYTES = 512 * 2 ** 20;
const BIG_ENDIAN_SYNTAX = '1.2.840.10008.1.2.2';
/** Sequences that a file without stated types does not announce as such. */
const SEQUENCE_TAGS = new Set(['x54000100', 'x003a0200', 'x003a0208', 'x003a0211', 'x0040b020']);
const LINEAR_INTERPRETATIONS = new Set(['SS', 'US', 'SB', 'UB']);

/** The lead by number, in either of the two coding schemes, else by its words. */
function labelOf(definition: DataSet, index: number): string {
  const source = itemsOf(definition, 'x003a0208')[0];
  if (source === undefined) return textOf(definition, 'x003a0203') || `channel ${index + 1}`;
  const [code, scheme, meaning] = [
    textOf(source, 'x00080100'),
    textOf(source, 'x00080102'),
    textOf(source, 'x00080104'),
  ];
  const number = scheme === 'MDC' ? /^2:(\d+)$/.exec(code)?.[1] : /^5\.6\.3-9-(\d+)$/.exec(code)?.[1];
  const label = textOf(definition, 'x003a0203');
  // The label has sixteen letters; what it begins may stand whole in the words, which have sixty-four.
  if (Number(number) === UNSPECIFIED_LEAD)
    return (label !== '' && meaning.startsWith(label) ? meaning : label) || `channel ${index + 1}`;
  return number === undefined ? meaning || code || `channel ${index + 1}` : scpLeadName(Number(number));
}

function channelOf(
  definition: DataSet,
  index: number,
  stored: Interleaved,
  rateHz: number,
  deviations: Deviations,
): Channel {
  const label = labelOf(definition, index);
  const unit = textOf(itemsOf(definition, 'x003a0211')[0] ?? definition, 'x00080100');
  const sensitivity = decimalOf(definition, 'x003a0210');
  const correction = decimalOf(definition, 'x003a0212') ?? 1;
  const isCalibrated = sensitivity !== undefined && sensitivity * correction !== 0;
  if (!isCalibrated) deviations.add('scale_unknown', { label });
  if ((decimalOf(definition, 'x003a0214') ?? 0) !== 0 || (decimalOf(definition, 'x003a0215') ?? 0) !== 0)
    deviations.add('skew_ignored', { label });
  return {
    ...identifyChannel(label, unit),
    scale: isCalibrated ? sensitivity * correction : 1,
    offset: isCalibrated ? (decimalOf(definition, 'x003a0213') ?? 0) : 0,
    isCalibrated,
    rate: { samples: rateHz, seconds: 1 },
    sampleCount: stored.sampleCount,
    read: (startSample, target) => readInterleaved(stored, index, startSample, target),
  };
}

/** The samples of one multiplex group, or a sentence why they can't be had. */
function storedOf(group: DataSet, channels: number, deviations: Deviations): Interleaved | string {
  const data = group.elements.x54001010;
  const [bits, interpretation, stated] = [
    group.uint16('x54001004') ?? 16,
    textOf(group, 'x54001006') || 'SS',
    group.uint32('x003a0010') ?? 0,
  ];
  if (data === undefined) return 'It holds no samples.';
  if ((bits !== 8 && bits !== 16) || !LINEAR_INTERPRETATIONS.has(interpretation))
    return `Its samples are stored in a way (${bits} bits, ${interpretation.slice(0, 8)}) that is not read.`;
  const sampleBytes = bits / 8;
  const bytes = group.byteArray.subarray(data.dataOffset, data.dataOffset + data.length) as Uint8Array;
  const present = Math.floor(bytes.length / (channels * sampleBytes));
  if (stated > present) deviations.add('truncated', { present, stated });
  const isSigned = interpretation.startsWith('S');
  const raw = (from: Uint8Array, at: number): number =>
    sampleBytes === 1 ? (from[at] as number) : (from[at] as number) | ((from[at + 1] as number) << 8);
  const shift = 32 - bits;
  const decode = (from: Uint8Array, at: number): number =>
    isSigned ? (raw(from, at) << shift) >> shift : raw(from, at);
  const padding = group.elements.x5400100a;
  return {
    source: bufferSource(bytes),
    startByte: 0,
    channels,
    sampleCount: stated > 0 ? Math.min(stated, present) : present,
    sampleBytes,
    decode,
    invalidCode:
      padding === undefined || padding.length < sampleBytes
        ? undefined
        : decode(group.byteArray as Uint8Array, padding.dataOffset),
  };
}

/** Remarks in words, at points or along stretches; what stands there in codes is left out. */
function annotationsOf(dataSet: DataSet): FileAnnotation[] {
  return itemsOf(dataSet, 'x0040b020').flatMap((item) => {
    const text = textOf(item, 'x00700006');
    if (text === '') return [];
    const atMs = textOf(item, 'x0040a138')
      .split('\\')
      .map(parseDecimal)
      .filter((ms) => ms !== undefined);
    if (!textOf(item, 'x0040a130').endsWith('SEGMENT'))
      return atMs.map((ms) => ({ onsetSeconds: ms / 1000, text }));
    return atMs.flatMap((fromMs, i) => {
      const toMs = atMs[i + 1];
      if (i % 2 === 1 || toMs === undefined || toMs < fromMs) return [];
      return { onsetSeconds: fromMs / 1000, durationSeconds: (toMs - fromMs) / 1000, text };
    });
  });
}

function startOf(dataSet: DataSet): StartTime | undefined {
  const zone = textOf(dataSet, 'x00080201');
  const withZone = (text: string): string => (/[+-]\d{4}$/.test(text) ? text : text + zone);
  const acquired = textOf(dataSet, 'x0008002a');
  const content = textOf(dataSet, 'x00080023') + textOf(dataSet, 'x00080033');
  return parseCompactStart(withZone(acquired)) ?? parseCompactStart(withZone(content));
}

const PARSE_OPTIONS = {
  vrCallback: (tag: string) => (SEQUENCE_TAGS.has(tag) ? 'SQ' : 'UN'),
  inflater(deflated: Uint8Array, position: number) {
    const inflated = inflateRawSync(deflated.subarray(position), { maxOutputLength: MAX_BYTES });
    return Buffer.concat([deflated.subarray(0, position), inflated]);
  },
} as Parameters<typeof dicomParser.parseDicom>[1];

function assemble(dataSet: DataSet): ReadResult {
  const groups = itemsOf(dataSet, 'x54000100');
  const group = groups[0];
  if (group === undefined) return refused('no_ecg_record', 'The DICOM file holds no waveform.');
  const deviations = new Deviations();
  const definitions = itemsOf(group, 'x003a0200');
  const rateHz = decimalOf(group, 'x003a001a');
  if (definitions.length === 0 || definitions.length !== (group.uint16('x003a0005') ?? definitions.length))
    return refused('record_unreadable', 'The DICOM file does not describe its channels.');
  if (rateHz === undefined || rateHz <= 0)
    return refused('record_unreadable', 'The DICOM file does not tell its sample rate.');
  const stored = storedOf(group, definitions.length, deviations);
  if (typeof stored === 'string')
    return refused('record_unreadable', `The DICOM file can't be read. ${stored}`);
  if (stored.sampleCount === 0) return refused('record_unreadable', 'The DICOM file holds no samples.');
  if (groups.length > 1) deviations.add('groups_left_out', { count: groups.length });
  const startTime = startOf(dataSet);
  const deviceId = textOf(dataSet, 'x00181000');
  return {
    ok: true,
    recording: {
      format: 'DICOM',
      channels: definitions.map((definition, index) =>
        channelOf(definition, index, stored, rateHz, deviations),
      ),
      durationSeconds: stored.sampleCount / rateHz,
      ...(startTime !== undefined && { startTime }),
      patient: patientOf(dataSet),
      ...(deviceId !== '' && { deviceId }),
      annotations: annotationsOf(dataSet),
      warnings: deviations.list,
    },
  };
}

export const DICOM: RecordFormat = {
  name: 'DICOM',

  detect: (head) => new TextDecoder('latin1').decode(head.subarray(MARK_OFFSET, MARK_OFFSET + 4)) === 'DICM',

  read({ source }) {
    if (source.sizeBytes > MAX_BYTES)
      return refused('record_unreadable', `The DICOM file is larger than ${MAX_BYTES} bytes.`);
    try {
      const dataSet = dicomParser.parseDicom(source.read(0, source.sizeBytes), PARSE_OPTIONS);
      noteCharacterSet(dataSet);
      if (textOf(dataSet, 'x00020010') === BIG_ENDIAN_SYNTAX)
        return refused(
          'unsupported_format',
          'The DICOM file is stored with the highest byte first, which is not read.',
        );
      return assemble(dataSet);
    } catch {
      // The library throws, also strings, at whatever it stumbles over, and numbers are read from the file
      // only when they are asked for.
      return refused('record_unreadable', 'The DICOM file is damaged and cannot be read.');
    }
  },
};
