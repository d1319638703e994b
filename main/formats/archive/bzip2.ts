// bzip2 as a stream, block by block: the library's own stream unpacks all blocks that it holds at once, which for a few kilobytes of zeros
// are gigabytes. A block gives at most 46 MB.

import bitIterator from 'unbzip2-stream/lib/bit_iterator.js';
import blocks from 'unbzip2-stream/lib/bzip2.js';

const HEADER_BYTES = 4;
const BLOCK_BYTES = 100_000;
/** So much more than a block's plain size its packed form may be. */
const ROOM_BYTES = 25_000;
const FIRST_BYTES = 1 << 20;

/** Bytes that come one by one. */
class Growing {
  #bytes = new Uint8Array(FIRST_BYTES);
  #size = 0;

  readonly add = (byte: number): void => {
    if (this.#size === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#size);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#size++] = byte;
  };

  take(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }
}

class Reader {
  readonly #queue: Uint8Array[];
  readonly #bits: blocks.BitReader;
  #received: number;
  /** In hundreds of thousands of bytes; 0 before a stream, of which several may follow each other. */
  #level = 0;
  #checksum: number | null = 0;

  constructor(first: Uint8Array) {
    this.#queue = [first];
    this.#received = first.length;
    this.#bits = bitIterator(() => this.#queue.shift());
  }

  push(bytes: Uint8Array): void {
    this.#queue.push(bytes);
    this.#received += bytes.length;
  }

  /** What is left behind the byte that is being read. */
  get left(): number {
    return this.#received - this.#bits.bytesRead;
  }

  /** Enough for a whole block, or for the beginning of a stream. */
  get isEnough(): boolean {
    return this.left + 1 >= (this.#level === 0 ? HEADER_BYTES : ROOM_BYTES + BLOCK_BYTES * this.#level);
  }

  /** Whether a stream has begun and not ended. */
  get isWithin(): boolean {
    return this.#level > 0;
  }

  /** @returns nothing where a stream begins or ends. @throws what the library stumbles over */
  next(): Uint8Array | undefined {
    if (this.#level === 0) {
      this.#level = blocks.header(this.#bits);
      this.#checksum = 0;
      return undefined;
    }
    const size = BLOCK_BYTES * this.#level;
    const plain = new Growing();
    this.#checksum = blocks.decompress(
      this.#bits,
      plain.add,
      new Int32Array(size),
      size,
      this.#checksum ?? 0,
    );
    if (this.#checksum !== null) return plain.take();
    this.#level = 0;
    return undefined;
  }
}

/** @throws what the library stumbles over, where the bytes are cut off or changed */
export async function* bzip2(
  packed: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let reader: Reader | undefined;
  for await (const bytes of packed) {
    if (reader === undefined) reader = new Reader(bytes);
    else reader.push(bytes);
    while (reader.isEnough) {
      const block = reader.next();
      if (block !== undefined) yield block;
    }
  }
  while (reader !== undefined && reader.left > 0) {
    const block = reader.next();
    if (block !== undefined) yield block;
  }
  if (reader === undefined || reader.isWithin) throw new Error('the packed bytes end early');
}
