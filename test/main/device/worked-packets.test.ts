// The packets of the device protocols reference that are worked out there byte by byte.

import { expect, test } from 'vitest';
import { asciiBytes } from '../../../main/device/driver.ts';
import { decodeCobs, encodeCobs } from '../../../main/device/drivers/isoline-idp/cobs.ts';
import { crc16 } from '../../../main/device/drivers/isoline-idp/crc16.ts';
import { COMMAND, wirePacket } from '../../../main/device/drivers/isoline-idp/protocol.ts';
import { CytonParser } from '../../../main/device/drivers/openbci-cyton/parser.ts';
import { parse } from '../../support/parse-device.ts';

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.replaceAll(/[·|…]/g, ' ').trim().split(/\s+/), (byte) => Number.parseInt(byte, 16));
const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join(' ')
    .toUpperCase();

interface Worked {
  readonly name: string;
  readonly driver: string;
  readonly variant?: string;
  readonly hex: string;
  /** Channel after channel. */
  readonly codes: readonly (readonly number[])[];
}

const TI_STREAM = Array.from({ length: 14 }, (_, i) => {
  const value = -10 * i;
  return [i & 255, i >> 8, value & 255, (value >> 8) & 255].map((byte) => byte.toString(16)).join(' ');
}).join(' ');

const WORKED: readonly Worked[] = [
  {
    name: 'Cyton, counter 0',
    driver: 'openbci-cyton',
    hex: 'A0 00 00 00 00 00 00 01 FF FF FF 7F FF FF 80 00 00 00 AE C3 FF 51 3D 00 08 BD 00 50 FF E2 1F 72 C0',
    codes: [[0], [1], [-1], [8388607], [-8388608], [44739], [-44739], [2237]],
  },
  {
    name: 'Cyton, counter 255',
    driver: 'openbci-cyton',
    hex: 'A0 FF 00 00 64 00 00 C8 00 01 2C 00 01 90 00 01 F4 00 02 58 00 02 BC 00 03 20 00 00 00 00 00 00 C0',
    codes: [[100], [200], [300], [400], [500], [600], [700], [800]],
  },
  {
    name: 'HealthyPi v4',
    driver: 'protocentral',
    variant: 'healthypi4',
    hex: '0A FA 14 00 02 BF FE 2D 00 80 B5 01 00 D0 7E 01 00 42 0E 0F 62 48 50 78 00 00 0B',
    codes: [[-321]],
  },
  {
    name: 'HealthyPi 5',
    driver: 'protocentral',
    variant: 'healthypi5',
    hex: '0A FA 16 00 02 24 FA FF FF 70 11 01 00 00 80 B5 01 00 D0 7E 01 00 42 0E 62 48 0F 00 0B',
    codes: [[-1500]],
  },
  {
    name: 'HealthyPi 5, eight samples',
    driver: 'protocentral',
    variant: 'healthypi5-batch',
    hex: '0A FA 32 00 03 00 00 00 00 0A 00 00 00 F6 FF FF FF 64 00 00 00 9C FF FF FF E8 03 00 00 18 FC FF FF FF FF 01 00 01 00 00 00 02 00 00 00 03 00 00 00 04 00 00 00 48 0F 00 0B',
    codes: [[0, 10, -10, 100, -100, 1000, -1000, 131071]],
  },
  {
    name: 'ADS1292R, 16 bits',
    driver: 'protocentral',
    variant: 'ads1292r',
    hex: '0A FA 08 00 02 BF FE 2D 00 48 00 0F 00 00 0B',
    codes: [[-321], [45]],
  },
  {
    name: 'ADS1292R, 32 bits',
    driver: 'protocentral',
    variant: 'ads1292r-32',
    hex: '0A FA 08 00 02 BF FE FF FF 2D 00 00 00 00 0B',
    codes: [[-321], [45]],
  },
  {
    name: 'ADS1293',
    driver: 'protocentral',
    variant: 'ads1293',
    hex: '0A FA 0C 00 02 00 00 40 00 E5 17 40 00 1B E8 3F 00 00 0B',
    codes: [[4194304], [4194304 + 6117], [4194304 - 6117]],
  },
  {
    name: 'MAX30003',
    driver: 'protocentral',
    variant: 'max30003-17',
    hex: '0A FA 11 00 02 00 00 00 00 00 02 00 34 01 41 03 00 00 48 00 00 00 00 0B',
    codes: [[1234]],
  },
  {
    name: 'MAX30003, below zero',
    driver: 'protocentral',
    variant: 'max30003-17',
    hex: '0A FA 11 00 02 00 00 00 00 00 02 00 CB FE 41 03 00 00 48 00 00 00 00 0B',
    codes: [[-1234]],
  },
  {
    name: 'P2',
    driver: 'olimex-p2',
    hex: 'A5 5A 02 FF 00 00 03 FF 01 FF 02 01 02 BC 01 2C 01',
    codes: [[0], [1023], [511], [513], [700], [300]],
  },
  {
    name: 'P3',
    driver: 'openeeg-p3',
    hex: '7E 00 00 7F 07 7F 01 34 3C 2C D2',
    codes: [[0], [1023], [511], [513], [700], [300]],
  },
  {
    name: 'P3, port D',
    driver: 'openeeg-p3',
    hex: '09 1F 58 00 44 74 00 34 00 00 C4',
    codes: [[600], [512], [500], [512], [512], [512]],
  },
  {
    name: 'P3, two channels',
    driver: 'openeeg-p3',
    variant: 'p3-2',
    hex: '0A 00 58 74 C3',
    codes: [[600], [500]],
  },
  { name: 'BITalino, 1 channel', driver: 'bitalino', variant: '1ch', hex: 'E0 06 0F', codes: [[440]] },
  { name: 'BITalino, 2', driver: 'bitalino', variant: '2ch', hex: 'FF E3 86 10', codes: [[440], [1023]] },
  {
    name: 'BITalino, 3',
    driver: 'bitalino',
    variant: '3ch',
    hex: 'C0 00 02 04 00 2F',
    codes: [[1], [2], [3]],
  },
  {
    name: 'BITalino, 4',
    driver: 'bitalino',
    variant: '4ch',
    hex: '00 10 80 FF 03 F0 F6',
    codes: [[0], [1023], [512], [256]],
  },
  {
    name: 'BITalino, 5',
    driver: 'bitalino',
    variant: '5ch',
    hex: 'C0 07 E0 7F F4 E1 46 35',
    codes: [[440], [500], [511], [512], [31]],
  },
  {
    name: 'BITalino, 6',
    driver: 'bitalino',
    variant: '6ch',
    hex: 'FF 07 E0 7F F4 E1 06 43',
    codes: [[440], [500], [511], [512], [31], [63]],
  },
  {
    name: 'TI stream',
    driver: 'ti-ads1x9x',
    hex: `02 93 48 0F 00 ${TI_STREAM} 03 0A`,
    codes: [Array.from({ length: 14 }, (_, i) => i), Array.from({ length: 14 }, (_, i) => 0 - 10 * i)],
  },
  {
    name: 'MobilECG, 2 channels',
    driver: 'mobilecg',
    hex: '44 41 54 41 14 00 00 00 00 00 00 00 00 D2 02 01 00 00 00 12 00 00 00 07 00 96 3B 00 00 FA 43 0A EC 03 DD FC',
    codes: [[5], [-5]],
  },
  {
    name: 'MobilECG, whole values',
    driver: 'mobilecg',
    hex: '44 41 54 41 16 00 00 00 02 01 00 00 00 CD 02 01 00 00 00 28 00 00 00 07 00 96 3B 00 00 FA 43 D1 07 10 83 FF 56 FB',
    codes: [[1000], [-1000]],
  },
  {
    name: 'MobilECG, 8 channels',
    driver: 'mobilecg',
    hex: '44 41 54 41 28 00 00 00 07 00 00 00 00 B7 08 02 00 00 00 B1 00 00 00 07 00 96 3B 00 24 F4 43 02 FC 23 C3 E9 0F 60 40 00 FC FB BF 00 FF 02 04 08 0C 00 00 02 FE 01 C6 F4',
    codes: [
      [1, 2],
      [-1, -2],
      [100, 101],
      [-100, -99],
      [127, 0],
      [-128, 0],
      [128, 130],
      [-129, -130],
    ],
  },
  {
    name: 'Chords',
    driver: 'chords',
    variant: 'uno-r3',
    hex: 'C7 7C FF 00 00 03 FF 01 FF 02 01 02 BC 01 2C 01',
    codes: [[0], [1023], [511], [513], [700], [300]],
  },
  {
    name: 'Chords, R4',
    driver: 'chords',
    variant: 'uno-r4',
    hex: 'C7 7C 10 20 00 3F FF 00 00 00 01 00 02 00 03 01',
    codes: [[8192], [16383], [0], [1], [2], [3]],
  },
  { name: 'SpikerBox', driver: 'byb-spikerbox', hex: '84 00 87 7F 80 00', codes: [[512, 1023, 0]] },
  {
    name: 'SpikerBox, two channels',
    driver: 'byb-spikerbox',
    variant: '2ch',
    hex: '85 3C 02 2C',
    codes: [[700], [300]],
  },
  {
    name: 'IDP, one channel',
    driver: 'isoline-idp',
    hex: '00 03 02 01 01 01 01 01 01 01 01 01 01 02 01 03 01 03 01 01 02 64 01 01 03 09 A4 00',
    codes: [[0]],
  },
  {
    name: 'IDP, two channels',
    driver: 'isoline-idp',
    hex: '00 04 02 01 01 02 0A 01 01 03 10 27 01 02 03 03 02 03 01 01 03 64 01 01 05 FF FF FF 02 01 06 FE FF FF 8F 3F 00',
    codes: [
      [1, 2],
      [-1, -2],
    ],
  },
];

test.each(WORKED)('$name', ({ driver, variant, hex, codes }) => {
  const { columns, rejectedBytes } = parse(driver, variant, bytesOf(hex));
  expect(columns.map((column) => [...column])).toEqual(codes);
  expect(rejectedBytes).toBe(0);
});

test('HealthyPi v4 and TI tell that electrodes are off', () => {
  const v4 = parse(
    'protocentral',
    'healthypi4',
    bytesOf('0A FA 14 00 02 00 00 00 00 80 B5 01 00 D0 7E 01 00 42 0E 00 62 00 50 78 1F 00 0B'),
  );
  const ti = parse('ti-ads1x9x', undefined, bytesOf(`02 93 00 00 1F ${'00 '.repeat(56)} 03 0A`));
  for (const { events } of [v4, ti]) expect(events.map(({ kind }) => kind)).toEqual(['leadOff']);
});

test('a message of the SpikerBox is no damage', () => {
  const { events, rejectedBytes } = parse(
    'byb-spikerbox',
    undefined,
    bytesOf('FF FF 01 01 80 FF 48 57 54 3A 48 42 4C 45 4F 53 42 3B FF FF 01 01 81 FF'),
  );
  expect([events, rejectedBytes]).toEqual([
    [expect.objectContaining({ kind: 'text', text: 'HWT:HBLEOSB;' })],
    0,
  ]);
});

test('the doubly wrapped packets of an old dongle are noticed (real bytes of a public issue)', () => {
  const block =
    'a0 41 01 ff fc 68 ff fb 56 ff fb d3 ff fb 7b ff fb 2a ff fc ad ff fd 9c ff fd 28 00 00 00 00 00 c0';
  const parser = new CytonParser();
  for (let i = 0; i < 20; i++) parser.push(bytesOf(block));
  expect(parser.out.events.filter((event) => event.kind === 'fault')).toHaveLength(1);
});

test.each([
  ['t\t1\t2\n', [[1], [2]]],
  ['520,498,511\r\n', [[520], [498], [511]]],
  ['ECG:512 HR:72\r\n', [[512], [72]]],
  ['1,5;2,5\n', [[15_000], [25_000]]],
])('text line %j', (line, codes) => {
  const lines = line.startsWith('t') ? '1\t2\n'.repeat(20) : line.repeat(20);
  const { columns } = parse('text', undefined, asciiBytes(lines));
  expect(columns.map((column) => column[0])).toEqual(codes.map(([code]) => code));
});

test('text tells time, leads and unit by its header', () => {
  const { format, columns } = parse(
    'text',
    undefined,
    asciiBytes(
      `t_ms,I,II\r\n${Array.from({ length: 30 }, (_, i) => `${4 * i},0.0120,-0.0310\r\n`).join('')}`,
    ),
  );
  expect(format).toMatchObject({ rateHz: 250, channels: [{ name: 'I' }, { name: 'II' }] });
  expect([columns[0]?.[0], columns[1]?.[0]]).toEqual([120, -310]);
  expect(format?.leadSets[0]?.leads.map(({ lead }) => lead)).toEqual(['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II']);
});

test('a line of text that is too long or damaged costs itself alone', () => {
  const good = '512\n'.repeat(25);
  const { columns, gaps } = parse(
    'text',
    undefined,
    asciiBytes(`${good}5x2\n${good}${'9'.repeat(400)}\n${good}`),
  );
  expect(columns[0]).toHaveLength(75);
  expect(gaps).toMatchObject([
    { start: 25, end: 26, kind: 'time' },
    { start: 51, kind: 'time' },
  ]);
});

test('the commands of the Isoline protocol are the bytes of the reference', () => {
  expect(crc16(asciiBytes('123456789'), 9)).toBe(0x29b1);
  expect(hexOf(wirePacket(Uint8Array.of(COMMAND.getHello)))).toBe('00 04 81 60 59 00');
  expect(hexOf(wirePacket(Uint8Array.of(COMMAND.start)))).toBe('00 04 82 50 3A 00');
  expect(hexOf(wirePacket(Uint8Array.of(COMMAND.stop)))).toBe('00 04 83 40 1B 00');
  expect(hexOf(wirePacket(bytesOf('84 20 A1 07 00 FF 00')))).toBe('00 05 84 20 A1 07 02 FF 03 7C 1E 00');
  expect(hexOf(wirePacket(bytesOf('85 07 00 00 00')))).toBe('00 03 85 07 01 01 03 41 A6 00');
});

test('COBS is undone for every length and every byte', () => {
  for (let length = 1; length < 700; length += 13)
    for (const fill of [0, 1, 255]) {
      const body = Uint8Array.from({ length }, (_, i) => (i % 7 === 3 ? 0 : fill));
      const wire = encodeCobs(body);
      const target = new Uint8Array(1030);
      expect(wire.subarray(1, -1).includes(0)).toBe(false);
      expect(target.subarray(0, decodeCobs(wire, 1, wire.length - 1, target))).toEqual(body);
    }
});

test('HELLO of the reference', () => {
  const wire =
    '00 0A 01 01 49 53 4F 4C 4E 61 BC 06 02 01 40 42 0F 02 FF 03 08 03 01 06 80 FF FF FF 7F 04 A0 86 01 02 32 02 96 01 01 01 13 01 02 04 05 06 07 08 09 07 44 65 6D 6F 42 6F 78 E1 86 00';
  const { format } = parse('isoline-idp', undefined, bytesOf(wire));
  expect(format).toMatchObject({
    rateHz: 1000,
    deviceName: 'DemoBox',
    serialNumber: '12345678',
    class: 'diagnostic',
    highPassHz: 0.05,
    lowPassHz: 150,
  });
  expect(format?.channels).toHaveLength(8);
  expect(format?.channels[0]).toMatchObject({ lsbUv: 0.1, maximum: 8388607 });
});
