// A simulated Cyton, with or without Daisy: electrodes on the N inputs against RA, as the maker wires them.

import type { Electrode } from '../../../../shared/signal/electrode.ts';
import { asciiBytes } from '../../driver.ts';
import { setInt24Be } from '../../packets/write-integers.ts';
import { filtersOf, formatOf } from '../../simulator/channels.ts';
import type { PacketContext, Reply, SimulatedProtocol } from '../../simulator/simulated-device.ts';
import { OPENBCI_CYTON } from './driver.ts';

const PACKET_BYTES = 33;
const CHANNELS = 8;
const INPUTS: readonly Electrode[] = ['LA', 'LL', 'C1', 'C2', 'C3', 'C4', 'C5', 'C6'];
const RADIO_MS = 60;
const RESET_MS = 550;

const versionText = (isDaisy: boolean): string =>
  `OpenBCI V3 8-16 channel\r\nOn Board ADS1299 Device ID: 0x3E\r\n${isDaisy ? 'On Daisy ADS1299 Device ID: 0x3E\r\n' : ''}LIS3DH Device ID: 0x33\r\nFirmware: v3.1.2\r\n$$$`;

function packetOf(columns: readonly Int32Array[], first: number, counter: number): Uint8Array {
  const bytes = new Uint8Array(PACKET_BYTES);
  bytes[0] = 0xa0;
  bytes[1] = counter;
  for (let channel = 0; channel < CHANNELS; channel++)
    setInt24Be(bytes, 2 + 3 * channel, columns[first + channel]?.[0] as number);
  bytes[PACKET_BYTES - 1] = 0xc0;
  return bytes;
}

export function simulatedCyton(variant: 'cyton' | 'daisy'): SimulatedProtocol {
  const isDaisy = variant === 'daisy';
  const format = formatOf(OPENBCI_CYTON.variants, variant);
  return {
    driver: OPENBCI_CYTON.id,
    variant,
    rateHz: format.rateHz,
    samplesPerPacket: 1,
    channels: format.channels.map(({ lsbUv, zero, minimum, maximum }, i) => ({
      wiring: [
        ['RA', 1],
        [INPUTS[i % CHANNELS] as Electrode, -1],
      ],
      lsbUv,
      zero,
      minimum,
      maximum,
    })),
    ...filtersOf(format),
    streamsAtOnce: false,
    encode(columns, { packet }: PacketContext) {
      if (!isDaisy) return packetOf(columns, 0, packet & 0xff);
      const both = new Uint8Array(2 * PACKET_BYTES);
      both.set(packetOf(columns, CHANNELS, (2 * packet) & 0xff));
      both.set(packetOf(columns, 0, (2 * packet + 1) & 0xff), PACKET_BYTES);
      return both;
    },
    receive(bytes, control) {
      const replies: Reply[] = [];
      const say = (text: string, afterMs: number): void =>
        void replies.push({ afterMs, bytes: asciiBytes(text) });
      for (const letter of String.fromCharCode(...bytes)) {
        if (letter === 's') control.stop();
        else if (letter === 'b') control.start();
        else if (letter === 'v') {
          control.stop();
          say(versionText(isDaisy), RESET_MS);
        } else if (letter === 'd') say('updating channel settings to default$$$', RADIO_MS);
      }
      return replies;
    },
  };
}
