// The signals that share one signal file. Their samples are interleaved frame by frame, each signal with its
// own number of samples a frame; or they are the channels of one FLAC stream. Formats reference, sections 2.1
// and 2.2.

import { INVALID_SAMPLE } from '../../../shared/signal/recording.ts';
import type { ByteSource } from '../byte-source.ts';
import { Deviations } from '../deviations.ts';
import { openNativeFlac } from '../flac/flac.ts';
import type { WfdbSignalHeader } from './wfdb-header.ts';
import { FLAC_FORMAT_BITS, SAMPLE_FORMATS, type SampleFormat } from './wfdb-sample-formats.ts';

/**
 * Samples of all signals that are decoded at a time; a block has whole units of every packing (2 or 3
 * samples).
 */
const BLOCK_SAMPLES = 98_304;
const UNIT_MULTIPLE = 6;

export interface SignalGroup {
  /** Whole frames in the file. */
  readonly frameCount: number;
  /** Fills `target` with samples of one signal of the group from `startSample` on, skew left aside. */
  read(signalIndex: number, startSample: number, target: Int32Array): void;
  /** The 16-bit sum of all stored codes of every signal, over the first `frames` frames. */
  sums(frames: number): Int32Array;
}

class PackedGroup implements SignalGroup {
  readonly frameCount: number;
  readonly #source: ByteSource;
  readonly #format: SampleFormat;
  readonly #offsetBytes: number;
  readonly #samplesPerFrame: readonly number[];
  /** Position of each signal within a frame. */
  readonly #positions: readonly number[];
  readonly #frameSamples: number;
  readonly #blockFrames: number;
  /** For formats of differences: the last sample of every signal before each block. */
  readonly #runningSums: Int32Array[];
  #blockIndex = -1;
  #block: Int32Array = new Int32Array(0);

  constructor(source: ByteSource, format: SampleFormat, signals: readonly WfdbSignalHeader[]) {
    this.#source = source;
    this.#format = format;
    this.#offsetBytes = signals[0]?.offsetBytes ?? 0;
    this.#samplesPerFrame = signals.map(({ samplesPerFrame }) => samplesPerFrame);
    let position = 0;
    this.#positions = this.#samplesPerFrame.map((count) => {
      position += count;
      return position - count;
    });
    this.#frameSamples = position;
    this.#blockFrames = UNIT_MULTIPLE * Math.max(1, Math.floor(BLOCK_SAMPLES / UNIT_MULTIPLE / position));
    this.#runningSums = [Int32Array.from(signals, ({ initialValue }) => initialValue)];
    this.frameCount = Math.floor(
      format.samplesIn(Math.max(0, source.sizeBytes - this.#offsetBytes)) / position,
    );
  }

  #load(blockIndex: number): Int32Array {
    if (blockIndex === this.#blockIndex) return this.#block;
    const sums = this.#format.isDifferences === true ? this.#sumsBefore(blockIndex) : undefined;
    this.#block = this.#decode(blockIndex);
    this.#blockIndex = blockIndex;
    if (sums !== undefined) this.#runningSums[blockIndex + 1] ??= this.#addUp(this.#block, sums);
    return this.#block;
  }

  #decode(blockIndex: number): Int32Array {
    const { unitSamples, unitBytes } = this.#format;
    const firstSample = blockIndex * this.#blockFrames * this.#frameSamples;
    const count =
      Math.min(this.#blockFrames, this.frameCount - blockIndex * this.#blockFrames) * this.#frameSamples;
    const block = this.#block.length === count ? this.#block : new Int32Array(count);
    const bytes = this.#source.read(
      this.#offsetBytes + (firstSample / unitSamples) * unitBytes,
      Math.ceil(count / unitSamples) * unitBytes,
    );
    this.#format.decode(bytes, count, block);
    return block;
  }

  /** Differences add up from the beginning of the file; blocks passed once are remembered. */
  #sumsBefore(blockIndex: number): Int32Array {
    for (let block = this.#runningSums.length - 1; block < blockIndex; block++) {
      this.#blockIndex = -1;
      this.#block = this.#decode(block);
      this.#runningSums[block + 1] = this.#addUp(this.#block, this.#runningSums[block] as Int32Array);
    }
    return this.#runningSums[blockIndex] as Int32Array;
  }

  /** Turns differences into samples in place; returns the last sample of every signal. */
  #addUp(block: Int32Array, before: Int32Array): Int32Array {
    const sums = Int32Array.from(before);
    for (let frame = 0; frame < block.length; frame += this.#frameSamples) {
      for (const [signal, position] of this.#positions.entries()) {
        const end = frame + position + (this.#samplesPerFrame[signal] as number);
        for (let i = frame + position; i < end; i++) {
          sums[signal] = (sums[signal] as number) + (block[i] as number);
          block[i] = sums[signal] as number;
        }
      }
    }
    return sums;
  }

  read(signalIndex: number, startSample: number, target: Int32Array): void {
    target.fill(INVALID_SAMPLE);
    const perFrame = this.#samplesPerFrame[signalIndex] as number;
    const position = this.#positions[signalIndex] as number;
    const end = Math.min(startSample + target.length, this.frameCount * perFrame);
    const invalid = this.#format.invalidCode;
    const perBlock = this.#blockFrames * perFrame;
    for (let sample = Math.max(0, startSample); sample < end; ) {
      const blockIndex = Math.floor(sample / perBlock);
      const block = this.#load(blockIndex);
      const blockStart = blockIndex * perBlock;
      const stop = Math.min(end, blockStart + perBlock);
      if (perFrame === 1) {
        const shift = startSample;
        for (
          let from = (sample - blockStart) * this.#frameSamples + position;
          sample < stop;
          sample++, from += this.#frameSamples
        ) {
          const code = block[from] as number;
          target[sample - shift] = code === invalid ? INVALID_SAMPLE : code;
        }
      } else {
        for (; sample < stop; sample++) {
          const inBlock = sample - blockStart;
          const code = block[
            Math.floor(inBlock / perFrame) * this.#frameSamples + position + (inBlock % perFrame)
          ] as number;
          target[sample - startSample] = code === invalid ? INVALID_SAMPLE : code;
        }
      }
    }
  }

  sums(frames: number): Int32Array {
    const sums = new Int32Array(this.#positions.length);
    const signalOf = new Uint16Array(this.#frameSamples);
    for (const [signal, position] of this.#positions.entries())
      signalOf.fill(signal, position, position + (this.#samplesPerFrame[signal] as number));
    for (let blockIndex = 0; blockIndex * this.#blockFrames < frames; blockIndex++) {
      const block = this.#load(blockIndex);
      const end = Math.min(block.length, (frames - blockIndex * this.#blockFrames) * this.#frameSamples);
      for (let i = 0, inFrame = 0; i < end; i++) {
        const signal = signalOf[inFrame] as number;
        sums[signal] = (sums[signal] as number) + (block[i] as number);
        inFrame = inFrame + 1 === this.#frameSamples ? 0 : inFrame + 1;
      }
    }
    return sums;
  }
}

/** A FLAC stream as a group: channel = signal; the header's rate counts, the stream's own is meaningless. */
function flacGroup(source: ByteSource, signals: readonly WfdbSignalHeader[]): SignalGroup | string {
  const { format = 0, offsetBytes = 0, samplesPerFrame = 1 } = signals[0] ?? {};
  const bits = FLAC_FORMAT_BITS[format] ?? 0;
  const opened = openNativeFlac(source, offsetBytes, new Deviations());
  if (typeof opened === 'string') return `is no FLAC stream. ${opened}`;
  const { stream } = opened;
  if (stream.info.channels !== signals.length || stream.info.bitsPerSample !== bits)
    return `holds ${stream.info.channels} channels of ${stream.info.bitsPerSample} bits, which the header describes otherwise.`;
  if (signals.some((signal) => signal.samplesPerFrame !== samplesPerFrame))
    return 'is described with different numbers of samples a frame.';
  const invalidCode = -(2 ** (bits - 1));
  const frameCount = Math.floor(stream.sampleCount / samplesPerFrame);
  return {
    frameCount,
    read(signalIndex, startSample, target) {
      stream.read(signalIndex, startSample, target);
      for (let i = 0; i < target.length; i++) if (target[i] === invalidCode) target[i] = INVALID_SAMPLE;
    },
    sums(frames) {
      const block = new Int32Array(BLOCK_SAMPLES);
      return Int32Array.from(signals, (_, channel) => {
        let sum = 0;
        for (let start = 0; start < frames * samplesPerFrame; start += block.length) {
          stream.read(channel, start, block);
          const count = Math.min(block.length, frames * samplesPerFrame - start);
          for (let i = 0; i < count; i++) sum = (sum + (block[i] as number)) | 0;
        }
        return sum;
      });
    },
  };
}

/** @returns the group, or what is wrong with the file as the end of a sentence that begins with its name. */
export function openGroup(source: ByteSource, signals: readonly WfdbSignalHeader[]): SignalGroup | string {
  const format = signals[0]?.format ?? 0;
  if (FLAC_FORMAT_BITS[format] !== undefined) return flacGroup(source, signals);
  return new PackedGroup(source, SAMPLE_FORMATS[format] as SampleFormat, signals);
}
