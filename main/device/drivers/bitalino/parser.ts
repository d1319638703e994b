// Packets of BITalino: 3 to 8 bytes for 1 to 6 channels, in the last one four bits of counter and a CRC of four bits (device protocols
// reference, 5). Four bits let one random place in sixteen pass, so the counter is part of what makes a packet.

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
  readonly #channels: number;
  #restIsHigh: boolean | undefined;
  #isPressed = false;

  constructor(channels: number) {
    super({
      packetBytes: BITALINO_PACKET_BYTES[channels] as number,
      samplesPerPacket: 1,
      channels,
      counterModulo: 16,
      structure: 'weak',
      confirm: channels === 1 ? 3 : 2,
      nearSteps: 0,
      headBytes: 0,
    });
    this.#channels = channels;
  }

  protected override isValid(bytes: Uint8Array, at: number): boolean {
    const { packetBytes } = this.layout;
    return crc4(bytes, at, packetBytes) === ((bytes[at + packetBytes - 1] as number) & 15);
  }

  protected override counterOf(bytes: Uint8Array, at: number): number {
    return (bytes[at + this.layout.packetBytes - 1] as number) >> 4;
  }

  protected override decode(bytes: Uint8Array, at: number, index: number): void {
    const { columns } = this.out;
    const end = at + this.layout.packetBytes;
    const b = (back: number): number => bytes[end - back] as number;
    const set = (channel: number, value: number): void => {
      (columns[channel] as Int32Array)[index] = value;
    };
    const channels = this.#channels;
    set(0, ((b(2) & 15) << 6) | (b(3) >> 2));
    if (channels > 1) set(1, ((b(3) & 3) << 8) | b(4));
    if (channels > 2) set(2, (b(5) << 2) | (b(6) >> 6));
    if (channels > 3) set(3, ((b(6) & 63) << 4) | (b(7) >> 4));
    if (channels > 4) set(4, ((b(7) & 15) << 2) | (b(8) >> 6));
    if (channels > 5) set(5, b(8) & 63);
    this.#noteButton((b(2) & DIGITAL_I1) !== 0, index);
  }

  /** The state that the first packet shows is the one at rest. */
  #noteButton(isHigh: boolean, index: number): void {
    this.#restIsHigh ??= isHigh;
    const isPressed = isHigh !== this.#restIsHigh;
    if (isPressed && !this.#isPressed) this.out.event({ kind: 'button', offset: index });
    this.#isPressed = isPressed;
  }
}
