// A simulated TI ADS1x9xECG-FE.

import { setInt16Le } from '../../packets/write-integers.ts';
import { filtersOf, formatOf, measuring } from '../../simulator/channels.ts';
import type { Reply, SimulatedProtocol } from '../../simulator/simulated-device.ts';
import { TI_ADS1X9X } from './driver.ts';

const PACKET_BYTES = 63;
const SAMPLES = 14;
const ALL_OFF = 0x0f;
const RL = 1 << 9;

export function simulatedTi(): SimulatedProtocol {
  const format = formatOf(TI_ADS1X9X.variants, 'stream');
  return {
    driver: TI_ADS1X9X.id,
    variant: 'stream',
    rateHz: format.rateHz,
    samplesPerPacket: SAMPLES,
    channels: measuring(format.channels, [undefined, 'II']),
    ...filtersOf(format),
    streamsAtOnce: false,
    encode(columns, { electrodesOff }) {
      const bytes = new Uint8Array(PACKET_BYTES);
      bytes.set([
        0x02,
        0x93,
        72,
        15,
        ((electrodesOff & RL) !== 0 ? 0x10 : 0) | ((electrodesOff & 7) !== 0 ? ALL_OFF : 0),
      ]);
      for (let i = 0; i < SAMPLES; i++)
        for (let channel = 0; channel < 2; channel++)
          setInt16Le(bytes, 5 + 4 * i + 2 * channel, columns[channel]?.[i] as number);
      bytes.set([0x03, 0x0a], PACKET_BYTES - 2);
      return bytes;
    },
    receive(bytes, control) {
      const replies: Reply[] = [];
      if (bytes[1] === 0x99)
        replies.push({ afterMs: 20, bytes: Uint8Array.of(0x02, 0x99, 1, 0, 3, 3, 0x0a) });
      if (bytes[1] === 0x93) bytes[2] === 1 ? control.start() : control.stop();
      return replies;
    },
  };
}
