// One FLAC stream: where its frames lie, found and checked in one pass, and its samples, decoded again where
// they are asked for. Frames stand one after another in a native file, or one a packet in Ogg. Formats
// reference, section 4.1.

import { createHash, type Hash } from 'node:crypto';
import { INVALID_SAMPLE } from '../../../shared/signal/recording.ts';
import { firstIndex } from '../binary-search.ts';
import type { ByteSource } from '../byte-source.ts';
import type { Deviations } from '../deviations.ts';
import {
  type DecodedFrame,
  decodeFrame,
  type FrameHeader,
  longestFrameBytes,
  parseFrameHeader,
  type StreamInfo,
} from './flac-frame.ts';

const MAX_BLOCK_SIZE = 65_535;
/** Decoded frames that are kept, so that channels read side by side cost one decoding. */
const CACHED_FRAMES = 48;
const WINDOW_BYTES = 1 << 20;
/**
 * A number further ahead of what came before, and of the announced total, is damage and no loss of frames.
 */
const LARGEST_LOSS_SAMPLES = 2 ** 24;
/**
 * Samples of all channels that a stream may hold: 35 days of three leads at 250 Hz have half of it. Twenty
 * bytes can stand for half a million.
 */
const MAX_SAMPLES = 2 ** 32;

interface FramePlace {
  readonly index: number;
  readonly firstSample: number;
  readonly blockSize: number;
}

/** Gives the bytes of frame after frame while they are looked for, and of any one of them later. */
export interface FrameBytes {
  /** Bytes from the next frame on, as many as it can have; undefined at the end. */
  next(): Uint8Array | undefined;
  /** The frame was so long, and is kept. */
  accept(lengthBytes: number): void;
  /** There is no frame here: go on behind it. `search` tells whether a frame begins at a position. */
  reject(search: (bytes: Uint8Array, at: number) => boolean): void;
  /** Bytes of the n-th accepted frame. */
  at(index: number): Uint8Array;
}

/** Frames in a row in a file. */
export function framesInFile(source: ByteSource, firstFrameByte: number, info: StreamInfo): FrameBytes {
  const offsets: number[] = [];
  const lengths: number[] = [];
  let at = firstFrameByte;
  let window = new Uint8Array(0) as Uint8Array;
  let windowStart = 0;
  // An understated block size must not cut a frame: the largest that the format allows decides.
  const longest = longestFrameBytes(info, MAX_BLOCK_SIZE);
  const from = (position: number, length: number): Uint8Array => {
    const isInside = position >= windowStart && position + length <= windowStart + window.length;
    if (!isInside && windowStart + window.length < source.sizeBytes) {
      window = source.read(position, Math.max(length, WINDOW_BYTES) + longest);
      windowStart = position;
    }
    return window.subarray(Math.max(0, position - windowStart));
  };
  return {
    next: () => (at < source.sizeBytes ? from(at, Math.min(longest, source.sizeBytes - at)) : undefined),
    accept(lengthBytes) {
      offsets.push(at);
      lengths.push(lengthBytes);
      at += lengthBytes;
    },
    reject(search) {
      for (at++; at < source.sizeBytes; ) {
        const bytes = from(at, Math.min(longest, source.sizeBytes - at));
        const found = bytes.indexOf(0xff);
        at += found < 0 ? bytes.length : found;
        if (found < 0) continue;
        if (search(bytes, found)) return;
        at++;
      }
    },
    at: (index) => source.read(offsets[index] as number, lengths[index] as number),
  };
}

/** Frames in packets: `packets[i]` gives the bytes of one. */
export function framesInPackets(packetCount: number, packet: (index: number) => Uint8Array): FrameBytes {
  const accepted: number[] = [];
  let at = 0;
  return {
    next: () => (at < packetCount ? packet(at) : undefined),
    accept: () => void accepted.push(at++),
    reject: () => void at++,
    at: (index) => packet(accepted[index] as number),
  };
}

/** MD5 over the samples as the format asks: interleaved, little-endian, whole bytes. */
export function hashInterleaved(
  hash: Hash,
  samples: readonly Int32Array[],
  count: number,
  bitsPerSample: number,
): void {
  const width = Math.ceil(bitsPerSample / 8);
  const bytes = new Uint8Array(count * samples.length * width);
  let at = 0;
  for (let i = 0; i < count; i++) {
    for (const channel of samples) {
      const value = channel[i] as number;
      for (let shift = 0; shift < 8 * width; shift += 8) bytes[at++] = value >> shift;
    }
  }
  hash.update(bytes);
}

export class FlacStream {
  readonly info: StreamInfo;
  readonly #frames: FrameBytes;
  readonly #places: FramePlace[] = [];
  readonly #cache = new Map<number, DecodedFrame>();
  #sampleCount = 0;

  /**
   * Looks through all frames once. What is damaged is left out, with a deviation; its samples read as
   * invalid.
   */
  constructor(info: StreamInfo, frames: FrameBytes, deviations: Deviations) {
    this.info = info;
    this.#frames = frames;
    this.#scan(deviations);
  }

  get sampleCount(): number {
    return this.#sampleCount;
  }

  #scan(deviations: Deviations): void {
    const { info } = this;
    const hash = info.md5 === undefined ? undefined : createHash('md5');
    let fixedBlockSize = info.minBlockSize === info.maxBlockSize ? info.maxBlockSize : 0;
    let position = 0;
    let damaged = 0;
    let isWhole = true;
    const startOf = (header: FrameHeader): number =>
      header.isVariableBlock ? header.number : header.number * fixedBlockSize;
    for (let bytes = this.#frames.next(); bytes !== undefined; bytes = this.#frames.next()) {
      const header = parseFrameHeader(bytes, 0, info);
      if (header !== undefined && !header.isVariableBlock && fixedBlockSize === 0)
        fixedBlockSize = header.blockSize;
      const start = header === undefined ? -1 : startOf(header);
      const frame =
        start < position || !this.#isPlausible(start, position) ? undefined : decodeFrame(bytes, 0, info);
      if (frame === undefined) {
        damaged++;
        isWhole = false;
        this.#frames.reject((candidate, at) => {
          const next = parseFrameHeader(candidate, at, info);
          return (
            next !== undefined && startOf(next) >= position && this.#isPlausible(startOf(next), position)
          );
        });
        continue;
      }
      if ((start + frame.blockSize) * info.channels > MAX_SAMPLES) {
        deviations.add('too_long', { count: MAX_SAMPLES });
        break;
      }
      if (start > position) isWhole = false;
      this.#places.push({ index: this.#places.length, firstSample: start, blockSize: frame.blockSize });
      this.#frames.accept(frame.lengthBytes);
      position = start + frame.blockSize;
      if (hash !== undefined && isWhole)
        hashInterleaved(hash, frame.samples, frame.blockSize, info.bitsPerSample);
    }
    this.#sampleCount = position;
    this.#judge(position, damaged, isWhole ? hash : undefined, deviations);
  }

  #isPlausible(start: number, position: number): boolean {
    return start <= Math.max(this.info.totalSamples, position + LARGEST_LOSS_SAMPLES);
  }

  #judge(position: number, damaged: number, hash: Hash | undefined, deviations: Deviations): void {
    const { totalSamples, md5 } = this.info;
    if (damaged > 0) deviations.add('flac_damaged', { count: damaged });
    if (totalSamples > position)
      deviations.add('truncated.flac', { present: position, stated: totalSamples });
    else if (totalSamples > 0 && totalSamples < position)
      deviations.add('sample_count.flac', { stated: totalSamples, present: position });
    else if (hash !== undefined && hash.digest('hex') !== md5) deviations.add('checksum.flac');
  }

  #frameAt(place: FramePlace): DecodedFrame | undefined {
    const known = this.#cache.get(place.index);
    if (known !== undefined) return known;
    const frame = decodeFrame(this.#frames.at(place.index), 0, this.info);
    if (frame === undefined) return undefined;
    if (this.#cache.size >= CACHED_FRAMES) this.#cache.delete(this.#cache.keys().next().value as number);
    this.#cache.set(place.index, frame);
    return frame;
  }

  /** Fills `target` from `startSample` on; what is outside or damaged becomes INVALID_SAMPLE. */
  read(channel: number, startSample: number, target: Int32Array): void {
    target.fill(INVALID_SAMPLE);
    const endSample = startSample + target.length;
    const endOf = (index: number): number =>
      (this.#places[index] as FramePlace).firstSample + (this.#places[index] as FramePlace).blockSize;
    for (
      let i = firstIndex(this.#places.length, (index) => endOf(index) > startSample);
      i < this.#places.length;
      i++
    ) {
      const place = this.#places[i] as FramePlace;
      if (place.firstSample >= endSample) return;
      const samples = this.#frameAt(place)?.samples[channel];
      if (samples === undefined) continue;
      const from = Math.max(0, startSample - place.firstSample);
      const to = Math.min(place.blockSize, endSample - place.firstSample);
      target.set(samples.subarray(from, to), place.firstSample + from - startSample);
    }
  }
}
