import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordFile } from '../../../main/formats/byte-source.ts';
import { FilesByName } from '../../../main/formats/files-by-name.ts';
import { companionNames, groupFiles } from '../../../main/formats/group-files.ts';
import { admit, readRecord, withIntegrityChecked } from '../../../main/formats/read-record.ts';
import { isBeat, parseWfdbAnnotations } from '../../../main/formats/wfdb/wfdb-annotations.ts';
import { parseWfdbHeader, patientFromComments } from '../../../main/formats/wfdb/wfdb-header.ts';
import { SAMPLE_FORMATS } from '../../../main/formats/wfdb/wfdb-sample-formats.ts';
import { channelChoice } from '../../../main/host/cli/chosen-channels.ts';
import { readAllSamples } from '../../../shared/signal/recording.ts';
import { bytesFile, dataFolder, fileOf, recordingFrom } from '../../support/test-data.ts';

const wfdb = (name: string): string => join(dataFolder, 'wfdb', name);
const text = (content: string, name = 'r.hea') => bytesFile(name, new TextEncoder().encode(content));

describe('WFDB', () => {
  test('reads record 100 as libwfdb does (values of the shelf, made with it)', () => {
    const recording = recordingFrom(wfdb('100.hea'));
    expect(recording.warnings).toEqual([]);
    expect(recording.patient).toEqual({ ageYears: 69, gender: 'MALE' });
    const [first, second] = recording.channels.map(readAllSamples);
    expect(first!.length).toBe(650_000);
    expect([...first!.subarray(0, 10)]).toEqual([995, 995, 995, 995, 995, 995, 995, 995, 1000, 997]);
    expect([...second!.subarray(-10)]).toEqual([1137, 1090, 1018, 950, 922, 928, 942, 951, 957, 1024]);
    expect(first!.reduce((sum, value) => sum + value, 0)).toBe(625_781_133);
    expect(recording.channels[0]).toMatchObject({
      label: 'MLII',
      scale: 0.005,
      offset: -5.12,
      isCalibrated: true,
      lead: { code: 'MDC_ECG_LEAD_II', isModified: true },
    });
  });

  test('reads 212 with an odd number of samples in all, and its checksums fit', () => {
    const recording = recordingFrom(wfdb('100_3chan.hea'));
    expect(recording.channels.map((channel) => channel.sampleCount)).toEqual([999, 999, 999]);
    expect(recording.warnings).toEqual([]);
  });

  test('reads 12 leads in format 16 with gain and baseline of their own', () => {
    const recording = recordingFrom(wfdb('1.hea'));
    expect(recording.channels).toHaveLength(12);
    expect(recording.warnings.map(({ code }) => code)).toEqual(['gains_contradict']);
    expect(recording.channels[3]?.lead?.code).toBe('MDC_ECG_LEAD_AVR');
  });

  test('decodes 212 as written down bit by bit', () => {
    const target = new Int32Array(4);
    // 0x2AB = 683, 0x9CD = −1587; 0x800 is the code of an invalid sample; 0x7FF = 2047.
    SAMPLE_FORMATS[212]!.decode(Uint8Array.from([0xab, 0x92, 0xcd, 0x00, 0x78, 0xff]), 4, target);
    expect([...target]).toEqual([683, -1587, SAMPLE_FORMATS[212]!.invalidCode, 2047]);
  });

  test('reads any part of a signal as it reads the whole', () => {
    const channel = recordingFrom(wfdb('100.hea')).channels[1]!;
    const whole = readAllSamples(channel);
    fc.assert(
      fc.property(
        fc.integer({ min: -10, max: whole.length + 10 }),
        fc.integer({ min: 0, max: 40_000 }),
        (start, count) => {
          const part = new Int32Array(count);
          channel.read(start, part);
          expect(part.every((value, i) => value === (whole[start + i] ?? -2147483648))).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('a header without a rate is asked about, and its times are those of the rate that a person says', () => {
    const bytes = Uint8Array.from({ length: 2000 }, (_, i) => (i % 2 === 0 ? (i / 2) % 200 : 0));
    const files = [text('r 1\nr.dat 16 200 12 0 0 0 0 II\n'), bytesFile('r.dat', bytes)];
    expect(admit(readRecord(files[0]!, files))).toMatchObject({ ok: false, reason: 'rate_not_stated' });
    const choice = channelChoice('#1=II 500Hz', [{ label: 'II' }]);
    const read = admit(readRecord(files[0]!, files, choice));
    if (!read.ok) throw new Error(read.message);
    expect(read.recording.durationSeconds).toBe(2);
    expect(read.recording.channels[0]?.rate).toEqual({ samples: 500, seconds: 1 });
  });

  test('says which signal file is missing', () => {
    expect(readRecord(fileOf(wfdb('100.hea')), [])).toMatchObject({
      ok: false,
      reason: 'record_incomplete',
      message: expect.stringContaining('100.dat'),
    });
  });

  test('reads a signal file that is too short as far as it goes, with a warning', () => {
    const dat = readFileSync(wfdb('100.dat')).subarray(0, 300_000);
    const result = readRecord(fileOf(wfdb('100.hea')), [bytesFile('100.dat', dat)]);
    expect(result.ok && result.recording.channels[0]?.sampleCount).toBe(100_000);
    expect(result.ok && result.recording.warnings.map((warning) => warning.code)).toEqual(['truncated']);
  });

  test('warns where a checksum does not fit', () => {
    const dat = Uint8Array.from(readFileSync(wfdb('100.dat')));
    dat[1000] = 7;
    const result = readRecord(fileOf(wfdb('100.hea')), [bytesFile('100.dat', dat)]);
    expect(result.ok && result.recording.warnings).toEqual([]);
    expect(
      result.ok && withIntegrityChecked(result.recording).warnings.map((warning) => warning.code),
    ).toContain('checksum');
  });

  test.each([
    ['a path instead of a name', 'r 1 360 10\n../100.dat 212 200 11 1024 995 0 0 II'],
    ['an absolute path', 'r 1 360 10\n/etc/passwd 16 200'],
    ['a format that is not read', 'r 1 360 10\nr.dat 17 200'],
    ['several segments', 'r/3 2 360 10\na 5\nb 5'],
    ['no samples a frame', 'r 1 360 10\nr.dat 16x0 200'],
    ['skew into the future', 'r 1 360 10\nr.dat 16:-3 200'],
    ['fewer signal lines than announced', 'r 3 360 10\nr.dat 16 200'],
    ['a rate of 0', 'r 1 0 10\nr.dat 16 200'],
    ['no signals', 'r 0 360 10\n'],
  ])('refuses %s in one sentence', (_name, header) => {
    const result = admit(readRecord(text(header), [bytesFile('r.dat', new Uint8Array(4000))]));
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  test('takes a header without gain as 200 units per mV, not calibrated, and says so', () => {
    const result = readRecord(text('r 1 360\nr.dat 16'), [bytesFile('r.dat', new Uint8Array(4000))]);
    expect(result.ok && result.recording.channels[0]).toMatchObject({ scale: 1 / 200, isCalibrated: false });
    expect(result.ok && result.recording.warnings[0]?.code).toBe('gain_missing');
  });

  test('reads optional fields up to where they end', () => {
    const parsed = parseWfdbHeader(
      'r 1 250/125(0.5) 1000 12:30:05.5 01/02/2003\nr.dat 16+24 1.052e+04(-5)/uV 12 0 3 -4 0 sig 2, fmt 61\r\n# a comment',
    );
    expect(parsed.ok && parsed.header.startTime?.utcMs).toBe(Date.UTC(2003, 1, 1, 12, 30, 5, 500));
    expect(parsed.ok && parsed.header.signals[0]).toMatchObject({
      offsetBytes: 24,
      gain: 10_520,
      baseline: -5,
      unit: 'uV',
      checksum: -4,
      description: 'sig 2, fmt 61',
    });
  });

  test.each([
    ['69 M 1085 1629 x1', { ageYears: 69, gender: 'MALE' }],
    ['<age>: 60 <sex>: F <diagnoses>: x', { ageYears: 60, gender: 'FEMALE' }],
    ['age: 81', { ageYears: 81 }],
    ['Age: 3 months', { ageYears: 0 }],
    ['age: 30 weeks', { ageYears: 0 }],
    ['Age: 800 days', { ageYears: 2 }],
    ['Age: 65 M', { ageYears: 65 }],
    ['age 70 w', { ageYears: 70 }],
    ['sex: female', { gender: 'FEMALE' }],
    ['age: ?? sex: n/a', {}],
  ])('finds age and sex in the comment "%s"', (comment, patient) => {
    expect(patientFromComments([comment])).toEqual(patient);
  });

  test('a lead keeps its place when another signal file is missing, also in a record of segments', () => {
    const samples = (...values: number[]) => new Uint8Array(Int16Array.from(values).buffer);
    const segment = (name: string): string =>
      `${name} 2 250 4\na${name}.dat 16 200 12 0 0 0 0 I\nb${name}.dat 16 200 12 0 0 0 0 V5\n`;
    const files = [
      text('r/2 2 250 8\ns 4\nt 4\n'),
      text(segment('s'), 's.hea'),
      text(segment('t'), 't.hea'),
      bytesFile('as.dat', samples(1, 2, 3, 4)),
      bytesFile('bs.dat', samples(101, 102, 103, 104)),
      bytesFile('bt.dat', samples(201, 202, 203, 204)),
    ];
    const result = readRecord(files[0]!, files);
    if (!result.ok) throw new Error(result.message);
    const [first, second] = result.recording.channels.map((channel) =>
      [...readAllSamples(channel)].map((value) => (value < -1e9 ? null : value)),
    );
    expect(first).toEqual([1, 2, 3, 4, null, null, null, null]);
    expect(second).toEqual([101, 102, 103, 104, 201, 202, 203, 204]);
    expect(result.recording.missingFiles).toEqual(['at.dat']);
    expect(admit(result)).toMatchObject({ ok: false, reason: 'record_incomplete' });
  });

  test('a segment of another rate is marked as missing, not played at the wrong speed', () => {
    const files = [
      text('r/2 1 250 8\ns 4\nt 4\n'),
      text('s 1 250 4\ns.dat 16 200 12 0 0 0 0 I\n', 's.hea'),
      text('t 1 500 4\ns.dat 16 200 12 0 0 0 0 I\n', 't.hea'),
      bytesFile('s.dat', new Uint8Array(8)),
    ];
    const result = readRecord(files[0]!, files);
    expect(result.ok && result.recording.warnings.map(({ code }) => code)).toEqual(['segment_shape']);
    expect(
      result.ok && [...readAllSamples(result.recording.channels[0]!)].slice(4).every((value) => value < -1e9),
    ).toBe(true);
  });

  test('one signal file named in two places is refused, not read interleaved', () => {
    const header = 'r 3 250 2\na.dat 16\nb.dat 16\na.dat 16\n';
    expect(
      readRecord(text(header), [
        bytesFile('a.dat', new Uint8Array(8)),
        bytesFile('b.dat', new Uint8Array(8)),
      ]),
    ).toMatchObject({
      ok: false,
      reason: 'record_unreadable',
    });
  });

  test.each(['Version 2\nthis is a readme', 'Total 12', 'a/3 4 5\nsomething'])(
    'the text "%s" is no header',
    (content) => {
      expect(readRecord(text(content), [])).toMatchObject({ ok: false, reason: 'unsupported_format' });
    },
  );

  test('an impossible date is left out with a warning, and a header behind long comments is found', () => {
    const header = `${'# a long comment line, over and over\n'.repeat(300)}r 1 250 4 0:0:0 0/0/0\nr.dat 16 200 12 0 0 0 0 I\n`;
    const result = readRecord(text(header), [bytesFile('r.dat', new Uint8Array(8))]);
    expect(
      result.ok && [result.recording.startTime, result.recording.warnings.map(({ code }) => code)],
    ).toEqual([undefined, ['start_time_invalid']]);
  });

  test('names the files that belong to a header', () => {
    expect(companionNames(fileOf(wfdb('100.hea')), new FilesByName([]))).toEqual([
      '100.dat',
      '100.atr',
      '100.ecg',
      '100.qrs',
    ]);
    const files = ['100.hea', '100.dat', '100.atr', '1.dat'].map((name) => fileOf(wfdb(name)));
    const { records, unclaimed } = groupFiles(files);
    expect(records.map(({ given }) => given.map(({ name }) => name))).toEqual([
      ['100.hea', '100.dat', '100.atr'],
    ]);
    expect(unclaimed.map((file) => file.name)).toEqual(['1.dat']);
  });

  test('refuses a record whose files could be those of another, and leaves what stands alone', () => {
    const files = ['100.hea', '100.dat', '100.hea', '100.dat', '1.dat'].map((name) => fileOf(wfdb(name)));
    const { records, unclaimed } = groupFiles(files);
    expect(records.map(({ given, fault }) => [given.length, fault?.reason])).toEqual([
      [1, 'record_unreadable'],
      [1, 'record_unreadable'],
    ]);
    expect(records[0]?.fault?.message).toMatch(/"100\.dat".*Add one folder at a time\.$/);
    expect(unclaimed.map(({ name }) => name)).toEqual(['100.dat', '100.dat', '1.dat']);
    const oneHeader = groupFiles(files.filter((file) => file !== files[0] && file !== files[1]));
    expect(oneHeader.records.map(({ given, fault }) => [given.length, fault])).toEqual([[2, undefined]]);
    const twoHeaders = groupFiles(files.filter((file) => file !== files[1]));
    expect(twoHeaders.records.map(({ fault }) => fault?.message)).toEqual([
      expect.stringMatching(/"100\.hea"/),
      expect.stringMatching(/"100\.hea"/),
    ]);
  });

  test('prefers a name as it is written to one in another case', () => {
    const named = (name: string, from: string): RecordFile => ({ ...fileOf(wfdb(from)), name });
    const files = [named('r/100.hea', '100.hea'), named('r/100.DAT', '1.dat'), named('r/100.dat', '100.dat')];
    expect(groupFiles(files).records.map(({ given }) => given)).toEqual([[files[0], files[2]]]);
    const shouting = [named('100.hea', '100.hea'), named('100.DAT', '100.dat')];
    expect(groupFiles(shouting).records.map(({ given }) => given)).toEqual([shouting]);
  });

  test('sorts thousands of records in time that grows with their number', () => {
    const header = readFileSync(wfdb('100.hea'), 'latin1');
    const bytes = new TextEncoder();
    const made = (count: number): RecordFile[] =>
      Array.from({ length: count }, (_, i) => [
        bytesFile(
          `r${i}.hea`,
          bytes.encode(header.replace(/^100/, `r${i}`).replaceAll('100.dat', `r${i}.dat`)),
        ),
        bytesFile(`r${i}.dat`, new Uint8Array(1)),
      ]).flat();
    const msOf = (files: readonly RecordFile[]): number => {
      const start = performance.now();
      const { records } = groupFiles(files);
      expect(records.every(({ given }) => given.length === 2)).toBe(true);
      return performance.now() - start;
    };
    const [few, many] = [made(500), made(4000)];
    msOf(few);
    const ratios = Array.from({ length: 3 }, () => msOf(many) / msOf(few));
    // Eight times as many: a search through all files for each record would take sixty-four times as long.
    expect(Math.min(...ratios)).toBeLessThan(30);
  });

  test('never throws, whatever a header says', () => {
    const good = readFileSync(wfdb('100.hea'), 'utf8');
    fc.assert(
      fc.property(fc.nat(good.length), fc.string({ maxLength: 12 }), (at, insert) => {
        readRecord(text(good.slice(0, at) + insert + good.slice(at + insert.length), '100.hea'), [
          bytesFile('100.dat', new Uint8Array(300)),
        ]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('MIT annotations', () => {
  test('reads those of record 100', () => {
    const parsed = parseWfdbAnnotations(readFileSync(wfdb('100.atr')));
    expect(parsed.ok).toBe(true);
    if (!parsed.ok) return;
    expect(parsed.annotations).toHaveLength(2274);
    expect(parsed.annotations.filter(isBeat)).toHaveLength(2273);
    const lines = parsed.annotations.map((a) =>
      [a.sample, a.symbol, a.subtype, a.channel, a.number, a.text].join(' '),
    );
    expect(createHash('sha256').update(lines.join('\n')).digest('hex')).toBe(
      'f0317b6911b58608a7af4229f0fc8ca29b5da24b98a8a3ba78155a87fcef8728',
    );
  });

  test.each([
    ['inside a time interval', [0x00, 0xec, 0x01]],
    ['inside a text', [0x14, 0x04, 0x0a, 0xfc, 0x41]],
  ])('refuses a file that ends %s', (_name, bytes) => {
    expect(parseWfdbAnnotations(Uint8Array.from(bytes)).ok).toBe(false);
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void parseWfdbAnnotations(bytes)),
      { numRuns: 1000 },
    );
  });
});

describe('headers of the Challenge sets', () => {
  const parse = (record: string) => parseWfdbHeader(`${record}\nA.mat 16+24 1000/mV 16 0 28 -1716 0 I\n`);

  test('whose record line names the file are read, with a warning', () => {
    const parsed = parse('E00015.mat 1 500 5000');
    expect(parsed).toMatchObject({
      ok: true,
      header: { recordName: 'E00015', frameCount: 5000, warnings: [{ code: 'record_name_is_file' }] },
    });
  });

  test.each([
    ['15-May-2020 12:33:59', Date.UTC(2020, 4, 15, 12, 33, 59)],
    ['05-dec-1999 00:00:00', Date.UTC(1999, 11, 5)],
    ['2014-05-08 05:05:15', Date.UTC(2014, 4, 8, 5, 5, 15)],
  ])('whose start is written %s are read, with a warning', (start, utcMs) => {
    const parsed = parse(`A0001 1 500 7500 ${start}`);
    expect(parsed).toMatchObject({
      ok: true,
      header: { startTime: { utcMs, isZoneKnown: false }, warnings: [{ code: 'start_time_spelling' }] },
    });
  });

  test.each(['31-Feb-2020 12:00:00', '15-Foo-2020 12:00:00', '2014-13-08 05:05:15', '15-May-2020 25:00:00'])(
    'whose start %s is impossible go without it',
    (start) => {
      const parsed = parse(`A0001 1 500 7500 ${start}`);
      expect(parsed).toMatchObject({
        ok: true,
        header: { startTime: undefined, warnings: [{ code: 'start_time_invalid' }] },
      });
    },
  );
});
