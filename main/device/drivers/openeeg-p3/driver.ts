// ModularEEG boards that speak P3 (device protocols reference, 4).

import type { Driver } from '../../driver.ts';
import { openEegFormat } from '../olimex-p2/driver.ts';
import { P3Parser } from './parser.ts';

const GAIN = 2848;

export const OPENEEG_P3: Driver = {
  id: 'openeeg-p3',
  name: 'OpenEEG (P3)',
  adapters: [
    { vendorId: '0403', productId: '6001', weight: 2 },
    { vendorId: '067b', weight: 1 },
  ],
  bauds: [57_600],
  variants: [6, 4, 2].map((channels) => ({
    id: `p3-${channels}`,
    name: `P3, ${channels} channels`,
    packets: { packetBytes: 2 + 1.5 * channels, samplesPerPacket: 1, counterModulo: 64 },
    format: openEegFormat(256, channels, GAIN, 'ModularEEG'),
  })),
  confirmPackets: 32,
  port: { dtr: true, rts: true, settleMs: 2200 },
  start: () => [],
  stop: [],
  maxSilenceMs: 1000,
  createParser: ({ format }) => new P3Parser(format?.channels.length ?? 6),
};
