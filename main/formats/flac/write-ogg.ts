// Packets of one logical stream into Ogg pages. RFC 3533; what `ogg.ts` reads.

import { crcOgg } from '../crc.ts';

const HEADER_BYTES = 27;
const MAX_SEGMENTS = 255;
const CONTINUED = 1;
const FIRST = 2;
const LAST = 4;
const NO_PACKET_ENDS = 0xffffffffffffffffn;

export class OggPages {
  readonly #serial: number;
  #sequence = 0;

  constructor(serial: number) {
    this.#serial = serial;
  }

  /** The pages of one packet; `granule` is the number of samples at its end. */
  *packet(packet: Uint8Array, granule: number, isLast: boolean): Generator<Uint8Array> {
    const lacing: number[] = [];
    for (let rest = packet.length; rest >= 0; rest -= 255) lacing.push(Math.min(255, rest));
    let from = 0;
    for (let start = 0; start < lacing.length; start += MAX_SEGMENTS) {
      const segments = lacing.slice(start, start + MAX_SEGMENTS);
      const length = segments.reduce((sum, value) => sum + value, 0);
      const isEnd = start + MAX_SEGMENTS >= lacing.length;
      const flags =
        (start > 0 ? CONTINUED : 0) | (this.#sequence === 0 ? FIRST : 0) | (isEnd && isLast ? LAST : 0);
      yield this.#page(
        flags,
        isEnd ? BigInt(granule) : NO_PACKET_ENDS,
        segments,
        packet.subarray(from, from + length),
      );
      from += length;
    }
  }

  #page(flags: number, granule: bigint, segments: readonly number[], body: Uint8Array): Uint8Array {
    const page = new Uint8Array(HEADER_BYTES + segments.length + body.length);
    const view = new DataView(page.buffer);
    page.set([0x4f, 0x67, 0x67, 0x53, 0, flags]);
    view.setBigUint64(6, granule, true);
    view.setUint32(14, this.#serial, true);
    view.setUint32(18, this.#sequence++, true);
    page[26] = segments.length;
    page.set(segments, HEADER_BYTES);
    page.set(body, HEADER_BYTES + segments.length);
    view.setUint32(22, crcOgg(page), true);
    return page;
  }
}
