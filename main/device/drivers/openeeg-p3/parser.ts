// P3 packets of ModularEEG boards: of every packet only the last byte has bit 7; six bits of counter, ten bits a channel in pairs
// (device protocols reference, 4).

import { FixedPackets } from '../../packets/fixed-packets.ts';

const BYTES_OF_PAIR = 3;

export class P3Parser extends FixedPackets {
  readonly #channels: number;

  /** @param channels 2, 4 or 6. */
  constructor(channels: number) {
    super({
      packetBytes: 2 + (channels / 2) * BYTES_OF_PAIR,
      samplesPerPacket: 1,
      channels,
      counterModulo: 64,
      structure: 'weak',
      confirm: 2,
      nearSteps: 5,
      headBytes: 0,
    });
    this.#channels = channels;
  }

  protected override isValid(bytes: Uint8Array, at: number): boolean {
    const last = at + this.layout.packetBytes - 1;
    if ((bytes[last] as number) < 0x80) return false;
    for (let i = at; i < last; i++) if ((bytes[i] as number) > 0x7f) return false;
    // Bit 3 of the third byte of each pair is always 0.
    for (let i = at + 4; i <= last; i += BYTES_OF_PAIR) if (((bytes[i] as number) & 0x08) !== 0) return false;
    return true;
  }

  protected override counterOf(bytes: Uint8Array, at: number): number {
    return (bytes[at] as number) >> 1;
  }

  protected override decode(bytes: Uint8Array, at: number, index: number): void {
    const { columns } = this.out;
    for (let channel = 0, i = at + 2; channel < this.#channels; channel += 2, i += BYTES_OF_PAIR) {
      const high = bytes[i + 2] as number;
      (columns[channel] as Int32Array)[index] = (bytes[i] as number) | ((high & 0x70) << 3);
      (columns[channel + 1] as Int32Array)[index] = (bytes[i + 1] as number) | ((high & 0x07) << 7);
    }
  }
}
