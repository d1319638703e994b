// BITalino (r)evolution over Bluetooth or a serial cable (device protocols reference, 5). Any byte sent to it
// is a command.

import { adcChannel, type DeviceChannel, singleLead } from '../../device-format.ts';
import type { Answer, Driver, Step, Variant } from '../../driver.ts';
import { BITALINO_PACKET_BYTES, BitalinoParser } from './parser.ts';

const GAIN = 1100;
const REFERENCE_V = 3.3;
const RATE_HZ = 1000;
const STOP = 0x00;
const VERSION = 0x07;
const RATE_1000 = 0xc3;
/** The ECG sensor of the Core board is on A2. */
const INPUTS = [[1], [1, 2], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]];

/** The fifth and the sixth enabled input are sent with six bits. */
const channelOf = (input: number, place: number): DeviceChannel =>
  adcChannel(`A${input + 1}`, place < 4 ? 10 : 6, REFERENCE_V, GAIN, place < 4 ? 'ecg' : 'other');

const variants: readonly Variant[] = INPUTS.map((inputs) => ({
  id: `${inputs.length}ch`,
  name: `${inputs.length} of 6 inputs`,
  packets: {
    packetBytes: BITALINO_PACKET_BYTES[inputs.length] as number,
    samplesPerPacket: 1,
    counterModulo: 16,
  },
  format: {
    rateHz: RATE_HZ,
    channels: inputs.map(channelOf),
    leadSets: singleLead(inputs.indexOf(1), 'MDC_ECG_LEAD_I'),
    highPassHz: 0.5,
    lowPassHz: 40,
    class: 'monitoring' as const,
    isCalibrated: true,
    deviceName: 'BITalino',
  },
}));

function readVersion(text: string): Answer | undefined {
  return /BITalino_v\d+\.\d+\n/.test(text) ? {} : undefined;
}

const askVersion: Step = {
  send: Uint8Array.of(VERSION),
  expect: {
    withinMs: 1000,
    tries: 3,
    read: readVersion,
    silence: 'BITalino does not answer: switch it on, pair it again (PIN 1234), and try once more.',
  },
};

const maskOf = ({ id }: Variant): number =>
  (INPUTS[Number(id[0]) - 1] as readonly number[]).reduce((mask, input) => mask | (1 << input), 0);

export const BITALINO: Driver = {
  id: 'bitalino',
  name: 'BITalino',
  adapters: [{ vendorId: '067b', weight: 1 }],
  bluetoothName: /bitalino/i,
  bauds: [115_200],
  variants,
  confirmPackets: 32,
  port: { dtr: true, rts: true, settleMs: 1000 },
  start: (variant) => [
    { send: Uint8Array.of(STOP), quietMs: 300 },
    askVersion,
    { send: Uint8Array.of(RATE_1000), quietMs: 100 },
    { send: Uint8Array.of((maskOf(variant) << 2) | 1) },
  ],
  stop: [{ send: Uint8Array.of(STOP), quietMs: 300 }],
  maxSilenceMs: 2000,
  createParser: ({ format }) => new BitalinoParser(format?.channels.length ?? 1),
};
