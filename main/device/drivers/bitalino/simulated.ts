// A simulated BITalino. Its commands are single bytes.

import { asciiBytes } from '../../driver.ts';
import { filtersOf, formatOf, measuring } from '../../simulator/channels.ts';
import type { Reply, SimulatedProtocol } from '../../simulator/simulated-device.ts';
import { BITALINO } from './driver.ts';
import { BITALINO_PACKET_BYTES, crc4 } from './parser.ts';

const BUTTON = 0x80;

export function simulatedBitalino(channels: 1 | 2 | 3 | 4 | 5 | 6): SimulatedProtocol {
  const variant = `${channels}ch`;
  const format = formatOf(BITALINO.variants, variant);
  return {
    driver: BITALINO.id,
    variant,
    rateHz: format.rateHz,
    samplesPerPacket: 1,
    channels: measuring(format.channels, channels < 3 ? ['I', 'II'] : ['II', 'I', 'V1', 'V5', 'V2', 'V3']),
    ...filtersOf(format),
    streamsAtOnce: false,
    encode: (columns, { packet, isButtonPressed }) =>
      packBitalino(
        columns.map((column) => column[0] as number),
        packet,
        isButtonPressed ? BUTTON : 0,
      ),
    receive(bytes, control) {
      const replies: Reply[] = [];
      for (const byte of bytes) {
        if (control.isStreaming) {
          if (byte === 0) control.stop();
        } else if (byte === 0x07) replies.push({ afterMs: 20, bytes: asciiBytes('BITalino_v5.2\n') });
        else if (byte !== 0 && (byte & 3) === 1) control.start();
      }
      return replies;
    },
  };
}

/** @param digital bits 7 to 4: I1 I2 O1 O2. */
function packBitalino(codes: readonly number[], counter: number, digital: number): Uint8Array {
  const length = BITALINO_PACKET_BYTES[codes.length] as number;
  const bytes = new Uint8Array(length);
  const or = (back: number, bits: number): void => {
    bytes[length - back] = (bytes[length - back] as number) | bits;
  };
  const [a1 = 0, a2, a3, a4, a5, a6] = codes;
  or(2, digital | (a1 >> 6));
  or(3, (a1 & 63) << 2);
  if (a2 !== undefined) {
    or(3, a2 >> 8);
    or(4, a2 & 255);
  }
  if (a3 !== undefined) {
    or(5, a3 >> 2);
    or(6, (a3 & 3) << 6);
  }
  if (a4 !== undefined) {
    or(6, a4 >> 4);
    or(7, (a4 & 15) << 4);
  }
  if (a5 !== undefined) {
    or(7, a5 >> 2);
    or(8, (a5 & 3) << 6);
  }
  if (a6 !== undefined) or(8, a6);
  bytes[length - 1] = (counter & 15) << 4;
  or(1, crc4(bytes, 0, length));
  return bytes;
}
