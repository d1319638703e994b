// A reader finds a finding by the word that comes to mind.

import { expect, test } from 'vitest';
import { librarySearch } from '../../renderer/screens/review/search-library.ts';
import { STATEMENT_CODES } from '../../shared/findings/codes.ts';
import { FINDING_LIBRARY } from '../../shared/findings/library/library.ts';
import { tellsNoAbnormality } from '../../shared/findings/no-abnormality.ts';

const search = librarySearch(FINDING_LIBRARY);

test.each([
  ['wpw', 'CON-WPW'],
  ['lbbb', 'CON-LBBB'],
  ['rbbb', 'CON-RBBB'],
  ['irbbb', 'CON-IRBBB'],
  ['afib', 'RHY-AFIB'],
  ['af', 'RHY-AFIB'],
  ['fa', 'RHY-AFIB'],
  ['stemi', 'ISC-STEMI'],
  ['nstemi', 'ISC-NSTEMI'],
  ['pvc', 'ECT-PVC'],
  ['ves', 'ECT-PVC'],
  ['pac', 'ECT-PAC'],
  ['esv', 'ECT-PAC'],
  ['lvh', 'CHA-LVH'],
  ['hvi', 'CHA-LVH'],
  ['rvh', 'CHA-RVH'],
  ['hvd', 'CHA-RVH'],
  ['lafb', 'CON-LAFB'],
  ['hai', 'CON-LAFB'],
  ['lpfb', 'CON-LPFB'],
  ['brd', 'CON-RBBB'],
  ['bri', 'CON-LBBB'],
  ['bcrihh', 'CON-LBBB'],
  ['svt', 'RHY-SVT'],
  ['tsv', 'RHY-SVT'],
  ['vt', 'RHY-VT'],
  ['tv', 'RHY-VT'],
  ['vf', 'RHY-VF'],
  ['fv', 'RHY-VF'],
  ['nsvt', 'RHY-NSVT'],
  ['tdp', 'RHY-TDP'],
  ['avnrt', 'RHY-AVNRT'],
  ['mat', 'RHY-MAT'],
  ['wap', 'RHY-WAP'],
  ['nsr', 'RHY-SINUS'],
  ['1avb', 'AVB-1'],
  ['wenckebach', 'AVB-W'],
  ['mobitz ii', 'AVB-M2'],
  ['chb', 'AVB-3'],
  ['bavc', 'AVB-3'],
  ['lad', 'AXIS-LAD'],
  ['rad', 'AXIS-RAD'],
  ['prwp', 'PRW-POOR'],
  ['poor r progression', 'PRW-POOR'],
  ['lqt', 'REP-LQT'],
  ['qt largo', 'REP-LQT'],
  ['ivcd', 'CON-IVCD'],
  ['early repolarisation', 'REP-ER'],
  ['early repolarization', 'REP-ER'],
  ['repolarización precoz', 'REP-ER'],
  ['pericarditis', 'REP-PERI'],
  ['u wave', 'REP-UWAVE'],
  ['onda u', 'REP-UWAVE'],
  ['digitalis', 'REP-DIG'],
  ['efecto digitálico', 'REP-DIG'],
  ['normal variant', 'SUM-VARIANT'],
  ['variante normal', 'SUM-VARIANT'],
  ['lead misplacement', 'LEAD-REV'],
  ['wellens', 'ISC-WELL'],
  ['de winter', 'ISC-DEWIN'],
  ['sgarbossa', 'ISC-STEMIWIDE'],
  ['s1q3t3', 'CHA-PE'],
  ['tep', 'CHA-PE'],
  ['brugada', 'REP-BRUG'],
  ['hyperkalemia', 'REP-HYPERK'],
  ['hiperpotasemia', 'REP-HYPERK'],
  ['osborn', 'REP-OSBORN'],
  ['iamcest', 'ISC-STEMI'],
  ['flutter', 'RHY-AFL'],
  ['aleteo', 'RHY-AFL'],
  ['marcapasos', 'RHY-PACED'],
  ['bigeminismo', 'ECT-BIGEM'],
  ['old inferior', 'ISC-QMIINF'],
  ['infarto inferior agudo', 'ISC-STEMIINF'],
  ['normal', 'SUM-NORMAL'],
  ['st', 'ISC-STELEV'],
  ['depression', 'ISC-STDEP'],
  ['depresión', 'ISC-STDEP'],
  ['ts', 'RHY-STACHY'],
  ['es', 'ECT-PVC'],
  ['hipercaliemia', 'REP-HYPERK'],
  ['hipercal', 'REP-HYPERK'],
  ['hypercalcemia', 'REP-HYPERCA'],
  // Beginnings.
  ['nor', 'SUM-NORMAL'],
  ['sinu', 'RHY-SINUS'],
  ['bav', 'AVB-1'],
  ['flut', 'RHY-AFL'],
  ['junc', 'RHY-JUNC'],
  // A slip of the finger.
  ['pericadritis', 'REP-PERI'],
  ['perikarditis', 'REP-PERI'],
  ['brugda', 'REP-BRUG'],
  ['flutterr', 'RHY-AFL'],
])('"%s" finds %s first', (typed, code) => {
  expect(search(typed).findings[0]?.code).toBe(code);
});

test.each([
  ['lbbb', true],
  ['pericard', true],
  ['normal sinus rhythm', true],
  ['no stemi', false],
  ['sin isquemia', false],
  ['pr normal', false],
  ['pericadritis', false],
  ['arritmia', false],
  ['normal', false],
  ['normal ecg', true],
  ['sinus', false],
])('whether the first one is taken by Enter: "%s" %s', (typed, isSure) => {
  expect(search(typed).isSure).toBe(isSure);
});

test('what stands for nothing finds nothing, and nothing typed finds all', () => {
  expect(search('zzzzzz').findings).toEqual([]);
  expect(search('  ').findings).toHaveLength(FINDING_LIBRARY.length);
});

test('there are 200 findings, each with one code and with words of its own in both languages', () => {
  expect(FINDING_LIBRARY.length).toBeGreaterThanOrEqual(200);
  for (const field of ['code', 'en', 'es'] as const)
    expect(new Set(FINDING_LIBRARY.map((each) => each[field])).size).toBe(FINDING_LIBRARY.length);
});

test('what the program states can be added, but for what it counts or measures alone', () => {
  const known = new Set(FINDING_LIBRARY.map(({ code }) => code));
  expect(STATEMENT_CODES.filter((code) => !known.has(code))).toEqual([
    'RHY-SINUSPART',
    'RHY-AFIBPART',
    'RHY-TACHY',
    'RHY-PACESPIKES',
    'RHY-UNDETPART',
    'INT-HR',
    'INT-CHILD',
    'QUAL-FLAT',
    'QUAL-NOBEAT',
    'QUAL-UNREAD',
  ]);
});

test('a variant of the normal takes nothing from a normal ECG, in either language', () => {
  for (const { code, en, es, severity } of FINDING_LIBRARY)
    if (/variant/.test(en))
      for (const text of [en, es]) expect(tellsNoAbnormality({ code, text, severity })).toBe(true);
});
