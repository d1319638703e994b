// Phrases: what is kept of a reading, what one says of another patient, and what it must not take away.

import { describe, expect, test } from 'vitest';
import {
  against,
  graveOf,
  keepable,
  normalEcg,
  saying,
} from '../../renderer/screens/review/phrases/said-phrase.ts';
import type { ReadStatement } from '../../renderer/screens/review/use-reading.ts';
import type { Severity } from '../../shared/severity.ts';

const statement = (
  code: string,
  text: string,
  severity: Severity,
  state: ReadStatement['state'] = 'program',
): ReadStatement => ({ statement: { code, text, severity, certainty: 'definite' }, state });

const SINUS = statement('RHY-SINUS', 'Sinus rhythm, 71/min', 'NONE');
const PVC = statement('ECT-PVC', 'Ventricular ectopic beats', 'LOW');
const INFARCT = statement('ISC-STEMI', 'ST elevation', 'CRITICAL');

const reading = (statements: ReadStatement[], heartRateBpm = 71) => ({
  statements,
  rejected: [],
  measurements: { heartRateBpm, beatCount: 10 },
});

describe('what is kept', () => {
  test('has the words of the library in place of the numbers of this patient', () => {
    const { findings, left } = keepable(
      reading([
        SINUS,
        statement('FREE-1', 'QTc 453 ms after the new tablets', 'LOW', 'added'),
        statement('FREE-2', 'Poor R from V1 to V4', 'LOW', 'added'),
        statement('CON-LBBB', 'Left bundle branch block, unchanged', 'MODERATE', 'added'),
        statement('ST-NOVEL', 'ST 0.3 mV', 'LOW'),
      ]),
      {},
      'en',
    );
    expect(findings.map(({ code, text }) => [code, text])).toEqual([
      ['RHY-SINUS', 'Sinus rhythm'],
      [undefined, 'Poor R from V1 to V4'],
      [expect.any(String), 'Left bundle branch block, unchanged'],
    ]);
    expect(left).toEqual(['QTc 453 ms after the new tablets', 'ST 0.3 mV']);
  });
});

const OKAFOR = { lastName: 'Okafor', firstName: 'Chidi' };

describe('what is left out', () => {
  const kept = (code: string, text: string, state: ReadStatement['state'] = 'added'): string[] =>
    keepable(reading([statement(code, text, 'MODERATE', state)]), OKAFOR, 'en').findings.map(
      (each) => each.text,
    );

  test('is the rate, and never what limits the words behind it', () => {
    expect(kept('RHY-AFIB', 'Atrial fibrillation, 120/min, cannot be excluded')).toEqual([
      'Atrial fibrillation, cannot be excluded',
    ]);
  });
  test('is the name of the patient, whatever its capitals', () => {
    expect(kept('FREE-1', 'Discussed with Mr OKAFOR')).toEqual([]);
    expect(kept('FREE-1', 'Discussed with the family')).toEqual(['Discussed with the family']);
  });
  test('is every other text with a number, glued to a letter or not', () => {
    expect(kept('CON-LBBB', 'Left bundle branch block no longer seen since 2019')).toEqual([]);
    expect(kept('FREE-1', 'QTc520 ms')).toEqual([]);
    expect(kept('FREE-1', 'T inverted in V1, V10R and aVL')).toEqual(['T inverted in V1, V10R and aVL']);
  });
});

describe('a phrase beside what stands', () => {
  const of = (code: string | undefined, text: string, severity: Severity, isWhole = false) => ({
    name: 'x',
    isWhole,
    findings: [{ ...(code !== undefined && { code }), text, severity }],
  });
  test('makes nothing milder than it stands', () => {
    const grave = statement('REP-LQT', 'Long QT: QTc 521 ms', 'IMPORTANT');
    expect(saying(of('REP-LQT', 'Long QT, unchanged', 'LOW'), reading([grave]), 'en', '', 7000)).toEqual([
      { kind: 'stated', code: 'REP-LQT', text: 'Long QT, unchanged', severity: 'IMPORTANT' },
    ]);
  });
  test('says its own words, not those of somebody who said the contrary', () => {
    const denied = statement('RHY-AFIB', 'No atrial fibrillation, artefact', 'LOW', 'reworded');
    expect(
      saying(of('RHY-AFIB', 'Atrial fibrillation', 'IMPORTANT'), reading([denied]), 'en', '', 7000)[0],
    ).toMatchObject({ kind: 'stated', text: 'Atrial fibrillation, 71/min', severity: 'IMPORTANT' });
  });
  test('said twice stands once, and does not stand against itself', () => {
    const own = statement('FREE-7', 'Known channelopathy', 'IMPORTANT', 'added');
    const phrase = of(undefined, 'Known channelopathy', 'IMPORTANT', true);
    expect(against(phrase, reading([own]))).toEqual([]);
    expect(saying(phrase, reading([own]), 'en', '', 7000)).toEqual([
      { kind: 'stated', code: 'FREE-7', text: 'Known channelopathy', severity: 'IMPORTANT' },
    ]);
  });
});

describe('a phrase that adds', () => {
  const phrase = {
    name: 'af',
    isWhole: false,
    findings: [
      { code: 'RHY-AFIB', text: 'Atrial fibrillation', severity: 'MODERATE' as const },
      { text: 'Advise anticoagulation', severity: 'MODERATE' as const },
    ],
  };
  test('takes nothing away, and has the rate of this patient, with what that adds', () => {
    expect(saying(phrase, reading([SINUS, PVC], 171), 'en', '', 7000)).toEqual([
      { kind: 'stated', code: 'RHY-AFIB', text: 'Atrial fibrillation, 171/min', severity: 'IMPORTANT' },
      { kind: 'stated', code: 'FREE-7001', text: 'Advise anticoagulation', severity: 'MODERATE' },
    ]);
  });
  test('accepts what the program states itself, and speaks the language of the screen', () => {
    const stands = statement('RHY-AFIB', 'Atrial fibrillation, 88/min', 'MODERATE');
    expect(saying(phrase, reading([stands]), 'en', '', 7000)[0]).toEqual({
      kind: 'accepted',
      code: 'RHY-AFIB',
    });
    expect(saying(phrase, reading([], 88), 'es', '', 7000)[0]).toMatchObject({
      text: 'Fibrilación auricular, 88/min',
    });
  });
});

describe('the normal ECG', () => {
  const normal = normalEcg('Normal ECG');
  test('stands beside the rhythm, and is said at once where nothing is abnormal', () => {
    expect(against(normal, reading([SINUS]))).toEqual([]);
    expect(saying(normal, reading([SINUS]), 'en', '', 7000)).toEqual([
      { kind: 'stated', code: 'SUM-NORMAL', text: 'Normal ECG', severity: 'NONE' },
    ]);
  });
  test('rejects what is abnormal, for a reason; what somebody added goes', () => {
    const added = statement('FREE-1', 'Peculiar', 'MODERATE', 'added');
    expect(against(normal, reading([SINUS, PVC, added]))).toEqual([PVC, added]);
    expect(saying(normal, reading([SINUS, PVC, added]), 'en', 'artefact', 7000).slice(0, 2)).toEqual([
      { kind: 'rejected', code: 'ECT-PVC', reason: 'artefact' },
      { kind: 'unstated', code: 'FREE-1' },
    ]);
  });
  test('finds grave what it must not take away', () => {
    expect(graveOf(against(normal, reading([PVC, INFARCT])))).toEqual([INFARCT]);
  });
});
