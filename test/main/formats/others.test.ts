import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../main/formats/read-record.ts';
import { INVALID_SAMPLE, type Recording, rateHz, readAllSamples } from '../../../shared/signal/recording.ts';
import { makeAecg, makeDicom, makeIshne } from '../../support/make-others.ts';
import { bytesFile } from '../../support/test-data.ts';

const read = (bytes: Uint8Array) => readRecord(bytesFile('upload', bytes), []);

function recordingOf(bytes: Uint8Array): Recording {
  const result = read(bytes);
  if (!result.ok) throw new Error(result.message);
  return result.recording;
}

const codes = (recording: Recording): string[] => recording.warnings.map(({ code }) => code);
const WAVE = [1, -2, 300, -400, 5];
const PATIENT = { id: 'P-7', firstName: 'Ann', lastName: 'Smith', gender: 'FEMALE', birthDate: '1951-03-14' };

describe('HL7 aECG', () => {
  const leads = [
    { code: 'MDC_ECG_LEAD_I', digits: ' 1 -2\n300 -400 5 ' },
    { code: 'MDC_ECG_LEAD_V1', digits: '5 4 3 2 1', scale: '0.005', unit: 'mV' },
  ];

  test('reads leads, scales, rate, start and patient', () => {
    const recording = recordingOf(makeAecg([{ start: '20240301102030.250+0100', leads }]));
    expect(recording.format).toBe('HL7 aECG');
    expect(recording.channels.map(({ lead, scale, unit }) => [lead?.code, scale, unit])).toEqual([
      ['MDC_ECG_LEAD_I', 2.5, 'uV'],
      ['MDC_ECG_LEAD_V1', 0.005, 'mV'],
    ]);
    expect([...readAllSamples(recording.channels[0]!)]).toEqual(WAVE);
    expect(recording.channels[0]!.rate).toEqual({ samples: 500, seconds: 1 });
    expect(recording.startTime).toEqual({ utcMs: Date.UTC(2024, 2, 1, 9, 20, 30, 250), isZoneKnown: true });
    expect(recording.patient).toEqual({ ...PATIENT, lastName: 'Smith & Co' });
  });

  test('places a later series behind a gap, and says of one that it cannot place', () => {
    const later = { start: '20240301102031+0100', leads };
    const recording = recordingOf(makeAecg([{ start: '20240301102030+0100', leads }, later, { leads }]));
    expect(recording.gaps).toEqual([{ startSeconds: 0.01, endSeconds: 1 }]);
    const samples = readAllSamples(recording.channels[0]!);
    expect([...samples.subarray(0, 6)]).toEqual([...WAVE, INVALID_SAMPLE]);
    expect([...samples.subarray(500)]).toEqual(WAVE);
    expect(codes(recording)).toEqual(['series_left_out']);
  });

  test('keeps decimals in digits exactly, and marks what is no number as missing', () => {
    const recording = recordingOf(
      makeAecg([{ leads: [{ code: 'MDC_ECG_LEAD_II', digits: '1.25 -2 nan 1e999 0x10 7' }] }]),
    );
    const [channel] = recording.channels;
    expect([...readAllSamples(channel!)]).toEqual([
      125,
      -200,
      INVALID_SAMPLE,
      INVALID_SAMPLE,
      INVALID_SAMPLE,
      700,
    ]);
    expect(channel!.scale).toBe(0.025);
  });

  test('keeps large numbers beside small decimals, and says what was rounded or is no number', () => {
    const recording = recordingOf(
      makeAecg([{ leads: [{ code: 'MDC_ECG_LEAD_II', digits: '0.123456789 2500.5 -3000.5 x' }] }]),
    );
    const [channel] = recording.channels;
    const values = [...readAllSamples(channel!)].map((value) =>
      value === INVALID_SAMPLE ? Number.NaN : (value * channel!.scale) / 2.5,
    );
    expect(values[1]).toBeCloseTo(2500.5, 5);
    expect(values[2]).toBeCloseTo(-3000.5, 5);
    expect(values[3]).toBeNaN();
    expect(codes(recording)).toEqual(['digits_rounded', 'digits_unreadable']);
    expect([
      ...readAllSamples(
        recordingOf(makeAecg([{ leads: [{ code: 'I', digits: '1e-3 2e-1 5' }] }])).channels[0]!,
      ),
    ]).toEqual([1, 200, 5000]);
  });

  test('reads the encoding that its declaration names', () => {
    const latin = Buffer.from(
      new TextDecoder()
        .decode(makeAecg([{ leads }]))
        .replace('UTF-8', 'ISO-8859-1')
        .replace('Ann<', 'Änne<'),
      'latin1',
    );
    expect(recordingOf(latin).patient.firstName).toBe('Änne');
  });

  test('reads UTF-16', () => {
    const text = new TextDecoder().decode(makeAecg([{ leads }])).replace('UTF-8', 'UTF-16');
    expect([...readAllSamples(recordingOf(Buffer.from(`\uFEFF${text}`, 'utf16le')).channels[0]!)]).toEqual(
      WAVE,
    );
  });

  test.each([
    [
      'a document type with entities',
      makeAecg([{ leads }], '<!DOCTYPE a [<!ENTITY x "aaaa"><!ENTITY y "&x;&x;">]>'),
      /document type/,
    ],
    ['a cut file', makeAecg([{ leads }]).subarray(0, -200), /well-formed/],
    ['no leads', makeAecg([{ leads: [] }]), /no series/],
    ['no rate', makeAecg([{ incrementMs: 0, leads }]), /no series/],
  ])('refuses %s in one sentence', (_, bytes, message) => {
    expect(read(bytes)).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  });
});

describe('DICOM', () => {
  const leads = [
    { code: '2:1', samples: WAVE },
    { code: '5.6.3-9-61', scheme: 'SCPECG', samples: WAVE.map((value) => 2 * value) },
  ];

  test('reads leads by both coding schemes, scale, rate, start and patient', () => {
    const recording = recordingOf(makeDicom({ leads }));
    expect(recording.channels.map(({ lead, scale, unit }) => [lead?.code, scale, unit])).toEqual([
      ['MDC_ECG_LEAD_I', 2.5, 'uV'],
      ['MDC_ECG_LEAD_III', 2.5, 'uV'],
    ]);
    expect([...readAllSamples(recording.channels[1]!)]).toEqual(WAVE.map((value) => 2 * value));
    expect(rateHz(recording.channels[0]!.rate)).toBe(500);
    expect(recording.startTime).toEqual({ utcMs: Date.UTC(2024, 2, 1, 9, 20, 30, 500), isZoneKnown: true });
    expect(recording.patient).toEqual(PATIENT);
    expect(recording.warnings).toEqual([]);
  });

  test('reads eight bits, unsigned samples and padding', () => {
    expect([
      ...readAllSamples(
        recordingOf(
          makeDicom({ leads: [{ code: '2:1', samples: [1, -2, 3] }], bits: 8, interpretation: 'SB' }),
        ).channels[0]!,
      ),
    ]).toEqual([1, -2, 3]);
    expect([
      ...readAllSamples(
        recordingOf(makeDicom({ leads: [{ code: '2:1', samples: [1, 65_535] }], interpretation: 'US' }))
          .channels[0]!,
      ),
    ]).toEqual([1, 65_535]);
    expect([
      ...readAllSamples(
        recordingOf(makeDicom({ leads: [{ code: '2:1', samples: [1, -32_768] }], padding: -32_768 }))
          .channels[0]!,
      ),
    ]).toEqual([1, INVALID_SAMPLE]);
  });

  test('reads a deflated file', () => {
    const plain = makeDicom({ leads, syntax: '1.2.840.10008.1.2.1.99' });
    const at = Buffer.from(plain).indexOf(Buffer.from([0x08, 0x00, 0x2a, 0x00]));
    const deflated = Buffer.concat([plain.subarray(0, at), deflateRawSync(plain.subarray(at))]);
    expect([...readAllSamples(recordingOf(deflated).channels[0]!)]).toEqual(WAVE);
  });

  test('cut at any byte it is an answer, never an exception', () => {
    const whole = makeDicom({ leads });
    for (let length = 132; length < whole.length; length++)
      expect(() => read(whole.subarray(0, length))).not.toThrow();
  });

  test('an unknown scale is said, not guessed', () => {
    const recording = recordingOf(makeDicom({ leads: [{ code: '2:1', samples: WAVE, sensitivity: 'x' }] }));
    expect(recording.channels[0]!.isCalibrated).toBe(false);
    expect(codes(recording)).toContain('scale_unknown');
  });

  test.each([
    ['the highest byte first', makeDicom({ leads, syntax: '1.2.840.10008.1.2.2' })],
    ['a companded signal', makeDicom({ leads, interpretation: 'MB', bits: 8 })],
    ['no rate', makeDicom({ leads, rate: '0' })],
    ['a cut file', makeDicom({ leads }).subarray(0, 500)],
    ['no channels', makeDicom({ leads: [] })],
  ])('refuses %s in one sentence', (_, bytes) => {
    expect(read(bytes)).toMatchObject({ ok: false, message: expect.stringMatching(/^The DICOM file .*\.$/) });
  });
});

describe('ISHNE', () => {
  const leads = [
    { code: 5, nanovolts: 2500, samples: WAVE },
    { code: 11, nanovolts: 1000, samples: [1, 2, -32_768, 4, 5] },
  ];

  test('reads leads, scales, missing samples, start and patient', () => {
    const recording = recordingOf(makeIshne({ leads }));
    expect(recording.channels.map(({ lead, scale }) => [lead?.code, scale])).toEqual([
      ['MDC_ECG_LEAD_I', 2500],
      ['MDC_ECG_LEAD_V1', 1000],
    ]);
    expect([...readAllSamples(recording.channels[0]!)]).toEqual(WAVE);
    expect([...readAllSamples(recording.channels[1]!)]).toEqual([1, 2, INVALID_SAMPLE, 4, 5]);
    expect(recording.startTime).toEqual({ utcMs: Date.UTC(2024, 2, 1, 10, 20, 30), isZoneKnown: false });
    expect(recording.patient).toEqual(PATIENT);
    expect(recording.deviceId).toBe('recorder 1');
    expect(recording.warnings).toEqual([]);
  });

  test('believes the size of the file, and says where the header differs', () => {
    expect(codes(recordingOf(makeIshne({ leads, announced: 99 })))).toContain('truncated');
    expect(codes(recordingOf(makeIshne({ leads, announced: 2 })))).toContain('sample_count');
  });

  test.each([
    ['no rate', makeIshne({ leads, rateHz: 0 })],
    ['no samples', makeIshne({ leads: [{ code: 5, nanovolts: 1, samples: [] }] })],
    ['no leads', makeIshne({ leads: [] })],
    ['a cut header', makeIshne({ leads }).subarray(0, 200)],
  ])('refuses %s in one sentence', (_, bytes) => {
    expect(read(bytes)).toMatchObject({ ok: false, message: expect.stringMatching(/^The ISHNE file .*\.$/) });
  });
});
