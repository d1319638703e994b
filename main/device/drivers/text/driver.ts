// Any board whose sketch prints numbers, one line a sample (device protocols reference, 9).

import type { Driver } from '../../driver.ts';
import { TextParser } from './parser.ts';

const TYPICAL_LINE_BYTES = 10;

export const TEXT: Driver = {
  id: 'text',
  name: 'Text lines (Arduino)',
  adapters: ['0403', '10c4', '1a86', '2341', '2a03', '16c0', '2e8a', '303a', '067b', '0483'].map(
    (vendorId) => ({
      vendorId,
      weight: 1 as const,
    }),
  ),
  bauds: [115_200, 57_600, 230_400, 9600, 38_400, 19_200, 250_000],
  variants: [
    {
      id: 'text',
      name: 'Numbers in lines',
      packets: { packetBytes: TYPICAL_LINE_BYTES, samplesPerPacket: 1 },
    },
  ],
  confirmPackets: 20,
  port: { dtr: true, rts: true, settleMs: 2200 },
  start: () => [],
  stop: [],
  maxSilenceMs: 2000,
  createParser: () => new TextParser(),
};
