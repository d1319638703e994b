// One FLAC frame: header, subframes, residuals, checks. RFC 9639, sections 9.1 to 9.3; formats reference,
// section 4.1.

import { BitReader, EndOfBits } from '../bit-reader.ts';
import { crcFlacFrame, crcFlacHeader } from '../crc.ts';

export interface StreamInfo {
  readonly minBlockSize: number;
  readonly maxBlockSize: number;
  /** Whole hertz; 0 = unknown. */
  readonly rateHz: number;
  readonly channels: number;
  readonly bitsPerSample: number;
  /** 0 = unknown. */
  readonly totalSamples: number;
  /** Lower-case hexadecimal; undefined where the writer left it out. */
  readonly md5: string | undefined;
}

export interface FrameHeader {
  readonly headerBytes: number;
  readonly blockSize: number;
  /** 0 … 7 = so many channels less one; 8 left+side, 9 side+right, 10 mid+side. */
  readonly channelMode: number;
  readonly isVariableBlock: boolean;
  /** The number of the frame, or of its first sample where blocks vary in size. */
  readonly number: number;
}

export interface DecodedFrame {
  readonly blockSize: number;
  readonly lengthBytes: number;
  /** One array a channel. */
  readonly samples: readonly Int32Array[];
}

const LEFT_SIDE = 8;
const SIDE_RIGHT = 9;
const MID_SIDE = 10;
const BITS_BY_CODE: readonly (number | undefined)[] = [0, 8, 12, undefined, 16, 20, 24, 32];
const LONGEST_HEADER_BYTES = 16;

/** The frame is damaged, or is not of this stream: other channels, other bits. */
class FrameError extends Error {}

function blockSizeOf(code: number, bits: BitReader): number {
  if (code === 0) throw new FrameError();
  if (code === 1) return 192;
  if (code <= 5) return 144 * 2 ** code;
  if (code === 6) return bits.unsigned(8) + 1;
  if (code === 7) return bits.unsigned(16) + 1;
  return 2 ** code;
}

/** The frame's or sample's number: one to seven bytes, as UTF-8 would write it. */
function codedNumber(bits: BitReader): number {
  const first = bits.unsigned(8);
  const length = Math.clz32(~(first << 24));
  if (length === 0) return first;
  if (length === 1 || length > 7) throw new FrameError();
  let value = first & (0x7f >> length);
  for (let i = 1; i < length; i++) {
    const next = bits.unsigned(8);
    if (next >> 6 !== 2) throw new FrameError();
    value = value * 64 + (next & 0x3f);
  }
  return value;
}

function readHeader(bytes: Uint8Array, start: number, info: StreamInfo): FrameHeader {
  const bits = new BitReader(bytes, start);
  const sync = bits.unsigned(16);
  if (sync >> 1 !== 0x7ffc) throw new FrameError();
  const [blockCode, rateCode, channelMode, bitsCode] = [
    bits.unsigned(4),
    bits.unsigned(4),
    bits.unsigned(4),
    bits.unsigned(3),
  ];
  if (bits.unsigned(1) !== 0 || rateCode === 15 || channelMode > MID_SIDE) throw new FrameError();
  const number = codedNumber(bits);
  const blockSize = blockSizeOf(blockCode, bits);
  if (rateCode >= 12) bits.skip(rateCode === 12 ? 8 : 16);
  const headerBytes = bits.position / 8 - start + 1;
  if (bits.unsigned(8) !== crcFlacHeader(bytes, start, start + headerBytes - 1)) throw new FrameError();
  const bitsPerSample = BITS_BY_CODE[bitsCode];
  const channels = channelMode < LEFT_SIDE ? channelMode + 1 : 2;
  const isAsAnnounced =
    channels === info.channels && (bitsPerSample === 0 || bitsPerSample === info.bitsPerSample);
  if (!isAsAnnounced) throw new FrameError();
  return { headerBytes, blockSize, channelMode, isVariableBlock: (sync & 1) === 1, number };
}

/** The header at `start`, or undefined where there is none that is whole and fits the stream. */
export function parseFrameHeader(
  bytes: Uint8Array,
  start: number,
  info: StreamInfo,
): FrameHeader | undefined {
  if (bytes[start] !== 0xff || ((bytes[start + 1] ?? 0) & 0xfe) !== 0xf8) return undefined;
  try {
    return readHeader(bytes.subarray(0, start + LONGEST_HEADER_BYTES), start, info);
  } catch (error) {
    if (error instanceof FrameError || error instanceof EndOfBits) return undefined;
    throw error;
  }
}

/** Residuals behind the predictor's warm-up, Rice coded in partitions (RFC 9639, section 9.2.7). */
function readResidual(bits: BitReader, order: number, blockSize: number, target: Float64Array): void {
  const method = bits.unsigned(2);
  if (method > 1) throw new FrameError();
  const parameterBits = method === 0 ? 4 : 5;
  const escapeParameter = method === 0 ? 15 : 31;
  const partitionOrder = bits.unsigned(4);
  const partitionSize = blockSize >> partitionOrder;
  if (partitionSize << partitionOrder !== blockSize || partitionSize < order) throw new FrameError();
  let at = order;
  for (let partition = 0; partition < 1 << partitionOrder; partition++) {
    const end = (partition + 1) * partitionSize;
    const parameter = bits.unsigned(parameterBits);
    if (parameter === escapeParameter) {
      const width = bits.unsigned(5);
      for (; at < end; at++) target[at] = width === 0 ? 0 : bits.signed(width);
    } else if (parameter <= 20) {
      for (; at < end; at++) {
        const quotient = bits.unary();
        // Up to here the folded value fits 31 bits, so that integer operators may undo the fold.
        const folded = quotient * 2 ** parameter + bits.unsigned(parameter);
        target[at] = folded < 0x80000000 ? (folded >>> 1) ^ -(folded & 1) : unfold(folded);
      }
    } else {
      for (; at < end; at++) target[at] = unfold(bits.unary() * 2 ** parameter + bits.unsigned(parameter));
    }
  }
}

const unfold = (folded: number): number => (folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2);

function restoreFixed(samples: Float64Array, order: number, blockSize: number): void {
  for (let i = order; i < blockSize; i++) {
    const a = samples[i - 1] as number;
    if (order === 1) samples[i] = (samples[i] as number) + a;
    else if (order === 2) samples[i] = (samples[i] as number) + 2 * a - (samples[i - 2] as number);
    else if (order === 3)
      samples[i] = (samples[i] as number) + 3 * (a - (samples[i - 2] as number)) + (samples[i - 3] as number);
    else if (order === 4)
      samples[i] =
        (samples[i] as number) +
        4 * (a + (samples[i - 3] as number)) -
        6 * (samples[i - 2] as number) -
        (samples[i - 4] as number);
  }
}

/**
 * Sums stay below 2^53, so that double arithmetic is exact (33-bit samples, 15-bit coefficients, 32 of them).
 */
function restoreLinear(
  samples: Float64Array,
  coefficients: Float64Array,
  shift: number,
  blockSize: number,
): void {
  const order = coefficients.length;
  const divisor = 2 ** shift;
  for (let i = order; i < blockSize; i++) {
    let sum = 0;
    for (let j = 0; j < order; j++) sum += (coefficients[j] as number) * (samples[i - 1 - j] as number);
    samples[i] = (samples[i] as number) + Math.floor(sum / divisor);
  }
}

function readSubframe(
  bits: BitReader,
  bitsPerSample: number,
  blockSize: number,
  samples: Float64Array,
): void {
  if (bits.unsigned(1) !== 0) throw new FrameError();
  const type = bits.unsigned(6);
  const wasted = bits.unsigned(1) === 1 ? bits.unary() + 1 : 0;
  const width = bitsPerSample - wasted;
  if (width < 1) throw new FrameError();
  const warmUp = (order: number): void => {
    if (order > blockSize) throw new FrameError();
    for (let i = 0; i < order; i++) samples[i] = bits.signed(width);
  };
  if (type === 0) samples.fill(bits.signed(width), 0, blockSize);
  else if (type === 1) warmUp(blockSize);
  else if (type >= 8 && type <= 12) {
    const order = type - 8;
    warmUp(order);
    readResidual(bits, order, blockSize, samples);
    restoreFixed(samples, order, blockSize);
  } else if (type >= 32) {
    const order = type - 31;
    warmUp(order);
    const precision = bits.unsigned(4) + 1;
    const shift = bits.signed(5);
    if (precision === 16 || shift < 0) throw new FrameError();
    const coefficients = new Float64Array(order);
    for (let i = 0; i < order; i++) coefficients[i] = bits.signed(precision);
    readResidual(bits, order, blockSize, samples);
    restoreLinear(samples, coefficients, shift, blockSize);
  } else throw new FrameError();
  if (wasted > 0) for (let i = 0; i < blockSize; i++) samples[i] = (samples[i] as number) * 2 ** wasted;
}

/** Undoes the joint coding of two channels, in place. */
function separate(mode: number, first: Float64Array, second: Float64Array, blockSize: number): void {
  for (let i = 0; i < blockSize; i++) {
    const [a, b] = [first[i] as number, second[i] as number];
    if (mode === LEFT_SIDE) second[i] = a - b;
    else if (mode === SIDE_RIGHT) first[i] = a + b;
    else {
      const mid = 2 * a + Math.abs(b % 2);
      first[i] = (mid + b) / 2;
      second[i] = (mid - b) / 2;
    }
  }
}

let scratch: Float64Array[] = [];

function scratchOf(channels: number, blockSize: number): Float64Array[] {
  if (scratch.length < channels || (scratch[0]?.length ?? 0) < blockSize)
    scratch = Array.from({ length: 8 }, () => new Float64Array(Math.max(blockSize, 4096)));
  return scratch;
}

function decode(bytes: Uint8Array, start: number, info: StreamInfo): DecodedFrame {
  const { headerBytes, blockSize, channelMode } = readHeader(bytes, start, info);
  const bits = new BitReader(bytes, start + headerBytes);
  const work = scratchOf(info.channels, blockSize);
  for (let channel = 0; channel < info.channels; channel++) {
    const isSide = channelMode === SIDE_RIGHT ? channel === 0 : channelMode >= LEFT_SIDE && channel === 1;
    readSubframe(bits, info.bitsPerSample + (isSide ? 1 : 0), blockSize, work[channel] as Float64Array);
  }
  if (channelMode >= LEFT_SIDE)
    separate(channelMode, work[0] as Float64Array, work[1] as Float64Array, blockSize);
  bits.alignToByte();
  const end = bits.position / 8;
  if (bits.unsigned(16) !== crcFlacFrame(bytes, start, end)) throw new FrameError();
  const samples = Array.from({ length: info.channels }, (_, channel) =>
    Int32Array.from((work[channel] as Float64Array).subarray(0, blockSize)),
  );
  return { blockSize, lengthBytes: end + 2 - start, samples };
}

/** The frame at `start`; undefined where it is damaged, cut, or of another stream. */
export function decodeFrame(bytes: Uint8Array, start: number, info: StreamInfo): DecodedFrame | undefined {
  try {
    return decode(bytes, start, info);
  } catch (error) {
    if (error instanceof FrameError || error instanceof EndOfBits) return undefined;
    throw error;
  }
}

/** No frame of the stream can be longer. */
export const longestFrameBytes = (info: StreamInfo, blockSize: number): number =>
  LONGEST_HEADER_BYTES + 2 + Math.ceil((info.channels * (64 + blockSize * (info.bitsPerSample + 1))) / 8);
