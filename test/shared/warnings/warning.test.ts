// What is said of files that deviate from their format, in both languages.

import { describe, expect, test } from 'vitest';
import { warning, warningText } from '../../../shared/warnings/warning.ts';
import { WARNING_TEXTS, type WarningName } from '../../../shared/warnings/warning-texts.ts';

const places = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string).sort();
const names = Object.keys(WARNING_TEXTS) as WarningName[];

test.each(names)('%s says the same in both languages', (name) => {
  const { en, es } = WARNING_TEXTS[name];
  // Why a part of a file could not be read is told by its reader, in English.
  const isReader = name === 'segment_unreadable.reason' || name === 'annotation_malformed.file';
  expect(places(es)).toEqual(places(en).filter((place) => !isReader || place !== 'reason'));
  expect(es).not.toBe(en);
});

describe('a warning', () => {
  const made = warning('truncated.records', { present: 3, stated: 10, percent: 30 });

  test('keeps its stable code and its English text', () => {
    expect(made).toMatchObject({
      code: 'truncated',
      message: 'The file ends early: 3 of 10 announced data records are there (30 %).',
    });
  });

  test('is said in the language of whoever reads it, numbers in its way', () => {
    expect(warningText(made, 'es')).toBe(
      'El archivo termina antes de tiempo: hay 3 de 10 registros de datos anunciados (30 %).',
    );
    expect(
      warningText(warning('lead_resampled', { label: 'V1', rateHz: 62.5, analysedHz: 500 }), 'es'),
    ).toContain('62,5 Hz');
    expect(warningText(warning('clock_drift', { ppm: -12 }), 'en')).toContain('by −12 ppm');
  });

  test('of an older or a newer version keeps the text that was stored with it', () => {
    expect(warningText({ code: 'checksum', message: 'As it was said then.' }, 'es')).toBe(
      'As it was said then.',
    );
    expect(
      warningText({ code: 'x', message: 'As it will be said.', name: 'constructor', values: {} }, 'es'),
    ).toBe('As it will be said.');
  });

  test('says in its code what other programs look for', () => {
    expect(warning('same_recording_as', { taskId: 7 }, 'same_recording_as:7').code).toBe(
      'same_recording_as:7',
    );
  });
});
