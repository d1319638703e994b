// The chest strap Polar H10 through Bluetooth (Polar BLE SDK, "Polar Measurement Data"): started by its control point, which
// answers each request.

import { singleLead } from '../../device-format.ts';
import type { Answer, Driver, Step } from '../../driver.ts';
import { PolarH10Parser, RATE_HZ } from './parser.ts';

const ECG = 0x00;
/** Start, ECG; its settings: 130 samples a second, 14 bits. */
const START = [0x02, ECG, 0x00, 0x01, RATE_HZ, 0x00, 0x01, 0x01, 0x0e, 0x00];
const STOP = [0x03, ECG];
const ANSWER = 0xf0;
const STATUS = { success: 0, alreadyThere: 6 };
const INT24 = 2 ** 23;

/** The answer to a start among what was notified, one character a byte. */
function readStart(text: string): Answer | undefined {
  const at = text.indexOf(String.fromCharCode(ANSWER, START[0] as number, ECG));
  const status = at < 0 ? Number.NaN : text.charCodeAt(at + 3);
  if (Number.isNaN(status)) return undefined;
  return status === STATUS.success || status === STATUS.alreadyThere
    ? {}
    : {
        fault:
          'The strap does not give out its ECG. Close other programs that use it, put it on, and connect again.',
      };
}

const start: Step = {
  send: Uint8Array.from(START),
  expect: {
    withinMs: 3000,
    tries: 2,
    read: readStart,
    silence: 'The strap does not answer. Wet it, put it on, and connect again.',
  },
};

export const POLAR_H10: Driver = {
  id: 'polar-h10',
  name: 'Polar H10',
  adapters: [],
  bauds: [115_200],
  variants: [
    {
      id: 'h10',
      name: 'Chest strap',
      packets: { packetBytes: 232, samplesPerPacket: 73, counterModulo: 2 ** 31, isCounterLong: true },
      format: {
        rateHz: RATE_HZ,
        channels: [{ name: 'ECG', kind: 'ecg', lsbUv: 1, zero: 0, minimum: -INT24, maximum: INT24 - 1 }],
        leadSets: singleLead(0, 'MDC_ECG_LEAD_I'),
        highPassHz: 0.7,
        lowPassHz: 40,
        class: 'monitoring',
        isCalibrated: true,
        deviceName: 'Polar H10',
      },
    },
  ],
  confirmPackets: 3,
  port: { dtr: false, rts: false, settleMs: 0 },
  start: () => [start],
  stop: [{ send: Uint8Array.from(STOP) }],
  // A frame holds more than half a second, and Bluetooth sends some together.
  maxSilenceMs: 3000,
  createParser: () => new PolarH10Parser(),
};
