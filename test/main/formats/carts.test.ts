// Files of carts and wearables, made by writers of our own; those of Philips were compared with another reader's on four public samples,
// sample by sample, when the reader was written.

import { describe, expect, test } from 'vitest';
import { admit, readRecord } from '../../../main/formats/read-record.ts';
import {
  INVALID_SAMPLE,
  type Recording,
  readAllSamples,
  readMillivolts,
} from '../../../shared/signal/recording.ts';
import {
  type Leads,
  madeAlivecor,
  madeCardiosoft,
  madeMortara,
  madeMuse,
  madePhilips,
  madeSchiller,
} from '../../support/made-carts.ts';
import { bytesFile } from '../../support/test-data.ts';

const read = (bytes: Uint8Array | string, name = 'strange') => {
  const file = bytesFile(name, typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
  return admit(readRecord(file, [file]));
};
function recordingOf(bytes: Uint8Array | string): Recording {
  const result = read(bytes);
  if (!result.ok) throw new Error(result.message);
  return result.recording;
}
const samplesOf = ({ channels }: Recording): Leads =>
  Object.fromEntries(channels.map((channel) => [channel.label, [...readAllSamples(channel)]]));

// A sum with 0 is never -0, which no file can hold.
const wave = (seed: number, count: number): number[] =>
  Array.from(
    { length: count },
    (_, i) =>
      0 +
      Math.round(
        200 * Math.sin((i + 40 * seed) / 30) + (i % 400 === 50 * seed ? 1500 : 0) + ((i * 7919 * seed) % 5),
      ),
  );

describe('MUSE XML', () => {
  const leads = { I: wave(1, 1000), II: wave(2, 1000), V1: wave(3, 1000) };
  const PERSON =
    '<PatientID>7</PatientID><PatientAge>9</PatientAge><AgeUnits>MONTHS</AgeUnits><DateofBirth>05-02-1951</DateofBirth><Gender>FEMALE</Gender><PatientLastName>Berg</PatientLastName><PatientFirstName>Ada</PatientFirstName>';

  test('samples, scale, person, time and what the cart read', () => {
    const recording = recordingOf(madeMuse(leads, PERSON));
    expect(recording).toMatchObject({ format: 'MUSE XML', durationSeconds: 2 });
    expect(recording.warnings.map(({ message }) => message)).toEqual([
      'Read by the cart, not by Isoline: Sinus rhythm',
      'A reading in the file, not by Isoline: Cannot rule out anterior infarct, age undetermined; Abnormal ECG',
    ]);
    expect(samplesOf(recording)).toEqual(leads);
    expect(readMillivolts(recording.channels[0]!, 50, 1)[0]).toBeCloseTo(
      ((leads.I[50] as number) * 4.88) / 1000,
      6,
    );
    expect(recording.patient).toEqual({
      id: '7',
      firstName: 'Ada',
      lastName: 'Berg',
      gender: 'FEMALE',
      birthDate: '1951-05-02',
      ageYears: 0,
    });
    expect(recording.startTime).toEqual({ utcMs: Date.UTC(2024, 2, 1, 14, 20, 5), isZoneKnown: false });
    expect(recording.annotations.map(({ text }) => text)).toEqual([
      'Read by the cart: Sinus rhythm',
      'Reading in the file: Cannot rule out anterior infarct, age undetermined',
      'Reading in the file: Abnormal ECG',
    ]);
  });

  test('a median beat alone is no recording', () => {
    expect(read(madeMuse(leads, '', 'Median'))).toMatchObject({ ok: false, reason: 'no_ecg_record' });
  });

  test('a document type that declares entities is refused', () => {
    const text = new TextDecoder().decode(madeMuse(leads));
    const bomb = text.replace('SYSTEM "restecg.dtd"', '[<!ENTITY a "aaaa">]');
    expect(read(bomb)).toMatchObject({ ok: false, reason: 'record_unreadable' });
  });
});

describe('Philips XML', () => {
  const [one, two] = [wave(1, 1100), wave(2, 1100)];
  const leads: Leads = {
    I: one,
    II: two,
    III: one.map((value, i) => (two[i] as number) - value + (i % 3) - 1),
    aVR: one.map((value, i) => -Math.floor((value + (two[i] as number)) / 2) + 0),
    aVL: wave(3, 1100),
    aVF: wave(4, 1100),
    ...Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`V${i + 1}`, wave(i + 5, 1100)])),
  };

  test.each([
    ['by XLI', true],
    ['not at all', false],
  ])('compressed %s, with its person, its time and the statements that stand', (_, isCompressed) => {
    const recording = recordingOf(madePhilips(leads, isCompressed));
    expect(samplesOf(recording)).toEqual(leads);
    expect(recording).toMatchObject({
      format: 'Philips XML',
      durationSeconds: 2.2,
      deviceId: 'M1',
      patient: { id: '7', lastName: 'Berg', gender: 'FEMALE', birthDate: '1951-05-02' },
      startTime: { utcMs: Date.UTC(2024, 2, 1, 14, 20, 5) },
      annotations: [{ onsetSeconds: 0, text: 'Read by the cart: Sinus rhythm' }],
      warnings: [{ code: 'read_elsewhere' }],
    });
    expect(recording.channels[0]).toMatchObject({ scale: 5, unit: 'uV' });
  });

  test('with more leads or samples than can be, it is refused', () => {
    const text = new TextDecoder().decode(madePhilips(leads, true));
    for (const [stated, hostile] of [
      ['numberofleads="12"', 'numberofleads="4294967296"'],
      ['durationperchannel="2200"', 'durationperchannel="1000000000000"'],
      ['samplespersecond="500"', 'samplespersecond="1e9"'],
    ] as const)
      expect(read(text.replace(stated, hostile).replace(/leadlabels="[^"]*"/, ''))).toMatchObject({
        ok: false,
        reason: 'record_unreadable',
      });
  });

  test('cut off, it is refused', () => {
    const text = new TextDecoder().decode(madePhilips(leads, true));
    const cut = text.replace(/(resolution="5">.{4000})[^<]*/, '$1');
    expect(read(cut)).toMatchObject({ ok: false, reason: 'record_unreadable' });
  });
});

test('Mortara XML', () => {
  const leads = { I: wave(1, 1500), II: wave(2, 1500) };
  const recording = recordingOf(madeMortara(leads));
  expect(samplesOf(recording)).toEqual(leads);
  expect(recording).toMatchObject({
    format: 'Mortara XML',
    durationSeconds: 1.5,
    deviceId: 'E5',
    patient: { id: '7', firstName: 'Ada', lastName: 'Berg', gender: 'FEMALE', birthDate: '1951-05-02' },
    annotations: [{ text: 'Read by the cart: Sinus rhythm' }],
    warnings: [{ code: 'read_elsewhere' }],
  });
  expect(readMillivolts(recording.channels[0]!, 0, 1)[0]).toBeCloseTo((leads.I[0] as number) / 400, 6);
});

describe('CardioSoft XML', () => {
  const leads = { I: wave(1, 1000), II: wave(2, 1000), V1: wave(3, 1000) };

  test('samples, scale, person, time, and who read it', () => {
    const recording = recordingOf(madeCardiosoft(leads));
    expect(samplesOf(recording)).toEqual(leads);
    expect(recording).toMatchObject({
      format: 'CardioSoft XML',
      durationSeconds: 2,
      patient: {
        id: '7',
        firstName: 'Ada',
        lastName: 'Berg',
        gender: 'FEMALE',
        birthDate: '1951-05-02',
        ageYears: 72,
        heightCm: 164,
      },
      startTime: { utcMs: Date.UTC(2024, 2, 1, 14, 20, 5), isZoneKnown: false },
    });
    expect(recording.warnings.map(({ message }) => message)).toEqual([
      'Read by the cart, not by Isoline: Sinus rhythm; Normal ECG',
      'A reading in the file, not by Isoline: No change',
    ]);
    expect(readMillivolts(recording.channels[0]!, 50, 1)[0]).toBeCloseTo(0.005 * (leads.I[50] as number), 6);
  });

  test('of another unit is not measured; of median beats or exercise alone it is refused', () => {
    expect(recordingOf(madeCardiosoft(leads, 'StripData', 'other')).channels[0]?.isCalibrated).toBe(false);
    expect(read(madeCardiosoft(leads, 'MedianSamples'))).toMatchObject({
      ok: false,
      reason: 'no_ecg_record',
    });
    expect(read(madeCardiosoft(leads, 'FullDisclosure'))).toMatchObject({
      ok: false,
      message: expect.stringContaining('exercise'),
    });
  });
});

describe('Schiller XML', () => {
  const leads = { I: wave(1, 1500), II: wave(2, 1500) };

  test('the rhythm, not the averages before it', () => {
    const recording = recordingOf(madeSchiller(leads));
    expect(samplesOf(recording)).toEqual(leads);
    expect(recording).toMatchObject({
      format: 'Schiller XML',
      durationSeconds: 1.5,
      patient: { id: '7', firstName: 'Ada', lastName: 'Berg', gender: 'FEMALE', birthDate: '1951-05-02' },
      startTime: { utcMs: Date.UTC(2024, 2, 1, 14, 20, 5), isZoneKnown: false },
      warnings: [],
    });
    expect(readMillivolts(recording.channels[0]!, 50, 1)[0]).toBeCloseTo(
      0.00125 * (leads.I[50] as number),
      6,
    );
  });

  test('without a rhythm it is refused', () => {
    expect(read(madeSchiller(leads, 'ECG_AVERAGES'))).toMatchObject({ ok: false, reason: 'no_ecg_record' });
  });
});

describe('AliveCor ATC', () => {
  const six = Array.from({ length: 6 }, (_, i) => wave(i + 1, 600));

  test('one lead and six, with their time', () => {
    const recording = recordingOf(madeAlivecor(six));
    expect(Object.values(samplesOf(recording))).toEqual(six);
    expect(recording.channels.map(({ label }) => label)).toEqual(['I', 'II', 'III', 'aVR', 'aVL', 'aVF']);
    expect(recording).toMatchObject({ durationSeconds: 2, warnings: [] });
    expect(recording.startTime).toEqual({ utcMs: Date.UTC(2024, 2, 1, 13, 20, 5), isZoneKnown: true });
    expect(recordingOf(madeAlivecor([wave(1, 600)])).channels.map(({ label }) => label)).toEqual(['I']);
  });

  test('a changed byte and a cut are said', () => {
    const changed = madeAlivecor(six).slice();
    changed[changed.length - 20] = (changed[changed.length - 20] ?? 0) ^ 1;
    expect(recordingOf(changed).warnings.map(({ code }) => code)).toEqual(['checksum']);
    const cut = madeAlivecor(six).subarray(0, -30);
    expect(recordingOf(cut).warnings.map(({ code }) => code)).toEqual(['truncated']);
  });
});

describe('Apple Health CSV', () => {
  const head = (name: string, rate: string, lead: string): string =>
    `Name,"${name}"\nDate of Birth,"May 2, 1951"\nRecorded Date,2024-03-01 14:20:05 +0100\nClassification,Sinus Rhythm\nSymptoms,\nSoftware Version,2.0\nDevice,"Watch6,1"\nSample Rate,${rate}\n\n\nLead,${lead}\nUnit,µV\n\n`;
  const values = Array.from({ length: 1100 }, (_, i) => (100 * Math.sin(i / 20)).toFixed(3));

  test('with points', () => {
    const recording = recordingOf(head('Berg, Ada', '512 hertz', 'Lead I') + values.join('\n'));
    expect(recording).toMatchObject({
      format: 'Apple Health CSV',
      patient: { lastName: 'Berg', firstName: 'Ada', birthDate: '1951-05-02' },
      startTime: { utcMs: Date.UTC(2024, 2, 1, 13, 20, 5), isZoneKnown: true },
      annotations: [{ text: 'Read by the watch: Sinus Rhythm' }],
    });
    expect(recording.channels[0]).toMatchObject({ rate: { samples: 512, seconds: 1 } });
    expect(recording.channels[0]?.lead?.code).toBe('MDC_ECG_LEAD_I');
    expect([...readMillivolts(recording.channels[0]!, 0, 1100)].map((mv) => (1000 * mv).toFixed(3))).toEqual(
      values.map((value) => Number(value).toFixed(3)),
    );
  });

  test('as a telephone in German writes it', () => {
    const text = head('Berg', '"511,899 Hertz"', 'Ableitung I')
      .replace('Name', 'Name')
      .replace('Recorded Date', 'Aufzeichnungsdatum')
      .replace('"May 2, 1951"', '02.05.1951')
      .replace('Sample Rate', 'Messrate');
    const recording = recordingOf(text + values.map((value) => `"${value.replace('.', ',')}"`).join('\r\n'));
    expect(recording.channels[0]).toMatchObject({ rate: { samples: 511_899, seconds: 1000 } });
    expect(recording.channels[0]?.lead?.code).toBe('MDC_ECG_LEAD_I');
    expect(readMillivolts(recording.channels[0]!, 31, 1)[0]).toBeCloseTo(Number(values[31]) / 1000, 9);
    // Which of the two numbers is the month is not known.
    expect(recording.patient).toEqual({ lastName: 'Berg' });
    expect(recording.warnings.map(({ values: told }) => told)).toEqual([
      { text: '02.05.1951' },
      { text: 'Sinus Rhythm' },
    ]);
  });
});

describe('OpenBCI text', () => {
  const text = (counters: readonly number[]): string =>
    `%OpenBCI Raw EXG Data\n%Number of channels = 8\n%Sample Rate = 250 Hz\n%Board = OpenBCI_GUI$BoardCytonSerial\nSample Index, EXG Channel 0, EXG Channel 1, Accel Channel 0, Timestamp\n${counters
      .map((counter, i) => `${counter}, ${i * 1.5}, ${-i}, 0.1, ${1709288430 + i / 250}`)
      .join('\n')}\n`;

  test('its signals, its time, and samples that its counter misses', () => {
    const counters = Array.from({ length: 600 }, (_, i) => i % 256);
    const whole = recordingOf(text(counters));
    expect(whole).toMatchObject({ format: 'OpenBCI text', durationSeconds: 2.4 });
    expect(whole.channels.map(({ label }) => label)).toEqual(['EXG Channel 0', 'EXG Channel 1']);
    expect(readMillivolts(whole.channels[0]!, 3, 1)[0]).toBeCloseTo(0.0045, 9);
    const lost = recordingOf(text(counters.filter((_, i) => i < 100 || i >= 103)));
    expect(lost.warnings.map(({ code }) => code)).toContain('samples_lost');
    expect(lost.durationSeconds).toBe(2.4);
    expect([...readAllSamples(lost.channels[1]!)].slice(99, 104)).toEqual([
      -99,
      INVALID_SAMPLE,
      INVALID_SAMPLE,
      INVALID_SAMPLE,
      -100,
    ]);
  });

  test('arrival times that do not fit the stated rate are told', () => {
    const counters = Array.from({ length: 3000 }, (_, i) => i % 256);
    expect(recordingOf(text(counters)).warnings.map(({ code }) => code)).toEqual(['channels_unnamed']);
    const other = recordingOf(text(counters).replace('Sample Rate = 250 Hz', 'Sample Rate = 200 Hz'));
    expect(other.warnings.find(({ code }) => code === 'rate_by_arrival')?.values).toEqual({
      stated: 200,
      arrived: 250,
    });
  });

  test('a pair of boards counts in steps of two, and loses nothing by it', () => {
    const recording = recordingOf(text(Array.from({ length: 600 }, (_, i) => (2 * i + 1) % 256)));
    expect(recording.durationSeconds).toBe(2.4);
    expect(recording.warnings.map(({ code }) => code)).not.toContain('samples_lost');
  });

  test('without a rate it is refused', () => {
    expect(read(text([0, 1, 2]).replace(/%Sample Rate.*\n/, ''))).toMatchObject({ ok: false });
  });
});
