// A file of the Compressed Delta format into a Recording. It has neither leads nor scale: these come from the
// JSON beside it, or by the rules of the central service's page, section 5.

import { identifyChannel } from '../../../shared/signal/channel-identity.ts';
import { type LeadCode, leadName, STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import {
  type Channel,
  type Gap,
  INVALID_SAMPLE,
  type Recording,
  type SampleRate,
  samplesWithin,
} from '../../../shared/signal/recording.ts';
import { decompressBlock } from '../../signal/compressed-delta/block.ts';
import { type DeltaState, decodeSlots } from '../../signal/compressed-delta/decode-slots.ts';
import {
  type BitsPerSample,
  blockBytes,
  type Coding,
  type DeltaHeader,
  HEADER_BYTES,
  parseDeltaHeader,
} from '../../signal/compressed-delta/header.ts';
import { type ByteSource, bufferSource, sliceSource } from '../byte-source.ts';
import { Deviations } from '../deviations.ts';
import { FilesByName } from '../files-by-name.ts';
import { type RecordFormat, refused } from '../format.ts';
import { areInOrder } from '../gaps.ts';
import { MissingRuns } from '../missing-runs.ts';
import { parseIsoStart } from '../start-time.ts';
import { parseSidecar, type Sidecar, sidecarName } from './sidecar.ts';

/**
 * A compressed block must be unpacked in one piece; a longer recording is stored uncompressed, or in several
 * files.
 */
const MAX_UNPACKED_BYTES = 128 * 2 ** 20;
const MAX_SIDECAR_BYTES = 64 * 2 ** 20;
/** Sums are remembered this often, so that reading from the middle costs little. */
const CHECKPOINT_SAMPLES = 65_536;

/** The slots of one channel, decoded where they are asked for. */
class SlotReader {
  readonly #slots: ByteSource;
  readonly #bits: BitsPerSample;
  readonly #coding: Coding;
  readonly #sampleCount: number;
  readonly #checkpoints: DeltaState[] = [{ sample: 0, difference: 0 }];
  #block = new Int32Array(0);
  #blockIndex = -1;

  constructor(slots: ByteSource, { bitsPerSample, coding, samples }: DeltaHeader) {
    this.#slots = slots;
    this.#bits = bitsPerSample;
    this.#coding = coding;
    this.#sampleCount = samples;
  }

  #load(wanted: number): Int32Array {
    if (wanted === this.#blockIndex) return this.#block;
    // Made when it is first needed: a file may have 255 channels of which nobody reads any.
    if (this.#block.length === 0)
      this.#block = new Int32Array(Math.min(CHECKPOINT_SAMPLES, this.#sampleCount));
    for (let index = Math.min(wanted, this.#checkpoints.length - 1); index <= wanted; index++) {
      const state = { ...(this.#checkpoints[index] as DeltaState) };
      const count = Math.min(CHECKPOINT_SAMPLES, this.#sampleCount - index * CHECKPOINT_SAMPLES);
      const bytes = this.#slots.read((index * CHECKPOINT_SAMPLES * this.#bits) / 8, (count * this.#bits) / 8);
      decodeSlots(bytes, 0, this.#bits, this.#coding, state, this.#block.subarray(0, count));
      this.#checkpoints[index + 1] = state;
    }
    this.#blockIndex = wanted;
    return this.#block;
  }

  read(startSample: number, target: Int32Array): void {
    target.fill(INVALID_SAMPLE);
    const end = Math.min(startSample + target.length, this.#sampleCount);
    for (let sample = Math.max(0, startSample); sample < end; ) {
      const index = Math.floor(sample / CHECKPOINT_SAMPLES);
      const block = this.#load(index);
      const from = sample - index * CHECKPOINT_SAMPLES;
      const count = Math.min(CHECKPOINT_SAMPLES - from, end - sample);
      target.set(block.subarray(from, from + count), sample - startSample);
      sample += count;
    }
  }
}

const DEFAULT_LEADS: ReadonlyMap<number, readonly LeadCode[]> = new Map(
  [[0], [0, 1], [0, 1, 2], [0, 1, 6, 7, 8, 9, 10, 11], [...STANDARD_LEADS.keys()]].map((places) => [
    places.length,
    places.map((place) => STANDARD_LEADS[place] as LeadCode),
  ]),
);

/** Without scale the stored numbers are millivolts; a range that no heart has says that they are not. */
const PLAUSIBLE_RANGE_MV = 50;
const RANGE_SHARE = 0.999;
const RANGE_SAMPLES = 1 << 20;

/** Range of the middle 99.9 % of the first million samples. */
function rangeOf(reader: SlotReader, sampleCount: number): number {
  const samples = new Int32Array(Math.min(sampleCount, RANGE_SAMPLES));
  reader.read(0, samples);
  samples.sort();
  const cut = Math.floor((samples.length * (1 - RANGE_SHARE)) / 2);
  return (samples[samples.length - 1 - cut] as number) - (samples[cut] as number);
}

/** What lies in a gap is missing, whether its channel says so or not. */
function channelOf(
  reader: SlotReader,
  header: DeltaHeader,
  described: Sidecar['channels'][number],
  gaps: readonly Gap[],
): Channel {
  const { label, unit, scale, offset, isCalibrated, missing } = described;
  const rate: SampleRate = { samples: header.sampleRateHz, seconds: 1 };
  const runs = new MissingRuns([
    ...missing.map(([start, end]) => ({ start, end })),
    ...gaps.map(({ startSeconds, endSeconds }) => ({
      start: samplesWithin(rate, startSeconds),
      end: samplesWithin(rate, endSeconds),
    })),
  ]);
  return {
    ...identifyChannel(label, unit),
    scale,
    offset,
    isCalibrated,
    rate,
    sampleCount: header.samples,
    read(startSample, target) {
      reader.read(startSample, target);
      runs.mark(startSample, target);
    },
  };
}

/** What a file without anything beside it is taken for. */
function describeUnnamed(
  readers: readonly SlotReader[],
  header: DeltaHeader,
  deviations: Deviations,
): Sidecar['channels'] {
  deviations.add('scale_unknown.numbers');
  const leads = DEFAULT_LEADS.get(readers.length);
  const isPlausible = readers.every((reader) => rangeOf(reader, header.samples) <= PLAUSIBLE_RANGE_MV);
  return readers.map((_, index) => ({
    label: leads === undefined ? `channel ${index + 1}` : leadName(leads[index] as LeadCode),
    unit: 'mV',
    scale: 1,
    offset: 0,
    isCalibrated: isPlausible,
    missing: [],
  }));
}

const gapsOf = (sidecar: Sidecar | undefined): Gap[] =>
  (sidecar?.gaps ?? []).map(([startSeconds, endSeconds]) => ({ startSeconds, endSeconds }));

function factsOf(
  sidecar: Sidecar | undefined,
): Pick<Recording, 'patient' | 'annotations' | 'deviceId' | 'startTime'> {
  if (sidecar === undefined) return { patient: {}, annotations: [] };
  const startTime = sidecar.startTime === undefined ? undefined : parseIsoStart(sidecar.startTime);
  const { patient, annotations, deviceId } = sidecar;
  return {
    patient,
    annotations,
    ...(deviceId !== undefined && { deviceId }),
    ...(startTime !== undefined && { startTime }),
  };
}

/** The block as a source of slots: straight from the file, or unpacked; or a sentence why neither works. */
function openBlock(source: ByteSource, header: DeltaHeader, deviations: Deviations): ByteSource | string {
  const needBytes = blockBytes(header);
  const isRaw = header.compressionNumber === 0 && header.payloadBytes === needBytes;
  if (isRaw) return sliceSource(source, HEADER_BYTES, needBytes);
  if (Math.max(needBytes, header.payloadBytes) > MAX_UNPACKED_BYTES)
    return `Unpacked it would have ${needBytes} bytes; at most ${MAX_UNPACKED_BYTES} are unpacked.`;
  const block = decompressBlock(header, source.read(HEADER_BYTES, header.payloadBytes));
  if (block === undefined) return 'Its samples cannot be unpacked, or are not as many as it states.';
  if (block.isNumberOdd)
    deviations.add('compression_number', { stated: header.compressionNumber, found: block.compression });
  return bufferSource(block.coded);
}

export const COMPRESSED_DELTA: RecordFormat = {
  name: 'Compressed Delta',

  detect: (head) => new TextDecoder('latin1').decode(head.subarray(0, 4)) === 'cMdT',

  read({ name, source }, siblings) {
    const parsed = parseDeltaHeader(source.read(0, HEADER_BYTES), source.sizeBytes);
    if (!parsed.ok)
      return refused('record_unreadable', `The Compressed Delta file can't be read. ${parsed.message}`);
    const { header } = parsed;
    const deviations = new Deviations();
    const block = openBlock(source, header, deviations);
    if (typeof block === 'string')
      return refused('record_unreadable', `The Compressed Delta file can't be read. ${block}`);
    const channelBytes = (header.samples * header.bitsPerSample) / 8;
    const readers = Array.from(
      { length: header.channels },
      (_, channel) => new SlotReader(sliceSource(block, channel * channelBytes, channelBytes), header),
    );
    const beside = new FilesByName(siblings).find(sidecarName(name));
    const sidecar =
      beside === undefined
        ? undefined
        : parseSidecar(new TextDecoder().decode(beside.source.read(0, MAX_SIDECAR_BYTES)));
    const isUsable = sidecar?.channels.length === header.channels && areInOrder(gapsOf(sidecar));
    if (beside !== undefined && !isUsable) deviations.add('sidecar_unusable');
    const gaps = isUsable ? gapsOf(sidecar) : [];
    const described = isUsable ? sidecar.channels : describeUnnamed(readers, header, deviations);
    return {
      ok: true,
      recording: {
        format: 'Compressed Delta',
        channels: readers.map((reader, index) =>
          channelOf(reader, header, described[index] as Sidecar['channels'][number], gaps),
        ),
        durationSeconds: header.samples / header.sampleRateHz,
        ...(gaps.length > 0 && { gaps }),
        ...factsOf(isUsable ? sidecar : undefined),
        warnings: deviations.list,
      },
    };
  },

  companionNames: ({ name }) => [sidecarName(name)],
};
