// A stream that another program sends through the network with Lab Streaming Layer: it tells itself what it is.

import type { Driver } from '../../driver.ts';
import { LslParser } from './parser.ts';

export const LSL: Driver = {
  id: 'lsl',
  name: 'LSL stream',
  adapters: [],
  bauds: [115_200],
  variants: [{ id: 'lsl', name: 'LSL stream', packets: { packetBytes: 41, samplesPerPacket: 1 } }],
  confirmPackets: 20,
  port: { dtr: false, rts: false, settleMs: 0 },
  start: () => [],
  stop: [],
  // Programs send in pieces, some of them of a second.
  maxSilenceMs: 3000,
  createParser: () => new LslParser(),
};
