// Samples of Backyard Brains boxes: two bytes a channel, of every sample only the first byte has bit 7;
// messages between them in escapes (device protocols reference, 10). No counter, no checksum.

import { beginsWith } from '../../packets/begins-with.ts';
import { PacketParser } from '../../packets/packet-parser.ts';

const ESCAPE_BEGIN = [0xff, 0xff, 0x01, 0x01, 0x80, 0xff] as const;
const ESCAPE_END = [0xff, 0xff, 0x01, 0x01, 0x81, 0xff] as const;
const MAX_MESSAGE_BYTES = 64;
const CONFIRM = 4;

export class SpikerBoxParser extends PacketParser {
  readonly #channels: number;
  readonly #packetBytes: number;
  #isLocked = false;
  #rejected = 0;

  constructor(channels: number) {
    super(channels);
    this.#channels = channels;
    this.#packetBytes = 2 * channels;
  }

  protected override reset(): void {
    super.reset();
    this.#isLocked = false;
    this.#rejected = 0;
  }

  protected override consume(bytes: Uint8Array, isEnd: boolean): number {
    let at = 0;
    for (;;) {
      if (this.#isLocked) at = this.#readRun(bytes, at);
      const rest = bytes.length - at;
      if (rest === 0) return at;
      if (bytes[at] === ESCAPE_BEGIN[0] && beginsWith(bytes, at, ESCAPE_BEGIN)) {
        const end = this.#messageEnd(bytes, at);
        if (end === undefined && !isEnd && rest < 2 * ESCAPE_BEGIN.length + MAX_MESSAGE_BYTES) return at;
        if (end !== undefined) {
          this.out.text(
            String.fromCharCode(...bytes.subarray(at + ESCAPE_BEGIN.length, end - ESCAPE_END.length)),
          );
          at = end;
          continue;
        }
      }
      if (!isEnd && rest < CONFIRM * this.#packetBytes) return at;
      if (this.#isBeginning(bytes, at)) this.#lock();
      else {
        this.#isLocked = false;
        this.#rejected++;
        this.reject(1);
        at++;
      }
    }
  }

  #lock(): void {
    this.#isLocked = true;
    if (this.#rejected > 0 || this.packets === 0) this.break(0, this.#rejected);
    this.#rejected = 0;
  }

  /** Reads samples as long as they look right. @returns where they end. */
  #readRun(bytes: Uint8Array, from: number): number {
    const { out } = this;
    const packetBytes = this.#packetBytes;
    const first = out.count;
    out.reserve(Math.ceil((bytes.length - from) / packetBytes));
    const { columns } = out;
    let at = from;
    let index = first;
    if (this.#channels === 1) {
      const column = columns[0] as Int32Array;
      for (; at + 2 <= bytes.length; at += 2) {
        const high = bytes[at] as number;
        const low = bytes[at + 1] as number;
        if ((high & 0xf8) !== 0x80 || low > 0x7f) break;
        column[index++] = ((high & 7) << 7) | low;
      }
    } else
      for (; at + packetBytes <= bytes.length && this.#isSample(bytes, at); at += packetBytes, index++)
        for (let channel = 0; channel < this.#channels; channel++)
          (columns[channel] as Int32Array)[index] =
            (((bytes[at + 2 * channel] as number) & 7) << 7) | (bytes[at + 2 * channel + 1] as number);
    out.count = index;
    this.accept(index - first);
    return at;
  }

  #isSample(bytes: Uint8Array, at: number): boolean {
    if (((bytes[at] as number) & 0xf8) !== 0x80) return false;
    for (let i = at + 1; i < at + this.#packetBytes; i++) {
      const limit = (i - at) % 2 === 0 ? 0x07 : 0x7f;
      if ((bytes[i] as number) > limit) return false;
    }
    return true;
  }

  #isBeginning(bytes: Uint8Array, at: number): boolean {
    if (at + this.#packetBytes > bytes.length) return false;
    for (let k = 0; k < CONFIRM; k++) {
      const place = at + k * this.#packetBytes;
      if (place + this.#packetBytes > bytes.length || bytes[place] === ESCAPE_BEGIN[0]) return k > 0;
      if (!this.#isSample(bytes, place)) return false;
    }
    return true;
  }

  #messageEnd(bytes: Uint8Array, at: number): number | undefined {
    const from = at + ESCAPE_BEGIN.length;
    const limit = Math.min(bytes.length - ESCAPE_END.length, from + MAX_MESSAGE_BYTES);
    for (let end = from; end <= limit; end++)
      if (beginsWith(bytes, end, ESCAPE_END)) return end + ESCAPE_END.length;
    return undefined;
  }
}
