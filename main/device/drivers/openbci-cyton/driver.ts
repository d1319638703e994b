// OpenBCI Cyton, with and without Daisy, over its USB dongle (device protocols reference, 2). Never sent
// while it is unknown what is there: nearly every letter does something to the electrodes.

import { STANDARD_LEADS } from '../../../../shared/signal/lead.ts';
import { classOf, type DeviceChannel, type DeviceFormat, type LeadSet } from '../../device-format.ts';
import { type Answer, asciiBytes, type Driver, type Step } from '../../driver.ts';
import { CytonDaisyParser, CytonParser } from './parser.ts';

const GAIN = 24;
const CODE_MAXIMUM = 0x7fffff;
const LSB_UV = 4.5e6 / (GAIN * CODE_MAXIMUM);

const channel = (number: number): DeviceChannel => ({
  name: `ch${number}`,
  kind: 'ecg',
  lsbUv: LSB_UV,
  zero: 0,
  minimum: -CODE_MAXIMUM - 1,
  maximum: CODE_MAXIMUM,
});

const [I, II, , , , , ...CHEST] = STANDARD_LEADS as readonly [
  (typeof STANDARD_LEADS)[0],
  (typeof STANDARD_LEADS)[0],
  ...typeof STANDARD_LEADS,
];

/**
 * Reference on RA, electrodes LA, LL, C1 to C6 in turn: Vk = ch(k+2) − (ch1 + ch2)/3.
 * @param sign −1 for electrodes on the N inputs, as the maker wires them: the trace is upside down there.
 */
const raReference = (id: string, name: string, sign: 1 | -1): LeadSet => ({
  id,
  name,
  divisor: 3,
  leads: [
    { lead: I, terms: [{ channel: 0, weight: 3 * sign }] },
    { lead: II, terms: [{ channel: 1, weight: 3 * sign }] },
    ...CHEST.map((lead, k) => ({
      lead,
      terms: [
        { channel: k + 2, weight: 3 * sign },
        { channel: 0, weight: -sign },
        { channel: 1, weight: -sign },
      ],
    })),
  ],
});

const bipolar = (sign: 1 | -1): LeadSet => ({
  id: sign === 1 ? 'bipolar' : 'bipolar-n',
  name: sign === 1 ? 'Channel 1 is lead II' : 'Channel 1 is lead II, electrode on the N input',
  divisor: 1,
  leads: [{ lead: II, terms: [{ channel: 0, weight: sign }] }],
});

export const CYTON_LEAD_SETS: readonly LeadSet[] = [
  raReference('ra-reference-n', 'Reference on RA, electrodes on the N inputs', -1),
  raReference('ra-reference', 'Reference on RA, electrodes on the P inputs', 1),
  bipolar(-1),
  bipolar(1),
];

function format(channels: number, rateHz: number, deviceName: string): DeviceFormat {
  const facts = {
    rateHz,
    channels: Array.from({ length: channels }, (_, i) => channel(i + 1)),
    highPassHz: 0,
    lowPassHz: 0.26 * rateHz,
  };
  return { ...facts, leadSets: CYTON_LEAD_SETS, class: classOf(facts), isCalibrated: true, deviceName };
}

const NOT_THERE =
  'The dongle does not answer: set its switch to GPIO 6, plug it in again, and try once more.';
const SWITCH_ON = 'The dongle is there, the board is not: switch the board on, and try once more.';
const END_OF_ANSWER = '$$$';

function readVersion(text: string): Answer | undefined {
  if (!text.includes(END_OF_ANSWER)) return undefined;
  if (text.includes('Failure')) return { fault: SWITCH_ON };
  if (!text.includes('OpenBCI') && !text.includes('ADS1299')) return undefined;
  return { variant: text.includes('On Daisy') ? 'daisy' : 'cyton' };
}

const askVersion: Step = {
  send: asciiBytes('v'),
  expect: { withinMs: 3000, tries: 3, read: readVersion, silence: NOT_THERE },
};

export const OPENBCI_CYTON: Driver = {
  id: 'openbci-cyton',
  name: 'OpenBCI Cyton',
  adapters: [{ vendorId: '0403', productId: '6015', weight: 2 }],
  bauds: [115_200],
  variants: [
    {
      id: 'cyton',
      name: 'Cyton, 8 channels',
      packets: { packetBytes: 33, samplesPerPacket: 1, counterModulo: 256 },
      format: format(8, 250, 'OpenBCI Cyton'),
    },
    {
      id: 'daisy',
      name: 'Cyton with Daisy, 16 channels',
      packets: { packetBytes: 66, samplesPerPacket: 1, counterModulo: 128 },
      format: format(16, 125, 'OpenBCI Cyton with Daisy'),
    },
  ],
  confirmPackets: 16,
  port: { dtr: true, rts: true, settleMs: 200 },
  probe: {
    adapters: ['0403:6015'],
    bauds: [115_200],
    step: { ...askVersion, expect: { ...askVersion.expect, tries: 1 } as NonNullable<Step['expect']> },
  },
  start: () => [
    { send: asciiBytes('s'), quietMs: 200 },
    askVersion,
    {
      send: asciiBytes('d'),
      expect: {
        withinMs: 3000,
        tries: 2,
        read: (text) => (text.includes(END_OF_ANSWER) ? {} : undefined),
        silence: SWITCH_ON,
      },
    },
    { quietMs: 100 },
    { send: asciiBytes('b') },
  ],
  stop: [{ send: asciiBytes('s'), quietMs: 100 }],
  maxSilenceMs: 1000,
  createParser: (variant) => (variant.id === 'daisy' ? new CytonDaisyParser() : new CytonParser()),
};
