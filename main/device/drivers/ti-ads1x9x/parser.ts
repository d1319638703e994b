// Stream packets of the TI ADS1x9xECG-FE: 02 93, heart and breathing rate, contact of the electrodes,
// fourteen samples of two channels, 03 0A (device protocols reference, 6). No counter, no checksum.

import { electrodeBit, SOME_ELECTRODE } from '../../../../shared/signal/electrode.ts';
import { FixedPackets } from '../../packets/fixed-packets.ts';
import { int16Le } from '../../packets/integers.ts';

const HEAD = [0x02, 0x93] as const;
const PACKET_BYTES = 63;
const SAMPLES = 14;
const LEAD_STATUS = 4;
const RL_OFF = 0x10;
const RL = electrodeBit('RL');

export class TiParser extends FixedPackets {
  #leadStatus = 0;

  constructor() {
    super({
      packetBytes: PACKET_BYTES,
      samplesPerPacket: SAMPLES,
      channels: 2,
      structure: 'strong',
      confirm: 1,
      nearSteps: 0,
      head: HEAD,
      isHeadAwaited: false,
    });
  }

  protected override isValid(bytes: Uint8Array, at: number): boolean {
    return (
      bytes[at] === HEAD[0] &&
      bytes[at + 1] === HEAD[1] &&
      (bytes[at + LEAD_STATUS] as number) < 0x20 &&
      bytes[at + PACKET_BYTES - 2] === 0x03 &&
      bytes[at + PACKET_BYTES - 1] === 0x0a
    );
  }

  protected override counterOf(): number {
    return 0;
  }

  protected override decode(bytes: Uint8Array, at: number, index: number): void {
    const [first, second] = this.out.columns as [Int32Array, Int32Array];
    for (let i = 0, place = at + 5; i < SAMPLES; i++, place += 4) {
      first[index + i] = int16Le(bytes, place);
      second[index + i] = int16Le(bytes, place + 2);
    }
    const status = bytes[at + LEAD_STATUS] as number;
    if (status === this.#leadStatus) return;
    this.#leadStatus = status;
    const electrodes = ((status & RL_OFF) !== 0 ? RL : 0) | ((status & 0x0f) !== 0 ? SOME_ELECTRODE : 0);
    this.out.event({ kind: 'leadOff', offset: index, electrodes });
  }
}
