import { describe, expect, test } from 'vitest';
import { isRetired, STATEMENT_CODES } from '../../../shared/findings/codes.ts';
import { findingText, notAssessedText, statementText } from '../../../shared/findings/finding-text.ts';
import { FINDING_TEXTS } from '../../../shared/findings/finding-texts.ts';

const valuesOf = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!).sort();

test.each(STATEMENT_CODES)('%s takes the same values in every language', (code) => {
  const { en, es } = FINDING_TEXTS;
  expect(valuesOf(es.statement[code])).toEqual(valuesOf(en.statement[code]));
  expect(es.statement[code]).not.toBe(en.statement[code]);
});

test('no finding in any language reads as a normal ECG', () => {
  for (const { statement } of Object.values(FINDING_TEXTS))
    for (const text of Object.values(statement))
      expect(text).not.toMatch(/\bnormal\b|within limits|dentro de/i);
});

describe('a finding as a sentence', () => {
  test('is filled with its values, with the signs of the language', () => {
    expect(statementText('AXIS-LAD', { degrees: -47 }, 'en')).toBe('Left axis deviation (−47°)');
    expect(statementText('RHY-PAUSE', { seconds: 3.8 }, 'es')).toBe('Pausa de 3,8 s');
  });

  test('leaves out what has no value', () => {
    expect(statementText('RHY-UNDET', {}, 'en')).toBe('Rhythm not determined');
    expect(statementText('RHY-UNDET', { rate: 72 }, 'en')).toBe('Rhythm not determined, 72/min');
  });

  test('keeps the stored text where an older or newer version made it', () => {
    expect(findingText({ code: 'RHY-SINUS', text: 'Sinus rhythm, 72/min' }, 'es')).toBe(
      'Sinus rhythm, 72/min',
    );
    expect(findingText({ code: 'NEW-CODE', text: 'Something new', values: {} }, 'es')).toBe('Something new');
  });
});

test('what was not assessed is listed by its reason', () => {
  const list = [
    { code: 'ST', reason: 'version' },
    { code: 'QWAVES', reason: 'version' },
    { code: 'AXIS', reason: 'electrodes' },
  ] as const;
  expect(notAssessedText(list, 'en')).toBe(
    'Not assessed: ST segment, Q waves (not in this version); axis (electrodes may be reversed)',
  );
  expect(notAssessedText([], 'es')).toBe('');
});

test('"within normal limits" of older findings is not shown again', () => {
  expect(isRetired('SUM-LIMITS')).toBe(true);
  expect(STATEMENT_CODES.some(isRetired)).toBe(false);
});
