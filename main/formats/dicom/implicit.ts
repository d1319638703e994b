// A small dataset in explicit little endian as the same one in implicit little endian, the one way of writing that everybody takes
// (PS3.5, 7.1.2, 7.5 and 10.1).

const LONG_TYPES = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV']);
const ITEM_GROUP = 0xfffe;
const OPEN_LENGTH = 0xffff_ffff;
const SEQUENCE_END = Buffer.from([0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0]);
const ITEM_END = Buffer.from([0xfe, 0xff, 0x0d, 0xe0, 0, 0, 0, 0]);
const ITEM_ELEMENT = 0xe000;

function head(tag: Uint8Array, length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.set(tag);
  bytes.writeUInt32LE(length, 4);
  return bytes;
}

class Transcoder {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** @param end where it ends, or where its end is marked */
  elements(end = this.#bytes.length): Buffer {
    const parts: Buffer[] = [];
    while (this.#at < end) {
      const tag = this.#bytes.subarray(this.#at, this.#at + 4);
      if (tag.readUInt16LE() === ITEM_GROUP) {
        // The end of an item of open length.
        this.#at += 8;
        break;
      }
      parts.push(this.#element(tag));
    }
    return Buffer.concat(parts);
  }

  #element(tag: Buffer): Buffer {
    const type = this.#bytes.toString('latin1', this.#at + 4, this.#at + 6);
    const isLong = LONG_TYPES.has(type);
    const length = isLong ? this.#bytes.readUInt32LE(this.#at + 8) : this.#bytes.readUInt16LE(this.#at + 6);
    this.#at += isLong ? 12 : 8;
    if (type === 'SQ') return Buffer.concat([head(tag, OPEN_LENGTH), this.#items(length), SEQUENCE_END]);
    const value = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return Buffer.concat([head(tag, length), value]);
  }

  #items(length: number): Buffer {
    const end = length === OPEN_LENGTH ? this.#bytes.length : this.#at + length;
    const parts: Buffer[] = [];
    while (this.#at < end) {
      const tag = this.#bytes.subarray(this.#at, this.#at + 4);
      const itemLength = this.#bytes.readUInt32LE(this.#at + 4);
      this.#at += 8;
      if (tag.readUInt16LE(2) !== ITEM_ELEMENT) break;
      const itemEnd = itemLength === OPEN_LENGTH ? this.#bytes.length : this.#at + itemLength;
      parts.push(head(tag, OPEN_LENGTH), this.elements(itemEnd), ITEM_END);
    }
    return Buffer.concat(parts);
  }
}

export const toImplicit = (explicit: Uint8Array): Uint8Array => new Transcoder(explicit).elements();
