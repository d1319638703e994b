// P3 packets of ModularEEG boards: of every packet only the last byte has bit 7; six bits of counter, ten
// bits a channel in pairs (device protocols reference, 4).

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
      head: [],
      isHeadAwaited: false,
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

  /** The packets are so short that the general way costs more than they do. */
  protected override readRun(bytes: Uint8Array, from: number, stop: number, counter: number): number {
    const { packetBytes } = this.layout;
    const { out } = this;
    out.reserve(Math.ceil((stop - from) / packetBytes));
    const { columns, count: first } = out;
    let at = from;
    let expected = counter;
    let index = first;
    for (; at + packetBytes <= stop; at += packetBytes, index++) {
      const last = at + packetBytes - 1;
      if ((bytes[at] as number) >> 1 !== expected || (bytes[last] as number) < 0x80) break;
      let sync = (bytes[at] as number) | (bytes[at + 1] as number);
      let marks = 0;
      for (let i = at + 2, channel = 0; i <= last; i += BYTES_OF_PAIR, channel += 2) {
        const even = bytes[i] as number;
        const odd = bytes[i + 1] as number;
        const high = bytes[i + 2] as number;
        sync |= even | odd | (i + 2 === last ? 0 : high);
        marks |= high;
        (columns[channel] as Int32Array)[index] = even | ((high & 0x70) << 3);
        (columns[channel + 1] as Int32Array)[index] = odd | ((high & 0x07) << 7);
      }
      // What was written of a packet that is none is written over.
      if (sync > 0x7f || (marks & 0x08) !== 0) break;
      expected = (expected + 1) & 63;
    }
    out.count = index;
    return index - first;
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
