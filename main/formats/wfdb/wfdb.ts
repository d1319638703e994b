// WFDB records of one segment with signals in the formats 16 and 212. Multi-segment records, skew, several samples a frame and
// the other packings are recognised and refused by name. Layout: formats reference, section 2.

import { matchLead } from '../../../shared/signal/lead.ts';
import { type Channel, type FileAnnotation, INVALID_SAMPLE, type Warning } from '../../../shared/signal/recording.ts';
import { mvPerUnit } from '../../../shared/signal/unit.ts';
import type { ByteSource, RecordFile } from '../byte-source.ts';
import { type ReadResult, type RecordFormat, refused } from '../format.ts';
import { isBeat, parseWfdbAnnotations } from './wfdb-annotations.ts';
import {
  findRecordLine,
  MAX_HEADER_BYTES,
  parseWfdbHeader,
  patientFromComments,
  type WfdbHeader,
  type WfdbSignalHeader,
} from './wfdb-header.ts';
import { INVALID_CODES, SAMPLE_FORMATS, type SampleFormat } from './wfdb-sample-formats.ts';

const BLOCK_FRAMES = 16_384;
const UTF_8 = new TextDecoder('utf-8');

/** Signals of one file are interleaved frame by frame; a group reads and decodes them block by block. */
class SignalGroup {
  readonly frameCount: number;
  readonly #source: ByteSource;
  readonly #format: SampleFormat;
  readonly #offsetBytes: number;
  readonly #signalCount: number;
  #blockIndex = -1;
  #block = new Int32Array(0);

  constructor(source: ByteSource, format: SampleFormat, offsetBytes: number, signalCount: number) {
    this.#source = source;
    this.#format = format;
    this.#offsetBytes = offsetBytes;
    this.#signalCount = signalCount;
    this.frameCount = Math.floor(format.samplesIn(Math.max(0, source.sizeBytes - offsetBytes)) / signalCount);
  }

  #load(blockIndex: number): Int32Array {
    if (blockIndex !== this.#blockIndex) {
      // BLOCK_FRAMES is a multiple of every unit's sample count, so a block always begins at a unit's border.
      const firstSample = blockIndex * BLOCK_FRAMES * this.#signalCount;
      const frames = Math.min(BLOCK_FRAMES, this.frameCount - blockIndex * BLOCK_FRAMES);
      const count = frames * this.#signalCount;
      const startByte = (firstSample / this.#format.unitSamples) * this.#format.unitBytes;
      const byteCount = Math.ceil(count / this.#format.unitSamples) * this.#format.unitBytes;
      const block = new Int32Array(count);
      this.#format.decode(this.#source.read(this.#offsetBytes + startByte, byteCount), count, block);
      this.#block = block;
      this.#blockIndex = blockIndex;
    }
    return this.#block;
  }

  read(signalIndex: number, startFrame: number, target: Int32Array): void {
    target.fill(INVALID_SAMPLE);
    const end = Math.min(startFrame + target.length, this.frameCount);
    for (let frame = Math.max(0, startFrame); frame < end; ) {
      const blockIndex = Math.floor(frame / BLOCK_FRAMES);
      const block = this.#load(blockIndex);
      const blockStart = blockIndex * BLOCK_FRAMES;
      const stop = Math.min(end, blockStart + BLOCK_FRAMES);
      for (; frame < stop; frame++) target[frame - startFrame] = block[(frame - blockStart) * this.#signalCount + signalIndex] as number;
    }
  }
}

function findFile(name: string, files: readonly RecordFile[]): RecordFile | undefined {
  return files.find((file) => file.name === name) ?? files.find((file) => file.name.toLowerCase() === name.toLowerCase());
}

/** Consecutive signals of one file form a group (section 2.1). */
function groupSignals(signals: readonly WfdbSignalHeader[]): { fileName: string; signals: WfdbSignalHeader[] }[] {
  const groups: { fileName: string; signals: WfdbSignalHeader[] }[] = [];
  for (const signal of signals) {
    const last = groups.at(-1);
    if (last?.fileName === signal.fileName) last.signals.push(signal);
    else groups.push({ fileName: signal.fileName, signals: [signal] });
  }
  return groups;
}

/** The first thing in the header that this version can't read, as a sentence. */
function whatIsMissing(header: WfdbHeader): string | undefined {
  if (header.segmentCount !== undefined) return 'The WFDB record has several segments, which this version does not read.';
  for (const signal of header.signals) {
    if (/[\\/]|^\.\.|:/.test(signal.fileName) || signal.fileName === '-')
      return `The WFDB header names the signal file "${signal.fileName.slice(0, 60)}", which is not a plain file name.`;
    if (SAMPLE_FORMATS[signal.format] === undefined)
      return `The WFDB record stores signals in format ${signal.format}; this version reads formats 16 and 212.`;
    if (signal.samplesPerFrame !== 1) return 'The WFDB record has several samples a frame, which this version does not read.';
    if (signal.skewFrames !== 0) return 'The WFDB record has signals that are shifted in time (skew), which this version does not read.';
  }
  return undefined;
}

function channelOf(signal: WfdbSignalHeader, indexInGroup: number, group: SignalGroup, header: WfdbHeader, frameCount: number): Channel {
  const label = signal.description === '' ? `${signal.fileName}, signal ${indexInGroup + 1}` : signal.description;
  const lead = matchLead(label);
  const mv = mvPerUnit(signal.unit);
  return {
    label,
    ...(lead !== undefined && { lead }),
    unit: signal.unit,
    ...(mv !== undefined && { mvPerUnit: mv }),
    scale: 1 / signal.gain,
    offset: -signal.baseline / signal.gain,
    isCalibrated: signal.isGainStated,
    rate: { samples: header.frameRateHz, seconds: 1 },
    sampleCount: frameCount,
    read: (startSample, target) => group.read(indexInGroup, startSample, target),
  };
}

/** Compares the header's 16-bit sum; a mismatch is a warning, the samples stay. */
function isChecksumRight(channel: Channel, signal: WfdbSignalHeader): boolean {
  const invalidCode = INVALID_CODES[signal.format] ?? 0;
  const block = new Int32Array(BLOCK_FRAMES);
  let sum = 0;
  for (let start = 0; start < channel.sampleCount; start += BLOCK_FRAMES) {
    channel.read(start, block);
    const count = Math.min(BLOCK_FRAMES, channel.sampleCount - start);
    for (let i = 0; i < count; i++) {
      const sample = block[i] as number;
      sum = (sum + (sample === INVALID_SAMPLE ? invalidCode : sample)) | 0;
    }
  }
  return (sum & 0xffff) === ((signal.checksum ?? 0) & 0xffff);
}

interface Signals {
  readonly channels: readonly Channel[];
  readonly warnings: readonly Warning[];
}

function openSignals(header: WfdbHeader, siblings: readonly RecordFile[]): Signals | ReadResult {
  const warnings: Warning[] = [];
  const opened: { group: SignalGroup; signals: WfdbSignalHeader[] }[] = [];
  for (const { fileName, signals } of groupSignals(header.signals)) {
    const file = findFile(fileName, siblings);
    if (file === undefined)
      return refused('record_incomplete', `The header names the signal file "${fileName}", which is not here. Add it and try again.`);
    if (file.name !== fileName)
      warnings.push({ code: 'file_name_case', message: `The signal file "${fileName}" is here as "${file.name}".` });
    const first = signals[0] as WfdbSignalHeader;
    if (signals.some((signal) => signal.format !== first.format || signal.offsetBytes !== first.offsetBytes)) {
      return refused('record_unreadable', `The WFDB header describes the signals in "${fileName}" with different formats.`);
    }
    const group = new SignalGroup(file.source, SAMPLE_FORMATS[first.format] as SampleFormat, first.offsetBytes, signals.length);
    opened.push({ group, signals });
  }
  const present = Math.min(...opened.map(({ group }) => group.frameCount));
  const frameCount = header.frameCount > 0 ? Math.min(header.frameCount, present) : present;
  if (frameCount === 0) return refused('record_unreadable', 'The signal files of the WFDB record hold no samples.');
  if (header.frameCount > present) {
    const percent = Math.floor((100 * present) / header.frameCount);
    warnings.push({
      code: 'truncated',
      message: `The signal file ends early: ${present} of ${header.frameCount} announced samples are there (${percent} %).`,
    });
  }
  const channels: Channel[] = [];
  for (const { group, signals } of opened) {
    for (const [index, signal] of signals.entries()) {
      const channel = channelOf(signal, index, group, header, frameCount);
      channels.push(channel);
      // The sum covers the whole file, so it says nothing about a part of it or where the length is not known.
      if (signal.checksum !== undefined && header.frameCount === frameCount && !isChecksumRight(channel, signal)) {
        warnings.push({ code: 'checksum', message: `The checksum of "${channel.label}" does not fit its samples.` });
      }
      if (!signal.isGainStated)
        warnings.push({
          code: 'gain_missing',
          message: `The header states no gain for "${channel.label}"; its amplitudes are not calibrated.`,
        });
    }
  }
  return { channels, warnings };
}

function readAnnotations(
  header: WfdbHeader,
  baseName: string,
  siblings: readonly RecordFile[],
): { list: FileAnnotation[]; warnings: Warning[] } {
  const file = findFile(`${baseName}.atr`, siblings);
  if (file === undefined) return { list: [], warnings: [] };
  const parsed = parseWfdbAnnotations(file.source.read(0, file.source.sizeBytes));
  if (!parsed.ok)
    return { list: [], warnings: [{ code: 'annotation_malformed', message: `The annotation file could not be read. ${parsed.message}` }] };
  const ticksPerSecond = parsed.ticksPerSecond ?? header.frameRateHz;
  const list = parsed.annotations.map((annotation) => ({
    onsetSeconds: annotation.sample / ticksPerSecond,
    text: isBeat(annotation) || annotation.text === '' ? annotation.symbol : annotation.text,
  }));
  return { list, warnings: [] };
}

const baseNameOf = (headerName: string): string => headerName.replace(/\.hea$/i, '');

/** The signal files that a header names, and its annotation file, whether they are there or not. */
export function wfdbCompanions(file: RecordFile): string[] {
  const parsed = parseWfdbHeader(UTF_8.decode(file.source.read(0, MAX_HEADER_BYTES)));
  if (!parsed.ok) return [];
  return [...new Set(parsed.header.signals.map((signal) => signal.fileName)), `${baseNameOf(file.name)}.atr`];
}

export const WFDB: RecordFormat = {
  name: 'WFDB',

  /** Text without NUL whose first line that is no comment is a record line. */
  detect(head, source) {
    if (source.sizeBytes > MAX_HEADER_BYTES || head.includes(0)) return false;
    return findRecordLine(UTF_8.decode(head)) !== undefined;
  },

  read(file, siblings) {
    const parsed = parseWfdbHeader(UTF_8.decode(file.source.read(0, MAX_HEADER_BYTES)));
    if (!parsed.ok) return refused('record_unreadable', `The WFDB header can't be read. ${parsed.message}`);
    const { header } = parsed;
    const missing = whatIsMissing(header);
    if (missing !== undefined) return refused('unsupported_format', missing);
    if (header.signals.length === 0) return refused('no_ecg_record', 'The WFDB record has no signals.');
    const signals = openSignals(header, siblings);
    if (!('channels' in signals)) return signals;
    const annotations = readAnnotations(header, baseNameOf(file.name), siblings);
    const sampleCount = signals.channels[0]?.sampleCount ?? 0;
    return {
      ok: true,
      recording: {
        format: 'WFDB',
        channels: signals.channels,
        durationSeconds: sampleCount / header.frameRateHz,
        ...(header.startTime !== undefined && { startTime: header.startTime }),
        patient: patientFromComments(header.comments),
        annotations: annotations.list,
        warnings: [...header.warnings, ...signals.warnings, ...annotations.warnings],
      },
    };
  },
};
