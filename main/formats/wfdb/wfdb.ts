// WFDB records into a Recording: a text header, signal files, annotation files. Layout: formats reference,
// section 2.

import type { Channel, FileAnnotation } from '../../../shared/signal/recording.ts';
import type { RecordFile } from '../byte-source.ts';
import { Deviations } from '../deviations.ts';
import { FilesByName } from '../files-by-name.ts';
import { type RecordFormat, refused } from '../format.ts';
import { isBeat, parseWfdbAnnotations } from './wfdb-annotations.ts';
import {
  isWfdbHeader,
  MAX_HEADER_BYTES,
  parseWfdbHeader,
  patientFromComments,
  readHeaderText,
  type WfdbHeader,
} from './wfdb-header.ts';
import { openSegments, segmentHeaderNames } from './wfdb-segments.ts';
import { type OpenedSignals, openSignals } from './wfdb-signals.ts';

/** Annotations of people first, then of programs; the first that is there is read (D56). */
export const ANNOTATORS: readonly string[] = ['atr', 'ecg', 'qrs'];
const MAX_ANNOTATION_BYTES = 1 << 26;

const baseNameOf = (headerName: string): string => headerName.replace(/\.hea$/i, '');

/** The signal files that a header names and that do not have its name. */
function foreignNames({ signals }: WfdbHeader, headerName: string): string[] {
  const baseName = baseNameOf(headerName).toLowerCase();
  const names = new Set(signals.map(({ fileName }) => fileName));
  return [...names].filter((name) => name !== '~' && !name.toLowerCase().startsWith(`${baseName}.`));
}

/** The ones that a person has to look at: `100_a.dat` beside `100.hea` is as it was made. */
const unlikeNames = (header: WfdbHeader, headerName: string): string[] =>
  foreignNames(header, headerName).filter(
    (name) =>
      isRenamed(header, headerName) || !name.toLowerCase().startsWith(baseNameOf(headerName).toLowerCase()),
  );

/** Nobody knows of `100 (1).hea`, which is called 100 inside, whether `100.dat` or `100 (1).dat` belongs to it. */
const isRenamed = ({ recordName }: WfdbHeader, headerName: string): boolean =>
  recordName.toLowerCase() !== baseNameOf(headerName).toLowerCase();

function readAnnotations(
  header: WfdbHeader,
  baseName: string,
  files: FilesByName,
  deviations: Deviations,
): FileAnnotation[] {
  const file = ANNOTATORS.map((annotator) => files.find(`${baseName}.${annotator}`)).find(
    (found) => found !== undefined,
  );
  if (file === undefined) return [];
  const parsed = parseWfdbAnnotations(
    file.source.read(0, Math.min(file.source.sizeBytes, MAX_ANNOTATION_BYTES)),
  );
  if (!parsed.ok) {
    deviations.add('annotation_malformed.file', { reason: parsed.message });
    return [];
  }
  if (!header.isRateStated && parsed.ticksPerSecond !== undefined) {
    const reason = 'Its times are in seconds, and the header does not say how many samples a second has.';
    deviations.add('annotation_malformed.file', { reason });
    return [];
  }
  const ticksPerSecond = parsed.ticksPerSecond ?? header.frameRateHz;
  const remarks = parsed.comments.map((text) => ({ onsetSeconds: 0, text }));
  const annotations = parsed.annotations.map((annotation) => ({
    onsetSeconds: annotation.sample / ticksPerSecond,
    text: isBeat(annotation) || annotation.text === '' ? annotation.symbol : annotation.text,
  }));
  return [...remarks, ...annotations];
}

/** Channels whose rate nobody knows; undefined where they have different ones. */
function untimed({ channels, signals }: OpenedSignals): Channel[] | undefined {
  return signals.some(({ samplesPerFrame }) => samplesPerFrame !== 1)
    ? undefined
    : channels.map((channel) => ({ ...channel, isRateUnknown: true }));
}

/** The files that a header names, and those that the headers of its segments name. */
function filesNamedBy(file: RecordFile, folder: FilesByName): string[] {
  const parsed = parseWfdbHeader(readHeaderText(file.source));
  if (!parsed.ok) return [];
  const names = new Set(parsed.header.signals.map(({ fileName }) => fileName));
  for (const name of segmentHeaderNames(parsed.header.segments ?? [])) {
    names.add(name);
    const segment = folder.find(name);
    const inner = segment === undefined ? undefined : parseWfdbHeader(readHeaderText(segment.source));
    if (inner?.ok === true)
      for (const { fileName } of inner.header.signals) if (fileName !== '~') names.add(fileName);
  }
  return [...names];
}

export const WFDB: RecordFormat = {
  name: 'WFDB',

  /**
   * Text without NUL that begins with a record line and a line of a signal or segment, behind comments of any
   * length.
   */
  detect(head, source) {
    if (source.sizeBytes > MAX_HEADER_BYTES || head.includes(0)) return false;
    return isWfdbHeader(head[0] === 0x23 ? readHeaderText(source) : new TextDecoder().decode(head));
  },

  read(file, siblings) {
    const parsed = parseWfdbHeader(readHeaderText(file.source));
    if (!parsed.ok) return refused('record_unreadable', `The WFDB header can't be read. ${parsed.message}`);
    const { header } = parsed;
    const deviations = new Deviations();
    deviations.addAll(header.warnings);
    const files = new FilesByName(siblings);
    const joined =
      header.segments === undefined ? undefined : openSegments(header, header.segments, files, deviations);
    const signals = joined ?? openSignals(header, files, deviations);
    if ('reason' in signals) return refused(signals.reason, signals.message);
    const [foreign] = unlikeNames(header, file.name);
    if (foreign !== undefined) deviations.add('signal_file_name', { name: file.name, samples: foreign });
    const channels = header.isRateStated ? signals.channels : untimed(signals);
    if (channels === undefined)
      return refused(
        'record_unreadable',
        'The WFDB header does not say how many samples a second its signals have, and they differ in that. Add the rate to its first line.',
      );
    if (channels.length > 0 && signals.frameCount === 0)
      return refused('record_unreadable', 'The signal files of the WFDB record hold no samples.');
    const pieces = joined === undefined || 'reason' in joined ? undefined : joined;
    const gaps = pieces?.gaps ?? [];
    const deviceId = header.comments
      .map((comment) => /^device: (.+)$/.exec(comment)?.[1])
      .find((found) => found !== undefined);
    const startTime = header.startTime ?? pieces?.startTime;
    return {
      ok: true,
      recording: {
        format: 'WFDB',
        channels,
        durationSeconds: signals.frameCount / header.frameRateHz,
        ...(gaps.length > 0 && { gaps }),
        ...(startTime !== undefined && { startTime }),
        patient: patientFromComments(header.comments),
        ...(deviceId !== undefined && { deviceId }),
        annotations: readAnnotations(header, baseNameOf(file.name), files, deviations),
        warnings: deviations.list,
        ...(signals.missingFiles.length > 0 && { missingFiles: signals.missingFiles }),
        checkIntegrity: signals.checkIntegrity,
      },
    };
  },

  /** The files that a header names, those that its segments name, and its annotation files. */
  companionNames: (file, folder) => [
    ...filesNamedBy(file, folder),
    ...ANNOTATORS.map((annotator) => `${baseNameOf(file.name)}.${annotator}`),
  ],

  /** The headers of its segments, and the signal files. */
  partNames: (file, folder) => filesNamedBy(file, folder).filter((name) => name !== file.name),

  doubtfulNames({ name, source }) {
    const parsed = parseWfdbHeader(readHeaderText(source));
    return parsed.ok && isRenamed(parsed.header, name) ? foreignNames(parsed.header, name) : [];
  },
};
