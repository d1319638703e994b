// A simulated Chords board. It takes a command when it has heard nothing for a second; any byte stops a
// running stream.

import { asciiBytes } from '../../driver.ts';
import { setUint16Be } from '../../packets/write-integers.ts';
import { filtersOf, formatOf, measuring } from '../../simulator/channels.ts';
import type { Reply, SimulatedProtocol } from '../../simulator/simulated-device.ts';
import { CHORDS } from './driver.ts';

const READ_MS = 1000;

export function simulatedChords(variant: string): SimulatedProtocol {
  const format = formatOf(CHORDS.variants, variant);
  const name = CHORDS.variants.find(({ id }) => id === variant)?.name as string;
  return {
    driver: CHORDS.id,
    variant,
    rateHz: format.rateHz,
    samplesPerPacket: 1,
    channels: measuring(format.channels, ['II', 'I', 'V1', 'V2', 'V3', 'V4', 'V5', 'V6']),
    ...filtersOf(format),
    streamsAtOnce: false,
    encode(columns, { packet }) {
      const bytes = new Uint8Array(4 + 2 * columns.length);
      bytes.set([0xc7, 0x7c, packet & 0xff]);
      for (const [channel, column] of columns.entries())
        setUint16Be(bytes, 3 + 2 * channel, column[0] as number);
      bytes[bytes.length - 1] = 1;
      return bytes;
    },
    receive(bytes, control) {
      control.stop();
      const word = String.fromCharCode(...bytes).trim();
      const replies: Reply[] = [];
      if (word === 'WHORU') replies.push({ afterMs: READ_MS, bytes: asciiBytes(`${name}\r\n`) });
      else if (word === 'START') control.start();
      return replies;
    },
  };
}
