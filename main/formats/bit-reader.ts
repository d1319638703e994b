// Bits from bytes, most significant bit first: FLAC frames and SCP-ECG's Huffman codes are written so.

/** The bits ran out inside a value. */
export class EndOfBits extends Error {}

export class BitReader {
  readonly #bytes: Uint8Array;
  readonly #endBit: number;
  #bit: number;

  constructor(bytes: Uint8Array, startByte = 0) {
    this.#bytes = bytes;
    this.#bit = startByte * 8;
    this.#endBit = bytes.length * 8;
  }

  /** Bits read so far, from the beginning of the bytes. */
  get position(): number {
    return this.#bit;
  }

  /** The next 32 bits, of which the first 25 are certain; zeros behind the end. */
  #window(): number {
    const at = this.#bit >>> 3;
    const bytes = this.#bytes;
    const word = (((bytes[at] ?? 0) << 24) |
      ((bytes[at + 1] ?? 0) << 16) |
      ((bytes[at + 2] ?? 0) << 8) |
      (bytes[at + 3] ?? 0)) as number;
    return word << (this.#bit & 7);
  }

  #advance(count: number): void {
    this.#bit += count;
    if (this.#bit > this.#endBit) throw new EndOfBits('the bits ran out');
  }

  /** @param count 0 … 53 */
  unsigned(count: number): number {
    if (count === 0) return 0;
    if (count <= 25) {
      const value = this.#window() >>> (32 - count);
      this.#advance(count);
      return value;
    }
    const high = this.unsigned(count - 24);
    return high * 2 ** 24 + this.unsigned(24);
  }

  /** Two's complement. @param count 1 … 53 */
  signed(count: number): number {
    const value = this.unsigned(count);
    return value >= 2 ** (count - 1) ? value - 2 ** count : value;
  }

  /** Looks at up to 25 bits without taking them; zeros behind the end. */
  peek(count: number): number {
    return this.#window() >>> (32 - count);
  }

  skip(count: number): void {
    this.#advance(count);
  }

  /** The number of 0 bits before the next 1, which is taken too. */
  unary(): number {
    let zeros = 0;
    for (;;) {
      const leading = Math.clz32(this.#window());
      if (leading < 25) {
        this.#advance(leading + 1);
        return zeros + leading;
      }
      zeros += 25;
      this.#advance(25);
    }
  }

  alignToByte(): void {
    this.#advance((8 - (this.#bit & 7)) & 7);
  }
}
