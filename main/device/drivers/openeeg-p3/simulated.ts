// A simulated ModularEEG board speaking P3.

import { filtersOf, formatOf, measuring } from '../../simulator/channels.ts';
import type { SimulatedProtocol } from '../../simulator/simulated-device.ts';
import { OPENEEG_P3 } from './driver.ts';

export function simulatedP3(channels: 2 | 4 | 6): SimulatedProtocol {
  const variant = `p3-${channels}`;
  const format = formatOf(OPENEEG_P3.variants, variant);
  return {
    driver: OPENEEG_P3.id,
    variant,
    rateHz: format.rateHz,
    samplesPerPacket: 1,
    channels: measuring(format.channels, ['II', 'I', 'III', 'AVF', 'V1', 'V5']),
    ...filtersOf(format),
    streamsAtOnce: true,
    encode(columns, { packet }) {
      const bytes = [(packet & 63) << 1, 0];
      for (let channel = 0; channel < channels; channel += 2) {
        const [even, odd] = [columns[channel]?.[0] as number, columns[channel + 1]?.[0] as number];
        bytes.push(even & 0x7f, odd & 0x7f, ((even >> 7) << 4) | (odd >> 7));
      }
      bytes.push((bytes.pop() as number) | 0x80);
      return Uint8Array.from(bytes);
    },
  };
}
