// Opens the signals that one WFDB header describes: finds their files, groups them, and gives a channel each.

import type { Reason } from '../../../shared/errors.ts';
import { identifyChannel } from '../../../shared/signal/channel-identity.ts';
import { type Channel, INVALID_SAMPLE, type Warning } from '../../../shared/signal/recording.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import type { Deviations } from '../deviations.ts';
import type { FilesByName } from '../files-by-name.ts';
import { openGroup, type SignalGroup } from './signal-group.ts';
import type { WfdbHeader, WfdbSignalHeader } from './wfdb-header.ts';
import { FLAC_FORMAT_BITS, SAMPLE_FORMATS } from './wfdb-sample-formats.ts';

const NULL_FORMAT = 0;
const NO_FILE = '~';
/** Frames by which a signal may be shifted: more is no recorder's delay. */
const MAX_SKEW_FRAMES = 2 ** 24;

export interface OpenedSignals {
  /** In the order of the header; those without a file have no samples. */
  readonly channels: readonly Channel[];
  /** What the header says of each channel. */
  readonly signals: readonly WfdbSignalHeader[];
  readonly frameCount: number;
  readonly missingFiles: readonly string[];
  checkIntegrity(): readonly Warning[];
}

export interface SignalsFault {
  readonly reason: Reason;
  readonly message: string;
}

interface OpenedGroup {
  readonly group: SignalGroup | undefined;
  readonly signals: readonly WfdbSignalHeader[];
}

/** Consecutive signals of one file form a group. */
function groupSignals(signals: readonly WfdbSignalHeader[]): WfdbSignalHeader[][] {
  const groups: WfdbSignalHeader[][] = [];
  for (const signal of signals) {
    const last = groups.at(-1);
    if (last?.[0]?.fileName === signal.fileName) last.push(signal);
    else groups.push([signal]);
  }
  return groups;
}

/** The first thing in the header that can't be read at all, as a sentence. */
function faultOf(signal: WfdbSignalHeader): SignalsFault | undefined {
  const { fileName, format } = signal;
  const isNull = format === NULL_FORMAT || fileName === NO_FILE;
  if (!isNull && (/[\\/:]|^\.\.?$/.test(fileName) || fileName === '-'))
    return {
      reason: 'unsupported_format',
      message: `The WFDB header names the signal file "${fileName.slice(0, 60)}", which is not a plain file name.`,
    };
  if (!isNull && SAMPLE_FORMATS[format] === undefined && FLAC_FORMAT_BITS[format] === undefined)
    return {
      reason: 'unsupported_format',
      message: `The WFDB record stores signals in format ${format}, which does not exist.`,
    };
  if (signal.skewFrames < 0 || signal.skewFrames > MAX_SKEW_FRAMES)
    return {
      reason: 'record_unreadable',
      message: `The WFDB header states a skew of ${signal.skewFrames} frames, which cannot be.`,
    };
  return undefined;
}

function openGroups(
  header: WfdbHeader,
  files: FilesByName,
  missingFiles: string[],
  deviations: Deviations,
): OpenedGroup[] | SignalsFault {
  const opened: OpenedGroup[] = [];
  const seen = new Set<string>();
  for (const signals of groupSignals(header.signals)) {
    const first = signals[0] as WfdbSignalHeader;
    const { fileName } = first;
    if (fileName !== NO_FILE && seen.has(fileName))
      return {
        reason: 'record_unreadable',
        message: `The WFDB header names the signal file "${fileName}" in two places, which cannot be read.`,
      };
    seen.add(fileName);
    // The offset of a file stands on the line of its first signal; the others may leave it out.
    const isOther = ({ format, offsetBytes }: WfdbSignalHeader): boolean =>
      format !== first.format || (offsetBytes !== 0 && offsetBytes !== first.offsetBytes);
    if (signals.some(isOther))
      return {
        reason: 'record_unreadable',
        message: `The WFDB header describes the signals in "${fileName}" with different formats.`,
      };
    const file = first.format === NULL_FORMAT || fileName === NO_FILE ? undefined : files.find(fileName);
    if (file === undefined) {
      // Its signals keep their places, without samples: others are found by position.
      if (first.format !== NULL_FORMAT && fileName !== NO_FILE) missingFiles.push(fileName);
      opened.push({ group: undefined, signals });
      continue;
    }
    if (file.name !== fileName) deviations.add('file_name_case', { name: fileName, found: file.name });
    const group = openGroup(file.source, signals);
    if (typeof group === 'string')
      return { reason: 'record_unreadable', message: `The signal file "${fileName}" ${group}` };
    opened.push({ group, signals });
  }
  return opened;
}

function channelOf(
  signal: WfdbSignalHeader,
  indexInGroup: number,
  group: SignalGroup | undefined,
  header: WfdbHeader,
  frameCount: number,
): Channel {
  const label =
    signal.description === '' ? `${signal.fileName}, signal ${indexInGroup + 1}` : signal.description;
  const { samplesPerFrame, skewFrames } = signal;
  return {
    ...identifyChannel(label, signal.unit),
    scale: 1 / signal.gain,
    offset: -signal.baseline / signal.gain,
    isCalibrated: signal.isGainStated,
    rate: { samples: header.frameRateHz * samplesPerFrame, seconds: 1 },
    sampleCount: frameCount * samplesPerFrame,
    read(startSample, target) {
      // A signal with skew stands so many frames later in its file; what the file lacks at its end stays
      // missing.
      if (group === undefined) target.fill(INVALID_SAMPLE);
      else group.read(indexInGroup, startSample + skewFrames * samplesPerFrame, target);
      const before = Math.min(target.length, -startSample);
      if (before > 0) target.fill(INVALID_SAMPLE, 0, before);
      const behind = Math.max(0, frameCount * samplesPerFrame - startSample);
      if (behind < target.length) target.fill(INVALID_SAMPLE, behind);
    },
  };
}

/**
 * The sums of the header cover the whole file, skewed head included, so they say nothing about a part of it.
 */
function checkSums(opened: readonly OpenedGroup[], header: WfdbHeader): Warning[] {
  const warnings: Warning[] = [];
  for (const { group, signals } of opened) {
    if (
      group === undefined ||
      group.frameCount !== header.frameCount ||
      signals.every(({ checksum }) => checksum === undefined)
    )
      continue;
    const sums = group.sums(header.frameCount);
    for (const [index, { checksum, description }] of signals.entries()) {
      if (checksum !== undefined && ((sums[index] as number) & 0xffff) !== (checksum & 0xffff))
        warnings.push(warning('checksum.signal', { label: description }));
    }
  }
  return warnings;
}

export function openSignals(
  header: WfdbHeader,
  files: FilesByName,
  deviations: Deviations,
): OpenedSignals | SignalsFault {
  for (const signal of header.signals) {
    const fault = faultOf(signal);
    if (fault !== undefined) return fault;
  }
  const missingFiles: string[] = [];
  const opened = openGroups(header, files, missingFiles, deviations);
  if (!Array.isArray(opened)) return opened;
  const lengths = opened.flatMap(({ group }) => (group === undefined ? [] : [group.frameCount]));
  if (lengths.length === 0 && missingFiles.length > 0)
    return {
      reason: 'record_incomplete',
      message: `The header names the signal file "${missingFiles[0]}", which is not here. Add it and try again.`,
    };
  for (const name of missingFiles) deviations.add('signal_file_missing', { name });
  const present = lengths.length === 0 ? header.frameCount : Math.max(...lengths);
  const frameCount = header.frameCount > 0 ? Math.min(header.frameCount, present) : present;
  const shortest = Math.min(...lengths);
  if (
    lengths.length > 0 &&
    (header.frameCount > shortest || (header.frameCount === 0 && shortest < present))
  ) {
    const wanted = header.frameCount || present;
    deviations.add('truncated.signals', {
      present: shortest,
      stated: wanted,
      percent: Math.floor((100 * shortest) / wanted),
    });
  }
  const channels = opened.flatMap(({ group, signals }) =>
    signals.map((signal, index) => channelOf(signal, index, group, header, frameCount)),
  );
  const signals = opened.flatMap((group) => group.signals);
  for (const [index, signal] of signals.entries()) {
    if (!signal.isGainStated) deviations.add('gain_missing', { label: channels[index]?.label ?? '' });
  }
  return { channels, signals, frameCount, missingFiles, checkIntegrity: () => checkSums(opened, header) };
}
