// Which column of a text device is the ECG: by names, by what its numbers do, and as a person says.

import { describe, expect, test } from 'vitest';
import { layOut, readHeaderWords } from '../../../main/device/drivers/text/layout.ts';
import { TextParser } from '../../../main/device/drivers/text/parser.ts';

const ecg = (i: number): number => Math.round(512 + 60 * Math.sin(i / 3) + (i % 20 === 7 ? 300 : 0));
const lines = (line: (i: number) => string): string[] => Array.from({ length: 20 }, (_, i) => line(i));
/** What the first lead set takes: the name of its channel. */
const taken = (line: (i: number) => string, header?: string): string => {
  const { format } = layOut(lines(line), header, {});
  return format.channels[format.leadSets[0]?.leads[0]?.terms[0]?.channel ?? -1]?.name ?? '';
};

describe('the column that is shown first', () => {
  test.each<[string, (i: number) => string, string | undefined, string]>([
    ['limits of a plotter beside it', (i) => `Min:0,Max:1023,ECG:${ecg(i)}`, undefined, 'ECG'],
    ['a rate before the raw signal', (i) => `BPM:72,Raw:${ecg(i)}`, undefined, 'Raw'],
    ['a clock that jitters', (i) => `${4 * i + (i % 3 === 1 ? 1 : 0)},${ecg(i)}`, 'millis(),value', 'value'],
    [
      'a clock without a name that jitters',
      (i) => `${1000 + 4 * i + (i % 2)},${ecg(i)}`,
      undefined,
      'column 2',
    ],
    ['constants and counters', (i) => `0;${7 + 3 * i * i};${ecg(i)};1`, undefined, 'column 3'],
    ['decimal commas', (i) => `1,50;${(ecg(i) / 1000).toFixed(3).replace('.', ',')}`, undefined, 'column 2'],
    ['letters that count', (i) => `A:5,B:${ecg(i)}`, undefined, 'B'],
    ['a battery', (i) => `${3700 - (i % 2)},${ecg(i)}`, 'vbat,ecg', 'ecg'],
  ])('%s', (_why, line, header, expected) => {
    expect(taken(line, header)).toBe(expected);
  });

  test('every other column can be chosen, upright and upside down, and is known by its place', () => {
    const { format } = layOut(
      lines((i) => `${i % 5},${ecg(i)},${ecg(i + 9)}`),
      undefined,
      {},
    );
    const ids = format.leadSets.map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual(['column-1:MDC_ECG_LEAD_II', 'column-1:MDC_ECG_LEAD_II:turned']);
    expect(ids).toEqual(
      expect.arrayContaining(['column-2:MDC_ECG_LEAD_V1', 'column-3:MDC_ECG_LEAD_I:turned']),
    );
    const third = format.leadSets.find(({ id }) => id === 'column-3:MDC_ECG_LEAD_II:turned');
    expect(third?.leads).toEqual([{ lead: 'MDC_ECG_LEAD_II', terms: [{ channel: 2, weight: -1 }] }]);
  });

  test('a column has one name whether or not the times beside it are seen', () => {
    const even = layOut(
      lines((i) => `${4 * i},${ecg(i)}`),
      undefined,
      {},
    ).format;
    const late = layOut(
      lines((i) => `${4 * i + (i > 9 ? 90 : 0)},${ecg(i)}`),
      undefined,
      {},
    ).format;
    expect(even.channels).toHaveLength(1);
    expect(late.channels).toHaveLength(2);
    for (const { leadSets } of [even, late])
      expect(leadSets.map(({ id }) => id)).toContain('column-2:MDC_ECG_LEAD_V1:turned');
    // What an earlier version remembered is the likeliest column still.
    expect(even.leadSets.find(({ formerId }) => formerId === 'MDC_ECG_LEAD_V5')?.id).toBe(
      'column-2:MDC_ECG_LEAD_V5',
    );
  });

  test('a column that says that it is an ECG is no time, though it rises', () => {
    const { format } = layOut(
      lines((i) => `${100 + 3 * i},${i % 2}`),
      'ECG,contact',
      {},
    );
    expect(format.channels.map(({ name }) => name)).toEqual(['ECG', 'contact']);
  });

  test('each column has its own converter', () => {
    const { format } = layOut(
      lines((i) => `${ecg(i)},${60_000 - i * (i % 2)}`),
      undefined,
      {},
    );
    expect(format.channels.map(({ maximum }) => maximum)).toEqual([1023, 65_535]);
  });

  test('a clock that jitters loses no sample, and its rate is measured', () => {
    const parser = new TextParser();
    const text = Array.from({ length: 500 }, (_, i) => `${4 * i + [0, 1, 0, -1][i % 4]!},${ecg(i)}\n`).join(
      '',
    );
    parser.push(Buffer.from(`millis(),value\n${text}`));
    expect(parser.out.count).toBe(500);
    expect(parser.out.breaks.filter(({ lost }) => lost > 0)).toEqual([]);
    expect(parser.out.format).toMatchObject({ isRateMeasured: true });
  });

  test('what a header says counts for each column', () => {
    const words = readHeaderWords('# own board rate=500 bits=12 gain=100 vref=3.3', {});
    const { format } = layOut(
      lines((i) => `${ecg(i)},0`),
      undefined,
      words,
    );
    expect(format).toMatchObject({ rateHz: 500, isCalibrated: true, deviceName: 'own board' });
  });
});
