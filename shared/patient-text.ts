// How a patient is named to people, the same on screen and on paper, so that the two can be compared (E4).

import type { PatientFacts } from './signal/recording.ts';

/** In capitals, except where it has an ß, whose capital would change the name. */
export const capitalFamilyName = (lastName: string): string =>
  lastName.includes('ß') ? lastName : lastName.toLocaleUpperCase('en');

/** `HOFFMANN, Anneliese`; empty where no name is known. */
export function displayName(patient: PatientFacts): string {
  const { lastName = '', firstName = '' } = patient;
  return [capitalFamilyName(lastName), firstName].filter((part) => part !== '').join(', ');
}

/** Neither a name nor a number: nothing that a report could be filed under. */
export const isNobodys = ({ lastName, firstName, id }: PatientFacts): boolean =>
  lastName === undefined && firstName === undefined && id === undefined;

/** Whether both name the same person, by all that tells one from another. */
export const isSamePerson = (one: PatientFacts, other: PatientFacts): boolean =>
  (['id', 'lastName', 'firstName', 'birthDate'] as const).every((name) => one[name] === other[name]);

/** By what two recordings of one patient may name two people. */
export const PATIENT_DIFFERENCES = ['name', 'birthDate', 'gender'] as const;
export type PatientDifference = (typeof PATIENT_DIFFERENCES)[number];

/**
 * The letters of a text that any font of ours can print, without case, accents and spaces: what two
 * renderings of one name have in common, however their letters are composed.
 */
function bareLetters(text: string): string {
  return [...text.normalize('NFD')]
    .filter((letter) => /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u.test(letter))
    .join('')
    .toLowerCase();
}

/** A long name is shortened on paper: so many letters of it are always there. */
const ALWAYS_PRINTED = 24;

/**
 * Whether a page names this patient (E4). A name in a script that the page can't print is judged by its
 * letters that it can.
 */
export function isNamedOn(pageText: string, patient: PatientFacts): boolean {
  return bareLetters(pageText).includes(bareLetters(displayName(patient)).slice(0, ALWAYS_PRINTED));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const UNSAFE = /[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Control characters and marks that turn the direction of text, which a file could use to show another name
 * (SEC32).
 */
export function plainText(text: string): string {
  return text.normalize('NFC').replace(UNSAFE, '\ufffd').slice(0, 200);
}
