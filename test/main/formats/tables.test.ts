// Tables of numbers, as spreadsheets, scripts and laboratory programs write them.

import { describe, expect, test } from 'vitest';
import { detectFormat } from '../../../main/formats/content.ts';
import { admit, readRecord } from '../../../main/formats/read-record.ts';
import { INVALID_SAMPLE, readAllSamples, readMillivolts } from '../../../shared/signal/recording.ts';
import { bytesFile } from '../../support/test-data.ts';

const fileOf = (text: string) => bytesFile('table.csv', new TextEncoder().encode(text));
const read = (text: string) => {
  const file = fileOf(text);
  const result = admit(readRecord(file, [file]));
  if (!result.ok) throw new Error(result.message);
  return result.recording;
};
const VALUES = Array.from({ length: 500 }, (_, i) =>
  Number((Math.sin(i / 15) + (i % 200 === 40 ? 1 : 0)).toFixed(3)),
);
const rows = (line: (value: number, i: number) => string): string => VALUES.map(line).join('\n');
const plainTable = `Time (s),II (mV),Battery\n${rows((mv, i) => `${(i / 250).toFixed(3)},${mv},3.7`)}`;

describe('a table with a column of times', () => {
  test('in seconds, with units in its names', () => {
    const recording = read(plainTable);
    expect(recording).toMatchObject({ format: 'text table', durationSeconds: 2, warnings: [] });
    const [two] = recording.channels;
    expect(two).toMatchObject({ label: 'II', unit: 'mV', rate: { samples: 250, seconds: 1 } });
    expect([...readMillivolts(two!, 0, 500)].map((mv) => mv.toFixed(3))).toEqual(
      VALUES.map((mv) => (mv + 0).toFixed(3)),
    );
  });

  test.each([
    [
      'milliseconds by a unit',
      `t_ms;Lead_II_uV\n${rows((mv, i) => `${4 * i};${(1000 * mv).toFixed(0)}`)}`,
      [],
    ],
    [
      'decimal commas',
      `Zeit [s];Ableitung II [mV]\r\n${rows((mv, i) => `${String(i / 250).replace('.', ',')};${String(mv).replace('.', ',')}`)}`,
      [],
    ],
    ['tabs', `time (s)\tII [mV]\n${rows((mv, i) => `${i / 250}\t${mv}`)}`, []],
    ['times that jitter', `time (ms),II (mV)\n${rows((mv, i) => `${4 * i + (i % 3) - 1},${mv}`)}`, []],
    ['no unit', `time,II (mV)\n${rows((mv, i) => `${i / 250},${mv}`)}`, ['table_time_guessed']],
  ])('%s', (_how, text, warnings) => {
    const recording = read(text);
    expect(recording.warnings.map(({ code }) => code)).toEqual(warnings);
    const [two] = recording.channels;
    expect(two?.lead?.code).toBe('MDC_ECG_LEAD_II');
    expect(two?.rate).toEqual({ samples: 250, seconds: 1 });
    expect(readMillivolts(two!, 40, 1)[0]).toBeCloseTo(VALUES[40]!, 3);
  });

  test('of a day and a clock begins then, and goes over midnight', () => {
    const clock = (i: number): string =>
      new Date(Date.UTC(2024, 2, 1, 23, 59, 59) + 4 * i).toISOString().slice(0, -1).replace('T', ' ');
    const recording = read(`timestamp,II (mV)\n${rows((mv, i) => `${clock(i)},${mv}`)}`);
    expect(recording.startTime).toEqual({ utcMs: Date.UTC(2024, 2, 1, 23, 59, 59), isZoneKnown: false });
    expect(recording.durationSeconds).toBe(2);
  });

  test('rows that are missing by their times are missing samples', () => {
    const lines = plainTable.split('\n');
    const recording = read([...lines.slice(0, 101), ...lines.slice(104)].join('\n'));
    expect(recording.durationSeconds).toBe(2);
    expect(recording.warnings.map(({ code, values }) => [code, values?.count])).toEqual([
      ['table_rows_missing', 3],
    ]);
    expect([...readAllSamples(recording.channels[0]!)].slice(99, 104)).toEqual([
      Math.round(1000 * VALUES[99]!),
      INVALID_SAMPLE,
      INVALID_SAMPLE,
      INVALID_SAMPLE,
      Math.round(1000 * VALUES[103]!),
    ]);
  });
});

const refusal = (text: string): string => {
  const file = fileOf(text);
  const result = admit(readRecord(file, [file]));
  return result.ok ? '' : result.message;
};

describe('a table whose times are odd', () => {
  test('times in whole milliseconds of 800 samples a second have no gaps', () => {
    const lines = Array.from({ length: 1000 }, (_, i) => `${Math.floor(1.25 * i)},${VALUES[i % 500]}`);
    const recording = read(`time (ms),II (mV)\n${lines.join('\n')}`);
    expect(recording.channels[0]?.rate).toEqual({ samples: 800, seconds: 1 });
    expect(recording.warnings).toEqual([]);
  });

  test('a counter is no time: its rate is the stated one, or none', () => {
    const counted = `Time,II (mV)\n${rows((mv, i) => `${i},${mv}`)}`;
    expect(detectFormat(fileOf(counted))).toBeUndefined();
    expect(read(`Sampling rate: 250 Hz\n${counted}`).channels[0]?.rate.samples).toBe(250);
  });

  test('a trend of a monitor and a list of RR intervals are none', () => {
    expect(
      detectFormat(fileOf(`Time,HR,SpO2\n${rows((_, i) => `${i},${70 + (i % 3)},97`)}`)),
    ).toBeUndefined();
    expect(detectFormat(fileOf(`time,rr\n${rows((_, i) => `${(i * 0.8).toFixed(3)},0.8`)}`))).toBeUndefined();
  });

  test('a stated rate that the times contradict is not believed, nor are the times', () => {
    expect(
      detectFormat(fileOf(`fs=500\ntime (s),II (mV)\n${rows((mv, i) => `${i / 250},${mv}`)}`)),
    ).toBeUndefined();
  });

  test('a second block of LabChart is never joined to the first, and its times are never a signal', () => {
    const head = 'Interval=\t0.004 s\r\nChannelTitle=\tECG\tPulse\r\nUnitName=\tmV\t*\r\n';
    const block = VALUES.map((mv, i) => `${i / 250}\t${mv}\t0`).join('\r\n');
    const padding = Array.from({ length: 6000 }, (_, i) => `${2 + i / 250}\t0\t0`).join('\r\n');
    expect(refusal(`${head}${block}\r\n${padding}\r\n${head}${block}`)).toContain('do not go on evenly');
  });
});

describe('a table with holes', () => {
  test('what stands for no value is a missing sample of its own column', () => {
    const text = `fs=250\nII (mV),V1 (mV)\n${rows((mv, i) => `${i === 10 ? 'NaN' : mv},${i === 11 ? '-' : mv}`)}`;
    const [two, one] = read(text).channels;
    expect(two?.sampleCount).toBe(500);
    expect([...readAllSamples(two!)].slice(9, 12).map((value) => value === INVALID_SAMPLE)).toEqual([
      false,
      true,
      false,
    ]);
    expect([...readAllSamples(one!)].slice(9, 12).map((value) => value === INVALID_SAMPLE)).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('a tab at the end of a row is an empty field, and words among the numbers are counted', () => {
    const lines =
      `fs=250\nII (mV)\tV1 (mV)\n${rows((mv, i) => (i === 20 ? `${mv}\t` : `${mv}\t${mv}`))}`.split('\n');
    const recording = read([...lines.slice(0, 40), 'patient moved', ...lines.slice(40)].join('\n'));
    expect(recording.channels[0]?.sampleCount).toBe(501);
    expect(recording.warnings.find(({ code }) => code === 'table_rows_unreadable')?.values).toEqual({
      count: 1,
    });
  });

  test('decimal commas that could divide columns are not read', () => {
    expect(
      detectFormat(fileOf(`fs=500\nECG (mV)\n${rows((mv) => mv.toFixed(3).replace('.', ','))}`)),
    ).toBeUndefined();
  });

  test('one endless line is looked at quickly', () => {
    expect(detectFormat(fileOf(`fs=500\n1${' '.repeat(60_000)}1\n`.repeat(20)))).toBeUndefined();
  });
});

describe('a table that says its rate above its numbers', () => {
  test.each([
    ['in a remark', `# Sampling rate: 250 Hz\nII (mV),V1 (mV)\n`],
    ['by a name', `fs=250\nII (mV),V1 (mV)\n`],
  ])('%s', (_how, head) => {
    const recording = read(head + rows((mv) => `${mv},${-mv}`));
    expect(recording.channels.map(({ label, rate }) => [label, rate.samples])).toEqual([
      ['II', 250],
      ['V1', 250],
    ]);
  });

  test.each([
    ['in kilohertz', 'Sampling rate: 0.25 kHz', 250],
    ['in kilohertz, the unit first', 'Sampling rate (kHz): 1', 1000],
    ['with thousands parted', 'Sampling rate: 1,000 Hz', 1000],
    ['with decimals behind a point', 'Sampling rate: 500.000 Hz', 500],
    ['as milliseconds', 'Sampling rate: 4 ms', 250],
  ])('%s', (_how, head, hz) => {
    const twice = [1, 2].map(() => rows((mv) => `${mv},${-mv}`)).join('\n');
    const { channels } = read(`${head}\nII (mV),V1 (mV)\n${twice}`);
    expect(channels[0]?.rate.samples).toBe(hz);
  });

  test.each([
    ['two rates', 'Original sampling rate: 1000 Hz\nExported sampling rate: 500 Hz'],
    ['a rate that may be one or a hundred thousand', 'Sampling rate: 100,000 Hz'],
  ])('with %s is asked about', (_how, head) => {
    const file = fileOf(`${head}\nII (mV),V1 (mV)\n${rows((mv) => `${mv},${-mv}`)}`);
    expect(admit(readRecord(file, [file]))).toMatchObject({ ok: false, reason: 'rate_not_stated' });
  });

  test('two rates of which its times say the same as one', () => {
    const head = 'Original sampling rate: 1000 Hz\nExported sampling rate: 250 Hz\n';
    expect(read(head + plainTable).channels[0]?.rate.samples).toBe(250);
  });

  test('as LabChart does', () => {
    const head =
      'Interval=\t0.004 s\r\nExcelDateTime=\t4.5352597222222e+04\t01.03.2024 14:20:00\r\nTimeFormat=\tStartOfBlock\r\nChannelTitle=\tECG\tPulse\r\nRange=\t10 mV\t1 V\r\nUnitName=\tmV\t*\r\n';
    const recording = read(
      head + VALUES.map((mv, i) => `${i / 250}\t${mv}\t${(mv * 2).toFixed(2)}`).join('\r\n'),
    );
    expect(recording.channels.map(({ label, unit, rate }) => [label, unit, rate.samples])).toEqual([
      ['ECG', 'mV', 250],
      ['Pulse', '', 250],
    ]);
  });

  test.each([
    ['tabs, one behind each line', '\t', '\t'],
    ['commas', ',', ''],
  ])('as AcqKnowledge does, with %s', (_what, divider, end) => {
    const line = (fields: readonly (string | number)[]): string => fields.join(divider) + end;
    const recording = read(
      [
        'Subject1.acq\n4 msec/sample\n2 channels\nECG100C\nmV\nRSP\nVolts',
        line(['min', 'CH1', 'CH2']),
        line(['', VALUES.length, VALUES.length]),
        rows((mv, i) => line([(i * (0.004 / 60)).toFixed(8), mv, 0.5])),
      ].join('\n'),
    );
    expect(recording.durationSeconds).toBe(2);
    expect(recording.channels.map(({ label, unit }) => [label, unit])).toEqual([
      ['ECG100C', 'mV'],
      ['RSP', 'Volts'],
    ]);
    expect([...readMillivolts(recording.channels[0]!, 0, 500)].map((mv) => mv.toFixed(3))).toEqual(
      VALUES.map((mv) => (mv + 0).toFixed(3)),
    );
  });

  test('the rate of a heart or of the mains is none', () => {
    for (const head of ['Heart rate: 72', 'Mains frequency: 50 Hz', 'Date: 2024'])
      expect(
        detectFormat(fileOf(`${head}\nII (mV),V1 (mV)\n${rows((mv) => `${mv},${mv}`)}`)),
        head,
      ).toBeUndefined();
  });
});

describe('a table of other things', () => {
  test.each([
    ['a list of patients', `id,age,sex,height\n${rows((_, i) => `${i},${40 + (i % 50)},${i % 2},170`)}`],
    ['results', `ecg_id,patient_id,II\n${rows((mv, i) => `${i},${1000 + i},${mv}`)}`],
    ['prose', 'The time is 10:20.\n'.repeat(50)],
    ['times that go back', `time (s),II (mV)\n${rows((mv, i) => `${(i % 7) / 250},${mv}`)}`],
    ['a slow log', `time (s),temperature\n${rows((mv, i) => `${60 * i},${20 + mv}`)}`],
  ])('%s is no recording', (_what, text) => {
    expect(detectFormat(fileOf(text))).toBeUndefined();
  });

  test('a fast log of a machine is asked about, never taken for an ECG', () => {
    const file = fileOf(`time (s),pressure,torque\n${rows((mv, i) => `${i / 250},${mv},${2 * mv}`)}`);
    expect(admit(readRecord(file, [file]))).toMatchObject({ ok: false, reason: 'no_ecg_record' });
  });
});
