import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WRITERS } from '../../../main/formats/writers.ts';
import {
  type Channel,
  INVALID_SAMPLE,
  type Recording,
  rateHz,
  readAllSamples,
} from '../../../shared/signal/recording.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';
import { bytesFile, dataFolder, recordingFrom } from '../../support/test-data.ts';
import { channelOf, readBack, recordingOf, write } from '../../support/written-records.ts';

const OUTPUTS = [
  ['edf', 'out.edf'],
  ['wfdb', 'out.hea'],
  ['cmdt', 'out.cmdt'],
  ['flac', 'out.flac'],
] as const;

/** Samples of the first channel, the tail of missing ones that a format pads with cut off. */
const samplesOf = (channel: Channel, count: number): Int32Array => readAllSamples(channel).subarray(0, count);

function expectSame(found: Recording, given: Recording, scaleDigits: number): void {
  expect(found.channels).toHaveLength(given.channels.length);
  for (const [index, channel] of given.channels.entries()) {
    const back = found.channels[index]!;
    expect(samplesOf(back, channel.sampleCount)).toEqual(readAllSamples(channel));
    expect(rateHz(back.rate) / rateHz(channel.rate)).toBeCloseTo(1, 9);
    const factor = (back.mvPerUnit ?? 1) / (channel.mvPerUnit ?? 1);
    expect(back.isCalibrated).toBe(channel.isCalibrated);
    if (channel.isCalibrated) expect((back.scale * factor) / channel.scale).toBeCloseTo(1, scaleDigits);
    expect(back.lead?.code).toBe(channel.lead?.code);
    for (const extra of readAllSamples(back).subarray(channel.sampleCount))
      expect(extra).toBe(INVALID_SAMPLE);
  }
}

const RECORDS = [
  'edf/made_ecg12_plusC.edf',
  'wfdb/100_3chan.hea',
  'wfdb/1.hea',
  'wfdb/test01_00s.hea',
  'flac/ecg3_24bit.flac',
  'edf/made_ecg8.bdf',
];

describe.each(OUTPUTS)('written as %s', (format, fileName) => {
  test.each(RECORDS)('%s is read back with the same samples, rates and scales', (path) => {
    const given = recordingFrom(join(dataFolder, path));
    expectSame(readBack(write(given, format, fileName)), given, 8);
  });

  test('missing samples are missing when they are read back', () => {
    const samples = Int32Array.from({ length: 1000 }, (_, i) =>
      i % 97 === 3 || (i > 500 && i < 620) ? INVALID_SAMPLE : (i * 37) % 900,
    );
    const given = recordingOf([
      channelOf(samples),
      channelOf(
        samples.map((value) => (value === INVALID_SAMPLE ? 5 : value)),
        { label: 'V1' },
      ),
    ]);
    expectSame(readBack(write(given, format, fileName)), given, 9);
  });

  test('any samples come back, whatever their size', () => {
    const sample = fc.oneof(
      fc.integer({ min: -2048, max: 2047 }),
      fc.integer({ min: -32768, max: 32767 }),
      fc.integer({ min: -(2 ** 23) + 1, max: 2 ** 23 - 1 }),
      fc.constant(INVALID_SAMPLE),
    );
    fc.assert(
      fc.property(
        fc.array(sample, { minLength: 1, maxLength: 700 }),
        fc.integer({ min: 1, max: 12 }),
        (values, channels) => {
          const samples = Int32Array.from(values);
          const labels = ['I', 'II', 'III', 'aVR', 'aVL', 'aVF', 'V1', 'V2', 'V3', 'V4', 'V5', 'V6'];
          const given = recordingOf(
            Array.from({ length: channels }, (_, i) =>
              channelOf(
                samples.map((value) => value),
                { label: labels[i]! },
              ),
            ),
          );
          // A scale that eight characters can't hold is off by a little, with a warning: see below.
          expectSame(readBack(write(given, format, fileName)), given, 5);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('start time is kept to the millisecond', () => {
    const startTime = { utcMs: Date.UTC(2026, 10, 21, 14, 32, 11, 395), isZoneKnown: false };
    const given = recordingOf([channelOf(new Int32Array(500).fill(7))], { startTime });
    expect(readBack(write(given, format, fileName)).startTime).toEqual(startTime);
  });
});

describe('scales', () => {
  const scales = [1 / 200, 1 / 7247, 1 / 2281, 0.5, 0.00000298, 1 / 1.052e4, -0.5, 2.5, 4.88e-5];
  test.each(scales)(
    '%d mV a step is read back from EDF to one part in a billion, or the writer says how far it is off',
    (scale) => {
      const given = recordingOf([
        channelOf(Int32Array.of(...Array.from({ length: 250 }, (_, i) => i - 100)), { scale }),
      ]);
      const written = write(given, 'edf', 'x.edf');
      const [back] = readBack(written).channels;
      const error = Math.abs((back!.scale * back!.mvPerUnit!) / scale - 1);
      const isTold = written.warnings.some(({ code }) => code === 'scale_rounded');
      expect(isTold || error < 1e-9).toBe(true);
      expect(error).toBeLessThan(1e-5);
    },
  );

  test('an offset is kept', () => {
    const given = recordingOf([
      channelOf(
        Int32Array.from({ length: 500 }, (_, i) => 900 + (i % 200)),
        { offset: -5.12 },
      ),
    ]);
    for (const [format, name] of OUTPUTS) {
      const [back] = readBack(write(given, format, name)).channels;
      expect(back!.offset * back!.mvPerUnit!).toBeCloseTo(-5.12, 6);
    }
  });
});

describe('what formats can and cannot hold', () => {
  const slow = channelOf(
    Int32Array.from({ length: 125 }, (_, i) => i),
    { label: 'V1', rate: { samples: 125, seconds: 1 } },
  );
  const fast = channelOf(
    Int32Array.from({ length: 500 }, (_, i) => -i),
    { rate: { samples: 500, seconds: 1 } },
  );

  test.each(['edf', 'wfdb', 'flac'])('%s keeps signals of different rates', (format) => {
    const given = recordingOf([fast, slow]);
    const back = readBack(write(given, format, 'x.flac'));
    for (const channel of given.channels) {
      const same = back.channels.find(({ lead }) => lead?.code === channel.lead?.code)!;
      expect(samplesOf(same, channel.sampleCount)).toEqual(readAllSamples(channel));
      expect(rateHz(same.rate)).toBe(rateHz(channel.rate));
    }
  });

  test('Compressed Delta has one rate, and says what to choose instead', () => {
    expect(() => write(recordingOf([fast, slow]), 'cmdt', 'x.cmdt')).toThrow(/different sample rates.*EDF\+/);
  });

  test('rates with fractions, as of a frame counter, come back', () => {
    const rate = { samples: 249.89, seconds: 1 };
    const given = recordingOf([
      channelOf(
        Int32Array.from({ length: 1000 }, (_, i) => i),
        { rate },
      ),
    ]);
    for (const [format, name] of OUTPUTS) {
      const back = readBack(write(given, format, name));
      expect(rateHz(back.channels[0]!.rate) / 249.89).toBeCloseTo(1, format === 'edf' ? 6 : 9);
    }
  });

  test('a recording with gaps becomes EDF+D without the records that lie in them; all samples come back, missing ones as missing', () => {
    const given = recordingFrom(join(dataFolder, 'edf/made_plusD_gaps.edf'));
    const back = readBack(write(given, 'edf', 'x.edf'));
    expect(back.format).toBe('EDF+D');
    expect([given.gaps, back.gaps]).toEqual([
      [
        { startSeconds: 10, endSeconds: 15.5 },
        { startSeconds: 25.5, endSeconds: 100.25 },
      ],
      [
        { startSeconds: 10, endSeconds: 15 },
        { startSeconds: 26, endSeconds: 100 },
      ],
    ]);
    expect(Math.abs(back.durationSeconds - given.durationSeconds)).toBeLessThan(1);
    for (const [index, channel] of given.channels.entries())
      expect(samplesOf(back.channels[index]!, channel.sampleCount)).toEqual(readAllSamples(channel));
  });

  test('a single gap makes EDF+D, too: read as EDF+C, what follows it would stand earlier than it was', () => {
    const gap = { startSeconds: 4, endSeconds: 6 };
    const whole = toRecording(twelveLeads({ durationSeconds: 10 }), (raw) =>
      raw.fill(INVALID_SAMPLE, 4 * 500, 6 * 500),
    );
    const back = readBack(write({ ...whole, gaps: [gap] }, 'edf', 'x.edf'));
    expect(back.format).toBe('EDF+D');
    expect(back.gaps).toEqual([gap]);
    expect(back.durationSeconds).toBe(10);
  });

  test('Compressed Delta keeps gaps, samples included', () => {
    const given = recordingFrom(join(dataFolder, 'edf/made_plusD_gaps.edf'));
    const back = readBack(write(given, 'cmdt', 'x.cmdt'));
    expect(back.gaps).toEqual(given.gaps);
    for (const [index, channel] of given.channels.entries())
      expect(readAllSamples(back.channels[index]!)).toEqual(readAllSamples(channel));
  });

  describe('a sidecar that somebody changed', () => {
    const written = write(
      recordingOf([channelOf(Int32Array.from({ length: 1000 }, (_, i) => i + 1))]),
      'cmdt',
      'x.cmdt',
    );
    const withGaps = (gaps: readonly (readonly [number, number])[]): Recording =>
      readBack({
        ...written,
        files: written.files.map((file) =>
          file.name.endsWith('.json')
            ? bytesFile(file.name, Buffer.from(JSON.stringify({ ...JSON.parse(readFile(file)), gaps })))
            : file,
        ),
      });
    const readFile = ({ source }: (typeof written.files)[0]): string =>
      Buffer.from(source.read(0, source.sizeBytes)).toString();

    test('cannot name a gap in which there are samples: every writer would drop them, and each in its way', () => {
      const recording = withGaps([[1, 2]]);
      const samples = readAllSamples(recording.channels[0]!);
      expect([...samples.subarray(248, 252)]).toEqual([249, 250, INVALID_SAMPLE, INVALID_SAMPLE]);
      expect([...samples.subarray(498, 502)]).toEqual([INVALID_SAMPLE, INVALID_SAMPLE, 501, 502]);
      for (const [format, name] of OUTPUTS)
        expectSame(readBack(write(recording, format, name)), recording, 8);
    });

    test.each([
      [[[2, 1]]],
      [
        [
          [2, 3],
          [1, 2],
        ],
      ],
      [
        [
          [1, 3],
          [2, 4],
        ],
      ],
      [[[-1, 2]]],
    ])('is not used with gaps that cannot be: %j', (gaps) => {
      const { warnings, gaps: found } = withGaps(gaps as [number, number][]);
      expect([warnings.map(({ code }) => code), found]).toEqual([
        ['sidecar_unusable', 'scale_unknown'],
        undefined,
      ]);
    });
  });

  test('remarks are kept by EDF+, WFDB and Compressed Delta', () => {
    const annotations = [
      { onsetSeconds: 0.2, text: 'N' },
      { onsetSeconds: 1.5, durationSeconds: 0.25, text: 'chest pain, Übelkeit' },
    ];
    const given = recordingOf([channelOf(new Int32Array(1000).fill(3))], { annotations });
    expect(readBack(write(given, 'edf', 'x.edf')).annotations).toEqual(annotations);
    expect(readBack(write(given, 'cmdt', 'x.cmdt')).annotations).toEqual(annotations);
    expect(readBack(write(given, 'wfdb', 'x.hea')).annotations.map(({ text }) => text)).toEqual([
      'N',
      'chest pain, Übelkeit',
    ]);
  });
});

describe('what is not kept exactly is told', () => {
  const annotations = [
    { onsetSeconds: -1, text: 'N' },
    { onsetSeconds: 1.8734, durationSeconds: 2, text: 'between two frames' },
  ];
  const slow = channelOf(
    Int32Array.from({ length: 5 }, (_, i) => i),
    { rate: { samples: 1, seconds: 1 } },
  );

  test('WFDB keeps the time of a remark finer than its frames, and says what it loses', () => {
    const written = write(recordingOf([slow], { annotations }), 'wfdb', 'x.hea');
    expect(readBack(written).annotations).toEqual([
      { onsetSeconds: 0, text: 'N' },
      { onsetSeconds: 1.8734, text: 'between two frames' },
    ]);
    expect(written.warnings.map(({ code }) => code)).toEqual([
      'annotation_before_start',
      'annotation_duration_lost',
    ]);
  });

  test('gaps become missing samples in WFDB and FLAC, with a warning', () => {
    const given = recordingFrom(join(dataFolder, 'edf/made_plusD_gaps.edf'));
    for (const format of ['wfdb', 'flac'])
      expect(write(given, format, 'x').warnings.map(({ code }) => code)).toContain('gaps_as_missing');
  });

  test('signals of other units keep their scales in FLAC: each unit has a stream', () => {
    const given = recordingOf([
      channelOf(Int32Array.of(1, 2, 3)),
      channelOf(Int32Array.of(4, 5, 6), { label: 'Pleth', unit: 'NU', scale: 2 }),
    ]);
    expect(
      readBack(write(given, 'flac', 'x.flac')).channels.map(({ unit, scale, isCalibrated }) => [
        unit,
        scale,
        isCalibrated,
      ]),
    ).toEqual([
      ['mV', 0.005, true],
      ['NU', 2, true],
    ]);
  });

  test('an EDF record is the shortest that fits all rates', () => {
    const rate = { samples: 1000, seconds: 3 };
    const given = recordingOf([channelOf(new Int32Array(6000).fill(1), { rate })]);
    expect(readBack(write(given, 'edf', 'x.edf')).channels[0]!.rate).toEqual(rate);
  });

  test('an end inside the last data record of our EDF is found again', () => {
    const given = recordingOf([channelOf(Int32Array.from({ length: 333 }, (_, i) => i))]);
    const back = readBack(write(given, 'edf', 'x.edf'));
    expect([back.durationSeconds, back.channels[0]!.sampleCount, back.annotations]).toEqual([
      333 / 250,
      333,
      [],
    ]);
  });
});

describe('CSV', () => {
  const lines = (recording: Recording): string[] => {
    const { files } = write(recording, 'csv', 'x.csv');
    return new TextDecoder().decode(files[0]!.source.read(0, 1 << 30)).split('\r\n');
  };

  test('has one column a lead, labels with their unit in brackets, and physical values', () => {
    const table = lines(recordingFrom(join(dataFolder, 'wfdb/100.hea')));
    expect(table[0]).toBe('MLII [mV],V5 [mV]');
    expect(table[1]).toBe('-0.145,-0.065');
    expect(table).toHaveLength(650_000 + 2);
  });

  test('leaves missing samples empty, and slower leads between their samples', () => {
    const given = recordingOf([
      channelOf(Int32Array.of(1, INVALID_SAMPLE, 3, 4), { scale: 1 }),
      channelOf(Int32Array.of(10, 20), {
        scale: 1,
        label: 'Resp, chest',
        unit: '',
        rate: { samples: 125, seconds: 1 },
      }),
    ]);
    expect(lines(given)).toEqual(['II [mV],"Resp, chest"', '1,10', ',', '3,20', '4,', '']);
  });

  test('is written in bounded pieces, however seldom a channel has a sample', () => {
    const minutes = 3;
    const samples = Int32Array.from({ length: minutes * 60 * 1000 }, (_, i) => i);
    const given = recordingOf([
      channelOf(samples, { scale: 1, rate: { samples: 1000, seconds: 1 } }),
      channelOf(Int32Array.of(7, 8, 9), {
        scale: 1,
        label: 'NBP',
        unit: '',
        rate: { samples: 1, seconds: 60 },
      }),
    ]);
    const pieces = [...WRITERS.find(({ name }) => name === 'csv')!.write(given, 'x.csv')];
    expect(Math.max(...pieces.map(({ bytes }) => bytes.length))).toBeLessThan(200_000);
    const filled = lines(given).flatMap((line, i) => (/,\d/.test(line) ? [[i, line]] : []));
    expect(filled).toEqual([
      [1, '0,7'],
      [60_001, '60000,8'],
      [120_001, '120000,9'],
    ]);
  });

  test.each(['=1+1', '+1', '@SUM(1)', '-1+cmd|calc', '-2+3', '＝1+1', '＋1', '－1+1', '＠x'])(
    'does not hand the formula %s to a spreadsheet (SEC36)',
    (label) => {
      expect(lines(recordingOf([channelOf(Int32Array.of(1), { label, scale: 1 })]))[0]).toContain(
        `'${label}`.slice(0, 3),
      );
    },
  );
});

test('a WFDB record of twelve-bit samples is written in format 212, of sixteen in 16, with sums that fit', () => {
  const small = write(recordingFrom(join(dataFolder, 'wfdb/100.hea')), 'wfdb', 'a.hea');
  const header = (files: typeof small.files): string =>
    new TextDecoder().decode(files.find(({ name }) => name.endsWith('.hea'))!.source.read(0, 10_000));
  expect(header(small.files)).toMatch(/a\.dat 212 200\(1024\)\/mV/);
  expect(readBack(small).checkIntegrity?.()).toEqual([]);
  const large = write(recordingFrom(join(dataFolder, 'edf/made_ecg12_plusC.edf')), 'wfdb', 'b.hea');
  expect(header(large.files)).toMatch(/b\.dat 16 2\(0\)\/uV/);
  expect(readBack(large).checkIntegrity?.()).toEqual([]);
  expect(Buffer.from(small.files.find(({ name }) => name === 'a.dat')!.source.read(0, 1 << 24))).toEqual(
    readFileSync(join(dataFolder, 'wfdb/100.dat')),
  );
});
