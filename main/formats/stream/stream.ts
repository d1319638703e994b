// The file of a finished stream into a Recording: frames placed by their timestamps (place-frames.ts),
// decoded where they are read.

import { crc32 } from 'node:zlib';
import { identifyChannel } from '../../../shared/signal/channel-identity.ts';
import { type LeadCode, leadName } from '../../../shared/signal/lead.ts';
import {
  type Channel,
  INVALID_SAMPLE,
  type Recording,
  type Warning,
} from '../../../shared/signal/recording.ts';
import {
  INDEX_ENTRY_BYTES,
  isStreamFile,
  parseStreamFile,
  readIndexEntry,
  StreamFacts,
} from '../../../shared/signal/stream-file.ts';
import { checkerOf } from '../../../shared/validator.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import type { CodedBlock } from '../../signal/compressed-delta/block.ts';
import { type DeltaStart, decodeChannel } from '../../signal/compressed-delta/decode-slots.ts';
import {
  type Coding,
  type DeltaHeader,
  HEADER_BYTES,
  parseDeltaHeader,
} from '../../signal/compressed-delta/header.ts';
import { openFrame } from '../../signal/compressed-delta/read-frame.ts';
import { rateWarning, trueRateHz } from '../../signal/true-rate.ts';
import { firstIndex } from '../binary-search.ts';
import { type ByteSource, blockCached } from '../byte-source.ts';
import { Deviations } from '../deviations.ts';
import { type RecordFormat, refused } from '../format.ts';
import {
  type Border,
  DELTA_STARTS,
  type DeltaStartName,
  findDeltaStart,
  MAX_BORDERS,
} from './delta-start.ts';
import { type PlacedFrames, placeFrames } from './place-frames.ts';

const areFacts = checkerOf(StreamFacts);
/** What a frame may unpack to (D74); so much is kept of unpacked frames, too. */
const MAX_FRAME_BYTES = 16 << 20;
const CACHED_BYTES = 32 << 20;
/** A stream without differences has no borders to look at. */
const BORDERS_LOOKED_AT = 5000;
const PLAUSIBLE_RANGE_MV = 50;

interface OpenFrame {
  readonly header: DeltaHeader;
  readonly block: CodedBlock;
}

/** The frames of a file by number, unpacked when they are asked for. */
class Frames {
  readonly timestampsUs: Float64Array;
  readonly sampleCounts: Uint32Array;
  readonly #source: ByteSource;
  readonly #index: DataView;
  readonly #open = new Map<number, OpenFrame | undefined>();
  #openBytes = 0;

  constructor(source: ByteSource, index: Uint8Array, count: number) {
    this.#source = blockCached(source);
    this.#index = new DataView(index.buffer, index.byteOffset, index.byteLength);
    this.timestampsUs = new Float64Array(count);
    this.sampleCounts = new Uint32Array(count);
    for (let frame = 0; frame < count; frame++) {
      const { timestampUs, samples } = readIndexEntry(this.#index, frame * INDEX_ENTRY_BYTES);
      this.timestampsUs[frame] = timestampUs;
      this.sampleCounts[frame] = samples;
    }
  }

  get count(): number {
    return this.timestampsUs.length;
  }

  /** Undefined where the stored bytes are damaged. */
  open(frame: number): OpenFrame | undefined {
    if (this.#open.has(frame)) return this.#open.get(frame);
    const opened = this.#read(frame);
    this.#open.set(frame, opened);
    this.#openBytes += opened?.block.coded.length ?? 0;
    for (const [oldest, cached] of this.#open) {
      if (this.#openBytes <= CACHED_BYTES || oldest === frame) break;
      this.#open.delete(oldest);
      this.#openBytes -= cached?.block.coded.length ?? 0;
    }
    return opened;
  }

  #read(frame: number): OpenFrame | undefined {
    const entry = readIndexEntry(this.#index, frame * INDEX_ENTRY_BYTES);
    if (entry.lengthBytes > MAX_FRAME_BYTES) return undefined;
    // A copy: the block of the source is overwritten by the next one.
    const bytes = this.#source.read(entry.offsetBytes, entry.lengthBytes).slice();
    if (bytes.length !== entry.lengthBytes || crc32(bytes) !== entry.crc32) return undefined;
    const opened = openFrame(bytes, MAX_FRAME_BYTES);
    return opened.ok && opened.header.samples === entry.samples ? opened : undefined;
  }

  codingOf(frame: number): Coding | undefined {
    const { offsetBytes, lengthBytes } = readIndexEntry(this.#index, frame * INDEX_ENTRY_BYTES);
    const parsed = parseDeltaHeader(this.#source.read(offsetBytes, HEADER_BYTES), lengthBytes);
    return parsed.ok ? parsed.header.coding : undefined;
  }

  isWhole(frame: number): boolean {
    return this.open(frame) !== undefined;
  }
}

function decode({ header, block }: OpenFrame, channel: number, start: DeltaStart): Int32Array {
  const samples = new Int32Array(header.samples);
  decodeChannel(block.coded, (channel * header.samples * header.bitsPerSample) / 8, header, start, samples);
  return samples;
}

/**
 * Borders between frames of one coding that lie one right behind the other, spread over the stream's
 * beginning.
 */
function contiguousBorders(
  frames: Frames,
  placed: PlacedFrames,
  coding: Coding,
): (readonly [number, number])[] {
  const borders: (readonly [number, number])[] = [];
  for (
    let i = 1;
    i < Math.min(placed.frames.length, BORDERS_LOOKED_AT) && borders.length < MAX_BORDERS;
    i++
  ) {
    const [before, after] = [placed.frames[i - 1] as number, placed.frames[i] as number];
    const end =
      (placed.starts[i - 1] as number) +
      (frames.sampleCounts[before] as number) -
      (placed.drops[i - 1] as number);
    const isContiguous = placed.starts[i] === end && placed.drops[i] === 0;
    if (isContiguous && frames.codingOf(before) === coding && frames.codingOf(after) === coding)
      borders.push([before, after]);
  }
  return borders;
}

/** The beginning of the differences, judged by the coding that most of the first frames use. */
function startOf(
  frames: Frames,
  placed: PlacedFrames,
  leads: number,
  known: string | undefined,
): DeltaStartName {
  const byCoding = (['delta', 'doubleDelta'] as const).map((coding) => ({
    coding,
    borders: contiguousBorders(frames, placed, coding),
  }));
  const { coding, borders } = byCoding.reduce((a, b) => (b.borders.length > a.borders.length ? b : a));
  const isCoded = borders.length > 0 || frames.codingOf(0) !== 'twosComplement';
  if (!isCoded) return 'default';
  const candidates: DeltaStartName[] =
    coding === 'delta' ? ['default', 'raw_first'] : (Object.keys(DELTA_STARTS) as DeltaStartName[]);
  const channels = (frame: number, start: DeltaStart): Int32Array[] => {
    const open = frames.open(frame);
    return open === undefined
      ? []
      : Array.from({ length: leads }, (_, channel) => decode(open, channel, start));
  };
  const whole = borders.filter(([before, after]) => frames.isWhole(before) && frames.isWhole(after));
  const bordersOf = (start: DeltaStart): Border[] =>
    whole.map(([before, after]) => ({ before: channels(before, start), after: channels(after, start) }));
  return findDeltaStart(candidates, whole.length, bordersOf, known);
}

class StreamChannelReader {
  readonly #frames: Frames;
  readonly #placed: PlacedFrames;
  readonly #channel: number;
  readonly #start: DeltaStart;

  constructor(frames: Frames, placed: PlacedFrames, channel: number, start: DeltaStart) {
    this.#frames = frames;
    this.#placed = placed;
    this.#channel = channel;
    this.#start = start;
  }

  read(startSample: number, target: Int32Array): void {
    target.fill(INVALID_SAMPLE);
    const { frames, starts, drops } = this.#placed;
    const end = startSample + target.length;
    const first = Math.max(0, firstIndex(starts.length, (i) => (starts[i] as number) > startSample) - 1);
    for (let i = first; i < starts.length && (starts[i] as number) < end; i++) {
      const open = this.#frames.open(frames[i] as number);
      if (open === undefined) continue;
      const samples = decode(open, this.#channel, this.#start).subarray(drops[i]);
      const from = Math.max(0, startSample - (starts[i] as number));
      const to = Math.min(samples.length, end - (starts[i] as number));
      if (to > from) target.set(samples.subarray(from, to), (starts[i] as number) + from - startSample);
    }
  }
}

/** Overlapping frames should hold the same samples; where they don't, two sources were mixed (D82). */
function compareOverlaps(
  frames: Frames,
  { overlaps }: PlacedFrames,
  leads: number,
  start: DeltaStart,
  deviations: Deviations,
): void {
  const areSame = ({ earlier, later, offset }: PlacedFrames['overlaps'][number]): boolean => {
    const [before, after] = [frames.open(earlier), frames.open(later)];
    if (before === undefined || after === undefined) return true;
    for (let lead = 0; lead < leads; lead++) {
      const kept = decode(before, lead, start).subarray(offset);
      const again = decode(after, lead, start).subarray(0, kept.length);
      if (again.some((sample, i) => sample !== kept[i])) return false;
    }
    return true;
  };
  const different = overlaps.filter((overlap) => !areSame(overlap)).length;
  if (different > 0) deviations.add('overlapping_frames', { count: different });
}

/** Two points of a line; they are no limits of the converter, and may be reversed. */
function scaleOf({ scale }: StreamFacts): Pick<Channel, 'scale' | 'offset'> {
  if (scale === undefined) return { scale: 1, offset: 0 };
  const { digitalMinimum, digitalMaximum, physicalMinimumMv, physicalMaximumMv } = scale;
  const factor = (physicalMaximumMv - physicalMinimumMv) / (digitalMaximum - digitalMinimum);
  return { scale: factor, offset: physicalMinimumMv - digitalMinimum * factor };
}

/**
 * Without scale the numbers are millivolts by agreement; a range that no heart has says that they are
 * something else.
 */
function isPlausible(reader: StreamChannelReader, sampleCount: number): boolean {
  const samples = new Int32Array(Math.min(sampleCount, 1 << 20));
  reader.read(0, samples);
  const present = samples.filter((sample) => sample !== INVALID_SAMPLE).sort();
  if (present.length === 0) return true;
  const cut = Math.floor(present.length * 0.0005);
  return (present[present.length - 1 - cut] as number) - (present[cut] as number) <= PLAUSIBLE_RANGE_MV;
}

/** The declared rate, or the measured one where the device does not keep it, as whole samples in a hundred seconds. */
function rateOf({ sampleRateHz, device }: StreamFacts): Channel['rate'] {
  const measuredHz = trueRateHz(device?.drift);
  return measuredHz === undefined
    ? { samples: sampleRateHz, seconds: 1 }
    : { samples: Math.round(100 * measuredHz), seconds: 100 };
}

function channelsOf(
  frames: Frames,
  placed: PlacedFrames,
  facts: StreamFacts,
  start: DeltaStart,
  deviations: Deviations,
): Channel[] {
  const scale = scaleOf(facts);
  const channels = facts.leadCodes.map((code, channel): Channel => {
    const reader = new StreamChannelReader(frames, placed, channel, start);
    return {
      ...identifyChannel(leadName(code as LeadCode), 'mV'),
      ...scale,
      isCalibrated:
        facts.device?.isCalibrated ?? (facts.scale !== undefined || isPlausible(reader, placed.sampleCount)),
      rate: rateOf(facts),
      sampleCount: placed.sampleCount,
      read: (startSample, target) => reader.read(startSample, target),
    };
  });
  if (channels.some(({ isCalibrated }) => !isCalibrated))
    deviations.add(facts.device === undefined ? 'scale_unknown.stream' : 'scale_unknown.device');
  return channels;
}

export const STREAM: RecordFormat = {
  name: 'stream',

  detect: isStreamFile,

  read({ source }) {
    const layout = parseStreamFile((offset, length) => source.read(offset, length), source.sizeBytes);
    if (layout === undefined || !areFacts(layout.facts))
      return refused('record_unreadable', 'The file of the stream is cut off or damaged.');
    const { facts, frameCount, indexOffsetBytes, indexCrc32 } = layout;
    const index = source.read(indexOffsetBytes, frameCount * INDEX_ENTRY_BYTES).slice();
    if (crc32(index) !== indexCrc32)
      return refused('record_unreadable', 'The index of the stream’s file is damaged.');
    const deviations = new Deviations();
    const frames = new Frames(source, index, frameCount);
    const placed = placeFrames(
      frames.timestampsUs,
      frames.sampleCounts,
      facts.sampleRateHz,
      facts.device !== undefined,
    );
    deviations.addAll(placed.warnings);
    const startName = startOf(frames, placed, facts.leadCodes.length, facts.knownStart);
    const isUnlearned =
      startName === 'default' && facts.knownStart !== undefined && facts.knownStart !== 'default';
    if (startName !== 'default' || isUnlearned)
      deviations.add('cmdt_convention', {}, `cmdt_convention:${startName}`);
    const start = DELTA_STARTS[startName];
    compareOverlaps(frames, placed, facts.leadCodes.length, start, deviations);
    const firstUs = frames.timestampsUs[placed.frames[0] as number] as number;
    const { samples, seconds } = rateOf(facts);
    const rateHz = samples / seconds;
    const measuredHz = trueRateHz(facts.device?.drift);
    if (measuredHz !== undefined) deviations.addAll([rateWarning(facts.sampleRateHz, measuredHz)]);
    const toSeconds = ([from, to]: readonly [number, number]) => ({
      startSeconds: from / rateHz,
      endSeconds: to / rateHz,
    });
    const recording: Recording = {
      format: 'stream',
      channels: channelsOf(frames, placed, facts, start, deviations),
      durationSeconds: placed.sampleCount / rateHz,
      ...(placed.gaps.length > 0 && { gaps: placed.gaps.map(toSeconds) }),
      startTime: {
        utcMs: Math.round(facts.startedMs + (firstUs / 1000) * (facts.sampleRateHz / rateHz)),
        isZoneKnown: true,
      },
      patient: {},
      ...(facts.deviceId !== undefined && { deviceId: facts.deviceId }),
      ...(facts.device !== undefined && {
        device: { isSimulated: facts.device.isSimulated, class: facts.device.class },
      }),
      annotations: [],
      warnings: deviations.list,
      checkIntegrity: () => damagedFrames(frames),
    };
    return { ok: true, recording };
  },
};

function damagedFrames(frames: Frames): readonly Warning[] {
  let damaged = 0;
  for (let frame = 0; frame < frames.count; frame++) if (!frames.isWhole(frame)) damaged++;
  return damaged === 0 ? [] : [warning('frames_damaged', { count: damaged })];
}
