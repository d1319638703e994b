// Boards that BrainFlow can stream: how many numbers a sample has, and which of them are what (BrainFlow,
// "Supported boards" and the rows of its board descriptions).

import type { DeviceFormat, LeadSet } from '../../device-format.ts';
import type { Variant } from '../../driver.ts';
import { channelLeads } from '../channel-leads.ts';
import { CYTON_LEAD_SETS } from '../openbci-cyton/driver.ts';

export interface BrainFlowBoard {
  readonly variant: Variant;
  readonly rows: number;
  /** Rows with a signal, in µV. */
  readonly signalRows: readonly number[];
  /** Seconds since 1970, when the sample came to BrainFlow. */
  readonly timeRow: number;
}

interface BoardFacts {
  readonly id: string;
  readonly name: string;
  readonly rateHz: number;
  readonly rows: number;
  readonly timeRow: number;
  readonly signalRows: readonly number[];
  readonly counterModulo?: number;
  readonly leadSets?: readonly LeadSet[];
  readonly isSimulated?: true;
}

const from = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i);

const cyton = { rows: 24, timeRow: 22, signalRows: from(1, 8), leadSets: CYTON_LEAD_SETS };
const daisy = { rows: 32, timeRow: 30, signalRows: from(1, 16), leadSets: CYTON_LEAD_SETS };
/** BrainFlow numbers the samples of these from 0 to 255; how others number is not written anywhere. */
const COUNTED = { counterModulo: 256 };

const FACTS: readonly BoardFacts[] = [
  { id: 'cyton', name: 'OpenBCI Cyton', rateHz: 250, ...cyton, ...COUNTED },
  { id: 'cyton-daisy', name: 'OpenBCI Cyton with Daisy', rateHz: 125, ...daisy },
  { id: 'ganglion', name: 'OpenBCI Ganglion', rateHz: 200, rows: 15, timeRow: 13, signalRows: from(1, 4) },
  { id: 'cyton-wifi', name: 'OpenBCI Cyton, WiFi', rateHz: 1000, ...cyton },
  { id: 'cyton-daisy-wifi', name: 'OpenBCI Cyton with Daisy, WiFi', rateHz: 1000, ...daisy },
  {
    id: 'ganglion-wifi',
    name: 'OpenBCI Ganglion, WiFi',
    rateHz: 1600,
    rows: 25,
    timeRow: 23,
    signalRows: from(1, 4),
  },
  { id: 'callibri-ecg', name: 'Callibri ECG', rateHz: 125, rows: 4, timeRow: 2, signalRows: [1] },
  {
    id: 'explore-4',
    name: 'Mentalab Explore, 4 channels',
    rateHz: 250,
    rows: 8,
    timeRow: 6,
    signalRows: from(1, 4),
  },
  {
    id: 'explore-8',
    name: 'Mentalab Explore, 8 channels',
    rateHz: 250,
    rows: 12,
    timeRow: 10,
    signalRows: from(1, 8),
  },
  { id: 'freeeeg32', name: 'FreeEEG32', rateHz: 512, rows: 35, timeRow: 33, signalRows: from(1, 16) },
  { id: 'shimmer3', name: 'Shimmer3', rateHz: 512, rows: 20, timeRow: 18, signalRows: from(10, 4) },
  {
    id: 'synthetic',
    name: 'BrainFlow synthetic board',
    rateHz: 250,
    rows: 32,
    timeRow: 30,
    signalRows: from(1, 16),
    isSimulated: true,
    ...COUNTED,
  },
];

/** Numbers with a fraction are kept to this. */
export const LSB_UV = 0.01;
const CODE_LIMIT = 2 ** 31 - 1;

function formatOf({ name, rateHz, signalRows, leadSets = [], isSimulated }: BoardFacts): DeviceFormat {
  const names = signalRows.map((_, i) => `Channel ${i + 1}`);
  return {
    rateHz,
    channels: names.map((channel) => ({
      name: channel,
      kind: 'ecg',
      lsbUv: LSB_UV,
      zero: 0,
      minimum: -CODE_LIMIT,
      maximum: CODE_LIMIT,
    })),
    leadSets: [
      ...channelLeads(names.map((channel, place) => ({ name: channel, number: place + 1, place }))),
      ...leadSets,
    ],
    // Its filters are set in the other program.
    highPassHz: 0.5,
    lowPassHz: 40,
    class: 'monitoring',
    isCalibrated: true,
    deviceName: name,
    ...(isSimulated && { isSimulated }),
  };
}

export const BRAINFLOW_BOARDS: readonly BrainFlowBoard[] = FACTS.map((facts) => ({
  rows: facts.rows,
  signalRows: facts.signalRows,
  timeRow: facts.timeRow,
  variant: {
    id: facts.id,
    name: facts.name,
    packets: {
      packetBytes: 8 * facts.rows,
      samplesPerPacket: 1,
      ...(facts.counterModulo !== undefined && { counterModulo: facts.counterModulo }),
    },
    format: formatOf(facts),
  },
}));
