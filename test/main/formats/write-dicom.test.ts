// Recordings as DICOM objects: read back by our reader, and by programs of others.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AMBULATORY_ECG, GENERAL_ECG, TWELVE_LEAD_ECG } from '../../../main/formats/dicom/dicom-uids.ts';
import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import {
  INVALID_SAMPLE,
  type Recording,
  readAllSamples,
  readMillivolts,
  type StartTime,
} from '../../../shared/signal/recording.ts';
import { hasProgram, run } from '../../support/independent.ts';
import { dataFolder, recordingFrom } from '../../support/test-data.ts';
import { channelOf, readBack, recordingOf, write } from '../../support/written-records.ts';

const startTime: StartTime = { utcMs: Date.UTC(2026, 10, 21, 14, 32, 11, 395), isZoneKnown: true };
const dated = (name: string): Recording => ({ ...recordingFrom(join(dataFolder, name)), startTime });
const wave = (count: number): Int32Array =>
  Int32Array.from({ length: count }, (_, i) => ((i * 37) % 900) - 450);
const timed = (...given: Parameters<typeof recordingOf>): Recording =>
  recordingOf(given[0], { startTime, ...given[1] });

const bytesOf = (recording: Recording): Buffer => {
  const { source } = write(recording, 'dicom', 'x.dcm').files[0]!;
  return Buffer.from(source.read(0, source.sizeBytes));
};
const objectOf = (recording: Recording): string | undefined =>
  [TWELVE_LEAD_ECG, GENERAL_ECG, AMBULATORY_ECG].find((uid) => bytesOf(recording).includes(`${uid}\0`));
const PATIENT = {
  id: '0815',
  lastName: 'Müller\\Ortiz',
  firstName: 'Änne',
  gender: 'FEMALE',
  birthDate: '1951-03-14',
  ageYears: 75,
  heightCm: 171,
  weightG: 70_500,
} as const;

describe('a recording as DICOM', () => {
  test.each(['wfdb/1.hea', 'wfdb/100.hea', 'edf/made_ecg12_plusC.edf', 'wfdb/test01_00s.hea'])(
    '%s is read back with the same samples, scale, leads and time',
    (name) => {
      const given = dated(name);
      const back = readBack(write(given, 'dicom', 'x.dcm'));
      expect(back.startTime).toEqual(startTime);
      for (const [i, channel] of given.channels.entries()) {
        const found = back.channels[i]!;
        expect(readAllSamples(found)).toEqual(readAllSamples(channel));
        expect((found.scale * found.mvPerUnit!) / (channel.scale * channel.mvPerUnit!)).toBeCloseTo(1, 9);
        expect([found.lead, found.rate.samples]).toEqual([
          channel.lead,
          channel.rate.samples / channel.rate.seconds,
        ]);
      }
    },
  );

  test('missing samples are missing again, at either end of the codes', () => {
    const low = Int32Array.of(1, INVALID_SAMPLE, -32_767, 32_767);
    const high = Int32Array.of(1, INVALID_SAMPLE, -32_768, 32_766);
    for (const samples of [low, high]) {
      const [channel] = readBack(write(timed([channelOf(samples)]), 'dicom', 'x.dcm')).channels;
      expect(readAllSamples(channel!)).toEqual(samples);
    }
  });

  test('patient, device, remarks and a time without a zone are kept', () => {
    const civil = { ...startTime, isZoneKnown: false };
    const annotations = [
      { onsetSeconds: 1.25, durationSeconds: 0.5, text: 'chest pain' },
      { onsetSeconds: 3, text: 'stands up' },
    ];
    const back = readBack(
      write(
        timed([channelOf(wave(1000))], {
          startTime: civil,
          patient: PATIENT,
          annotations,
          deviceId: 'SN 42',
        }),
        'dicom',
        'x.dcm',
      ),
    );
    expect(back).toMatchObject({
      startTime: civil,
      // What separates values in DICOM is no part of a name.
      patient: { ...PATIENT, lastName: 'Müller Ortiz' },
      annotations,
      deviceId: 'SN 42',
    });
  });

  test('24 bits are rounded around their middle, and by how much is said; missing ones stay missing', () => {
    const values = [-8_000_000, INVALID_SAMPLE, 1_000_000, 12, -3_000_000];
    const given = timed([
      channelOf(Int32Array.from(values), { scale: 2.2e-5 }),
      channelOf(wave(5), { label: 'V1' }),
    ]);
    const written = write(given, 'dicom', 'x.dcm');
    const [{ code, values: said = {} } = { code: '' }] = written.warnings;
    expect([code, said]).toEqual(['values_rounded', { label: 'II', microvolts: 1.5 }]);
    const [rounded, kept] = readBack(written).channels;
    expect(readAllSamples(kept!)).toEqual(wave(5));
    const mv = readMillivolts(rounded!, 0, 5);
    for (const [i, value] of values.entries())
      if (value === INVALID_SAMPLE) expect(mv[i]).toBeNaN();
      else expect(Math.abs(mv[i]! - value * 2.2e-5)).toBeLessThanOrEqual(0.00151);
  });

  test.each([
    [0.05, '018D', 0],
    [0.5, '006M', 0],
    [1.9, '022M', 1],
    [0, '000Y', 0],
    [1, '001Y', 1],
    [2, '002Y', 2],
    [34, '034Y', 34],
  ])('an age of %d years is written as %s, and read in full years', (ageYears, text, years) => {
    const given = timed([channelOf(wave(9))], { patient: { ageYears } });
    expect(bytesOf(given).includes(`AS\x04\0${text}`)).toBe(true);
    expect(readBack(write(given, 'dicom', 'x.dcm')).patient.ageYears).toBe(years);
  });

  test('long names and odd labels are cut or said; a number of the patient with ^ and = stays as it is', () => {
    const long = 'Wolfeschlegelsteinhausenbergerdorff-Oe'.repeat(3);
    const given = timed(
      [
        channelOf(wave(9), { label: 'A very long label of the first channel' }),
        channelOf(wave(9), { label: 'A very long label of the other channel' }),
      ],
      {
        patient: { id: 'A^B=C', lastName: long, firstName: 'Anna' },
        annotations: [{ onsetSeconds: 0, text: 'y'.repeat(2000) }],
      },
    );
    const written = write(given, 'dicom', 'x.dcm');
    expect(written.warnings.map(({ code }) => code)).toEqual(['remark_changed', 'name_cut']);
    const back = readBack(written);
    expect(back.channels.map(({ label }) => label)).toEqual(given.channels.map(({ label }) => label));
    expect(back.patient.id).toBe('A^B=C');
    expect(long.startsWith(back.patient.lastName!)).toBe(true);
    if (hasDicom3tools) {
      const { stderr } = run('dciodvfy', [save(given)]);
      expect(stderr.split('\n').filter((line) => line.startsWith('Error'))).toEqual([]);
    }
  });

  test('the object is the narrowest one that holds it', () => {
    expect(objectOf(dated('wfdb/1.hea'))).toBe(TWELVE_LEAD_ECG);
    expect(objectOf(dated('wfdb/100.hea'))).toBe(GENERAL_ECG);
    const at = (samples: number) => timed([channelOf(wave(900), { rate: { samples, seconds: 1 } })]);
    expect(objectOf(at(200))).toBe(TWELVE_LEAD_ECG);
    expect(objectOf(at(128))).toBe(AMBULATORY_ECG);
    for (const label of ['Resp', 'MLII'])
      expect(objectOf(timed([channelOf(wave(900), { label })]))).toBe(GENERAL_ECG);
  });

  test('the same recording gives the same bytes; another sample, another name', () => {
    const other = wave(1000);
    other[999]!++;
    const [first, again, changed] = [wave(1000), wave(1000), other].map((samples) =>
      bytesOf(timed([channelOf(samples)])),
    );
    expect(again!.equals(first!)).toBe(true);
    const names = [first!, changed!].map((bytes) => bytes.toString('latin1').match(/2\.25\.\d+/g));
    expect(names[0]!.filter((name) => names[1]!.includes(name))).toEqual([expect.any(String)]);
  });

  test.each<[string, Recording, RegExp]>([
    ['no time', recordingOf([channelOf(wave(900))]), /needs the time of a recording/],
    [
      'more than 16 bits in no voltage',
      timed([channelOf(Int32Array.of(1, 40_000), { unit: '%', label: 'SpO2' })]),
      /more than 16 bits/,
    ],
    [
      'a number of the patient of 65 letters',
      timed([channelOf(wave(9))], { patient: { id: 'x'.repeat(65) } }),
      /the number of the patient/,
    ],
    [
      'a number of the patient with a separator',
      timed([channelOf(wave(9))], { patient: { id: 'a\\b' } }),
      /the number of the patient/,
    ],
    [
      'a unit of many letters',
      timed([channelOf(wave(9), { unit: 'millimetres of mercury', label: 'ABP' })]),
      /the unit of "ABP"/,
    ],
    [
      'a missing sample where every code is used',
      timed([channelOf(Int32Array.of(INVALID_SAMPLE, -32_768, 32_767))]),
      /cannot mark them/,
    ],
    ['40 Hz', timed([channelOf(wave(900), { rate: { samples: 40, seconds: 1 } })]), /has 40/],
    ['25 signals', timed(Array.from({ length: 25 }, () => channelOf(wave(900)))), /cannot hold 25 signals/],
    [
      'two rates',
      timed([channelOf(wave(900)), channelOf(wave(900), { rate: { samples: 500, seconds: 1 } })]),
      /different sample rates/,
    ],
  ])('with %s is refused, with another format to take', (_name, recording, sentence) => {
    expect(() => write(recording, 'dicom', 'x.dcm')).toThrow(sentence);
  });
});

const hasDicom3tools = hasProgram('dciodvfy');
const hasPydicom = spawnSync('/usr/bin/python3', ['-c', 'import pydicom']).status === 0;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'isoline-dicom-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function save(recording: Recording): string {
  const path = join(folder, 'x.dcm');
  writeFileSync(path, bytesOf(recording));
  return path;
}

const twelve = timed(
  STANDARD_LEADS.map((code, i) => channelOf(wave(5000 + i), { label: code, scale: 0.00488 })),
  { patient: PATIENT, deviceId: 'SN 42' },
);
const OBJECTS: readonly (readonly [string, Recording])[] = [
  ['twelve leads with a patient', twelve],
  ['half an hour with remarks', { ...dated('wfdb/100.hea'), annotations: [{ onsetSeconds: 2, text: 'x' }] }],
  ['a lead at 128 Hz', timed([channelOf(wave(900), { rate: { samples: 128, seconds: 1 } })])],
];

describe('programs of others', () => {
  test.skipIf(!hasDicom3tools).each(OBJECTS)(
    'dciodvfy finds no error in %s (left out where dicom3tools is missing)',
    (_name, recording) => {
      const { stderr, stdout } = run('dciodvfy', [save(recording)]);
      expect(stdout.toString() + stderr).toMatch(/ECG/);
      expect((stdout.toString() + stderr).split('\n').filter((line) => line.startsWith('Error'))).toEqual([]);
    },
  );

  test.skipIf(!hasPydicom).each(OBJECTS)(
    'pydicom reads every sample of %s as it was (left out where python3-pydicom is missing)',
    (_name, recording) => {
      const script = `
import pydicom, sys, json, struct
d = pydicom.dcmread(sys.argv[1])
[w] = d.WaveformSequence
n = w.NumberOfWaveformChannels * w.NumberOfWaveformSamples
print(json.dumps({'name': str(d.get('PatientName', '')), 'channels': w.NumberOfWaveformChannels,
  'sensitivity': float(w.ChannelDefinitionSequence[0].ChannelSensitivity), 'samples': struct.unpack('<%dh' % n, w.WaveformData)}))
`;
      const { stdout, stderr } = run('/usr/bin/python3', ['-c', script, save(recording)]);
      if (stdout.length === 0) throw new Error(stderr);
      const found = JSON.parse(stdout.toString()) as {
        name: string;
        channels: number;
        sensitivity: number;
        samples: number[];
      };
      const { channels, patient } = recording;
      expect(found.channels).toBe(channels.length);
      expect(found.sensitivity).toBeCloseTo(1000 * channels[0]!.scale * channels[0]!.mvPerUnit!, 9);
      if (patient.lastName !== undefined) expect(found.name).toBe('Müller Ortiz^Änne');
      for (const [i, channel] of channels.entries()) {
        const samples = readAllSamples(channel);
        for (let at = 0; at < samples.length; at++)
          if (found.samples[at * channels.length + i] !== samples[at])
            throw new Error(`channel ${i}, sample ${at}`);
      }
    },
  );
});
