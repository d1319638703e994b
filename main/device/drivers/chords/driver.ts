// Boards with the Chords firmware of Upside Down Labs (device protocols reference, 8).

import { adcChannel, singleLead } from '../../device-format.ts';
import { type Answer, asciiBytes, type Driver, type Step, type Variant } from '../../driver.ts';
import { ChordsParser } from './parser.ts';

interface Board {
  readonly names: readonly string[];
  readonly channels: number;
  readonly bits: number;
  readonly rateHz: number;
  readonly referenceV: number;
}

const BOARDS: Readonly<Record<string, Board>> = {
  'uno-r3': {
    names: ['UNO-R3', 'UNO-CLONE', 'GENUINO-UNO'],
    channels: 6,
    bits: 10,
    rateHz: 250,
    referenceV: 5,
  },
  'uno-r4': { names: ['UNO-R4'], channels: 6, bits: 14, rateHz: 500, referenceV: 5 },
  nano: { names: ['NANO-CLASSIC', 'NANO-CLONE'], channels: 8, bits: 10, rateHz: 250, referenceV: 5 },
  mega: { names: ['MEGA-2560-R3', 'MEGA-2560-CLONE'], channels: 16, bits: 10, rateHz: 250, referenceV: 5 },
  pico: { names: ['RPI-PICO-RP2040', 'NPG-LITE'], channels: 3, bits: 12, rateHz: 500, referenceV: 3.3 },
};

/** The gain of the amplifier in front of the board, which is yet to be calibrated. */
const ASSUMED_GAIN = 1000;
/** The board reads commands until it hears nothing for a second: two within it melt into one. */
const COMMAND_PAUSE_MS = 1200;

const variants: readonly Variant[] = Object.entries(BOARDS).map(
  ([id, { names, channels, bits, rateHz, referenceV }]) => ({
    id,
    name: names[0] as string,
    packets: { packetBytes: 4 + 2 * channels, samplesPerPacket: 1, counterModulo: 256 },
    format: {
      rateHz,
      channels: Array.from({ length: channels }, (_, i) =>
        adcChannel(`A${i}`, bits, referenceV, ASSUMED_GAIN),
      ),
      leadSets: singleLead(0),
      highPassHz: 0.5,
      lowPassHz: 100,
      class: 'monitoring',
      isCalibrated: false,
      deviceName: `Chords ${names[0]}`,
    },
  }),
);

function readName(text: string): Answer | undefined {
  for (const line of text.split(/[\r\n]+/)) {
    const found = Object.entries(BOARDS).find(([, { names }]) => names.some((name) => line.endsWith(name)));
    if (found !== undefined) return { variant: found[0] };
  }
  return undefined;
}

const askName: Step = {
  send: asciiBytes('WHORU\n'),
  expect: {
    withinMs: 1600,
    tries: 2,
    read: readName,
    silence:
      'The board does not tell its name: load the Chords firmware, plug it in again, and try once more.',
  },
};

export const CHORDS: Driver = {
  id: 'chords',
  name: 'Upside Down Labs (Chords)',
  adapters: [
    { vendorId: '2341', productId: '0043', weight: 2 },
    { vendorId: '2341', productId: '0001', weight: 2 },
    { vendorId: '2341', productId: '0243', weight: 2 },
    { vendorId: '2a03', productId: '0043', weight: 2 },
    { vendorId: '2341', productId: '0010', weight: 2 },
    { vendorId: '2341', productId: '0042', weight: 2 },
    { vendorId: '2341', productId: '0069', weight: 3 },
    { vendorId: '2341', productId: '1002', weight: 3 },
    { vendorId: '1a86', productId: '7523', weight: 2 },
    { vendorId: '1a86', productId: '5523', weight: 2 },
    { vendorId: '0403', productId: '6001', weight: 1 },
    { vendorId: '2e8a', weight: 2 },
    { vendorId: '303a', weight: 1 },
    { vendorId: '0483', productId: '5740', weight: 1 },
  ],
  bauds: [230_400, 115_200],
  variants,
  confirmPackets: 8,
  port: { dtr: true, rts: true, settleMs: 2200 },
  probe: {
    adapters: ['2341:*', '2a03:*', '1a86:7523', '1a86:5523', '2e8a:*', '303a:*'],
    bauds: [230_400, 115_200],
    step: askName,
  },
  start: () => [
    { send: asciiBytes('STOP\n'), quietMs: COMMAND_PAUSE_MS },
    askName,
    { quietMs: COMMAND_PAUSE_MS },
    { send: asciiBytes('START\n') },
  ],
  stop: [{ send: asciiBytes('STOP\n'), quietMs: COMMAND_PAUSE_MS }],
  maxSilenceMs: 1000,
  createParser: ({ id }) => {
    const board = (BOARDS[id] ?? BOARDS['uno-r3']) as Board;
    return new ChordsParser(board.channels, board.bits);
  },
};
