// One multiplex group of a DICOM waveform: its channels, and whether they are what was recorded or what a cart made of it (PS3.3, C.10.9).

import type { DataSet } from 'dicom-parser';
import { identifyChannel } from '../../../shared/signal/channel-identity.ts';
import { type Channel, INVALID_SAMPLE } from '../../../shared/signal/recording.ts';
import { bufferSource } from '../byte-source.ts';
import type { Deviations } from '../deviations.ts';
import { scpLeadName } from '../scp/scp-lead-names.ts';
import { type Interleaved, readInterleaved } from '../stored-channel.ts';
import { UNSPECIFIED_LEAD } from './dicom-uids.ts';
import { decimalOf, itemsOf, textOf } from './read-elements.ts';

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
  { stored, rateHz }: { stored: Interleaved; rateHz: number },
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

/** Bits of a sample and the interpretations that are linear. */
const INTERPRETATIONS: Readonly<Record<number, readonly string[]>> = {
  8: ['SB', 'UB', 'SS', 'US'],
  16: ['SS', 'US'],
  32: ['SL', 'UL'],
};

interface Stored {
  readonly bits: number;
  /** Fewer than `bits` where the rest of a sample may say nothing. */
  readonly bitsStored: number;
  readonly isSigned: boolean;
  readonly isBigEndian: boolean;
}

/** A sample at a byte, of all its bits; what is no sample of 32 bits reads as missing. */
function wholeDecoder({ bits, isSigned, isBigEndian }: Stored): Interleaved['decode'] {
  // Nearly all files are of this kind, and some hold a day.
  if (bits === 16 && isSigned && !isBigEndian)
    return (bytes, at) => (((bytes[at + 1] as number) << 24) >> 16) | (bytes[at] as number);
  const sampleBytes = bits / 8;
  const shift = 32 - bits;
  return (bytes, at) => {
    let raw = 0;
    for (let i = 0; i < sampleBytes; i++)
      raw |= (bytes[at + (isBigEndian ? sampleBytes - 1 - i : i)] as number) << (8 * i);
    if (isSigned) return (raw << shift) >> shift;
    const unsigned = (raw << shift) >>> shift;
    return unsigned > 0x7fffffff ? INVALID_SAMPLE : unsigned;
  };
}

/**
 * Signed samples of fewer bits are stored with the bits above them as they should be, or with these cut off: then none is below zero, and
 * some have the highest stored bit. Whatever fits neither is taken as it stands.
 */
function areCutOff(
  bytes: Uint8Array,
  { bits, bitsStored, isSigned }: Stored,
  whole: Interleaved['decode'],
  padding: number | undefined,
): boolean {
  if (!isSigned || bitsStored >= bits) return false;
  const [half, most] = [2 ** (bitsStored - 1), 2 ** bitsStored];
  let hasNegative = false;
  for (let at = 0; at + bits / 8 <= bytes.length; at += bits / 8) {
    const value = whole(bytes, at);
    if (value === padding) continue;
    if (value < 0 || value >= most) return false;
    hasNegative ||= value >= half;
  }
  return hasNegative;
}

const PROBE_FRAMES = 2000;
/** How much smoother the other order has to be. */
const MUCH_SMOOTHER = 4;

/** How far a channel moves from sample to sample, beside its range: little where samples are read rightly. */
function roughness(bytes: Uint8Array, frameBytes: number, decode: Interleaved['decode']): number {
  let [moved, lowest, highest] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let before: number | undefined;
  for (let at = 0; at + frameBytes <= Math.min(bytes.length, PROBE_FRAMES * frameBytes); at += frameBytes) {
    const value = decode(bytes, at);
    moved += Math.abs(value - (before ?? value));
    lowest = Math.min(lowest, value);
    highest = Math.max(highest, value);
    before = value;
  }
  return highest > lowest ? moved / (highest - lowest) : 0;
}

/** Writers of the big-endian syntax leave samples as they were in memory: the signal shows in which order they are. */
function decoderBySignal(
  bytes: Uint8Array,
  channels: number,
  stored: Stored,
  deviations: Deviations,
): Interleaved['decode'] {
  const declared = wholeDecoder(stored);
  if (!stored.isBigEndian || stored.bits === 8) return declared;
  const other = wholeDecoder({ ...stored, isBigEndian: false });
  const frameBytes = (channels * stored.bits) / 8;
  if (roughness(bytes, frameBytes, declared) <= MUCH_SMOOTHER * roughness(bytes, frameBytes, other))
    return declared;
  deviations.add('byte_order');
  return other;
}

/** The samples of the group, or a sentence why they can't be had. */
function storedOf(
  group: DataSet,
  definitions: readonly DataSet[],
  isBigEndian: boolean,
  deviations: Deviations,
): Interleaved | string {
  const channels = definitions.length;
  const data = group.elements.x54001010;
  const [bits, interpretation, stated] = [
    group.uint16('x54001004') ?? 16,
    textOf(group, 'x54001006') || 'SS',
    group.uint32('x003a0010') ?? 0,
  ];
  if (data === undefined) return 'It holds no samples.';
  if (INTERPRETATIONS[bits]?.includes(interpretation) !== true)
    return `Its samples are stored in a way (${bits} bits, ${interpretation.slice(0, 8)}) that is not read.`;
  const sampleBytes = bits / 8;
  const bytes = group.byteArray.subarray(data.dataOffset, data.dataOffset + data.length) as Uint8Array;
  const present = Math.floor(bytes.length / (channels * sampleBytes));
  if (stated > present) deviations.add('truncated', { present, stated });
  const used = definitions
    .map((definition) => definition.uint16('x003a021a') ?? bits)
    .filter((count) => count > 0 && count <= bits);
  const isSigned = interpretation.startsWith('S');
  const stored = { bits, bitsStored: Math.max(...used, 0) || bits, isSigned, isBigEndian };
  const whole = decoderBySignal(bytes, channels, stored, deviations);
  const marked = group.elements.x5400100a;
  const padding =
    marked === undefined || marked.length < sampleBytes
      ? undefined
      : whole(group.byteArray as Uint8Array, marked.dataOffset);
  const shift = areCutOff(bytes, stored, whole, padding) ? 32 - stored.bitsStored : 0;
  return {
    source: bufferSource(bytes),
    startByte: 0,
    channels,
    sampleCount: stated > 0 ? Math.min(stated, present) : present,
    sampleBytes,
    decode(from, at) {
      const value = whole(from, at);
      return value === padding || value === INVALID_SAMPLE ? INVALID_SAMPLE : (value << shift) >> shift;
    },
  };
}

export interface WaveformGroup {
  readonly label: string;
  /** A usual beat or the like, which was computed. */
  readonly isDerived: boolean;
  readonly startSeconds: number;
  readonly channels: readonly Channel[];
}

const DERIVED_LABEL = /median|average|mean|template|representative|dominant/i;

/** @returns the group, or a sentence why it can't be read */
export function readGroup(
  group: DataSet,
  isBigEndian: boolean,
  deviations: Deviations,
): WaveformGroup | string {
  const definitions = itemsOf(group, 'x003a0200');
  const rateHz = decimalOf(group, 'x003a001a');
  if (definitions.length === 0 || definitions.length !== (group.uint16('x003a0005') ?? definitions.length))
    return 'It does not describe its channels.';
  if (rateHz === undefined || rateHz <= 0) return 'It does not tell its sample rate.';
  const stored = storedOf(group, definitions, isBigEndian, deviations);
  if (typeof stored === 'string') return stored;
  if (stored.sampleCount === 0) return 'It holds no samples.';
  const label = textOf(group, 'x003a0020');
  return {
    label,
    isDerived: DERIVED_LABEL.test(label) || textOf(group, 'x003a0004') === 'DERIVED',
    startSeconds: (decimalOf(group, 'x00181068') ?? 0) / 1000,
    channels: definitions.map((definition, index) =>
      channelOf(definition, index, { stored, rateHz }, deviations),
    ),
  };
}
