// The variables of a MATLAB 5 file (MAT-File Format, MathWorks, "Level 5 MAT-File Format"): numbers, texts, lists of texts, and the fields
// of structures. Anything else is passed by.

import { Inflate } from 'pako';

const HEADER_BYTES = 128;
const TAG_BYTES = 8;
const ENDIAN_AT = 126;
const MI_MATRIX = 14;
const MI_COMPRESSED = 15;
const CLASS_CELL = 1;
const CLASS_STRUCT = 2;
const CLASS_CHAR = 4;
const FIRST_NUMERIC_CLASS = 6;
const LAST_NUMERIC_CLASS = 15;
/** A file is held in memory as numbers: three quarters of an hour of twelve leads at 500 Hz. */
const MOST_INFLATED_BYTES = 128 * 2 ** 20;
const MOST_VALUES = 16 * 2 ** 20;
const MOST_DEPTH = 6;
const MOST_VARIABLES = 4096;

/** A matrix, column by column. */
export interface MatMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
}

export interface MatVariable {
  /** With those of the structures that it is in: `ECG.data`. */
  readonly name: string;
  readonly matrix?: MatMatrix;
  readonly text?: string;
  readonly texts?: readonly string[];
}

class Malformed extends Error {}
class TooLarge extends Error {}

/** Unpacked by a library in JavaScript: that of the system keeps the memory of damaged data for a while. */
function inflatedWithin(data: Buffer, mostBytes: number): Buffer {
  const inflate = new Inflate();
  const parts: Uint8Array[] = [];
  let length = 0;
  inflate.onData = (part) => {
    length += part.length;
    if (length > mostBytes) throw new TooLarge();
    parts.push(part as Uint8Array);
  };
  inflate.push(data, true);
  if (inflate.err !== 0 || !inflate.ended) throw new Malformed();
  return Buffer.concat(parts, length);
}

interface Element {
  readonly type: number;
  readonly data: Buffer;
  readonly nextByte: number;
}

/** Bytes of a number of each type, and how it is read. */
const NUMBERS: Readonly<
  Record<number, readonly [bytes: number, read: (data: Buffer, at: number, isLittle: boolean) => number]>
> = {
  1: [1, (data, at) => data.readInt8(at)],
  2: [1, (data, at) => data.readUInt8(at)],
  3: [2, (data, at, little) => (little ? data.readInt16LE(at) : data.readInt16BE(at))],
  4: [2, (data, at, little) => (little ? data.readUInt16LE(at) : data.readUInt16BE(at))],
  5: [4, (data, at, little) => (little ? data.readInt32LE(at) : data.readInt32BE(at))],
  6: [4, (data, at, little) => (little ? data.readUInt32LE(at) : data.readUInt32BE(at))],
  7: [4, (data, at, little) => (little ? data.readFloatLE(at) : data.readFloatBE(at))],
  9: [8, (data, at, little) => (little ? data.readDoubleLE(at) : data.readDoubleBE(at))],
  12: [8, (data, at, little) => Number(little ? data.readBigInt64LE(at) : data.readBigInt64BE(at))],
  13: [8, (data, at, little) => Number(little ? data.readBigUInt64LE(at) : data.readBigUInt64BE(at))],
};

class Reader {
  readonly #isLittle: boolean;
  readonly variables: MatVariable[] = [];
  #inflatedBytes = 0;
  #values = 0;

  constructor(isLittle: boolean) {
    this.#isLittle = isLittle;
  }

  #u32(data: Buffer, at: number): number {
    if (at + 4 > data.length) throw new Malformed();
    return this.#isLittle ? data.readUInt32LE(at) : data.readUInt32BE(at);
  }

  /** Small elements hold up to four bytes in their tag; others begin at multiples of eight. */
  #element(data: Buffer, at: number): Element {
    const word = this.#u32(data, at);
    const small = word >>> 16;
    if (small > 0) {
      if (small > 4 || at + TAG_BYTES > data.length) throw new Malformed();
      return { type: word & 0xffff, data: data.subarray(at + 4, at + 4 + small), nextByte: at + TAG_BYTES };
    }
    const length = this.#u32(data, at + 4);
    const end = at + TAG_BYTES + length;
    if (end > data.length) throw new Malformed();
    const padded = word === MI_COMPRESSED ? end : at + TAG_BYTES + 8 * Math.ceil(length / 8);
    return { type: word, data: data.subarray(at + TAG_BYTES, end), nextByte: padded };
  }

  #numbers({ type, data }: Element): Float64Array {
    const [bytes, read] = NUMBERS[type] ?? [0, () => 0];
    if (bytes === 0) throw new Malformed();
    this.#values += data.length / bytes;
    if (this.#values > MOST_VALUES) throw new TooLarge();
    return Float64Array.from({ length: Math.floor(data.length / bytes) }, (_, i) =>
      read(data, i * bytes, this.#isLittle),
    );
  }

  #text({ type, data }: Element): string {
    if (type === 16) return data.toString('utf8');
    if (type === 17 || type === 4) {
      const letters = data.subarray(0, data.length & ~1);
      return (this.#isLittle ? letters : Buffer.from(letters).swap16()).toString('utf16le');
    }
    return data.toString('latin1');
  }

  /** The elements of a file, one behind the other. */
  readAll(data: Buffer): void {
    for (let at = 0; at + TAG_BYTES <= data.length && this.variables.length < MOST_VARIABLES; ) {
      const element = this.#element(data, at);
      if (element.type === MI_MATRIX) this.#matrix(element.data, '', 0);
      else if (element.type === MI_COMPRESSED) this.#inflate(element.data);
      at = element.nextByte;
    }
  }

  #inflate(data: Buffer): void {
    const inflated = inflatedWithin(data, MOST_INFLATED_BYTES - this.#inflatedBytes);
    this.#inflatedBytes += inflated.length;
    const element = this.#element(inflated, 0);
    if (element.type === MI_MATRIX) this.#matrix(element.data, '', 0);
  }

  /** @returns its text where it is one */
  #matrix(data: Buffer, prefix: string, depth: number): string | undefined {
    // An empty cell of a list has no parts.
    if (data.length === 0 || depth > MOST_DEPTH) return undefined;
    const flags = this.#element(data, 0);
    const kind = this.#u32(flags.data, 0) & 0xff;
    const dimensions = this.#element(data, flags.nextByte);
    const sizes = [...this.#numbers(dimensions)];
    const named = this.#element(data, dimensions.nextByte);
    const own = named.data.toString('latin1');
    const name = [prefix, own].filter((part) => part !== '').join('.');
    const at = named.nextByte;
    if (kind === CLASS_CHAR) return this.#string(data, at, { name, depth, rows: sizes[0] ?? 1 });
    if (kind === CLASS_CELL) this.#cells(data, at, name, depth);
    else if (kind === CLASS_STRUCT) this.#struct(data, at, sizes, name, depth);
    else if (kind >= FIRST_NUMERIC_CLASS && kind <= LAST_NUMERIC_CLASS && sizes.length === 2) {
      const element = this.#element(data, at);
      const values = this.#numbers(element);
      const [rows = 0, columns = 0] = sizes;
      if (values.length !== rows * columns) throw new Malformed();
      this.variables.push({ name, matrix: { rows, columns, values } });
    }
    return undefined;
  }

  /** Texts of one length are the rows of a matrix of letters. */
  #string(
    data: Buffer,
    at: number,
    { name, depth, rows }: { readonly name: string; readonly depth: number; readonly rows: number },
  ): string {
    const letters = this.#text(this.#element(data, at));
    if (rows > 1 && rows <= letters.length && letters.length % rows === 0) {
      const texts = Array.from({ length: rows }, (_, row) =>
        Array.from({ length: letters.length / rows }, (_, i) => letters[i * rows + row])
          .join('')
          .trim(),
      );
      this.variables.push({ name, texts });
      return '';
    }
    const text = letters.replaceAll('\0', '').trim();
    if (depth === 0 || name !== '') this.variables.push({ name, text });
    return text;
  }

  #cells(data: Buffer, start: number, name: string, depth: number): void {
    const texts: string[] = [];
    const before = this.variables.length;
    for (let at = start; at + TAG_BYTES <= data.length && texts.length < MOST_VARIABLES; ) {
      const element = this.#element(data, at);
      const text = this.#matrix(element.data, '', depth + 1);
      if (text !== undefined) texts.push(text);
      at = element.nextByte;
    }
    // What lies in a list has no name that it could be known by.
    this.variables.length = before;
    if (texts.length > 0) this.variables.push({ name, texts });
  }

  /** The fields of the first of its elements. */
  #struct(data: Buffer, start: number, sizes: readonly number[], name: string, depth: number): void {
    if (sizes.some((size) => size < 1)) return;
    const lengths = this.#element(data, start);
    const width = this.#numbers(lengths)[0] ?? 0;
    const names = this.#element(data, lengths.nextByte);
    if (!(width > 0)) throw new Malformed();
    let at = names.nextByte;
    for (let field = 0; field < Math.floor(names.data.length / width); field++) {
      const own = names.data
        .subarray(field * width, (field + 1) * width)
        .toString('latin1')
        .replace(/\0.*$/s, '');
      const element = this.#element(data, at);
      const prefix = [name, own].filter((part) => part !== '').join('.');
      this.#matrix(element.data, prefix, depth + 1);
      at = element.nextByte;
    }
  }
}

/** @returns a word where it cannot be read */
export function readMatFile(bytes: Uint8Array): readonly MatVariable[] | 'damaged' | 'too large' {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reader = new Reader(data.toString('latin1', ENDIAN_AT, HEADER_BYTES) === 'IM');
  try {
    reader.readAll(data.subarray(HEADER_BYTES));
  } catch (error) {
    if (error instanceof Malformed) return 'damaged';
    if (error instanceof TooLarge) return 'too large';
    throw error;
  }
  return reader.variables;
}

/** A text, the version and the order of bytes. */
export function isMatFile(head: Uint8Array): boolean {
  if (head.length < HEADER_BYTES) return false;
  const data = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const order = data.toString('latin1', ENDIAN_AT, HEADER_BYTES);
  const version = order === 'IM' ? data.readUInt16LE(124) : data.readUInt16BE(124);
  return (order === 'IM' || order === 'MI') && version === 0x0100;
}
