// Names in the scripts of the world in files for other programs: the same name comes back, or the file has none, and that is said.

import { describe, expect, test } from 'vitest';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';
import { readBack, write } from '../../support/written-records.ts';

const NAMES = [
  ['الأحمد', 'محمد'],
  ['כהן', 'שרה'],
  ['李', '小龙'],
  ['山田', 'さくら'],
  ['ใจดี', 'สมชาย'],
  ['शर्मा', 'कृष्ण'],
  ['Щербаков', 'Артём'],
  ['Παπαδόπουλος', 'Ιωάννης'],
  ['Nguyễn', 'Hồng Đào'],
  ['Mu\u0308ller', 'Zoe\u0308'],
  ['Wolfeschlegelsteinhausenbergerdorff', 'Hubert'],
  ['Suharto', 'Haji'],
] as const;

const recording = toRecording(twelveLeads({ durationSeconds: 10 }));
const START = { utcMs: Date.UTC(2026, 10, 20), isZoneKnown: true };
const of = (lastName: string, firstName: string) => ({
  ...recording,
  startTime: START,
  patient: { lastName, firstName, id: '7' },
});

describe.each(['dicom', 'aecg', 'scp'])('%s', (format) => {
  test.each(NAMES)('keeps %s, %s', (last, first) => {
    const { patient } = readBack(write(of(last, first), format, 'x'));
    expect([patient.lastName, patient.firstName].map((name) => name?.normalize('NFC'))).toEqual(
      [last, first].map((name) => name.normalize('NFC')),
    );
  });
});

describe('edf', () => {
  test.each(NAMES)('has what ASCII has of %s, %s, and says so', (last, first) => {
    const written = write(of(last, first), 'edf', 'x.edf');
    const { patient } = readBack(written);
    const isPlain = /^[\x20-\x7e]*$/.test(last + first);
    expect(written.warnings.some(({ code }) => code === 'letters_left_out')).toBe(!isPlain);
    // Never a row of dashes that could pass for a name.
    expect(`${patient.lastName ?? ''}${patient.firstName ?? ''}`).not.toMatch(/[_?]/);
    expect(patient.id).toBe('7');
  });

  test('never makes another number of a number', () => {
    const { patient } = readBack(
      write({ ...of('Berg', 'Anna'), patient: { id: 'Ä12', lastName: 'Berg' } }, 'edf', 'x.edf'),
    );
    expect(patient.id?.trim()).toBe('12');
  });

  test('takes the marks off Latin letters', () => {
    const { patient } = readBack(write(of('Nguyễn', 'Zoë'), 'edf', 'x.edf'));
    expect([patient.lastName, patient.firstName]).toEqual(['Nguyen', 'Zoe']);
  });
});
