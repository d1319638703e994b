// What a country suggests at the first start.

import { expect, test } from 'vitest';
import {
  countries,
  customsOf,
  likelyCountry,
  namesThatBegin,
  settingsOf,
} from '../../renderer/screens/first-start/countries.ts';
import { parseSetting } from '../../shared/settings.ts';

test.each([
  ['DE', 'A4', '50', 'IEC', 'dayFirst'],
  ['US', 'Letter', '60', 'AHA', 'monthFirst'],
  ['GB', 'A4', '50', 'IEC', 'dayFirst'],
  ['MX', 'Letter', '60', 'AHA', 'dayFirst'],
  ['BR', 'A4', '60', 'IEC', 'dayFirst'],
  ['PH', 'Letter', '60', 'AHA', 'monthFirst'],
  ['KE', 'A4', '50', 'IEC', 'dayFirst'],
] as const)('%s: %s, %s Hz, %s, %s', (code, paper, mainsHz, electrodes, dateOrder) => {
  expect(customsOf(code)).toEqual({ paper, mainsHz, electrodes, dateOrder });
});

test('where two frequencies are usual nothing is filtered before somebody has chosen', () => {
  expect(settingsOf('JP')).toContainEqual(['display.mainsFilter', 'off']);
});

test('every country has a name in both languages, once, and settings that are taken', () => {
  for (const language of ['en', 'es']) {
    const all = countries(language);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(all.filter(({ code, name }) => name === code)).toEqual([]);
    expect(all.length).toBeGreaterThan(190);
  }
  for (const { code } of countries('en'))
    for (const [key, text] of settingsOf(code)) expect(parseSetting(key, text)).toBe(text);
});

test('the country of the system is proposed, if it says one', () => {
  expect([likelyCountry('de-AT'), likelyCountry('es'), likelyCountry('en-001')]).toEqual(['AT', '', '']);
});

test('what is typed finds names that begin so, before words within a name, and nothing within a word', () => {
  const choices = countries('en').map(({ code, name }) => ({ value: code, label: name }));
  const found = (typed: string): string[] => namesThatBegin(choices, typed).map(({ label }) => label);
  expect(found('ger')).toEqual(['Germany']);
  expect(found('guinea')).toEqual(['Guinea', 'Guinea-Bissau', 'Equatorial Guinea', 'Papua New Guinea']);
  expect(found('cote')).toEqual(['Côte d’Ivoire']);
  expect(found('')).toHaveLength(choices.length);
});
