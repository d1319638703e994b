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

test('only the one finding that says so reads as a normal ECG, in any language', () => {
  for (const { statement } of Object.values(FINDING_TEXTS))
    for (const [code, text] of Object.entries(statement))
      expect([code, /\bnormal\b|within limits|dentro de/i.test(text)]).toEqual([code, code === 'SUM-NORMAL']);
});

describe('a finding as a sentence', () => {
  test('is filled with its values, with the signs of the language', () => {
    expect(statementText('AXIS-LAD', { degrees: -47 }, 'en')).toBe('Left axis deviation (−47°)');
    expect(statementText('RHY-PAUSE', { seconds: 3.8 }, 'es')).toBe('Pausa de 3,8 s');
  });

  test('says words and lists of them in the language', () => {
    const values = { territory: 'septal, anterior', leads: 'V1, V2, V3' };
    expect(statementText('ISC-QMI', values, 'es')).toBe(
      'Ondas Q (V1, V2, V3): posible infarto antiguo, septal, anterior',
    );
    expect(statementText('VOL-LOW', { leads: 'limbLeads' }, 'en')).toBe('Low QRS voltage in the limb leads');
    expect(statementText('CHA-LVH', { strain: 'strainPattern' }, 'es')).toBe(
      'Criterios de voltaje de hipertrofia ventricular izquierda, con patrón de sobrecarga',
    );
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
    'Not assessed: ST segment and T, Q waves (not in this version); axis (electrodes may be reversed)',
  );
  expect(notAssessedText([], 'es')).toBe('');
});

test('"within normal limits" of older findings is not shown again', () => {
  expect(isRetired('SUM-LIMITS')).toBe(true);
  expect(STATEMENT_CODES.some(isRetired)).toBe(false);
});
