// What is proposed for words that a reader says: how grave they are, and the code that they stand for.

import { describe, expect, test } from 'vitest';
import { codeFor, proposedSeverity, withLimit } from '../../renderer/screens/review/said-finding.ts';
import { tellsNoAbnormality } from '../../shared/findings/no-abnormality.ts';

const NOTHING = { statements: [], rejected: [] };
const at = (heartRateBpm?: number) => (heartRateBpm === undefined ? {} : { heartRateBpm });

describe('the severity that is proposed', () => {
  test.each([
    ['Normal axis', undefined, 'NONE'],
    ['Normal axis, call cardiology', undefined, 'MODERATE'],
    ['Inferior ST elevation, call cardiology', undefined, 'MODERATE'],
    ['Ventricular tachycardia', undefined, 'CRITICAL'],
    ['Sinus bradycardia, 28/min', 28, 'CRITICAL'],
    ['Sinus bradycardia', 28, 'CRITICAL'],
    ['Sinus rhythm, 38/min', 38, 'IMPORTANT'],
    ['Sinus rhythm, 72/min', 72, 'NONE'],
    ['Atrial fibrillation, 195/min', 195, 'CRITICAL'],
    ['Supraventricular tachycardia, 240/min', 240, 'CRITICAL'],
    ['Early repolarisation, normal variant', undefined, 'NONE'],
    ['Early repolarisation, normal variant, cannot be excluded', undefined, 'LOW'],
    ['Cold hands', undefined, 'MODERATE'],
    ['', undefined, undefined],
  ])('of "%s" at %s a minute is %s', (text, rate, severity) => {
    expect(proposedSeverity(text, at(rate), 'en')).toBe(severity);
  });

  test('of a variant in doubt, or a new one, takes its Normal ECG away', () => {
    for (const [language, limits] of [
      ['en', ['possible', 'cannot be excluded', 'new']],
      ['es', ['posible', 'no se puede excluir', 'nuevo']],
    ] as const)
      for (const limit of limits) {
        const variant =
          language === 'en'
            ? 'Early repolarisation, normal variant'
            : 'Repolarización precoz, variante de la normalidad';
        const text = withLimit(variant, limit, language);
        const severity = proposedSeverity(text, {}, language)!;
        expect(tellsNoAbnormality({ code: 'REP-ER', text, severity })).toBe(false);
      }
  });
});

describe('the code of what is said', () => {
  test.each([
    ['Atrial fibrillation, 80/min', 'RHY-AFIB'],
    ['Atrial fibrillation, probable, new', 'RHY-AFIB'],
    ['Atrial fibrillation ruled out', 'FREE-1'],
    ['Normal ECG', 'SUM-NORMAL'],
    ['Normal ECG, probable', 'FREE-1'],
  ])('"%s" is %s', (text, code) => {
    expect(codeFor(text, at(80), 'en', NOTHING)).toBe(code);
  });
});
