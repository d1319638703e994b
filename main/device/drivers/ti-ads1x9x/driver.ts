// TI ADS1x9xECG-FE, the evaluation board with ADS1292R, over USB (device protocols reference, 6). Two of its
// commands erase the board; none but start and stop is ever sent.

import { type DeviceChannel, singleLead } from '../../device-format.ts';
import type { Driver } from '../../driver.ts';
import { TiParser } from './parser.ts';

/** ADS1292R at gain 6 and 2.42 V, cut to its upper sixteen bits. */
const LSB_UV = (256 * 2 * 2.42e6) / (6 * 2 ** 24);
const RATE_HZ = 500;

const channel = (name: string, kind: DeviceChannel['kind']): DeviceChannel => ({
  name,
  kind,
  lsbUv: LSB_UV,
  zero: 0,
  minimum: -32_768,
  maximum: 32_767,
});

const command = (code: number, parameter: number): Uint8Array =>
  Uint8Array.of(0x02, code, parameter, 0, 0x03, 0x03, 0x0a);
const STREAM = 0x93;
const VERSION = 0x99;

export const TI_ADS1X9X: Driver = {
  id: 'ti-ads1x9x',
  name: 'TI ADS1x9xECG-FE',
  adapters: [{ vendorId: '2047', weight: 3 }],
  bauds: [115_200],
  variants: [
    {
      id: 'stream',
      name: 'Live stream, filtered by the device',
      packets: { packetBytes: 63, samplesPerPacket: 14 },
      format: {
        rateHz: RATE_HZ,
        channels: [channel('CH1', 'respiration'), channel('CH2', 'ecg')],
        leadSets: singleLead(1),
        highPassHz: 0.5,
        lowPassHz: 40,
        class: 'monitoring',
        isCalibrated: false,
        deviceName: 'TI ADS1x9xECG-FE',
      },
    },
  ],
  confirmPackets: 3,
  port: { dtr: true, rts: true, settleMs: 300 },
  probe: {
    adapters: ['2047:*'],
    bauds: [115_200],
    step: {
      send: command(VERSION, 0),
      expect: {
        withinMs: 500,
        tries: 2,
        read: (text) => (text.includes('\x02\x99') ? {} : undefined),
        silence: 'The board does not answer: plug it in again, and try once more.',
      },
    },
  },
  start: () => [{ send: command(STREAM, 1) }],
  stop: [{ send: command(STREAM, 0), quietMs: 100 }],
  maxSilenceMs: 1000,
  createParser: () => new TiParser(),
};
