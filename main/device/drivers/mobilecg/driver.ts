// MobilECG II over Bluetooth (PIN 1234), and other boards that send its packets (device protocols reference,
// 7). It streams while it is connected and takes no commands.

import type { Driver } from '../../driver.ts';
import { MobilecgParser } from './parser.ts';

const PACKET_BYTES = 754;
const SAMPLES = 80;

export const MOBILECG: Driver = {
  id: 'mobilecg',
  name: 'MobilECG',
  adapters: [],
  bluetoothName: /mobilecg|glia/i,
  bauds: [115_200],
  variants: [
    {
      id: 'mobilecg',
      name: 'MobilECG, 12 leads',
      packets: {
        packetBytes: PACKET_BYTES,
        samplesPerPacket: SAMPLES,
        counterModulo: 2 ** 32,
        isCounterLong: true,
      },
    },
  ],
  confirmPackets: 2,
  port: { dtr: true, rts: true, settleMs: 1000 },
  start: () => [],
  stop: [],
  maxSilenceMs: 2000,
  createParser: () => new MobilecgParser(),
};
