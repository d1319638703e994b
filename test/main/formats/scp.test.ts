import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../main/formats/read-record.ts';
import { INVALID_SAMPLE, type Recording, rateHz, readAllSamples } from '../../../shared/signal/recording.ts';
import { differences, longTermBody, makeScp, type ScpPacking, type ScpSpec } from '../../support/make-scp.ts';
import { bytesFile } from '../../support/test-data.ts';

const read = (bytes: Uint8Array) => readRecord(bytesFile('x.scp', bytes), []);

function recordingOf(spec: ScpSpec): Recording {
  const result = read(makeScp(spec));
  if (!result.ok) throw new Error(result.message);
  return result.recording;
}

const WAVE = Array.from({ length: 300 }, (_, i) =>
  Math.round(200 * Math.sin(i / 7) + 900 * Math.exp(-(((i % 100) - 50) ** 2) / 8)),
);
const lead = (id: number, samples: readonly number[], encoding: 0 | 1 | 2 = 0, first = 1) => ({
  id,
  first,
  last: first + samples.length - 1,
  stored: differences(samples, encoding),
});

describe('SCP-ECG', () => {
  test.each(
    (['plain', 'default', 'own'] as ScpPacking[]).flatMap((packing) =>
      ([0, 1, 2] as const).map((encoding) => [packing, encoding] as const),
    ),
  )('reads samples packed %s in encoding %i', (packing, encoding) => {
    const recording = recordingOf({
      leads: [
        lead(1, WAVE, encoding),
        lead(
          2,
          WAVE.map((v) => -v),
          encoding,
        ),
      ],
      packing,
      encoding,
      nanovolts: 2500,
    });
    expect(recording.warnings).toEqual([]);
    expect(recording.channels.map(({ label }) => label)).toEqual(['I', 'II']);
    expect(readAllSamples(recording.channels[0]!)).toEqual(Int32Array.from(WAVE, (value) => value * 2500));
    expect(readAllSamples(recording.channels[1]!)).toEqual(Int32Array.from(WAVE, (value) => -value * 2500));
    expect(rateHz(recording.channels[0]!.rate)).toBe(500);
  });

  test('adds the reference beat back where it was taken away, each with its own scale', () => {
    const recording = recordingOf({
      leads: [{ id: 1, first: 1, last: 12, stored: new Array(12).fill(1), reference: [10, 20, 30, 20] }],
      nanovolts: 20_000,
      referenceNanovolts: 5000,
      isSubtracted: true,
      referenceLengthMs: 8,
      fiducial: 3,
      zones: [
        [0, 3, 5, 6],
        [1, 1, 8, 1],
      ],
    });
    const expected = new Array(12).fill(20_000);
    for (const [i, value] of [10, 20, 30, 20].entries()) expected[2 + i] += value * 5000;
    expect([...readAllSamples(recording.channels[0]!)]).toEqual(expected);
  });

  test('puts back the samples that bimodal compression left out between the beats, and smooths them', () => {
    // Worked by hand: 8 samples of which 2 are stored, 4 of a beat, 8 of which 2 are stored; factor 4.
    const recording = recordingOf({
      leads: [
        { id: 2, first: 1, last: 20, stored: [0, 8, 100, 200, 300, 400, 8, 0], reference: [0, 0, 0, 0] },
      ],
      nanovolts: 1000,
      intervalUs: 8000,
      referenceIntervalUs: 2000,
      isBimodal: true,
      referenceLengthMs: 8,
      fiducial: 2,
      zones: [[1, 1, 10, 1]],
      protectedAreas: [[9, 12]],
    });
    const expected = [0, 0, 1, 2, 4, 6, 7, 8, 100, 200, 300, 400, 8, 8, 7, 6, 4, 2, 1, 0];
    expect([...readAllSamples(recording.channels[0]!)].map((value) => value / 1000)).toEqual(expected);
    expect(rateHz(recording.channels[0]!.rate)).toBe(500);
  });

  test('believes no mark of left-out samples where all are there', () => {
    const recording = recordingOf({ leads: [lead(1, WAVE)], isBimodal: true });
    expect(readAllSamples(recording.channels[0]!)).toEqual(Int32Array.from(WAVE, (value) => value * 1000));
  });

  test('a forged number of samples is refused before it costs memory or time', () => {
    const leads = Array.from({ length: 12 }, (_, i) => ({
      id: i + 1,
      first: 1,
      last: 2 ** 24,
      stored: new Array(300).fill(1),
    }));
    // Refused for its range, which is looked at before anything is unpacked.
    const forged = makeScp({ leads, isBimodal: true, intervalUs: 65_535, referenceIntervalUs: 1 });
    expect(read(forged)).toMatchObject({ ok: false, message: expect.stringContaining('range of samples') });
  });

  test('places leads that were recorded one after another', () => {
    const recording = recordingOf({ leads: [lead(1, [1, 2, 3]), lead(3, [4, 5, 6], 0, 4)] });
    expect([...readAllSamples(recording.channels[0]!)]).toEqual([
      1000,
      2000,
      3000,
      INVALID_SAMPLE,
      INVALID_SAMPLE,
      INVALID_SAMPLE,
    ]);
    expect([...readAllSamples(recording.channels[1]!)]).toEqual([
      INVALID_SAMPLE,
      INVALID_SAMPLE,
      INVALID_SAMPLE,
      4000,
      5000,
      6000,
    ]);
    expect(recording.channels[1]!.lead?.code).toBe('MDC_ECG_LEAD_V1');
  });

  test('reads patient, device and start with its zone', () => {
    const text = (value: string): number[] => [...Buffer.from(`${value}\0`, 'latin1')];
    const recording = recordingOf({
      leads: [lead(1, WAVE)],
      tags: [
        [0, text('Müller')],
        [1, text('Anna')],
        [2, text('0815')],
        [5, [0x9f, 0x07, 3, 14]],
        [6, [170, 0, 1]],
        [7, [70, 0, 1]],
        [8, [2]],
        [14, [...new Array(36).fill(0), ...text('program'), ...text('SN-42')]],
        [25, [0xe8, 0x07, 3, 1]],
        [26, [10, 20, 30]],
        [34, [60, 0, 0, 0, 0]],
      ],
    });
    expect(recording.patient).toEqual({
      id: '0815',
      firstName: 'Anna',
      lastName: 'Müller',
      gender: 'FEMALE',
      birthDate: '1951-03-14',
      heightCm: 170,
      weightG: 70_000,
    });
    expect(recording.deviceId).toBe('SN-42');
    expect(recording.startTime).toEqual({ utcMs: Date.UTC(2024, 2, 1, 9, 20, 30), isZoneKnown: true });
  });

  test('reads the long recording of version 3', () => {
    const samples = [1, -2, 300, -400];
    const longTerm = longTermBody(250, 2, [
      { id: 1, nanovolts: 2500, samples },
      { id: 61, nanovolts: 2500, samples: samples.map((value) => 2 * value) },
    ]);
    const recording = recordingOf({ leads: [], longTerm });
    expect(recording.channels.map(({ label, scale }) => [label, scale])).toEqual([
      ['I', 2500],
      ['III', 2500],
    ]);
    expect([...readAllSamples(recording.channels[1]!)]).toEqual([2, -4, 600, -800]);
  });

  test('is recognised without its mark by its checksum', () => {
    expect(recordingOf({ leads: [lead(1, WAVE)], hasMark: false }).format).toBe('SCP-ECG');
  });

  test('says which checksum is wrong, and reads on', () => {
    const bytes = makeScp({ leads: [lead(1, WAVE)] });
    bytes[bytes.length - 3]! ^= 1;
    const result = read(bytes);
    expect(result.ok && result.recording.warnings.map(({ code }) => code)).toEqual([
      'checksum',
      'section_checksum',
    ]);
  });

  test.each([
    ['no leads', { leads: [] }],
    ['an unknown encoding', { leads: [lead(1, WAVE)], encoding: 3 as 2 }],
    ['no sample interval', { leads: [lead(1, WAVE)], intervalUs: 0 }],
    ['a range that runs backwards', { leads: [{ id: 1, first: 9, last: 2, stored: [1] }] }],
    ['a range without end', { leads: [{ id: 1, first: 1, last: 2 ** 32 - 1, stored: [1] }] }],
    ['a subtracted beat that is missing', { leads: [lead(1, WAVE)], isSubtracted: true }],
  ])('refuses %s in one sentence', (_, spec) => {
    expect(read(makeScp(spec))).toMatchObject({
      ok: false,
      reason: 'record_unreadable',
      message: expect.stringMatching(/^[A-Z].*\.$/),
    });
  });

  test('an unknown scale is said, not guessed', () => {
    const recording = recordingOf({ leads: [lead(1, WAVE)], nanovolts: 0 });
    expect(recording.channels[0]).toMatchObject({ isCalibrated: false });
    expect(recording.warnings.map(({ code }) => code)).toContain('scale_unknown');
  });
});
