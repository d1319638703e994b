// Recordings as HL7 aECG: read back by our reader, and by a reader of others.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import {
  INVALID_SAMPLE,
  millivoltScale,
  type Recording,
  readAllSamples,
  type StartTime,
} from '../../../shared/signal/recording.ts';
import { buildReader, readWith } from '../../support/independent.ts';
import { dataFolder, recordingFrom } from '../../support/test-data.ts';
import { channelOf, readBack, recordingOf, write } from '../../support/written-records.ts';

const startTime: StartTime = { utcMs: Date.UTC(2026, 10, 21, 14, 32, 11, 395), isZoneKnown: true };
const wave = (count: number): Int32Array =>
  Int32Array.from({ length: count }, (_, i) => ((i * 37) % 900) - 450);
const aecg = (recording: Recording) => write(recording, 'aecg', 'x.xml');
const bytesOf = (recording: Recording): Buffer => {
  const { source } = aecg(recording).files[0]!;
  return Buffer.from(source.read(0, source.sizeBytes));
};

describe('a recording as aECG', () => {
  test.each([
    'wfdb/1.hea',
    'wfdb/100_3chan.hea',
    'edf/made_ecg12_plusC.edf',
    'edf/made_ecg8.bdf',
    'wfdb/test01_00s.hea',
  ])('%s is read back with the same samples, scale, leads and rate', (name) => {
    const given = recordingFrom(join(dataFolder, name));
    const back = readBack(aecg(given));
    expect([back.channels.length, back.startTime]).toEqual([given.channels.length, given.startTime]);
    for (const [i, channel] of given.channels.entries()) {
      const found = back.channels[i]!;
      expect(readAllSamples(found)).toEqual(readAllSamples(channel));
      expect(millivoltScale(found).scale / millivoltScale(channel).scale).toBeCloseTo(1, 9);
      expect(found.lead?.code).toBe(channel.lead?.code);
      expect(found.rate).toEqual(channel.rate);
    }
  });

  test('patient, device and time are kept, with letters that XML uses itself', () => {
    const patient = {
      id: 'A&B <7>',
      lastName: 'O"Neill & Söhne',
      firstName: 'Änne',
      gender: 'UNDIFFERENTIATED',
      birthDate: '1951-03-14',
    } as const;
    const given = recordingOf([channelOf(wave(500))], { startTime, patient, deviceId: 'SN <42>' });
    expect(readBack(aecg(given))).toMatchObject({ patient, startTime, deviceId: 'SN <42>' });
  });

  test('a gap that all leads have becomes two series, each at its time', () => {
    const gap = (samples: Int32Array): Int32Array => samples.fill(INVALID_SAMPLE, 400, 613);
    const given = recordingOf(
      ['I', 'II'].map((label) => channelOf(gap(wave(1000)), { label, rate: { samples: 360, seconds: 1 } })),
      { startTime },
    );
    const back = readBack(aecg(given));
    for (const [i, channel] of given.channels.entries())
      expect(readAllSamples(back.channels[i]!)).toEqual(readAllSamples(channel));
    expect(back.gaps).toHaveLength(1);
    const text = bytesOf(given).toString();
    expect(text.match(/<series>/g)).toHaveLength(2);
    // 613 samples at 360 Hz after 14:32:11.395.
    expect(text.match(/<head value="[^"]+"/g)).toEqual([
      '<head value="20261121143211.395+0000"',
      '<head value="20261121143213.098+0000"',
    ]);
  });

  test.each<[string, Recording, RegExp]>([
    [
      'leads that miss different samples',
      recordingOf([channelOf(wave(100)), channelOf(wave(100).fill(INVALID_SAMPLE, 5, 6), { label: 'V1' })]),
      /miss samples at different places/,
    ],
    [
      'a gap and no time',
      recordingOf([channelOf(wave(100).fill(INVALID_SAMPLE, 5, 6))]),
      /cannot tell where the gaps/,
    ],
    ['nothing but missing samples', recordingOf([channelOf(wave(9).fill(INVALID_SAMPLE))]), /no samples/],
    [
      'two rates',
      recordingOf([channelOf(wave(9)), channelOf(wave(9), { rate: { samples: 500, seconds: 1 } })]),
      /different sample rates/,
    ],
  ])('with %s is refused', (_name, recording, sentence) => {
    expect(() => aecg(recording)).toThrow(sentence);
  });

  test('a reversed lead is written upright, one without a scale without one, an unknown one by its name', () => {
    const scaleless = { ...channelOf(wave(99), { label: 'V2' }), isCalibrated: false };
    const given = recordingOf([
      channelOf(wave(99), { label: '-aVR' }),
      scaleless,
      channelOf(wave(99), { label: 'Resp' }),
    ]);
    const upsideDown = { ...channelOf(wave(99), { label: '-aVR' }), isCalibrated: false };
    expect(readBack(aecg(recordingOf([upsideDown]))).channels[0]!.lead).toMatchObject({ isInverted: true });
    const [reversed, plain, other] = readBack(aecg(given)).channels;
    expect(reversed).toMatchObject({ lead: { code: 'MDC_ECG_LEAD_AVR', isInverted: false } });
    expect(millivoltScale(reversed!).scale).toBeCloseTo(millivoltScale(given.channels[0]!).scale, 9);
    expect([plain!.isCalibrated, other!.label, other!.lead]).toEqual([false, 'Resp', undefined]);
  });

  test('the same recording gives the same bytes; another sample, another name', () => {
    const other = wave(300);
    other[299]!++;
    const [first, again, changed] = [wave(300), wave(300), other].map((samples) =>
      bytesOf(recordingOf([channelOf(samples)])).toString(),
    );
    expect(again).toBe(first);
    const name = /<id root="([^"]+)"/;
    expect(name.exec(changed!)![1]).not.toBe(name.exec(first!)![1]);
    expect(name.exec(first!)![1]).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });
});

const biosig = buildReader('read-biosig', 'biosig');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'isoline-aecg-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const save = (recording: Recording): string => {
  const path = join(folder, 'x.xml');
  writeFileSync(path, bytesOf(recording));
  return path;
};
const twelve = recordingOf(
  STANDARD_LEADS.map((code, i) =>
    channelOf(
      wave(1000).map((value) => value + i),
      { label: code, scale: 0.005, rate: { samples: 500, seconds: 1 } },
    ),
  ),
  { startTime, patient: { id: '7', lastName: 'Lind', gender: 'FEMALE', birthDate: '1951-03-14' } },
);

test.skipIf(biosig === undefined)(
  'biosig reads every sample in its unit (left out where libbiosig-dev or gcc is missing)',
  () => {
    const found = readWith(biosig!, save(twelve));
    if (typeof found === 'string') throw new Error(found);
    expect(found.signals).toHaveLength(12);
    expect(found.rateHz).toBe(500);
    for (const [i, { samples, scale }] of found.signals.entries()) {
      expect(samples).toEqual([...readAllSamples(twelve.channels[i]!)]);
      expect(scale).toBe(5);
    }
  },
);
