// A simulated SpikerBox.

import { asciiBytes } from '../../driver.ts';
import { filtersOf, formatOf, measuring } from '../../simulator/channels.ts';
import type { SimulatedProtocol } from '../../simulator/simulated-device.ts';
import { BYB_SPIKERBOX } from './driver.ts';

const SAMPLES = 10;
const MESSAGE = [
  0xff,
  0xff,
  0x01,
  0x01,
  0x80,
  0xff,
  ...asciiBytes('HWT:HBLEOSB;'),
  0xff,
  0xff,
  0x01,
  0x01,
  0x81,
  0xff,
];

export function simulatedSpikerBox(channels: 1 | 2): SimulatedProtocol {
  const variant = `${channels}ch`;
  const format = formatOf(BYB_SPIKERBOX.variants, variant);
  return {
    driver: BYB_SPIKERBOX.id,
    variant,
    rateHz: format.rateHz,
    samplesPerPacket: SAMPLES,
    channels: measuring(format.channels, ['II', 'I']),
    ...filtersOf(format),
    streamsAtOnce: true,
    greeting: 'StartUp!\r\n',
    encode(columns) {
      const bytes: number[] = [];
      for (let i = 0; i < SAMPLES; i++)
        for (const [channel, column] of columns.entries()) {
          const code = column[i] as number;
          bytes.push((channel === 0 ? 0x80 : 0) | (code >> 7), code & 0x7f);
        }
      return Uint8Array.from(bytes);
    },
    receive: (bytes) =>
      String.fromCharCode(...bytes) === 'b:;\n' ? [{ afterMs: 5, bytes: Uint8Array.from(MESSAGE) }] : [],
  };
}
