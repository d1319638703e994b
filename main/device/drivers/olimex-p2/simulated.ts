// A simulated Olimex stack of six shields, or a ModularEEG board, speaking P2.

import { setUint16Be } from '../../packets/write-integers.ts';
import { filtersOf, formatOf, measuring } from '../../simulator/channels.ts';
import type { SimulatedProtocol } from '../../simulator/simulated-device.ts';
import { OLIMEX_P2 } from './driver.ts';

const PACKET_BYTES = 17;
const SWITCHES = 16;
const OLIMEX_SWITCHES = 1;
const ALL_UP = 0x0f;

export function simulatedP2(variant: 'olimex' | 'modular-eeg'): SimulatedProtocol {
  const format = formatOf(OLIMEX_P2.variants, variant);
  return {
    driver: OLIMEX_P2.id,
    variant,
    rateHz: format.rateHz,
    samplesPerPacket: 1,
    channels: measuring(format.channels, ['II', 'I', 'III', 'AVF', 'V1', 'V5']),
    ...filtersOf(format),
    streamsAtOnce: true,
    encode(columns, { packet, isButtonPressed }) {
      const bytes = new Uint8Array(PACKET_BYTES);
      bytes.set([0xa5, 0x5a, 2, packet & 0xff]);
      for (const [channel, column] of columns.entries())
        setUint16Be(bytes, 4 + 2 * channel, column[0] as number);
      bytes[SWITCHES] = variant === 'olimex' ? OLIMEX_SWITCHES : isButtonPressed ? ALL_UP & ~1 & 7 : 7;
      return bytes;
    },
  };
}
