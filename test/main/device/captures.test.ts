import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../main/signal/synthetic/random.ts';
import {
  bytewise,
  columnSums,
  type Parsed,
  type Pieces,
  parse,
  randomly,
  whole,
} from '../../support/parse-device.ts';
import { CAPTURES, readCapture } from '../../support/serial-captures.ts';

const WAYS: readonly (readonly [string, () => Pieces])[] = [
  ['whole', () => whole],
  ['byte by byte', () => bytewise],
  ['cut at random', () => randomly(seededRandom(7))],
];

/** Text devices print millivolts; their codes are tenths of a microvolt. */
const codesOf = (name: string, row: readonly number[] | number): number[] =>
  (typeof row === 'number' ? [row] : [...row]).map((value) =>
    name === 'text-csv-header' ? Math.round(value * 10_000) : value,
  );

const rowOf = ({ columns }: Parsed, index: number): number[] =>
  columns.map((column) => column.at(index) as number);

describe('captures', () => {
  describe.each(Object.keys(CAPTURES))('%s', (name) => {
    const { bytes, damaged, expected } = readCapture(name);
    const [driver, variant] = CAPTURES[name]!;

    test.each(WAYS)('%s gives the expected samples', (_, way) => {
      const parsed = parse(driver, variant, bytes, way());
      expect(parsed.columns[0]?.length).toBe(expected.samplesPerChannel);
      expect(expected.firstRows.map((_row, i) => rowOf(parsed, i))).toEqual(
        expected.firstRows.map((row) => codesOf(name, row)),
      );
      expect(rowOf(parsed, -1)).toEqual(codesOf(name, expected.lastRow));
      if (expected.columnSums !== undefined)
        expect(columnSums(parsed.columns).slice(0, expected.columnSums.length)).toEqual(expected.columnSums);
      expect([parsed.rejectedBytes, parsed.gaps]).toEqual([0, []]);
    });

    if (damaged === undefined || expected.damaged === undefined) return;
    const truth = expected.damaged;
    test.each(WAYS)('damaged, %s: the samples that are whole, the places of those that are not', (_, way) => {
      const parsed = parse(driver, variant, damaged, way());
      expect(parsed.columns[0]?.length).toBe(truth.samplesPerChannel);
      expect(columnSums(parsed.columns).slice(0, truth.columnSums.length)).toEqual(truth.columnSums);
      expect(parsed.rejectedBytes).toBe(truth.rejectedBytes);
      if (expected.counter !== null)
        expect(parsed.gaps.map(({ start, end }) => [start, end])).toEqual(truth.gaps);
    });
  });

  test('scales and zeros are those of the reference', () => {
    const EXEMPT = new Set(['byb-heart', 'olimex-p2', 'openeeg-p3']);
    for (const [name, [driver, variant]] of Object.entries(CAPTURES)) {
      const { bytes, expected } = readCapture(name);
      const { format } = parse(driver, variant, bytes);
      if (format === undefined || expected.channels === undefined || EXEMPT.has(name)) continue;
      for (const [i, { lsbMicrovolt, zero }] of expected.channels.entries()) {
        expect(format.channels[i]?.lsbUv, `${name} ${i}`).toBeCloseTo(lsbMicrovolt, 4);
        expect(format.channels[i]?.zero).toBe(zero);
      }
    }
  });
});
