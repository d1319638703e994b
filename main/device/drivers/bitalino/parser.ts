// Packets of BITalino: 3 to 8 bytes for 1 to 6 channels, in the last one four bits of counter and a CRC of
// four bits (device protocols reference, 5). Four bits let one random place in sixteen pass, so the counter
// is part of what makes a packet.

import { FixedPackets } from '../../packets/fixed-packets.ts';

/** By channels. */
export const BITALINO_PACKET_BYTES = [0, 3, 4, 6, 7, 8, 8] as const;

/** One step of CRC-4, x⁴ + x + 1. */
const STEP = [0, 3, 6, 5, 12, 15, 10, 9, 11, 8, 13, 14, 7, 4, 1, 2];
/** State after a whole byte, by state and byte. */
const BYTE = Uint8Array.from({ length: 16 * 256 }, (_, i) => {
  const high = (STEP[i >> 8] as number) ^ ((i >> 4) & 15);
  return (STEP[high] as number) ^ (i & 15);
});
/** What the last byte must hold in its low four bits, by state before it and its high four bits. */
const LAST = Uint8Array.from({ length: 256 }, (_, i) => STEP[(STEP[i >> 4] as number) ^ (i & 15)] as number);

/** The CRC of a packet whose last byte holds the counter and nothing else. */
export function crc4(bytes: Uint8Array, at: number, length: number): number {
  let state = 0;
  for (let i = at; i < at + length - 1; i++) state = BYTE[(state << 8) | (bytes[i] as number)] as number;
  return LAST[(state << 4) | ((bytes[at + length - 1] as number) >> 4)] as number;
}

const DIGITAL_I1 = 0x80;

export class BitalinoParser extends FixedPackets {
  /** The bit of the button; below 0 as long as nothing is known of it. */
  #button = -1;
  #buttonAtRest = 0;

  constructor(channels: number) {
    super({
      packetBytes: BITALINO_PACKET_BYTES[channels] as number,
      samplesPerPacket: 1,
      channels,
      counterModulo: 16,
      structure: 'weak',
      confirm: channels === 1 ? 3 : 2,
      nearSteps: 0,
      head: [],
      isHeadAwaited: false,
    });
  }

  protected override isValid(bytes: Uint8Array, at: number): boolean {
    const { packetBytes } = this.layout;
    return crc4(bytes, at, packetBytes) === ((bytes[at + packetBytes - 1] as number) & 15);
  }

  protected override counterOf(bytes: Uint8Array, at: number): number {
    return (bytes[at + this.layout.packetBytes - 1] as number) >> 4;
  }

  protected override decode(bytes: Uint8Array, at: number, index: number): void {
    this.#decodeOne(bytes, at + this.layout.packetBytes - 1, index);
    this.#noteButton((bytes[at + this.layout.packetBytes - 2] as number) & DIGITAL_I1, index);
  }

  /** @param last place of the last byte: the fields are counted from there. */
  #decodeOne(bytes: Uint8Array, last: number, index: number): void {
    const [a1, a2, a3, a4, a5, a6] = this.out.columns;
    const b3 = bytes[last - 2] as number;
    (a1 as Int32Array)[index] = (((bytes[last - 1] as number) & 15) << 6) | (b3 >> 2);
    if (a2 === undefined) return;
    a2[index] = ((b3 & 3) << 8) | (bytes[last - 3] as number);
    if (a3 === undefined) return;
    const b6 = bytes[last - 5] as number;
    a3[index] = ((bytes[last - 4] as number) << 2) | (b6 >> 6);
    if (a4 === undefined) return;
    const b7 = bytes[last - 6] as number;
    a4[index] = ((b6 & 63) << 4) | (b7 >> 4);
    if (a5 === undefined) return;
    const b8 = bytes[last - 7] as number;
    a5[index] = ((b7 & 15) << 2) | (b8 >> 6);
    if (a6 !== undefined) a6[index] = b8 & 63;
  }

  /** The packets are so short that the general way costs more than they do. */
  protected override readRun(bytes: Uint8Array, from: number, stop: number, counter: number): number {
    const { packetBytes } = this.layout;
    const { out } = this;
    out.reserve(Math.ceil((stop - from) / packetBytes));
    const first = out.count;
    let [at, expected, index] = [from, counter, first];
    for (; at + packetBytes <= stop; at += packetBytes, index++) {
      const last = at + packetBytes - 1;
      let state = 0;
      for (let i = at; i < last; i++) state = BYTE[(state << 8) | (bytes[i] as number)] as number;
      const check = bytes[last] as number;
      if (check >> 4 !== expected || LAST[(state << 4) | expected] !== (check & 15)) break;
      this.#decodeOne(bytes, last, index);
      const button = (bytes[last - 1] as number) & DIGITAL_I1;
      if (button !== this.#button) this.#noteButton(button, index);
      expected = (expected + 1) & 15;
    }
    out.count = index;
    return index - first;
  }

  /** The state that the first packet shows is the one at rest. */
  #noteButton(button: number, offset: number): void {
    const isFirst = this.#button < 0;
    if (isFirst) this.#buttonAtRest = button;
    else if (button !== this.#button && button !== this.#buttonAtRest)
      this.out.event({ kind: 'button', offset });
    this.#button = button;
  }
}
