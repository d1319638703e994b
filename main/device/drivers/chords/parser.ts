// Packets of Chords boards: C7 7C, counter, uint16 BE a channel, 01 (device protocols reference, 8).

import { FixedPackets } from '../../packets/fixed-packets.ts';
import { uint16Be } from '../../packets/integers.ts';

const HEAD = [0xc7, 0x7c] as const;

export class ChordsParser extends FixedPackets {
  readonly #channels: number;
  /** High bytes stay below. */
  readonly #highLimit: number;

  constructor(channels: number, bits: number) {
    super({
      packetBytes: 4 + 2 * channels,
      samplesPerPacket: 1,
      channels,
      counterModulo: 256,
      structure: 'strong',
      confirm: 1,
      nearSteps: 0,
      head: HEAD,
      isHeadAwaited: true,
    });
    this.#channels = channels;
    this.#highLimit = 1 << (bits - 8);
  }

  protected override isValid(bytes: Uint8Array, at: number): boolean {
    if (bytes[at] !== HEAD[0] || bytes[at + 1] !== HEAD[1] || bytes[at + this.layout.packetBytes - 1] !== 1)
      return false;
    for (let channel = 0; channel < this.#channels; channel++)
      if ((bytes[at + 3 + 2 * channel] as number) >= this.#highLimit) return false;
    return true;
  }

  protected override counterOf(bytes: Uint8Array, at: number): number {
    return bytes[at + 2] as number;
  }

  protected override decode(bytes: Uint8Array, at: number, index: number): void {
    const { columns } = this.out;
    for (let channel = 0; channel < this.#channels; channel++)
      (columns[channel] as Int32Array)[index] = uint16Be(bytes, at + 3 + 2 * channel);
  }
}
