import { describe, expect, test } from 'vitest';
import { areNamesSimilar, editDistance, nameKeys } from '../../../shared/entry/name-key.ts';
import { dateOrderOf, readTypedDate } from '../../../shared/entry/typed-date.ts';
import { readCentimetres, readKilograms, showKilograms } from '../../../shared/entry/typed-number.ts';

const TODAY_MS = Date.UTC(2026, 10, 22);

describe('dates as they are typed', () => {
  const SAME = [
    '14031951',
    '140351',
    '14.3.1951',
    '14.03.1951',
    '14/3/51',
    '14/03/1951',
    '14-3-1951',
    '14 3 1951',
    '1951-03-14',
    '1951/3/14',
    '1951.03.14',
    '19510314',
    '14 Mar 1951',
    '14 mar 51',
    '14mar1951',
    '14-MAR-1951',
    '14. März 1951',
    '14 de marzo de 1951',
    'March 14, 1951',
    'Mar 14th 1951',
    ' 14.3.1951 ',
    '14,3,1951',
  ];
  test.each(SAME)('%s is 14 March 1951 in Europe', (text) => {
    expect(readTypedDate(text, dateOrderOf('en-GB'), TODAY_MS)).toBe('1951-03-14');
    expect(readTypedDate(text, dateOrderOf('es-ES'), TODAY_MS)).toBe('1951-03-14');
    expect(readTypedDate(text, dateOrderOf('de-DE'), TODAY_MS)).toBe('1951-03-14');
  });

  test.each([
    ['03141951', '1951-03-14'],
    ['3/14/51', '1951-03-14'],
    ['3/4/1951', '1951-03-04'],
    ['1951-03-14', '1951-03-14'],
    ['14 Mar 1951', '1951-03-14'],
    ['December 1 2025', '2025-12-01'],
    ['14.3.1951', '1951-03-14'],
    ['14031951', '1951-03-14'],
  ])('%s in the United States is %s', (text, date) => {
    expect(readTypedDate(text, dateOrderOf('en-US'), TODAY_MS)).toBe(date);
  });

  test.each([
    ['1.1.26', '2026-01-01'],
    ['22.11.26', '2026-11-22'],
    ['24.12.26', '1926-12-24'],
    ['1.1.27', '1927-01-01'],
    ['29.2.24', '2024-02-29'],
  ])('two digits of the year: %s is %s', (text, date) => {
    expect(readTypedDate(text, 'dayFirst', TODAY_MS)).toBe(date);
  });

  test.each([
    '',
    '14',
    '14.3',
    '30.2.1951',
    '29.2.1951',
    '14.13.1951',
    '32.1.1951',
    '14.3.951',
    'yesterday',
    '14 foo 1951',
    '1.2.3.4',
    '14.3.2951',
    '0.0.0000',
  ])('%j is no date', (text) => {
    expect(readTypedDate(text, 'dayFirst', TODAY_MS)).toBeUndefined();
  });
});

describe('weights and heights', () => {
  test('every tenth of a kilogram from 0.2 to 1000 is exact', () => {
    for (let tenths = 2; tenths <= 10_000; tenths++) {
      const grams = tenths * 100;
      for (const locale of ['en-GB', 'de-DE'])
        expect(readKilograms(showKilograms(grams, locale))).toBe(grams);
    }
  });

  test.each([
    ['70', 70_000],
    ['6,85 kg', 6850],
    ['3.412', 3412],
    ['70 cm', undefined],
    ['', undefined],
    ['-3', undefined],
    ['1e3', undefined],
    ['3.4125', undefined],
  ])('%j kg is %j g', (text, grams) => expect(readKilograms(text)).toBe(grams));

  test.each([
    ['172', 172],
    ['172 cm', 172],
    ['172,0', 172],
    ['172,5', undefined],
    ['1.72', undefined],
    ['70 kg', undefined],
  ])('%j is %j cm', (text, centimetres) => expect(readCentimetres(text)).toBe(centimetres));
});

describe('names', () => {
  test.each(['Müller', 'MÜLLER', 'mueller', 'Muller', 'muller'])('%s is looked for as Müller', (name) =>
    expect(nameKeys(name)).toEqual(nameKeys('Müller')),
  );
  test.each([
    ['Łukasz Zoë-Anne', ['lukasz', 'zo', 'anne']],
    ["O'Brien", ['o', 'brien']],
    ['Straße', ['strasse']],
    ['Сидоров 李', ['сидоров', '李']],
    ['004 817', ['004', '817']],
  ])('%s', (name, keys) => expect(nameKeys(name)).toEqual(keys));

  test('distances', () => {
    expect(editDistance('anna', 'ana', 2)).toBe(1);
    expect(editDistance('meier', 'meire', 2)).toBe(1);
    expect(editDistance('meier', 'bauer', 2)).toBe(3);
    expect(areNamesSimilar({ first: 'Anna', last: 'Meier' }, { first: 'Ana', last: 'Maier' })).toBe(true);
    expect(areNamesSimilar({ first: 'Meier', last: 'Anna' }, { first: 'Anna', last: 'Meier' })).toBe(true);
    expect(areNamesSimilar({ first: 'Anna', last: 'Meier' }, { first: 'Bernd', last: 'Hoffmann' })).toBe(
      false,
    );
  });
});
