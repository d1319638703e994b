import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EDF } from '../../../main/formats/edf/edf.ts';
import { parseRecordAnnotations } from '../../../main/formats/edf/edf-annotations.ts';
import { layTimeLine } from '../../../main/formats/edf/edf-time-line.ts';
import { edfBytes } from '../../../main/formats/edf/write-edf.ts';
import { readRecord } from '../../../main/formats/read-record.ts';
import { synthesiseEcg } from '../../../main/signal/synthetic/synthetic-ecg.ts';
import { recordSynthetic } from '../../../main/signal/synthetic/synthetic-recording.ts';
import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import { rateHz, readAllSamples } from '../../../shared/signal/recording.ts';
import { plainEdf } from '../../support/plain-edf.ts';
import { bytesFile, dataFolder, recordingFrom } from '../../support/test-data.ts';

const edf = (name: string): string => join(dataFolder, 'edf', name);

const GOOD = readFileSync(edf('made_ecg12_plusC.edf'));

/** The good file with text written over some header bytes. */
function withHeader(offset: number, text: string): Uint8Array {
  const bytes = Uint8Array.from(GOOD);
  bytes.set(new TextEncoder().encode(text), offset);
  return bytes;
}

const read = (bytes: Uint8Array) => readRecord(bytesFile('x.edf', bytes), []);

describe('EDF', () => {
  test('reads labels, leads, units, scales and rates of a 12-lead EDF+C file', () => {
    const recording = recordingFrom(edf('made_ecg12_plusC.edf'));
    expect(recording.format).toBe('EDF+C');
    expect(recording.channels.map((channel) => channel.lead?.code)).toEqual([...STANDARD_LEADS]);
    expect(
      recording.channels.every((channel) => rateHz(channel.rate) === 1000 && channel.mvPerUnit === 0.001),
    ).toBe(true);
  });

  test('keeps a fractional record duration as a ratio, so that the rate is exact', () => {
    const recording = recordingFrom(edf('made_fractional_record.edf'));
    expect(recording.channels.map((channel) => rateHz(channel.rate))).toContain(500);
  });

  test('adds the fraction of a second of the first time-keeper to the start', () => {
    const recording = recordingFrom(edf('pyedflib_test_subsecond.edf'));
    expect(recording.startTime?.utcMs).toBeDefined();
    expect((recording.startTime?.utcMs ?? 0) % 1000).toBe(395);
  });

  test('reads what other writers get wrong, and says what it was', () => {
    const recording = recordingFrom(edf('made_tolerant.edf'));
    expect(recording.channels[0]?.scale).toBe(-0.5);
    expect(new Set(recording.warnings.map((warning) => warning.code))).toEqual(
      new Set(['non_ascii', 'decimal_comma', 'date_separator', 'record_count', 'patient_text']),
    );
  });

  test('reads a file that is cut inside its data as far as it goes, with a warning', () => {
    const result = read(GOOD.subarray(0, Math.floor(GOOD.length * 0.6)));
    expect(result.ok).toBe(true);
    if (!result.ok) return;
    expect(result.recording.warnings.map((warning) => warning.code)).toContain('truncated');
    const whole = recordingFrom(edf('made_ecg12_plusC.edf'));
    const [cut, full] = [result.recording.channels[3]!, whole.channels[3]!];
    expect(cut.sampleCount).toBeLessThan(full.sampleCount);
    expect(readAllSamples(cut)).toEqual(readAllSamples(full).subarray(0, cut.sampleCount));
  });

  test.each([0, 1, 100, 255, 256, 1000])('refuses a file cut to %i bytes in one sentence', (length) => {
    const result = read(GOOD.subarray(0, length));
    expect(result.ok).toBe(false);
    if (!result.ok) expect(result.message).toMatch(/^[A-Z].*\.$/);
  });

  test.each([
    ['records -1', 236, '-1      ', true],
    ['records 99999999', 236, '99999999', true],
    ['records abc', 236, 'abc     ', true],
    ['duration 0', 244, '0       ', false],
    ['duration -1', 244, '-1      ', false],
    ['duration 1e300', 244, '1e300   ', false],
    ['no signals', 252, '0   ', false],
    ['9999 signals', 252, '9999', false],
    ['header bytes wrong', 184, '512     ', true],
    ['EDF+D', 192, 'EDF+D', true],
  ])('takes a header with %s for what it is', (_name, offset, text, isReadable) => {
    expect(read(withHeader(offset, text)).ok).toBe(isReadable);
  });

  test('marks a signal without a usable scale as not calibrated', () => {
    const signals = 13;
    const result = read(withHeader(256 + signals * 120, '32767   '));
    expect(result.ok && result.recording.channels[0]?.isCalibrated).toBe(false);
  });

  test('never throws, whatever byte of the header is changed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3583 }), fc.integer({ min: 0, max: 255 }), (offset, value) => {
        const bytes = Uint8Array.from(GOOD.subarray(0, 20_000));
        bytes[offset] = value;
        const result = read(bytes);
        if (result.ok) for (const channel of result.recording.channels) channel.read(0, new Int32Array(10));
      }),
      { numRuns: 500 },
    );
  });

  test('a clock that drifts makes no gaps', () => {
    const onsets = Float64Array.from({ length: 400 }, (_, k) => k * 1.0002);
    expect(layTimeLine(onsets, 400, 1, 0.001)).toMatchObject({ gaps: [], overlaps: 0, durationSeconds: 400 });
    onsets[200] = 260;
    expect(layTimeLine(onsets.subarray(0, 201), 201, 1, 0.001).gaps).toEqual([
      { startSeconds: 200, endSeconds: 260 },
    ]);
  });

  test.each([
    ['NULs in the version', 0, '0\0\0\0\0\0\0\0'],
    ['blanks before the version', 0, '   0    '],
    ['no length of the header', 184, 'abc     '],
  ])('reads a header with %s', (_name, offset, written) => {
    expect(read(withHeader(offset, written)).ok).toBe(true);
  });

  test('detects by content, not by name', () => {
    const file = bytesFile('picture.png', GOOD);
    expect(EDF.detect(GOOD.subarray(0, 4096), file.source)).toBe(true);
  });

  test('reads back what the writer writes, sample by sample', () => {
    const ecg = synthesiseEcg({ leads: STANDARD_LEADS, sampleRateHz: 500, durationSeconds: 5, noiseUv: 20 });
    const written = recordSynthetic(ecg, {
      resolutionUv: 0.5,
      startTimeMs: Date.UTC(2026, 10, 21, 14, 32, 11),
      patient: {
        id: '004817',
        lastName: 'Hoffmann',
        firstName: 'Anneliese',
        gender: 'FEMALE',
        birthDate: '1951-03-14',
      },
    });
    const result = read(Buffer.concat([...edfBytes(written)]));
    expect(result.ok).toBe(true);
    if (!result.ok) return;
    const { recording } = result;
    expect(recording.warnings).toEqual([]);
    expect(recording.patient).toEqual({
      id: '004817',
      lastName: 'Hoffmann',
      firstName: 'Anneliese',
      gender: 'FEMALE',
      birthDate: '1951-03-14',
    });
    expect(recording.startTime).toEqual({ utcMs: Date.UTC(2026, 10, 21, 14, 32, 11), isZoneKnown: false });
    for (const [index, channel] of recording.channels.entries()) {
      expect(channel.lead?.code).toBe(STANDARD_LEADS[index]);
      const expected = Int32Array.from(ecg.samplesUv[index]!, (uv) => Math.round(uv / 0.5));
      expect(readAllSamples(channel)).toEqual(expected);
      expect(channel.scale).toBeCloseTo(0.5, 12);
    }
  });

  test('reads any part of a channel as it reads the whole', () => {
    const channel = recordingFrom(edf('made_ecg12_plusC.edf')).channels[5]!;
    const whole = readAllSamples(channel);
    fc.assert(
      fc.property(
        fc.integer({ min: -50, max: whole.length + 50 }),
        fc.integer({ min: 0, max: 3000 }),
        (start, count) => {
          const part = new Int32Array(count);
          channel.read(start, part);
          expect(part.every((value, i) => value === (whole[start + i] ?? -2147483648))).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('EDF+ annotations', () => {
  const parse = (text: string) => parseRecordAnnotations(new TextEncoder().encode(text), true);

  test('reads onset, duration and several texts of one entry', () => {
    const parsed = parse('+0\x14\x14\x00+4\x152\x14Noise\x14Lead V1 off\x14\x00\x00');
    expect(parsed.recordOnsetSeconds).toBe(0);
    expect(parsed.annotations).toEqual([
      { onsetSeconds: 4, durationSeconds: 2, text: 'Noise' },
      { onsetSeconds: 4, durationSeconds: 2, text: 'Lead V1 off' },
    ]);
  });

  test('skips what is malformed and counts it', () => {
    const parsed = parse('+0\x14\x14\x004\x14no sign\x14\x00+5 no mark\x00+6\x14good\x14\x00');
    expect(parsed.malformed).toBe(1);
    expect(parsed.annotations.map((annotation) => annotation.text)).toEqual(['no sign', 'good']);
  });
});

describe('the patient field', () => {
  const patientOf = (patient: string, reserved = '') => {
    const file = bytesFile('named.edf', plainEdf(['II'], 'uV', { patient, reserved }));
    const result = readRecord(file, [file]);
    if (!result.ok) throw new Error(result.message);
    return [result.recording.patient, result.recording.warnings.map(({ code }) => code)];
  };

  test.each([
    [
      'MRN-1 F 02-MAY-1951 Haagse Harry',
      { id: 'MRN-1', gender: 'FEMALE', birthDate: '1951-05-02', lastName: 'Haagse Harry' },
      [],
    ],
    ['MRN-1 M X Berg', { id: 'MRN-1', gender: 'MALE', lastName: 'Berg' }, []],
    ['Anna M', {}, ['patient_text']],
    ['Doe F', {}, ['patient_text']],
    ['Anna Berg 1951', {}, ['patient_text']],
    ['', {}, []],
  ])('of plain EDF, "%s"', (field, patient, codes) => {
    expect(patientOf(field)).toEqual([patient, codes]);
  });
});
