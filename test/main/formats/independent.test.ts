import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { INVALID_SAMPLE, type Recording, rateHz, readAllSamples } from '../../../shared/signal/recording.ts';
import {
  buildReader,
  hasProgram,
  type IndependentReading,
  readWith,
  run,
} from '../../support/independent.ts';
import { dataFolder, recordingFrom, shelfFolder } from '../../support/test-data.ts';
import { channelOf, recordingOf, write } from '../../support/written-records.ts';

const edflib = buildReader('read-edflib', 'edf');
const biosig = buildReader('read-biosig', 'biosig');
const hasFlac = hasProgram('flac');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'isoline-independent-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes the files of a record into the folder. @returns the path of the first */
function save(recording: Recording, format: string, fileName: string): string {
  const { files } = write(recording, format, fileName);
  for (const { name, source } of files) writeFileSync(join(folder, name), source.read(0, source.sizeBytes));
  return join(folder, files.find(({ name }) => name.endsWith('.hea'))?.name ?? files[0]!.name);
}

function readingOf(program: string, path: string): IndependentReading {
  const found = readWith(program, path);
  if (typeof found === 'string') throw new Error(found);
  return found;
}

const samplesOf = (recording: Recording): number[][] =>
  recording.channels.map((channel) => [...readAllSamples(channel)]);
const RECORDS = [
  'edf/made_ecg12_plusC.edf',
  'wfdb/100_3chan.hea',
  'wfdb/1.hea',
  'wfdb/test01_00s.hea',
  'edf/made_ecg8.bdf',
];

describe.skipIf(edflib === undefined)('EDFlib (left out where libedf-dev or gcc is missing)', () => {
  test.each(RECORDS)('reads back what we write of %s: samples, scale and rate', (path) => {
    const given = recordingFrom(join(dataFolder, path));
    const found = readingOf(edflib!, save(given, 'edf', 'out.edf'));
    expect(found.signals).toHaveLength(given.channels.length);
    for (const [index, channel] of given.channels.entries()) {
      const signal = found.signals[index]!;
      const scaleMv =
        ((signal.physicalMaximum - signal.physicalMinimum) /
          (signal.digitalMaximum - signal.digitalMinimum)) *
        (signal.unit.trim() === 'uV' ? 1e-3 : signal.unit.trim() === 'mV' ? 1 : Number.NaN);
      expect(signal.samples.slice(0, channel.sampleCount)).toEqual([...readAllSamples(channel)]);
      expect(scaleMv / (channel.scale * channel.mvPerUnit!)).toBeCloseTo(1, 8);
      expect(signal.rateHz).toBeCloseTo(rateHz(channel.rate), 6);
    }
  });

  test('accepts patient, remarks and the fraction of a second of the start', () => {
    const given = recordingOf([channelOf(Int32Array.from({ length: 1000 }, (_, i) => i % 300))], {
      patient: {
        id: '0815',
        lastName: 'Müller',
        firstName: 'Änne',
        gender: 'FEMALE',
        birthDate: '1951-03-14',
      },
      startTime: { utcMs: Date.UTC(2026, 10, 21, 14, 32, 11, 395), isZoneKnown: false },
      annotations: [{ onsetSeconds: 1.25, durationSeconds: 0.5, text: 'chest pain' }],
      deviceId: 'SN 42',
    });
    const found = readingOf(edflib!, save(given, 'edf', 'facts.edf'));
    expect(found.startSubsecond).toBe(3_950_000);
    expect(found.annotations.map(({ text }) => text)).toEqual(['chest pain']);
  });

  test('agrees with our reading of the files that it accepts', () => {
    const accepted = ['made_ecg12_plusC.edf', 'made_ecg8.bdf', 'pyedflib_test_subsecond.edf'];
    for (const name of accepted)
      expect(readingOf(edflib!, join(dataFolder, 'edf', name)).signals.map(({ samples }) => samples)).toEqual(
        samplesOf(recordingFrom(join(dataFolder, 'edf', name))),
      );
  });
});

describe.skipIf(biosig === undefined)('biosig (left out where libbiosig-dev or gcc is missing)', () => {
  test.each(RECORDS)('reads back the EDF that we write of %s', (path) => {
    const given = recordingFrom(join(dataFolder, path));
    const found = readingOf(biosig!, save(given, 'edf', 'b.edf'));
    for (const [index, samples] of samplesOf(given).entries())
      expect(found.signals[index]!.samples.slice(0, samples.length)).toEqual(samples);
  });

  test.each(['wfdb/100_3chan.hea', 'wfdb/test01_00s.hea'])(
    'reads back the WFDB record in format 212 that we write of %s',
    (path) => {
      const given = recordingFrom(join(dataFolder, path));
      expect(readingOf(biosig!, save(given, 'wfdb', 'w.hea')).signals.map(({ samples }) => samples)).toEqual(
        samplesOf(given),
      );
    },
  );

  test('reads back the WFDB record in format 16 that we write of one signal', () => {
    const whole = recordingFrom(join(dataFolder, 'edf/made_ecg12_plusC.edf'));
    const given = {
      ...whole,
      channels: [
        {
          ...whole.channels[1]!,
          read: (start: number, target: Int32Array) => scaledUp(whole, start, target),
        },
      ],
    };
    expect(readingOf(biosig!, save(given, 'wfdb', 'one.hea')).signals.map(({ samples }) => samples)).toEqual(
      samplesOf(given),
    );
  });

  const shelf = shelfFolder('formats');
  test.skipIf(shelf === undefined)(
    'agrees with our reading of the files of the shelf that it reads rightly (left out where the shelf is missing)',
    () => {
      // Its WFDB is right for format 212 in one file; formats.md names these records.
      const right = [
        ...verifiedByBiosig(shelf!),
        'wfdb/100_3chan.hea',
        'wfdb/v102s.hea',
        ...[1, 2, 3].map((n) => `wfdb/multi/fixed1/v102s_${n}.hea`),
      ];
      expect(right.length).toBeGreaterThan(12);
      for (const name of right) {
        const ours = recordingFrom(join(shelf!, name));
        const found = readingOf(biosig!, join(shelf!, name));
        for (const [index, channel] of ours.channels.entries()) {
          const { samples, scale } = found.signals[index]!;
          const stored = [...readAllSamples(channel)].filter(
            (value) => ours.gaps === undefined || value !== INVALID_SAMPLE,
          );
          expect(stored).toHaveLength(samples.length);
          // biosig counts SCP in units of the file, we in nanovolts; invalid samples are codes to it.
          const units = name.startsWith('scp') ? channel.scale / (2500 * channel.scale) : 1;
          for (let i = 0; i < stored.length; i++)
            if (stored[i] !== INVALID_SAMPLE && stored[i]! * units !== samples[i])
              throw new Error(`${name}, signal ${index}, sample ${i}`);
          expect(scale).not.toBe(0);
        }
      }
    },
  );
});

/** Files whose expected values name biosig as having given all signals. */
function verifiedByBiosig(folder: string): string[] {
  return ['edf', 'scp'].flatMap((kind) =>
    readdirSync(join(folder, kind, 'expected')).flatMap((name) => {
      if (!name.endsWith('.json')) return [];
      const { file, verifiedBy = [] } = JSON.parse(
        readFileSync(join(folder, kind, 'expected', name), 'utf8'),
      ) as {
        file: string;
        verifiedBy?: string[];
      };
      const isWhole = verifiedBy.some((program) => {
        const [, some, all] = /biosig.*?\((\d+) of (\d+)/.exec(program) ?? [];
        return some !== undefined && some === all;
      });
      return isWhole ? [`${kind}/${file}`] : [];
    }),
  );
}

/** Ten times the second lead: more than twelve bits. */
function scaledUp(recording: Recording, start: number, target: Int32Array): void {
  recording.channels[1]!.read(start, target);
  for (let i = 0; i < target.length; i++) if (target[i] !== INVALID_SAMPLE) target[i] = 10 * target[i]!;
}

describe.skipIf(!hasFlac)('the flac program (left out where it is not installed)', () => {
  /** Samples that it decodes, interleaved as they come. */
  const decode = (path: string, bits: number): number[] => {
    const { status, stdout, stderr } = run('flac', [
      '-d',
      '-s',
      '-c',
      '--force-raw-format',
      '--endian=little',
      '--sign=signed',
      path,
    ]);
    if (status !== 0) throw new Error(stderr);
    const width = bits / 8;
    return Array.from({ length: stdout.length / width }, (_, i) => stdout.readIntLE(i * width, width));
  };
  const interleaved = (recording: Recording, channels: number): number[] => {
    const samples = recording.channels.slice(0, channels).map((channel) => readAllSamples(channel));
    return Array.from(
      { length: samples[0]!.length * channels },
      (_, i) => samples[i % channels]![Math.floor(i / channels)]!,
    );
  };

  test.each([
    ['flac/ecg8_16bit_1000.flac', 16, 8],
    ['flac/ecg3_24bit.flac', 24, 3],
    ['flac/noise_verbatim.flac', 16, 1],
    ['flac/ecg4_wasted_bits.flac', 16, 4],
    ['flac/ecg3_constant.flac', 16, 3],
  ])('accepts and decodes what we write of %s', (path, bits, channels) => {
    const given = recordingFrom(join(dataFolder, path));
    const written = save(given, 'flac', 'x.flac');
    expect(run('flac', ['-t', '-s', written])).toMatchObject({ status: 0, stderr: '' });
    expect(decode(written, bits)).toEqual(interleaved(given, channels));
  });

  test('accepts the Ogg file of twelve leads, and decodes its first stream', () => {
    const given = recordingFrom(join(dataFolder, 'edf/made_ecg12_plusC.edf'));
    const written = save(given, 'flac', 'twelve.flac');
    expect(written).toMatch(/\.oga$/);
    expect(run('flac', ['-t', '-s', '--serial-number=1', written])).toMatchObject({ status: 0 });
    expect(decode(written, 16)).toEqual(interleaved(given, 8));
  });

  test.each(['-0', '-5', '-8', '-8 -b 576 --lax -l 32 -e -p'])('writes with %s what we read', (level) => {
    const given = recordingFrom(join(dataFolder, 'flac/ecg8_16bit_1000.flac'));
    const raw = Buffer.from(Int16Array.from(interleaved(given, 8)).buffer);
    writeFileSync(join(folder, 'raw'), raw);
    const { status, stderr } = run('flac', [
      '-s',
      '-f',
      ...level.split(' '),
      '--force-raw-format',
      '--endian=little',
      '--sign=signed',
      '--channels=8',
      '--bps=16',
      '--sample-rate=1000',
      '-o',
      join(folder, 'back.flac'),
      join(folder, 'raw'),
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(samplesOf(recordingFrom(join(folder, 'back.flac')))).toEqual(samplesOf(given));
  });
});
