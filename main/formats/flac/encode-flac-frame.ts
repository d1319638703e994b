// One FLAC frame from samples: fixed predictors and Rice coded residuals, chosen channel by channel. RFC
// 9639, sections 9.1 to 9.3.

import { BitWriter } from '../bit-writer.ts';
import { crcFlacFrame, crcFlacHeader } from '../crc.ts';

export interface FrameShape {
  readonly bitsPerSample: 16 | 24 | 32;
  readonly frameNumber: number;
}

const BITS_CODE: Readonly<Record<FrameShape['bitsPerSample'], number>> = { 16: 4, 24: 6, 32: 7 };
const MAX_ORDER = 4;
const MAX_PARTITION_ORDER = 6;
const MAX_PARAMETER = 30;
const SHORT_PARAMETERS = 14;
const BLOCK_SIZE_IN_16_BITS = 7;

/** The frame's number as UTF-8 would write it. */
function codedNumber(value: number): number[] {
  if (value < 0x80) return [value];
  const bytes: number[] = [];
  let rest = value;
  let room = 6;
  for (; rest >= 2 ** room; room--) {
    bytes.unshift(0x80 | (rest & 0x3f));
    rest = Math.floor(rest / 64);
  }
  return [((0xff << (room + 1)) & 0xff) | rest, ...bytes];
}

/** Differences of an order; undefined where one leaves 31 bits, so that it could not be folded. */
function residualsOf(samples: Int32Array, order: number): Int32Array | undefined {
  let current = Float64Array.from(samples);
  for (let step = 0; step < order; step++) {
    const next = new Float64Array(current.length);
    for (let i = step + 1; i < current.length; i++)
      next[i] = (current[i] as number) - (current[i - 1] as number);
    current = next;
  }
  for (let i = order; i < current.length; i++)
    if (Math.abs(current[i] as number) >= 2 ** 30) return undefined;
  return Int32Array.from(current);
}

const fold = (value: number): number => (value << 1) ^ (value >> 31);

interface Partitioning {
  readonly order: number;
  readonly parameters: readonly number[];
  readonly bits: number;
}

/** Bits of a run at the parameter that its mean suggests. */
function priceRun(sum: number, count: number): { parameter: number; bits: number } {
  const mean = count === 0 ? 0 : sum / count;
  const parameter = Math.max(0, Math.min(MAX_PARAMETER, Math.floor(Math.log2(mean + 1e-9) + 0.4)));
  return { parameter, bits: 5 + count * (1 + parameter) + sum / 2 ** parameter };
}

function choosePartitions(residuals: Int32Array, order: number): Partitioning {
  let best: Partitioning | undefined;
  for (let partitionOrder = 0; partitionOrder <= MAX_PARTITION_ORDER; partitionOrder++) {
    const size = residuals.length >> partitionOrder;
    if (size << partitionOrder !== residuals.length || size <= order) break;
    const parameters: number[] = [];
    let bits = 0;
    for (let start = 0; start < residuals.length; start += size) {
      let sum = 0;
      const from = Math.max(start, order);
      for (let i = from; i < start + size; i++) sum += fold(residuals[i] as number);
      const priced = priceRun(sum, start + size - from);
      parameters.push(priced.parameter);
      bits += priced.bits;
    }
    if (best === undefined || bits < best.bits) best = { order: partitionOrder, parameters, bits };
  }
  return best ?? { order: 0, parameters: [0], bits: Number.POSITIVE_INFINITY };
}

interface Prediction {
  readonly order: number;
  readonly residuals: Int32Array;
  readonly partitions: Partitioning;
}

function choosePrediction(samples: Int32Array, bitsPerSample: number): Prediction | undefined {
  let best: Prediction | undefined;
  for (let order = 0; order <= Math.min(MAX_ORDER, samples.length - 1); order++) {
    const residuals = residualsOf(samples, order);
    if (residuals === undefined) continue;
    const partitions = choosePartitions(residuals, order);
    const bits = partitions.bits + order * bitsPerSample;
    if (best === undefined || bits < best.partitions.bits + best.order * bitsPerSample)
      best = { order, residuals, partitions };
  }
  return best !== undefined && best.partitions.bits < samples.length * bitsPerSample ? best : undefined;
}

/** Low bits that are 0 in all samples. */
function wastedBits(samples: Int32Array): number {
  let all = 0;
  for (const sample of samples) all |= sample;
  return all === 0 ? 0 : 31 - Math.clz32(all & -all);
}

function writeResidual(bits: BitWriter, { order, residuals, partitions }: Prediction): void {
  const isLong = partitions.parameters.some((parameter) => parameter > SHORT_PARAMETERS);
  bits.bits(isLong ? 1 : 0, 2);
  bits.bits(partitions.order, 4);
  const size = residuals.length >> partitions.order;
  for (const [index, parameter] of partitions.parameters.entries()) {
    bits.bits(parameter, isLong ? 5 : 4);
    for (let i = Math.max(order, index * size); i < (index + 1) * size; i++) {
      const folded = fold(residuals[i] as number) >>> 0;
      bits.unary(folded >>> parameter);
      bits.bits(folded, parameter);
    }
  }
}

function writeSubframe(bits: BitWriter, samples: Int32Array, bitsPerSample: number): void {
  if (samples.every((sample) => sample === samples[0])) {
    bits.bits(0, 8);
    bits.bits(samples[0] as number, bitsPerSample);
    return;
  }
  const wasted = wastedBits(samples);
  const shifted = wasted === 0 ? samples : samples.map((sample) => sample >> wasted);
  const width = bitsPerSample - wasted;
  const prediction = choosePrediction(shifted, width);
  bits.bits(prediction === undefined ? 1 : 8 + prediction.order, 7);
  bits.bits(wasted === 0 ? 0 : 1, 1);
  if (wasted > 0) bits.unary(wasted - 1);
  const plain = prediction === undefined ? shifted : shifted.subarray(0, prediction.order);
  for (const sample of plain) bits.bits(sample, width);
  if (prediction !== undefined) writeResidual(bits, prediction);
}

/** @param channels 1 … 8 arrays of one length, 1 … 65,535 samples */
export function encodeFlacFrame(
  channels: readonly Int32Array[],
  { bitsPerSample, frameNumber }: FrameShape,
): Uint8Array {
  const blockSize = channels[0]?.length ?? 0;
  const bits = new BitWriter();
  bits.bits(0xfff8, 16);
  bits.bits(BLOCK_SIZE_IN_16_BITS, 4);
  bits.bits(0, 4);
  bits.bits(channels.length - 1, 4);
  bits.bits(BITS_CODE[bitsPerSample], 3);
  bits.bits(0, 1);
  for (const byte of codedNumber(frameNumber)) bits.bits(byte, 8);
  bits.bits(blockSize - 1, 16);
  bits.bits(crcFlacHeader(bits.bytes()), 8);
  for (const samples of channels) writeSubframe(bits, samples, bitsPerSample);
  bits.alignToByte();
  bits.bits(crcFlacFrame(bits.bytes()), 16);
  return bits.bytes();
}
