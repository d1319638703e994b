// By which words a patient is found, and what somebody who types looks for: name, number, date of birth, in
// any order, from the first letter on (screens, S1).

import { nameKeys } from '../../../shared/entry/name-key.ts';
import { type DateOrder, readTypedDate } from '../../../shared/entry/typed-date.ts';
import type { PatientFacts } from '../../../shared/signal/recording.ts';

/** A day is a word of its own, which no name is. */
const wordOfDate = (isoDate: string): string => `b${isoDate.replaceAll('-', '')}`;

/** A number counts in its parts and as one. */
const wordsOfNumber = (number: string): string[] => [...nameKeys(number), nameKeys(number).join('')];

export function patientWords({ id, firstName, lastName, birthDate }: PatientFacts): string[] {
  const words = [
    ...nameKeys(`${lastName ?? ''} ${firstName ?? ''}`),
    ...(id === undefined ? [] : wordsOfNumber(id)),
    ...(birthDate === undefined ? [] : [wordOfDate(birthDate), birthDate.slice(0, 4)]),
  ];
  return [...new Set(words)];
}

/** Found is what has, for each list, a word that begins with one of its beginnings. */
export type SearchTerms = readonly (readonly string[])[];

/** @returns no terms where nothing was typed that anything could be found by */
export function searchTerms(text: string, order: DateOrder, todayMs: number): SearchTerms {
  const whole = readTypedDate(text, order, todayMs);
  // `14 Mar 1951` is a day; `140351` may be a number as well.
  if (whole !== undefined && /\s/.test(text.trim())) return [[wordOfDate(whole)]];
  return text.split(/[\s,;]+/).flatMap((chunk) => {
    const date = readTypedDate(chunk, order, todayMs);
    const keys = nameKeys(chunk);
    if (date === undefined) return keys.map((key) => [key]);
    return [[wordOfDate(date), ...(keys.length === 1 ? keys : [])]];
  });
}
