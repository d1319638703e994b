// The boards of ProtoCentral by the length and type of their packets, and how each writes its samples (device
// protocols reference, 3).

import { SOME_ELECTRODE } from '../../../../shared/signal/electrode.ts';
import {
  type DeviceChannel,
  type DeviceFormat,
  type LeadSet,
  oneToOne,
  singleLead,
} from '../../device-format.ts';
import { int16Le, int32Le } from '../../packets/integers.ts';

export interface Board {
  readonly id: string;
  readonly name: string;
  /** The length of the payload. */
  readonly length: number;
  readonly type: number;
  readonly samples: number;
  readonly baud: number;
  readonly format: DeviceFormat;
  /** Other boards send packets of this length. */
  readonly isAmbiguous?: boolean;
  /** @param at of the payload. */
  decode(bytes: Uint8Array, at: number, columns: readonly Int32Array[], index: number): void;
  /** Whether the payload looks like this board's, among those of the same length. */
  fits?(bytes: Uint8Array, at: number): boolean;
  /** Electrodes without contact, where the packet tells. */
  electrodesOff?(bytes: Uint8Array, at: number): number;
}

/** ADS1292R at gain 6 and 2.42 V. */
const ADS1292R_LSB_UV = (2 * 2.42e6) / (6 * 2 ** 24);
/** MAX3000x at gain 20. */
const MAX3000X_LSB_UV = 1e6 / (2 ** 17 * 20);
/** ADS1293 at its decimation for 100 samples a second. */
const ADS1293_MAXIMUM = 0x80_0000;
const ADS1293_LSB_UV = (2 * 2.4e6) / (3.5 * ADS1293_MAXIMUM);

const signed = (name: string, kind: DeviceChannel['kind'], bits: number, lsbUv: number): DeviceChannel => ({
  name,
  kind,
  lsbUv,
  zero: 0,
  minimum: -(2 ** (bits - 1)),
  maximum: 2 ** (bits - 1) - 1,
});

const ecg16 = signed('ECG', 'ecg', 16, 256 * ADS1292R_LSB_UV);
const respiration16 = signed('RESP', 'respiration', 16, 256 * ADS1292R_LSB_UV);
const ecg18 = signed('ECG', 'ecg', 18, MAX3000X_LSB_UV);

interface Filter {
  readonly highPassHz: number;
  readonly lowPassHz: number;
}
const FILTERED: Filter = { highPassHz: 0.5, lowPassHz: 40 };
const UNFILTERED: Filter = { highPassHz: 0, lowPassHz: 32 };

const format = (
  deviceName: string,
  rateHz: number,
  channels: readonly DeviceChannel[],
  filter: Filter,
  leadSets: readonly LeadSet[] = singleLead(0),
): DeviceFormat => ({
  deviceName,
  rateHz,
  channels,
  leadSets,
  ...filter,
  class: 'monitoring',
  isCalibrated: true,
});

const isSignCopy = (sign: number | undefined, byte: number): boolean => sign === (byte > 0x7f ? 0xff : 0);
const column = (columns: readonly Int32Array[], channel: number): Int32Array =>
  columns[channel] as Int32Array;

function decodeInt16Pair(bytes: Uint8Array, at: number, columns: readonly Int32Array[], index: number): void {
  column(columns, 0)[index] = int16Le(bytes, at);
  column(columns, 1)[index] = int16Le(bytes, at + 2);
}

/** The library packs the 18 bits wrongly; this undoes it. */
function max30003Code(bytes: Uint8Array, at: number): number {
  const packed = int32Le(bytes, at);
  return (packed >> 16) * 4 + (packed & 3);
}

const isMax30003 = (bytes: Uint8Array, at: number): boolean =>
  bytes[at + 6] === 0 && bytes[at + 7] === 0 && bytes[at + 10] === 0 && bytes[at + 11] === 0;

const ADS1293_MIDDLE = ADS1293_MAXIMUM / 2;
const ADS1293_SPREAD = 3_000_000;

function isAds1293(bytes: Uint8Array, at: number): boolean {
  for (let channel = 0; channel < 3; channel++) {
    const code = int32Le(bytes, at + 4 * channel);
    if (code < 0 || code > 0xff_ffff || Math.abs(code - ADS1293_MIDDLE) > ADS1293_SPREAD) return false;
  }
  return true;
}

export const BOARDS: readonly Board[] = [
  {
    id: 'healthypi4',
    name: 'HealthyPi v4 or v3',
    length: 20,
    type: 2,
    samples: 1,
    baud: 115_200,
    format: format('HealthyPi v4', 125, [ecg16], FILTERED),
    decode(bytes, at, columns, index) {
      column(columns, 0)[index] = int16Le(bytes, at);
    },
    electrodesOff: (bytes, at) => (((bytes[at + 19] as number) & 0x1f) !== 0 ? SOME_ELECTRODE : 0),
  },
  {
    id: 'healthypi5',
    name: 'HealthyPi 5, one sample a packet',
    length: 22,
    type: 2,
    samples: 1,
    baud: 115_200,
    format: format('HealthyPi 5', 128, [ecg18], FILTERED),
    decode(bytes, at, columns, index) {
      column(columns, 0)[index] = int32Le(bytes, at);
    },
  },
  {
    id: 'healthypi5-batch',
    name: 'HealthyPi 5, eight samples a packet',
    length: 50,
    type: 3,
    samples: 8,
    baud: 115_200,
    format: format('HealthyPi 5', 125, [ecg18], FILTERED),
    decode(bytes, at, columns, index) {
      for (let i = 0; i < 8; i++) column(columns, 0)[index + i] = int32Le(bytes, at + 4 * i);
    },
  },
  {
    id: 'ads1292r',
    name: 'ADS1292R shield',
    length: 8,
    type: 2,
    samples: 1,
    baud: 57_600,
    format: format('ADS1292R shield', 125, [ecg16, respiration16], FILTERED),
    isAmbiguous: true,
    decode: decodeInt16Pair,
    fits: (bytes, at) => bytes[at + 5] === 0 && bytes[at + 7] === 0 && (bytes[at + 4] as number) <= 250,
  },
  {
    id: 'ads1292r-32',
    name: 'ADS1292R shield, sketch from before 2019',
    length: 8,
    type: 2,
    samples: 1,
    baud: 57_600,
    format: format(
      'ADS1292R shield',
      125,
      [signed('ECG', 'ecg', 24, ADS1292R_LSB_UV), signed('RESP', 'respiration', 24, ADS1292R_LSB_UV)],
      UNFILTERED,
    ),
    isAmbiguous: true,
    decode(bytes, at, columns, index) {
      column(columns, 0)[index] = int32Le(bytes, at);
      column(columns, 1)[index] = int32Le(bytes, at + 4);
    },
    fits: (bytes, at) =>
      isSignCopy(bytes[at + 3], bytes[at + 2] as number) &&
      isSignCopy(bytes[at + 7], bytes[at + 6] as number),
  },
  {
    id: 'max30003',
    name: 'MAX30003',
    length: 12,
    type: 2,
    samples: 1,
    baud: 57_600,
    format: { ...format('MAX30003', 128, [ecg18], FILTERED), isRateMeasured: true },
    isAmbiguous: true,
    decode(bytes, at, columns, index) {
      column(columns, 0)[index] = max30003Code(bytes, at);
    },
    fits: isMax30003,
  },
  {
    id: 'max30003-17',
    name: 'MAX30003, current sketch',
    length: 17,
    type: 2,
    samples: 1,
    baud: 57_600,
    format: { ...format('MAX30003', 128, [ecg18], FILTERED), isRateMeasured: true },
    decode(bytes, at, columns, index) {
      column(columns, 0)[index] = max30003Code(bytes, at + 5);
    },
  },
  {
    id: 'ads1293',
    name: 'ADS1293, five electrodes',
    length: 12,
    type: 2,
    samples: 1,
    baud: 57_600,
    format: {
      ...format(
        'ADS1293',
        100,
        ['I', 'II', 'V1'].map((name) => ({
          name,
          kind: 'ecg' as const,
          lsbUv: ADS1293_LSB_UV,
          zero: ADS1293_MAXIMUM / 2,
          minimum: 0,
          maximum: ADS1293_MAXIMUM - 1,
        })),
        { highPassHz: 0, lowPassHz: 20 },
        [oneToOne(['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_V1'])],
      ),
      isRateMeasured: true,
    },
    isAmbiguous: true,
    decode(bytes, at, columns, index) {
      // The firmware extends a sign that the code does not have.
      for (let channel = 0; channel < 3; channel++)
        column(columns, channel)[index] = int32Le(bytes, at + 4 * channel) & 0xff_ffff;
    },
    fits: isAds1293,
  },
  {
    id: 'max30001',
    name: 'MAX30001',
    length: 12,
    type: 2,
    samples: 1,
    baud: 115_200,
    format: format('MAX30001', 128, [ecg18], FILTERED),
    isAmbiguous: true,
    decode(bytes, at, columns, index) {
      column(columns, 0)[index] = int32Le(bytes, at);
    },
    fits: (bytes, at) => !isMax30003(bytes, at) && !isAds1293(bytes, at),
  },
  {
    id: 'max86150',
    name: 'MAX86150',
    length: 6,
    type: 2,
    samples: 1,
    baud: 115_200,
    format: {
      ...format('MAX86150', 200, [signed('ECG', 'ecg', 16, MAX3000X_LSB_UV)], FILTERED),
      isCalibrated: false,
    },
    decode(bytes, at, columns, index) {
      column(columns, 0)[index] = int16Le(bytes, at);
    },
  },
];

/** Packets that boards of the family send beside the ECG: they are read over. */
const OTHER_PACKETS: readonly (readonly [length: number, type: number])[] = [[19, 4]];

const MAX_LENGTH = 64;
const TYPES = 8;
const KNOWN = new Uint8Array((MAX_LENGTH + 1) * TYPES);
for (const { length, type } of BOARDS) KNOWN[length * TYPES + type] = 1;
for (const [length, type] of OTHER_PACKETS) KNOWN[length * TYPES + type] = 1;

export const isKnownPacket = (length: number, type: number): boolean =>
  length <= MAX_LENGTH && type < TYPES && KNOWN[length * TYPES + type] === 1;
