// Dates and ages of patients as carts, watches and archives write them. What cannot be is no fact.

import { civilDateMs, monthOfLetters } from '../../shared/civil-time.ts';

const LATEST_YEARS = 150;
const YEARS_PER_UNIT: readonly (readonly [RegExp, number])[] = [
  [/^d/i, 1 / 365.25],
  [/^w/i, 7 / 365.25],
  [/^m/i, 1 / 12],
  [/^h/i, 1 / 8766],
];

/** Full years, as everywhere: three months are 0. @param unit in words or letters; years where it is none of the smaller ones */
export function yearsOf(count: number, unit = ''): number | undefined {
  const factor = YEARS_PER_UNIT.find(([word]) => word.test(unit.trim()))?.[1] ?? 1;
  const years = Math.floor(count * factor + 1e-9);
  return Number.isFinite(years) && years >= 0 && years <= LATEST_YEARS ? years : undefined;
}

function isoOf(year: number, month: number, day: number): string | undefined {
  const ms = civilDateMs(year, month, day);
  return ms === undefined || year < 1850 ? undefined : new Date(ms).toISOString().slice(0, 10);
}

/** Month before day, as carts of the United States write it: `05-02-1951`. */
export function monthFirstDate(text: string): string | undefined {
  const [, month, day, year] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(text.trim()) ?? [];
  return year === undefined ? undefined : isoOf(Number(year), Number(month), Number(day));
}

/** `1951-05-02`, `19510502`, `May 2, 1951`, `2 May 1951`; of a date in numbers alone only where the year comes first. */
export function unmistakableDate(text: string): string | undefined {
  const plain = text.trim();
  const [, year, month, day] = /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})$/.exec(plain) ?? [];
  if (year !== undefined) return isoOf(Number(year), Number(month), Number(day));
  const [, monthFirst, dayBehind, yearBehind] = /^([A-Za-z]{3,})\.? (\d{1,2}),? (\d{4})$/.exec(plain) ?? [];
  if (monthFirst !== undefined)
    return isoOf(Number(yearBehind), monthOfLetters(monthFirst.slice(0, 3)), Number(dayBehind));
  const [, dayFirst, monthBehind, lastYear] = /^(\d{1,2})\.? ([A-Za-z]{3,})\.? (\d{4})$/.exec(plain) ?? [];
  return monthBehind === undefined
    ? undefined
    : isoOf(Number(lastYear), monthOfLetters(monthBehind.slice(0, 3)), Number(dayFirst));
}

/** `MALE`, `F`, `Female`; nothing else. */
export function genderOf(text: string): 'FEMALE' | 'MALE' | undefined {
  const word = text.trim().toLowerCase();
  if (word === 'f' || word === 'female') return 'FEMALE';
  return word === 'm' || word === 'male' ? 'MALE' : undefined;
}

/** Carts fill what nobody entered with dashes, blanks or a word. */
export const enteredText = (text: string | undefined): string | undefined => {
  const plain = (text ?? '').trim();
  return /^[-\s]*$/.test(plain) || /^(unknown|none|null|n\/a)$/i.test(plain) ? undefined : plain;
};
