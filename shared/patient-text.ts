// How a patient is named to people, the same on screen and on paper, so that the two can be compared (E4).

import type { PatientFacts } from './signal/recording.ts';

/**
 * `HOFFMANN, Anneliese`: the family name in capitals, except where it has an ß, whose capital would change the name. Empty where
 * no name is known.
 */
export function displayName(patient: PatientFacts): string {
  const { lastName = '', firstName = '' } = patient;
  const family = lastName.includes('ß') ? lastName : lastName.toLocaleUpperCase('en');
  return [family, firstName].filter((part) => part !== '').join(', ');
}

/** Control characters and marks that turn the direction of text, which a file could use to show another name (SEC32). */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  return text.replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '\ufffd').slice(0, 200);
}
