// Boards of ProtoCentral: HealthyPi, ADS1292R, ADS1293, MAX3000x (device protocols reference, 3). They stream
// from power on and take no commands.

import type { Driver } from '../../driver.ts';
import { BOARDS, type Board } from './boards.ts';
import { ProtoCentralParser } from './parser.ts';

export const PROTOCENTRAL: Driver = {
  id: 'protocentral',
  name: 'ProtoCentral',
  adapters: [
    { vendorId: '1915', weight: 3 },
    { vendorId: '2fe3', weight: 3 },
    { vendorId: '0403', productId: '6001', weight: 2 },
    { vendorId: '0403', productId: '6015', weight: 1 },
    { vendorId: '10c4', productId: 'ea60', weight: 2 },
    { vendorId: '1a86', weight: 1 },
    { vendorId: '2341', weight: 1 },
  ],
  bauds: [115_200, 57_600],
  variants: BOARDS.map(({ id, name, length, samples, format, isAmbiguous }) => ({
    id,
    name,
    packets: { packetBytes: length + 7, samplesPerPacket: samples },
    format,
    ...(isAmbiguous && { isAmbiguous }),
  })),
  confirmPackets: 8,
  port: { dtr: true, rts: true, settleMs: 800 },
  start: () => [],
  stop: [],
  maxSilenceMs: 1300,
  createParser: ({ id }) =>
    new ProtoCentralParser((BOARDS.find((board) => board.id === id) ?? BOARDS[0]) as Board),
};
