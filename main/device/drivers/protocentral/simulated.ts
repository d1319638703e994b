// Simulated boards of ProtoCentral.

import { setInt16Le, setInt32Le } from '../../packets/write-integers.ts';
import { filtersOf, measuring } from '../../simulator/channels.ts';
import type { PacketContext, SimulatedProtocol } from '../../simulator/simulated-device.ts';
import { BOARDS, type Board } from './boards.ts';
import { PROTOCENTRAL } from './driver.ts';

type Fill = (payload: Uint8Array, columns: readonly Int32Array[], context: PacketContext) => void;

const at = (columns: readonly Int32Array[], channel: number, i = 0): number =>
  columns[channel]?.[i] as number;

/** The library of the MAX30003 packs its 18 bits in this odd way. */
const packMax30003 = (code: number): number => ((code >> 2) << 16) | (code & 3);

const FILLS: Readonly<Record<string, Fill>> = {
  healthypi4(payload, columns, { electrodesOff }) {
    setInt16Le(payload, 0, at(columns, 0));
    payload.set([72, 80, 120], 16);
    payload[19] = electrodesOff === 0 ? 0 : 0x1f;
  },
  healthypi5: (payload, columns) => setInt32Le(payload, 0, at(columns, 0)),
  'healthypi5-batch'(payload, columns) {
    for (let i = 0; i < 8; i++) setInt32Le(payload, 4 * i, at(columns, 0, i));
  },
  ads1292r(payload, columns) {
    setInt16Le(payload, 0, at(columns, 0));
    setInt16Le(payload, 2, at(columns, 1));
    payload[4] = 72;
    payload[6] = 15;
  },
  'ads1292r-32'(payload, columns) {
    setInt32Le(payload, 0, at(columns, 0));
    setInt32Le(payload, 4, at(columns, 1));
  },
  ads1293(payload, columns) {
    for (let channel = 0; channel < 3; channel++) setInt32Le(payload, 4 * channel, at(columns, channel));
  },
  max30003(payload, columns) {
    setInt32Le(payload, 0, packMax30003(at(columns, 0)));
    payload[8] = 72;
  },
  'max30003-17'(payload, columns) {
    setInt32Le(payload, 5, packMax30003(at(columns, 0)));
    payload[13] = 72;
  },
  max30001(payload, columns) {
    setInt32Le(payload, 0, at(columns, 0));
    setInt32Le(payload, 4, 70_000);
    payload[8] = 72;
  },
  max86150: (payload, columns) => setInt16Le(payload, 0, at(columns, 0)),
};

export function simulatedProtoCentral(id: string): SimulatedProtocol {
  const board = BOARDS.find((each) => each.id === id) as Board;
  const { format, length, type, samples } = board;
  return {
    driver: PROTOCENTRAL.id,
    variant: id,
    rateHz: format.rateHz,
    samplesPerPacket: samples,
    channels: measuring(format.channels, id === 'ads1293' ? ['I', 'II', 'V1'] : ['II']),
    ...filtersOf(format),
    streamsAtOnce: true,
    greeting: 'Setting up Healthy pI V4...\r\n',
    encode(columns, context) {
      const bytes = new Uint8Array(length + 7);
      bytes.set([0x0a, 0xfa, length, 0, type]);
      (FILLS[id] as Fill)(bytes.subarray(5, 5 + length), columns, context);
      bytes[length + 6] = 0x0b;
      return bytes;
    },
  };
}
