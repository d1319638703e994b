// Backyard Brains Heart & Brain SpikerBox and SpikerShields (device protocols reference, 10). They stream
// from power on; the box stops sampling while it reads a command, so none is sent while it records.

import { adcChannel, singleLead } from '../../device-format.ts';
import { asciiBytes, type Driver } from '../../driver.ts';
import { SpikerBoxParser } from './parser.ts';

/** 16 MHz / 8 / 199: what the makers call 10 kHz. */
const RATE_HZ = 10_050.25;
const GAIN = 880;
const DECIMATION = 20;

export const BYB_SPIKERBOX: Driver = {
  id: 'byb-spikerbox',
  name: 'Backyard Brains SpikerBox',
  adapters: [
    { vendorId: '2341', productId: '8036', weight: 2 },
    { vendorId: '2341', productId: '8037', weight: 2 },
    { vendorId: '2341', productId: '0043', weight: 2 },
    { vendorId: '2341', productId: '0001', weight: 2 },
    { vendorId: '1a86', productId: '7523', weight: 1 },
  ],
  bauds: [230_400, 115_200],
  variants: [1, 2].map((channels) => ({
    id: `${channels}ch`,
    name: channels === 1 ? 'Heart & Brain, one channel' : 'Two channels',
    packets: { packetBytes: 2 * channels, samplesPerPacket: 1 },
    format: {
      rateHz: RATE_HZ / channels,
      decimation: DECIMATION,
      channels: Array.from({ length: channels }, (_, i) => adcChannel(`A${i}`, 10, 5, GAIN)),
      leadSets: singleLead(0),
      highPassHz: 1,
      lowPassHz: 130,
      class: 'monitoring' as const,
      isCalibrated: false,
      deviceName: 'SpikerBox',
    },
  })),
  confirmPackets: 400,
  port: { dtr: true, rts: true, settleMs: 2200 },
  probe: {
    adapters: ['2341:*', '1a86:7523'],
    bauds: [230_400],
    step: {
      send: asciiBytes('b:;\n'),
      expect: {
        withinMs: 300,
        tries: 2,
        read: (text) => (text.includes('HWT:') ? {} : undefined),
        silence: 'The box does not answer: plug it in again, and try once more.',
      },
    },
  },
  start: () => [],
  stop: [],
  maxSilenceMs: 1000,
  createParser: ({ id }) => new SpikerBoxParser(Number(id[0])),
};
