// Recordings as SCP-ECG: read back by our reader, and by a reader of others.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import {
  INVALID_SAMPLE,
  type Recording,
  readAllSamples,
  readMillivolts,
  type StartTime,
} from '../../../shared/signal/recording.ts';
import { buildReader, readWith } from '../../support/independent.ts';
import { dataFolder, recordingFrom } from '../../support/test-data.ts';
import { channelOf, readBack, recordingOf, write } from '../../support/written-records.ts';

const startTime: StartTime = { utcMs: Date.UTC(2026, 10, 21, 14, 32, 11), isZoneKnown: true };
const wave = (count: number): Int32Array =>
  Int32Array.from({ length: count }, (_, i) => ((i * 37) % 900) - 450);
const scp = (recording: Recording) => write(recording, 'scp', 'x.scp');
const codesOf = (recording: Recording): string[] => scp(recording).warnings.map(({ code }) => code);
const RATE = { samples: 500, seconds: 1 };

describe('a recording as SCP-ECG', () => {
  test('samples, scale, rate, leads, patient, device and time are kept', () => {
    const patient = {
      id: 'P-7',
      lastName: 'Müller',
      firstName: 'Änne',
      gender: 'FEMALE',
      birthDate: '1951-03-14',
      ageYears: 75,
      heightCm: 171,
      weightG: 62_500,
    } as const;
    const given = recordingOf(
      STANDARD_LEADS.map((code, i) =>
        channelOf(
          wave(5000).map((value) => value + i),
          { label: code, rate: RATE },
        ),
      ),
      { startTime, patient, deviceId: 'SN 42' },
    );
    expect(codesOf(given)).toEqual([]);
    const back = readBack(scp(given));
    expect(back).toMatchObject({ startTime, patient, deviceId: 'SN 42', warnings: [] });
    for (const [i, channel] of given.channels.entries()) {
      const found = back.channels[i]!;
      // Our reader counts in nanovolts.
      expect(readAllSamples(found)).toEqual(readAllSamples(channel).map((value) => 5000 * value));
      expect(found.scale * found.mvPerUnit!).toBeCloseTo(1e-6, 12);
      expect([found.lead?.code, found.rate.samples / found.rate.seconds]).toEqual([channel.lead?.code, 500]);
    }
  });

  test.each(['edf/made_ecg12_plusC.edf', 'wfdb/1.hea', 'wfdb/100_3chan.hea', 'wfdb/test01_00s.hea'])(
    '%s comes back within what is said of the rounding',
    (name) => {
      const given = recordingFrom(join(dataFolder, name));
      const written = scp(given);
      const rounded = written.warnings.find(({ code }) => code === 'values_rounded')?.values?.microvolts ?? 0;
      const back = readBack(written);
      for (const [i, channel] of given.channels.entries()) {
        const [before, after] = [channel, back.channels[i]!].map((each) =>
          readMillivolts(each, 0, channel.sampleCount),
        );
        const most = Math.max(...before!.map((value, at) => Math.abs(value - after![at]!)));
        expect(most).toBeLessThanOrEqual(Number(rounded) / 1000 + 1e-5);
      }
    },
  );

  test('leads of several scales get one step, and by how much values are rounded is said', () => {
    const given = recordingOf([
      channelOf(wave(500), { scale: 1 / 1716 }),
      channelOf(wave(500), { label: 'V1', scale: 1 / 1206, offset: 0.3 }),
    ]);
    expect(scp(given).warnings).toMatchObject([{ code: 'values_rounded', values: { microvolts: 0.25 } }]);
  });

  test('what cannot be kept is said: remarks, parts of a second, the name of a lead, an odd rate', () => {
    const given = recordingOf([channelOf(wave(500), { label: 'Resp', rate: { samples: 360, seconds: 1 } })], {
      startTime: { utcMs: startTime.utcMs + 395, isZoneKnown: false },
      annotations: [{ onsetSeconds: 1, text: 'x' }],
    });
    expect(codesOf(given).sort()).toEqual([
      'annotations_left_out',
      'label_lost',
      'rate_rounded',
      'start_cut',
    ]);
    expect(readBack(scp(given)).startTime).toEqual({ ...startTime, isZoneKnown: false });
  });

  test('a long name is cut between two letters, which is said', () => {
    const given = recordingOf([channelOf(wave(500))], { startTime, patient: { lastName: 'Ö'.repeat(60) } });
    expect(codesOf(given)).toEqual(['name_cut']);
    expect(readBack(scp(given)).patient.lastName).toBe('Ö'.repeat(31));
  });

  test.each<[string, Recording, RegExp]>([
    ['a missing sample', recordingOf([channelOf(wave(9).fill(INVALID_SAMPLE, 5, 6))]), /cannot mark missing/],
    ['more than 32,767 samples', recordingOf([channelOf(wave(32_768))]), /32767 samples a lead/],
    ['no voltage', recordingOf([channelOf(wave(9), { label: 'SpO2', unit: '%' })]), /"SpO2" states none/],
    ['a signal of 400 mV', recordingOf([channelOf(Int32Array.of(80_000), { scale: 0.005 })]), /too high/],
    [
      'a number of the patient of 64 letters',
      recordingOf([channelOf(wave(9))], { patient: { id: 'x'.repeat(64) } }),
      /the number of the patient/,
    ],
    ['32 leads', recordingOf(Array.from({ length: 32 }, () => channelOf(wave(9)))), /cannot hold 32/],
  ])('with %s is refused', (_name, recording, sentence) => {
    expect(() => scp(recording)).toThrow(sentence);
  });
});

const biosig = buildReader('read-biosig', 'biosig');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'isoline-scp-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(biosig === undefined)(
  'biosig reads every sample in its unit (left out where libbiosig-dev or gcc is missing)',
  () => {
    const given = recordingOf(
      STANDARD_LEADS.map((code, i) =>
        channelOf(
          wave(5000).map((value) => value + i),
          { label: code, rate: RATE },
        ),
      ),
      { startTime, patient: { id: '7' } },
    );
    const { source } = scp(given).files[0]!;
    const path = join(folder, 'x.scp');
    writeFileSync(path, source.read(0, source.sizeBytes));
    const found = readWith(biosig!, path);
    if (typeof found === 'string') throw new Error(found);
    expect([found.rateHz, found.signals.length]).toEqual([500, 12]);
    for (const [i, { samples, scale }] of found.signals.entries())
      expect([scale, samples]).toEqual([5, [...readAllSamples(given.channels[i]!)]]);
  },
);
