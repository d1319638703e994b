// LZMA as zip holds it (method 14): decoded piece by piece, with no more memory than the stream's own window.
// After the LZMA specification (I. Pavlov, 2015, public domain) and APPNOTE.TXT 6.3.10, section 5.8.8.

import { IsolineError } from '../../../shared/errors.ts';
import { corrupt } from './unpacking.ts';

/** Larger windows are made by no preset below "ultra", and would be held once for each member. */
const MAX_WINDOW_BYTES = 64 << 20;
const MIN_WINDOW_BYTES = 4096;
const PIECE_BYTES = 1 << 16;
const LONGEST_MATCH = 273;
/** No symbol takes more than this. */
const SYMBOL_BYTES = 20;
const PROPERTY_BYTES = 5;
const HEAD_BYTES = 4 + PROPERTY_BYTES;

const EVEN_CHANCE = 1024;
const RANGE_LEAST = 2 ** 24;

/** Places of the probabilities in one table, each model behind the other. */
const IS_MATCH = 0;
const IS_REPEAT = IS_MATCH + (12 << 4);
const IS_REPEAT_0 = IS_REPEAT + 12;
const IS_REPEAT_1 = IS_REPEAT_0 + 12;
const IS_REPEAT_2 = IS_REPEAT_1 + 12;
const IS_REPEAT_0_LONG = IS_REPEAT_2 + 12;
const DISTANCE_SLOT = IS_REPEAT_0_LONG + (12 << 4);
const DISTANCE_LOW = DISTANCE_SLOT + (4 << 6);
const DISTANCE_ALIGN = DISTANCE_LOW + 128;
const LENGTH = DISTANCE_ALIGN + 16;
/** Two choices, sixteen trees of eight twice, one of 256. */
const LENGTH_SIZE = 2 + (16 << 3) * 2 + 256;
const REPEAT_LENGTH = LENGTH + LENGTH_SIZE;
const LITERAL = REPEAT_LENGTH + LENGTH_SIZE;
const LITERAL_SIZE = 0x300;

/** Compressed bytes as they come. */
class Input {
  readonly #pieces: AsyncIterator<Uint8Array>;
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  isEnded = false;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  async fill(needBytes: number): Promise<void> {
    while (!this.isEnded && this.left < needBytes) {
      const { done, value } = await this.#pieces.next();
      if (done === true) this.isEnded = true;
      else {
        this.bytes = Buffer.concat([this.bytes.subarray(this.at), value]);
        this.at = 0;
      }
    }
  }

  /** @throws IsolineError where the stream ends too early */
  next(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw corrupt('an LZMA member ends too early');
    return byte;
  }
}

class Lzma {
  readonly #input: Input;
  readonly #sizeBytes: number;
  readonly #literalContextBits: number;
  readonly #literalPlaceMask: number;
  readonly #placeMask: number;
  readonly #windowBytes: number;
  readonly #window: Uint8Array;
  readonly #chances: Uint16Array;
  #range = 0xffff_ffff;
  #code = 0;
  #state = 0;
  /** The last four distances, the newest first. */
  #distances: [number, number, number, number] = [0, 0, 0, 0];
  #at = 0;
  #made = 0;
  #given = 0;
  isDone: boolean;

  /** @param head of the member, of which the last five bytes are the properties of the stream */
  constructor(head: Uint8Array, sizeBytes: number, input: Input) {
    const view = new DataView(head.buffer, head.byteOffset, head.length);
    const properties = head[4] as number;
    if (view.getUint16(2, true) !== PROPERTY_BYTES || properties >= 9 * 5 * 5)
      throw corrupt('an LZMA member has no head');
    this.#literalContextBits = properties % 9;
    this.#literalPlaceMask = (1 << (Math.floor(properties / 9) % 5)) - 1;
    this.#placeMask = (1 << Math.floor(properties / 45)) - 1;
    // What is never written cannot be referred to: a small file needs no large window.
    this.#windowBytes = Math.max(MIN_WINDOW_BYTES, Math.min(view.getUint32(5, true), sizeBytes));
    if (this.#windowBytes > MAX_WINDOW_BYTES)
      throw new IsolineError(
        'archive_too_large',
        'A file in the archive needs too much memory to unpack. Pack it with Deflate.',
      );
    this.#window = new Uint8Array(this.#windowBytes + PIECE_BYTES + LONGEST_MATCH);
    const literalBits = this.#literalContextBits + (Math.floor(properties / 9) % 5);
    this.#chances = new Uint16Array(LITERAL + (LITERAL_SIZE << literalBits)).fill(EVEN_CHANCE);
    this.#input = input;
    this.#sizeBytes = sizeBytes;
    this.isDone = sizeBytes === 0;
  }

  /** The first five bytes. */
  begin(): void {
    if (this.#input.next() !== 0) throw corrupt('an LZMA member does not begin with 0');
    for (let i = 0; i < 4; i++) this.#code = ((this.#code << 8) | this.#input.next()) >>> 0;
  }

  #bit(place: number): number {
    const chance = this.#chances[place] as number;
    const bound = (this.#range >>> 11) * chance;
    let bit = 0;
    if (this.#code < bound) {
      this.#range = bound;
      this.#chances[place] = chance + ((2048 - chance) >> 5);
    } else {
      this.#range -= bound;
      this.#code -= bound;
      this.#chances[place] = chance - (chance >> 5);
      bit = 1;
    }
    if (this.#range < RANGE_LEAST) this.#normalize();
    return bit;
  }

  #normalize(): void {
    this.#range = (this.#range << 8) >>> 0;
    this.#code = ((this.#code << 8) | this.#input.next()) >>> 0;
  }

  #plainBits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      this.#range >>>= 1;
      const bit = this.#code >= this.#range ? 1 : 0;
      if (bit === 1) this.#code -= this.#range;
      value = value * 2 + bit;
      if (this.#range < RANGE_LEAST) this.#normalize();
    }
    return value;
  }

  #tree(place: number, bits: number): number {
    let node = 1;
    for (let i = 0; i < bits; i++) node = (node << 1) | this.#bit(place + node);
    return node - (1 << bits);
  }

  #reverseTree(place: number, bits: number): number {
    let node = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const bit = this.#bit(place + node);
      node = (node << 1) | bit;
      value |= bit << i;
    }
    return value;
  }

  #length(place: number, placeState: number): number {
    const low = place + 2;
    const middle = low + (16 << 3);
    if (this.#bit(place) === 0) return 2 + this.#tree(low + (placeState << 3), 3);
    if (this.#bit(place + 1) === 0) return 10 + this.#tree(middle + (placeState << 3), 3);
    return 18 + this.#tree(middle + (16 << 3), 8);
  }

  #distance(length: number): number {
    const slot = this.#tree(DISTANCE_SLOT + (Math.min(length - 2, 3) << 6), 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) * 2 ** bits;
    if (slot < 14) return base + this.#reverseTree(DISTANCE_LOW + base - slot, bits);
    return base + this.#plainBits(bits - 4) * 16 + this.#reverseTree(DISTANCE_ALIGN, 4);
  }

  #byteBack(distance: number): number {
    const at = this.#at - distance - 1;
    return this.#window[at < 0 ? at + this.#window.length : at] as number;
  }

  #put(byte: number): void {
    this.#window[this.#at] = byte;
    this.#at = this.#at + 1 === this.#window.length ? 0 : this.#at + 1;
    this.#made++;
  }

  #literal(): void {
    const before = this.#made === 0 ? 0 : this.#byteBack(0);
    const context =
      ((this.#made & this.#literalPlaceMask) << this.#literalContextBits) +
      (before >> (8 - this.#literalContextBits));
    const place = LITERAL + LITERAL_SIZE * context;
    let symbol = 1;
    if (this.#state >= 7) {
      let matched = this.#byteBack(this.#distances[0]);
      while (symbol < 0x100) {
        const matchedBit = (matched >> 7) & 1;
        matched <<= 1;
        const bit = this.#bit(place + ((1 + matchedBit) << 8) + symbol);
        symbol = (symbol << 1) | bit;
        if (matchedBit !== bit) break;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | this.#bit(place + symbol);
    this.#put(symbol & 0xff);
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6;
  }

  /** @returns how much is copied; 0 where one byte was */
  #repeat(placeState: number): number {
    if (this.#made === 0) throw corrupt('an LZMA member refers to what is not there');
    const state = this.#state;
    const [first, second, third, fourth] = this.#distances;
    if (this.#bit(IS_REPEAT_0 + state) === 0) {
      if (this.#bit(IS_REPEAT_0_LONG + (state << 4) + placeState) === 0) {
        this.#state = state < 7 ? 9 : 11;
        this.#put(this.#byteBack(first));
        return 0;
      }
    } else if (this.#bit(IS_REPEAT_1 + state) === 0) this.#distances = [second, first, third, fourth];
    else if (this.#bit(IS_REPEAT_2 + state) === 0) this.#distances = [third, first, second, fourth];
    else this.#distances = [fourth, first, second, third];
    this.#state = state < 7 ? 8 : 11;
    return this.#length(REPEAT_LENGTH, placeState);
  }

  /** @returns how much is copied; undefined at the mark that ends a stream */
  #match(placeState: number): number | undefined {
    const [first, second, third] = this.#distances;
    const length = this.#length(LENGTH, placeState);
    this.#state = this.#state < 7 ? 7 : 10;
    const distance = this.#distance(length);
    if (distance === 0xffff_ffff) return undefined;
    this.#distances = [distance, first, second, third];
    return length;
  }

  #symbol(): void {
    const placeState = this.#made & this.#placeMask;
    if (this.#bit(IS_MATCH + (this.#state << 4) + placeState) === 0) {
      this.#literal();
      return;
    }
    const isRepeat = this.#bit(IS_REPEAT + this.#state) === 1;
    const length = isRepeat ? this.#repeat(placeState) : this.#match(placeState);
    if (length === undefined) {
      this.isDone = true;
      return;
    }
    const [distance] = this.#distances;
    if (distance >= this.#windowBytes || distance >= this.#made)
      throw corrupt('an LZMA member refers to what is not there');
    if (this.#made + length > this.#sizeBytes) throw corrupt('an LZMA member is longer than it states');
    for (let i = 0; i < length; i++) this.#put(this.#byteBack(distance));
  }

  /** Decodes until a piece is full, or more has to be read first. */
  run(): void {
    while (!this.isDone && this.#made - this.#given < PIECE_BYTES) {
      if (this.#input.left < SYMBOL_BYTES && !this.#input.isEnded) return;
      this.#symbol();
      if (this.#made >= this.#sizeBytes) this.isDone = true;
    }
  }

  /** What was made since the last time. */
  take(): Uint8Array {
    const length = this.#made - this.#given;
    this.#given = this.#made;
    const from = this.#at - length;
    if (from >= 0) return this.#window.slice(from, this.#at);
    return Buffer.concat([
      this.#window.subarray(from + this.#window.length),
      this.#window.subarray(0, this.#at),
    ]);
  }
}

/** @throws IsolineError `archive_corrupt`, `archive_too_large` where its window is larger than 64 MB */
export async function* lzma(
  compressed: AsyncIterable<Uint8Array>,
  sizeBytes: number,
): AsyncGenerator<Uint8Array> {
  const input = new Input(compressed);
  await input.fill(HEAD_BYTES + PROPERTY_BYTES);
  const head = Uint8Array.from({ length: HEAD_BYTES }, () => input.next());
  const decoder = new Lzma(head, sizeBytes, input);
  decoder.begin();
  while (!decoder.isDone) {
    await input.fill(SYMBOL_BYTES);
    decoder.run();
    const piece = decoder.take();
    if (piece.length > 0) yield piece;
  }
}
