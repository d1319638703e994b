// P2 packets of Olimex and ModularEEG boards: A5 5A 02, counter, six uint16 BE of 10 bits, switches (device
// protocols reference, 4).

import { FixedPackets } from '../../packets/fixed-packets.ts';
import { uint16Be } from '../../packets/integers.ts';

const HEAD = [0xa5, 0x5a, 0x02] as const;
const PACKET_BYTES = 17;
const CHANNELS = 6;
const SWITCHES = PACKET_BYTES - 1;
/** Olimex boards send this and nothing else. */
const OLIMEX_SWITCHES = 1;

export class P2Parser extends FixedPackets {
  #switches = OLIMEX_SWITCHES;

  constructor() {
    super({
      packetBytes: PACKET_BYTES,
      samplesPerPacket: 1,
      channels: CHANNELS,
      counterModulo: 256,
      structure: 'strong',
      confirm: 1,
      nearSteps: 0,
      head: HEAD,
      isHeadAwaited: true,
    });
  }

  protected override isValid(bytes: Uint8Array, at: number): boolean {
    if (
      bytes[at] !== HEAD[0] ||
      bytes[at + 1] !== HEAD[1] ||
      bytes[at + 2] !== HEAD[2] ||
      (bytes[at + SWITCHES] as number) > 15
    )
      return false;
    for (let channel = 0; channel < CHANNELS; channel++)
      if ((bytes[at + 4 + 2 * channel] as number) > 3) return false;
    return true;
  }

  protected override isTrusted(bytes: Uint8Array, at: number): boolean {
    return bytes[at + SWITCHES] === this.#switches;
  }

  protected override counterOf(bytes: Uint8Array, at: number): number {
    return bytes[at + 3] as number;
  }

  protected override decode(bytes: Uint8Array, at: number, index: number): void {
    const { columns } = this.out;
    for (let channel = 0; channel < CHANNELS; channel++)
      (columns[channel] as Int32Array)[index] = uint16Be(bytes, at + 4 + 2 * channel);
    const switches = bytes[at + SWITCHES] as number;
    if (switches === this.#switches) return;
    // Pressed is 0: an edge down is the button.
    if ((this.#switches & ~switches) !== 0) this.out.event({ kind: 'button', offset: index });
    this.#switches = switches;
  }
}
