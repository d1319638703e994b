// Compressed Delta ("cMdT"): the frame of the central service's streams and its file. A header of 28 bytes
// and one block of samples, channel after channel, as they are, as differences, or as differences of
// differences, compressed or not. Layout: the central service's public page, sections 4 and 5 (A1 to A5 are
// the assumptions named there). No I/O: compression comes from the caller, so that it runs in Node and in the
// browser.

import { INVALID_SAMPLE } from './recording.ts';

export const HEADER_BYTES = 28;
const MAGIC = 0x54644d63;

export const CODINGS = ['twosComplement', 'delta', 'doubleDelta'] as const;
export type Coding = (typeof CODINGS)[number];
export const COMPRESSIONS = ['none', 'zstd', 'zlib'] as const;
export type Compression = (typeof COMPRESSIONS)[number];
export type BitsPerSample = 8 | 16 | 24 | 32;

/** How the compressions are numbered in byte 27: assumed (A5), changeable by the settings of an upstream. */
export type CompressionNumbers = Readonly<Record<Compression, number>>;
export const COMPRESSION_NUMBERS: CompressionNumbers = { none: 0, zstd: 1, zlib: 2 };

/**
 * Decompresses a whole block to exactly `needBytes`, consumed to its last byte; undefined for anything else.
 * A zlib checksum is compared; one of Zstandard, which is optional, only in Node. Never allocates more than
 * `needBytes` and a constant.
 */
export type Decompress = (block: Uint8Array, needBytes: number) => Uint8Array | undefined;
export interface Decompressors {
  readonly zstd: Decompress;
  readonly zlib: Decompress;
}
export type Compressors = Readonly<Record<Exclude<Compression, 'none'>, (coded: Uint8Array) => Uint8Array>>;

export interface DeltaHeader {
  readonly payloadBytes: number;
  readonly channels: number;
  /** Per channel. */
  readonly samples: number;
  readonly sampleRateHz: number;
  readonly bitsPerSample: BitsPerSample;
  readonly coding: Coding;
  readonly compressionNumber: number;
}

/** Bytes of the decoded block. */
export const blockBytes = (header: Pick<DeltaHeader, 'channels' | 'samples' | 'bitsPerSample'>): number =>
  (header.channels * header.samples * header.bitsPerSample) / 8;

export type HeaderResult =
  | { readonly ok: true; readonly header: DeltaHeader }
  | { readonly ok: false; readonly message: string };

const fault = (message: string): { ok: false; message: string } => ({ ok: false, message });

/** @param sizeBytes of the whole frame or file, which the header must account for. */
export function parseDeltaHeader(head: Uint8Array, sizeBytes: number): HeaderResult {
  if (head.length < HEADER_BYTES) return fault('It is shorter than its header.');
  const view = new DataView(head.buffer, head.byteOffset, HEADER_BYTES);
  if (view.getUint32(0, true) !== MAGIC) return fault('It does not begin with the mark "cMdT".');
  const payloadBytes = view.getUint32(4, true) + view.getUint32(8, true) * 2 ** 32;
  const bitsPerSample = head[25] as number;
  const coding = CODINGS[head[26] as number];
  const [channels, samples, sampleRateHz] = [
    head[12] as number,
    view.getUint32(13, true),
    view.getFloat64(17, true),
  ];
  if (payloadBytes !== sizeBytes - HEADER_BYTES)
    return fault(`It announces ${payloadBytes} bytes of samples and holds ${sizeBytes - HEADER_BYTES}.`);
  if (channels === 0) return fault('It states no channels.');
  if (samples === 0) return fault('It states no samples.');
  if (!Number.isFinite(sampleRateHz) || sampleRateHz <= 0)
    return fault('Its sample rate is not a positive number.');
  if (bitsPerSample !== 8 && bitsPerSample !== 16 && bitsPerSample !== 24 && bitsPerSample !== 32)
    return fault(`It states ${bitsPerSample} bits a sample, which is none of 8, 16, 24 and 32.`);
  if (coding === undefined) return fault(`It states the coding ${head[26]}, which is none of 0, 1 and 2.`);
  return {
    ok: true,
    header: {
      payloadBytes,
      channels,
      samples,
      sampleRateHz,
      bitsPerSample,
      coding,
      compressionNumber: head[27] as number,
    },
  };
}

export interface CodedBlock {
  readonly coded: Uint8Array;
  readonly compression: Compression;
  /** The number in the header says something else than what the bytes are. */
  readonly isNumberOdd: boolean;
}

/** No frame of a stream comes near; a file of more is read in blocks instead. */
const MAX_FRAME_BYTES = 1 << 30;
const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

function hasZlibHeader(block: Uint8Array): boolean {
  const [first = 0, second = 0] = block;
  return (
    block.length >= 2 &&
    (first & 15) === 8 &&
    first >> 4 <= 7 &&
    (256 * first + second) % 31 === 0 &&
    (second & 0x20) === 0
  );
}

/**
 * Finds out how the block is compressed: liberal about the number, strict about the sizes. Undefined where
 * nothing fits.
 */
export function decompressBlock(
  header: DeltaHeader,
  block: Uint8Array,
  decompressors: Decompressors,
): CodedBlock | undefined {
  const needBytes = blockBytes(header);
  const isNamed = (compression: Compression): boolean =>
    header.compressionNumber === COMPRESSION_NUMBERS[compression];
  const raw = (): CodedBlock => ({ coded: block, compression: 'none', isNumberOdd: !isNamed('none') });
  if (isNamed('none') && block.length === needBytes) return raw();
  if (ZSTD_MAGIC.every((byte, i) => block[i] === byte)) {
    const coded = decompressors.zstd(block, needBytes);
    if (coded !== undefined) return { coded, compression: 'zstd', isNumberOdd: !isNamed('zstd') };
  }
  if (hasZlibHeader(block)) {
    const coded = decompressors.zlib(block, needBytes);
    if (coded !== undefined) return { coded, compression: 'zlib', isNumberOdd: !isNamed('zlib') };
  }
  return block.length === needBytes ? raw() : undefined;
}

/**
 * Where the running sums of a channel stand: its last sample and its last difference, both 0 before the first
 * sample (A1, A2).
 */
export interface DeltaState {
  sample: number;
  difference: number;
}

/**
 * Decodes as many slots of one channel as `target` is long, from `startByte` on. `state` says where the sums
 * stand before, and is left behind the last sample. Sums wrap within the width of a sample (A3).
 */
export function decodeSlots(
  coded: Uint8Array,
  startByte: number,
  bits: BitsPerSample,
  coding: Coding,
  state: DeltaState,
  target: Int32Array,
): void {
  if (bits === 16) decode16(coded, startByte, coding, state, target);
  else decodeAnyWidth(coded, startByte, bits, coding, state, target);
}

function decode16(
  coded: Uint8Array,
  startByte: number,
  coding: Coding,
  state: DeltaState,
  target: Int32Array,
): void {
  let { sample, difference } = state;
  const count = target.length;
  let at = startByte;
  if (coding === 'twosComplement') {
    for (let i = 0; i < count; i++, at += 2)
      target[i] = (((coded[at + 1] as number) << 24) >> 16) | (coded[at] as number);
    if (count > 0) sample = target[count - 1] as number;
  } else if (coding === 'delta') {
    for (let i = 0; i < count; i++, at += 2) {
      const folded = (coded[at] as number) | ((coded[at + 1] as number) << 8);
      sample = ((sample + ((folded >>> 1) ^ -(folded & 1))) << 16) >> 16;
      target[i] = sample;
    }
  } else {
    for (let i = 0; i < count; i++, at += 2) {
      const folded = (coded[at] as number) | ((coded[at + 1] as number) << 8);
      difference = ((difference + ((folded >>> 1) ^ -(folded & 1))) << 16) >> 16;
      sample = ((sample + difference) << 16) >> 16;
      target[i] = sample;
    }
  }
  state.sample = sample;
  state.difference = difference;
}

function slotAt(coded: Uint8Array, at: number, width: number): number {
  let value = 0;
  for (let i = width - 1; i >= 0; i--) value = (value << 8) | (coded[at + i] as number);
  return value;
}

function decodeAnyWidth(
  coded: Uint8Array,
  startByte: number,
  bits: BitsPerSample,
  coding: Coding,
  state: DeltaState,
  target: Int32Array,
): void {
  const width = bits / 8;
  const shift = 32 - bits;
  let { sample, difference } = state;
  let at = startByte;
  for (let i = 0; i < target.length; i++, at += width) {
    const slot = slotAt(coded, at, width);
    const unfolded = (slot >>> 1) ^ -(slot & 1);
    if (coding === 'twosComplement') sample = (slot << shift) >> shift;
    else if (coding === 'delta') sample = ((sample + unfolded) << shift) >> shift;
    else {
      difference = ((difference + unfolded) << shift) >> shift;
      sample = ((sample + difference) << shift) >> shift;
    }
    target[i] = sample;
  }
  state.sample = sample;
  state.difference = difference;
}

/**
 * How the differences of a device begin, where it isn't as assumed (A1, A2): the first sample stored as it
 * is, the first difference stored as it is, or both. Central service, section 5.
 */
export interface DeltaStart {
  readonly isFirstRaw: boolean;
  readonly isFirstDifferencePlain: boolean;
}
export const DEFAULT_START: DeltaStart = { isFirstRaw: false, isFirstDifferencePlain: false };

/** Decodes one channel of a block from its first slot on. */
export function decodeChannel(
  coded: Uint8Array,
  startByte: number,
  { bitsPerSample, coding }: Pick<DeltaHeader, 'bitsPerSample' | 'coding'>,
  start: DeltaStart,
  target: Int32Array,
): void {
  const state: DeltaState = { sample: 0, difference: 0 };
  if (coding === 'twosComplement' || (!start.isFirstRaw && !start.isFirstDifferencePlain)) {
    decodeSlots(coded, startByte, bitsPerSample, coding, state, target);
    return;
  }
  decodeSlots(
    coded,
    startByte,
    bitsPerSample,
    start.isFirstRaw ? 'twosComplement' : coding,
    state,
    target.subarray(0, 1),
  );
  state.difference = start.isFirstDifferencePlain ? 0 : state.sample;
  decodeSlots(coded, startByte + bitsPerSample / 8, bitsPerSample, coding, state, target.subarray(1));
}

/** The block of a frame in memory, unpacked and not yet decoded. */
export function openFrame(
  bytes: Uint8Array,
  decompressors: Decompressors,
  limitBytes = MAX_FRAME_BYTES,
):
  | { readonly ok: true; readonly header: DeltaHeader; readonly block: CodedBlock }
  | { readonly ok: false; readonly message: string } {
  const parsed = parseDeltaHeader(bytes.subarray(0, HEADER_BYTES), bytes.length);
  if (!parsed.ok) return parsed;
  const { header } = parsed;
  if (blockBytes(header) > limitBytes)
    return fault(`It states ${blockBytes(header)} bytes of samples; at most ${limitBytes} are read.`);
  const block = decompressBlock(header, bytes.subarray(HEADER_BYTES), decompressors);
  return block === undefined
    ? fault('Its samples cannot be unpacked, or are not as many as it states.')
    : { ok: true, header, block };
}

export interface DecodedFrame {
  readonly header: DeltaHeader;
  readonly compression: Compression;
  readonly isNumberOdd: boolean;
  /** One array a channel. */
  readonly channels: readonly Int32Array[];
}

export type DecodeResult =
  | { readonly ok: true; readonly frame: DecodedFrame }
  | { readonly ok: false; readonly message: string };

/**
 * Decodes a whole frame or file in memory.
 * @param limitBytes what the decoded block may have at most; a header that states more is refused before
 * anything is allocated
 */
export function decodeCompressedDelta(
  bytes: Uint8Array,
  decompressors: Decompressors,
  limitBytes = MAX_FRAME_BYTES,
): DecodeResult {
  const opened = openFrame(bytes, decompressors, limitBytes);
  if (!opened.ok) return opened;
  const { header, block } = opened;
  const channels = Array.from({ length: header.channels }, (_, channel) => {
    const target = new Int32Array(header.samples);
    decodeChannel(
      block.coded,
      (channel * header.samples * header.bitsPerSample) / 8,
      header,
      DEFAULT_START,
      target,
    );
    return target;
  });
  return {
    ok: true,
    frame: { header, compression: block.compression, isNumberOdd: block.isNumberOdd, channels },
  };
}

/**
 * The coding that may be used at most: a difference that leaves the width of a sample would have to wrap,
 * which is never relied on.
 */
const NEXT_LOWER: Readonly<Record<Coding, Coding>> = {
  doubleDelta: 'delta',
  delta: 'twosComplement',
  twosComplement: 'twosComplement',
};

/**
 * Writes the slots of one channel. @returns false where a value or a difference leaves the width: differences
 * are then written wrapped (A3), which only a reader that makes the same assumption undoes. `state` is left
 * behind the last sample.
 */
export function encodeSlots(
  samples: Int32Array,
  bits: BitsPerSample,
  coding: Coding,
  state: DeltaState,
  coded: Uint8Array,
  startByte: number,
): boolean {
  return bits === 16
    ? encode16(samples, coding, state, coded, startByte)
    : encodeAnyWidth(samples, bits, coding, state, coded, startByte);
}

function encode16(
  samples: Int32Array,
  coding: Coding,
  state: DeltaState,
  coded: Uint8Array,
  startByte: number,
): boolean {
  const isPlain = coding === 'twosComplement';
  const isDouble = coding === 'doubleDelta';
  let { sample, difference } = state;
  // Any bit that is set here stands for a value that left its sixteen bits.
  let overflow = 0;
  let at = startByte;
  for (let i = 0; i < samples.length; i++, at += 2) {
    const value = samples[i] as number;
    const first = value - sample;
    const wanted = isPlain ? value : isDouble ? first - difference : first;
    if (isDouble) overflow |= ((first << 16) >> 16) ^ first;
    const wrapped = (wanted << 16) >> 16;
    overflow |= (((value << 16) >> 16) ^ value) | (wrapped ^ wanted);
    const slot = isPlain ? wrapped : (wrapped << 1) ^ (wrapped >> 31);
    coded[at] = slot;
    coded[at + 1] = slot >> 8;
    sample = value;
    difference = first;
  }
  state.sample = sample;
  state.difference = difference;
  return overflow === 0;
}

function encodeAnyWidth(
  samples: Int32Array,
  bits: BitsPerSample,
  coding: Coding,
  state: DeltaState,
  coded: Uint8Array,
  startByte: number,
): boolean {
  const width = bits / 8;
  const shift = 32 - bits;
  const limit = 2 ** (bits - 1);
  let isInside = true;
  let { sample, difference } = state;
  let at = startByte;
  for (let i = 0; i < samples.length; i++) {
    const value = samples[i] as number;
    // Differences of 32-bit samples need more than 32 bits; as numbers they are exact.
    const first = value - sample;
    const wanted = coding === 'twosComplement' ? value : coding === 'delta' ? first : first - difference;
    isInside &&=
      inside(value, limit) && inside(wanted, limit) && (coding !== 'doubleDelta' || inside(first, limit));
    const wrapped = (wanted << shift) >> shift;
    const slot = coding === 'twosComplement' ? wrapped : (wrapped << 1) ^ (wrapped >> 31);
    for (let byte = 0; byte < width; byte++) coded[at++] = slot >> (8 * byte);
    sample = value;
    difference = first;
  }
  state.sample = sample;
  state.difference = difference;
  return isInside;
}

const inside = (value: number, limit: number): boolean => value >= -limit && value < limit;

/**
 * The smallest width that holds all samples; INVALID_SAMPLE has no code in the format and must be replaced
 * before.
 */
export function widthFor(minimum: number, maximum: number): BitsPerSample {
  for (const bits of [16, 24] as const)
    if (inside(minimum, 2 ** (bits - 1)) && inside(maximum, 2 ** (bits - 1))) return bits;
  return 32;
}

/** Slots of all channels, or undefined where the coding can't be used for these samples without wrapping. */
function encodeBlock(
  channels: readonly Int32Array[],
  bits: BitsPerSample,
  coding: Coding,
  mayWrap = false,
): Uint8Array | undefined {
  const samples = channels[0]?.length ?? 0;
  const coded = new Uint8Array((channels.length * samples * bits) / 8);
  for (const [index, channel] of channels.entries()) {
    const isExact = encodeSlots(
      channel,
      bits,
      coding,
      { sample: 0, difference: 0 },
      coded,
      (index * samples * bits) / 8,
    );
    if (!isExact && !mayWrap) return undefined;
  }
  return coded;
}

export function deltaHeaderBytes(header: DeltaHeader): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, header.payloadBytes % 2 ** 32, true);
  view.setUint32(8, Math.floor(header.payloadBytes / 2 ** 32), true);
  view.setUint8(12, header.channels);
  view.setUint32(13, header.samples, true);
  view.setFloat64(17, header.sampleRateHz, true);
  view.setUint8(25, header.bitsPerSample);
  view.setUint8(26, CODINGS.indexOf(header.coding));
  view.setUint8(27, header.compressionNumber);
  return bytes;
}

export interface FrameSource {
  /** One array a channel, 1 … 255, all of one length. */
  readonly channels: readonly Int32Array[];
  readonly sampleRateHz: number;
  readonly bitsPerSample: BitsPerSample;
}

export interface FrameChoice {
  readonly coding: Coding;
  readonly compression: Compression;
  /**
   * Keep the coding where differences leave the width, and wrap them. Off toward everybody whose decoder is
   * not known (A3).
   */
  readonly mayWrap?: boolean;
}

/**
 * A sample outside its width, or no samples: a fault of the caller's, never of the data that a person gave.
 */
export class DeltaRangeError extends RangeError {}

function assemble(
  source: FrameSource,
  coding: Coding,
  compressionNumber: number,
  payload: Uint8Array,
): Uint8Array {
  const { channels, sampleRateHz, bitsPerSample } = source;
  const samples = channels[0]?.length ?? 0;
  const header = {
    payloadBytes: payload.length,
    channels: channels.length,
    samples,
    sampleRateHz,
    bitsPerSample,
    coding,
    compressionNumber,
  };
  const frame = new Uint8Array(HEADER_BYTES + payload.length);
  frame.set(deltaHeaderBytes(header));
  frame.set(payload, HEADER_BYTES);
  return frame;
}

/** The highest coding up to `coding` that holds the samples without wrapping, with its bytes. */
function encodeWithin(
  source: FrameSource,
  coding: Coding,
  mayWrap: boolean,
): { coding: Coding; coded: Uint8Array } {
  for (let candidate = coding; ; candidate = NEXT_LOWER[candidate]) {
    const coded = encodeBlock(
      source.channels,
      source.bitsPerSample,
      candidate,
      mayWrap && candidate !== 'twosComplement',
    );
    if (coded !== undefined) return { coding: candidate, coded };
    if (candidate === 'twosComplement')
      throw new DeltaRangeError(`a sample does not fit ${source.bitsPerSample} bits`);
  }
}

function checkSource({ channels }: FrameSource): void {
  const samples = channels[0]?.length ?? 0;
  if (
    channels.length < 1 ||
    channels.length > 255 ||
    samples < 1 ||
    channels.some((channel) => channel.length !== samples)
  )
    throw new DeltaRangeError('a frame has 1 to 255 channels of the same length, at least one sample');
}

/**
 * Encodes one frame. The coding is lowered where differences would leave the width. Without `compressors`
 * (first differences, no compression) it is what a microcontroller can do with the samples it has at hand.
 * @throws DeltaRangeError when samples do not fit the width, or channels differ in length
 */
export function encodeCompressedDelta(
  source: FrameSource,
  choice: FrameChoice = { coding: 'delta', compression: 'none' },
  compressors?: Compressors,
  numbers: CompressionNumbers = COMPRESSION_NUMBERS,
): Uint8Array {
  checkSource(source);
  const { coding, coded } = encodeWithin(source, choice.coding, choice.mayWrap === true);
  if (choice.compression === 'none' || compressors === undefined)
    return assemble(source, coding, numbers.none, coded);
  return assemble(source, coding, numbers[choice.compression], compressors[choice.compression](coded));
}

/** Encodes one frame with the coding and the compression, of those allowed, that make it smallest. */
export function encodeSmallest(
  source: FrameSource,
  allowed: { readonly codings: readonly Coding[]; readonly compressions: readonly Compression[] },
  compressors: Compressors,
  numbers: CompressionNumbers = COMPRESSION_NUMBERS,
): Uint8Array {
  checkSource(source);
  let best: { coding: Coding; compression: Compression; payload: Uint8Array } | undefined;
  for (const wanted of allowed.codings) {
    const coded = encodeBlock(source.channels, source.bitsPerSample, wanted);
    if (coded === undefined) continue;
    for (const compression of allowed.compressions) {
      const payload = compression === 'none' ? coded : compressors[compression](coded);
      if (best === undefined || payload.length < best.payload.length)
        best = { coding: wanted, compression, payload };
    }
  }
  // None of the allowed codings holds the samples: plain ones always do, if the width fits.
  if (best === undefined)
    return encodeCompressedDelta(
      source,
      { coding: 'twosComplement', compression: 'none' },
      undefined,
      numbers,
    );
  return assemble(source, best.coding, numbers[best.compression], best.payload);
}

/** The format has no code for a missing sample: it is written as 0, and the runs travel beside it. */
export function fillInvalid(samples: Int32Array): void {
  for (let i = 0; i < samples.length; i++) if (samples[i] === INVALID_SAMPLE) samples[i] = 0;
}
