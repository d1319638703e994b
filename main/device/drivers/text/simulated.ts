// Simulated sketches that print: the AD8232 example, and one that names its columns.

import { asciiBytes } from '../../driver.ts';
import { leadWiring } from '../../simulator/channels.ts';
import type { SimulatedChannel, SimulatedProtocol } from '../../simulator/simulated-device.ts';
import { TEXT } from './driver.ts';

const RATE_HZ = 250;
const CSV_LEADS = ['I', 'II', 'V1', 'V5'];
const CSV_LSB_UV = 0.1;

const millivolts = (lead: string): SimulatedChannel => ({
  wiring: leadWiring(lead),
  lsbUv: CSV_LSB_UV,
  zero: 0,
  minimum: -1e8,
  maximum: 1e8,
});

const common = {
  driver: TEXT.id,
  variant: 'text',
  rateHz: RATE_HZ,
  samplesPerPacket: 1,
  highPassHz: 0.5,
  lowPassHz: 40,
  streamsAtOnce: true,
} as const;

export const SIMULATED_TEXT: SimulatedProtocol = {
  ...common,
  greeting: '# ecg-box 1.2 rate=250 unit=mV\nt_ms,I,II,V1,V5\n',
  channels: CSV_LEADS.map(millivolts),
  encode: (columns, { packet }) =>
    asciiBytes(
      `${4 * packet},${columns.map((column) => ((column[0] as number) / 10_000).toFixed(4)).join(',')}\n`,
    ),
};

const AD8232: SimulatedChannel = {
  wiring: leadWiring('II'),
  lsbUv: 5e6 / 1024 / 1100,
  zero: 512,
  minimum: 0,
  maximum: 1023,
};

export const SIMULATED_AD8232: SimulatedProtocol = {
  ...common,
  channels: [AD8232],
  encode: (columns, { electrodesOff }) =>
    asciiBytes((electrodesOff & 7) !== 0 ? '!\r\n' : `${columns[0]?.[0]}\r\n`),
};
