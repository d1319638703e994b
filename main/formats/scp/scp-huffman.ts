// Huffman coded samples of SCP-ECG: the standard's default table, or tables that the file brings along.
// Formats reference, section 3.3.

import { BitReader, EndOfBits } from '../bit-reader.ts';

const DEFAULT_TABLE_MARK = 19_999;
const LOOKUP_BITS = 10;
const MAX_PREFIX_BITS = 24;
const CODE_BYTES = 9;

interface Code {
  readonly prefixBits: number;
  /** The bits of the whole code, including the literal behind the prefix. */
  readonly totalBits: number;
  readonly isSwitch: boolean;
  /** The value of the code, or the table to go on with, counted from 1. */
  readonly base: number;
  /** The prefix, its first bit the most significant. */
  readonly prefix: number;
}

class Table {
  readonly #codes: readonly Code[];
  /** Index of the code for every pattern of the first bits, −1 where it takes more bits or there is none. */
  readonly #lookup = new Int16Array(1 << LOOKUP_BITS).fill(-1);
  /** Longer codes: by the bits of their prefix, and then by the prefix. */
  readonly #long = new Map<number, Map<number, Code>>();

  constructor(codes: readonly Code[]) {
    this.#codes = codes;
    for (const [index, code] of codes.entries()) {
      const { prefixBits, prefix } = code;
      if (prefixBits <= LOOKUP_BITS) {
        const free = LOOKUP_BITS - prefixBits;
        this.#lookup.fill(index, prefix << free, (prefix + 1) << free);
        continue;
      }
      const ofLength = this.#long.get(prefixBits) ?? new Map<number, Code>();
      if (!ofLength.has(prefix)) ofLength.set(prefix, code);
      this.#long.set(prefixBits, ofLength);
    }
  }

  next(bits: BitReader): Code | undefined {
    const found = this.#lookup[bits.peek(LOOKUP_BITS)] as number;
    const code = found >= 0 ? this.#codes[found] : this.#nextLong(bits);
    if (code !== undefined) bits.skip(code.prefixBits);
    return code;
  }

  #nextLong(bits: BitReader): Code | undefined {
    for (const [prefixBits, codes] of this.#long) {
      const code = codes.get(bits.peek(prefixBits));
      if (code !== undefined) return code;
    }
    return undefined;
  }
}

export type HuffmanTables = readonly Table[];

/**
 * Value 0 is one bit; ±1 … ±8 are as many ones, a zero and the sign; two escapes take 8 and 16 bits as they
 * are.
 */
const DEFAULT_TABLE = new Table([
  { prefixBits: 1, totalBits: 1, isSwitch: false, base: 0, prefix: 0 },
  ...Array.from({ length: 8 }, (_, i) => i + 1).flatMap((value) =>
    [0, 1].map((sign) => ({
      prefixBits: value + 2,
      totalBits: value + 2,
      isSwitch: false,
      base: sign === 0 ? value : -value,
      prefix: (((1 << value) - 1) << 2) | sign,
    })),
  ),
  { prefixBits: 10, totalBits: 18, isSwitch: false, base: 0, prefix: 0b1111111110 },
  { prefixBits: 10, totalBits: 26, isSwitch: false, base: 0, prefix: 0b1111111111 },
]);

/** The file holds a code's bits with the first one lowest. */
function reversed(bits: number, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i++) value = value * 2 + ((bits >>> i) & 1);
  return value;
}

function parseCode(view: DataView, at: number): Code | undefined {
  const [prefixBits, totalBits] = [view.getUint8(at), view.getUint8(at + 1)];
  if (prefixBits < 1 || prefixBits > MAX_PREFIX_BITS || totalBits < prefixBits || totalBits - prefixBits > 32)
    return undefined;
  return {
    prefixBits,
    totalBits,
    isSwitch: view.getUint8(at + 2) === 0,
    base: view.getInt16(at + 3, true),
    prefix: reversed(view.getUint32(at + 5, true), prefixBits),
  };
}

/** @returns the tables of section 2, undefined where they can't be used. */
export function parseHuffmanTables(body: Uint8Array): HuffmanTables | undefined {
  if (body.length < 2) return undefined;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const count = view.getUint16(0, true);
  if (count === DEFAULT_TABLE_MARK) return [DEFAULT_TABLE];
  const tables: Table[] = [];
  let at = 2;
  for (let table = 0; table < count; table++) {
    if (at + 2 > body.length) return undefined;
    const codeCount = view.getUint16(at, true);
    at += 2;
    if (at + codeCount * CODE_BYTES > body.length || codeCount > 1 << 15) return undefined;
    const codes: Code[] = [];
    for (let i = 0; i < codeCount; i++, at += CODE_BYTES) {
      const code = parseCode(view, at);
      if (code === undefined) return undefined;
      codes.push(code);
    }
    tables.push(new Table(codes));
  }
  return tables.length > 0 ? tables : undefined;
}

/**
 * Decodes up to `target.length` values. @returns how many there were before the bits ended or made no sense.
 */
export function decodeHuffman(bytes: Uint8Array, tables: HuffmanTables, target: Int32Array): number {
  const bits = new BitReader(bytes);
  let table = tables[0] as Table;
  let count = 0;
  try {
    while (count < target.length) {
      const code = table.next(bits);
      if (code === undefined) return count;
      if (code.isSwitch) {
        const next = tables[code.base - 1];
        if (next === undefined) return count;
        table = next;
        continue;
      }
      const literalBits = code.totalBits - code.prefixBits;
      target[count++] = literalBits === 0 ? code.base : bits.signed(literalBits) + code.base;
    }
  } catch (error) {
    if (!(error instanceof EndOfBits)) throw error;
  }
  return count;
}
