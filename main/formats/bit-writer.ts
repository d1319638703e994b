// Bits into bytes, most significant bit first: the counterpart of `bit-reader.ts`.

export class BitWriter {
  #bytes = new Uint8Array(1 << 14);
  #at = 0;
  #pending = 0;
  #pendingBits = 0;

  #byte(value: number): void {
    if (this.#at === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#at++] = value;
  }

  /** The lowest `count` bits of `value`, negative values in two's complement. @param count 0 … 32 */
  bits(value: number, count: number): void {
    if (count > 16) {
      this.bits(value >> 16, count - 16);
      this.bits(value, 16);
      return;
    }
    this.#pending = (this.#pending << count) | (value & ((1 << count) - 1));
    this.#pendingBits += count;
    while (this.#pendingBits >= 8) {
      this.#pendingBits -= 8;
      this.#byte(this.#pending >> this.#pendingBits);
    }
    this.#pending &= (1 << this.#pendingBits) - 1;
  }

  /** So many 0 bits, and a 1. */
  unary(zeros: number): void {
    let rest = zeros;
    for (; rest >= 16; rest -= 16) this.bits(0, 16);
    this.bits(1, rest + 1);
  }

  alignToByte(): void {
    if (this.#pendingBits > 0) this.bits(0, 8 - this.#pendingBits);
  }

  /** What is written so far in whole bytes. */
  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#at);
  }
}
