// DICOM ECG waveforms (12-lead, general, ambulatory) into a Recording. Formats reference, section 7 (DICOM
// PS3.3, C.10.9).

import { inflateRawSync } from 'node:zlib';
import dicomParser, { type DataSet } from 'dicom-parser';
import type { FileAnnotation, StartTime } from '../../../shared/signal/recording.ts';
import { ecgChannels } from '../../signal/channels/judge-channels.ts';
import { Deviations } from '../deviations.ts';
import { type ReadResult, type RecordFormat, refused } from '../format.ts';
import { placePieces } from '../placed-pieces.ts';
import { parseCompactStart } from '../start-time.ts';
import { parseDecimal } from '../text-field.ts';
import { itemsOf, noteCharacterSet, parseBare, textOf } from './read-elements.ts';
import { patientOf } from './read-patient.ts';
import { readGroup, type WaveformGroup } from './waveform-group.ts';

const MARK_OFFSET = 128;
const MARK = 'DICM';
const HEAD_BYTES = 4096;
const MAX_BYTES = 512 * 2 ** 20;
const BIG_ENDIAN_SYNTAX = '1.2.840.10008.1.2.2';
/** Sequences that a file without stated types does not announce as such. */
const SEQUENCE_TAGS = new Set(['x54000100', 'x003a0200', 'x003a0208', 'x003a0211', 'x0040b020']);

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

type HeadKind = 'whole' | 'noPreamble' | 'metaAlone' | 'bareExplicit' | 'bareImplicit';

const latin = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);
/** Every identifier that the standard gives begins with it. */
const STANDARD_ROOT = '1.2.840.10008.';

/** How much of its head a file has: some archives store the dataset alone, as it went over the network. */
function kindOfHead(head: Uint8Array): HeadKind | undefined {
  if (latin(head.subarray(MARK_OFFSET, MARK_OFFSET + MARK.length)) === MARK) return 'whole';
  if (latin(head.subarray(0, MARK.length)) === MARK) return 'noPreamble';
  if (!latin(head).includes(STANDARD_ROOT)) return undefined;
  const [group, high, , , ...type] = head.subarray(0, 6);
  if (high !== 0) return undefined;
  if (group === 2) return 'metaAlone';
  if (group !== 8) return undefined;
  return /^[A-Z]{2}$/.test(String.fromCharCode(...type)) ? 'bareExplicit' : 'bareImplicit';
}

function parseFile(bytes: Uint8Array): DataSet {
  const kind = kindOfHead(bytes.subarray(0, HEAD_BYTES));
  if (kind === 'bareExplicit' || kind === 'bareImplicit')
    return parseBare(bytes, kind === 'bareImplicit', SEQUENCE_TAGS);
  const preamble = Buffer.alloc(kind === 'whole' ? 0 : MARK_OFFSET);
  const mark = kind === 'metaAlone' ? Buffer.from(MARK) : Buffer.alloc(0);
  return dicomParser.parseDicom(
    kind === 'whole' ? bytes : Buffer.concat([preamble, mark, bytes]),
    PARSE_OPTIONS,
  );
}

interface ChosenGroups {
  readonly chosen: readonly WaveformGroup[];
  readonly leftOut: readonly WaveformGroup[];
}

/** The groups with an ECG as it was recorded; where there are none, the longest that has one. */
function chooseGroups(groups: readonly WaveformGroup[]): ChosenGroups {
  const withEcg = groups.filter(({ channels }) => ecgChannels(channels).length > 0);
  const recorded = withEcg.filter(({ isDerived }) => !isDerived);
  const lengthOf = ({ channels }: WaveformGroup): number => channels[0]?.sampleCount ?? 0;
  const longest = [...withEcg].sort((a, b) => lengthOf(b) - lengthOf(a)).slice(0, 1);
  const chosen = recorded.length > 0 ? recorded : longest.length > 0 ? longest : groups;
  return { chosen, leftOut: groups.filter((group) => !chosen.includes(group)) };
}

const namesOf = (groups: readonly WaveformGroup[]): string =>
  groups.map(({ label, channels }) => label || channels.map((channel) => channel.label).join(' ')).join(', ');

function assemble(dataSet: DataSet, isBigEndian: boolean): ReadResult {
  const items = itemsOf(dataSet, 'x54000100');
  if (items.length === 0)
    return refused(
      'no_ecg_record',
      'The DICOM file holds no waveform, but perhaps a picture or a document. Export the ECG as a DICOM waveform.',
    );
  const deviations = new Deviations();
  const read = items.map((item) => readGroup(item, isBigEndian, deviations));
  const groups = read.filter((group) => typeof group !== 'string');
  const fault = read.find((group) => typeof group === 'string');
  if (groups.length === 0) return refused('record_unreadable', `The DICOM file can't be read. ${fault}`);
  if (fault !== undefined) deviations.add('group_unreadable', { why: fault });
  const { chosen, leftOut } = chooseGroups(groups);
  if (leftOut.length > 0) deviations.add('groups_left_out.named', { labels: namesOf(leftOut) });
  const first = Math.min(...chosen.map(({ startSeconds }) => startSeconds));
  const placed = placePieces(
    chosen.map(({ startSeconds, channels }) => ({ startSeconds: startSeconds - first, channels })),
    deviations,
  );
  const startTime = startOf(dataSet);
  const deviceId = textOf(dataSet, 'x00181000');
  return {
    ok: true,
    recording: {
      format: 'DICOM',
      channels: placed.channels,
      durationSeconds: placed.durationSeconds,
      ...(placed.gaps.length > 0 && { gaps: placed.gaps }),
      ...(startTime !== undefined && {
        startTime: { ...startTime, utcMs: startTime.utcMs + Math.round(1000 * first) },
      }),
      patient: patientOf(dataSet),
      ...(deviceId !== '' && { deviceId }),
      annotations: annotationsOf(dataSet).map((one) => ({ ...one, onsetSeconds: one.onsetSeconds - first })),
      warnings: deviations.list,
    },
  };
}

export const DICOM: RecordFormat = {
  name: 'DICOM',

  detect: (head) => kindOfHead(head) !== undefined,

  read({ source }) {
    if (source.sizeBytes > MAX_BYTES)
      return refused('record_unreadable', `The DICOM file is larger than ${MAX_BYTES} bytes.`);
    const bytes = source.read(0, source.sizeBytes);
    try {
      const dataSet = parseFile(bytes);
      noteCharacterSet(dataSet);
      return assemble(dataSet, textOf(dataSet, 'x00020010') === BIG_ENDIAN_SYNTAX);
    } catch {
      // The library throws, also strings, at whatever it stumbles over, and numbers are read from the file
      // only when they are asked for.
      return refused('record_unreadable', 'The DICOM file is damaged and cannot be read.');
    }
  },
};
