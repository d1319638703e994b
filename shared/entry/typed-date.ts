// A date as people type it into a form: with or without separators, the month in digits or letters, two or
// four digits of the year (screens, section 1.7).

import { civilDateMs } from '../civil-time.ts';

/** Which of day and month is written first where both are digits. */
export const DATE_ORDERS = ['dayFirst', 'monthFirst'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

const DAY_MS = 86_400_000;
/** The first letters of the months in the languages of the screens, lower case, without accents. */
const MONTH_LETTERS = [
  ['jan', 'ene'],
  ['feb'],
  ['mar'],
  ['apr', 'abr'],
  ['may', 'mai'],
  ['jun'],
  ['jul'],
  ['aug', 'ago'],
  ['sep', 'set'],
  ['oct', 'okt'],
  ['nov'],
  ['dec', 'dic', 'dez'],
] as const;

/** Languages of regions that write the month first. */
const MONTH_FIRST = new Set(['en-US', 'en-PH', 'en-BZ', 'es-PR', 'es-US', 'en']);
export const dateOrderOf = (locale: string): DateOrder =>
  MONTH_FIRST.has(locale) ? 'monthFirst' : 'dayFirst';

const monthOf = (letters: string): number =>
  MONTH_LETTERS.findIndex((names) => names.some((name) => letters.slice(0, 3) === name)) + 1;

/** Two digits mean the year that gives an age of 0 to 99. */
function fullYear(digits: string, today: Date): number {
  const year = Number(digits);
  if (digits.length !== 2) return year;
  const thisYear = today.getUTCFullYear();
  const century = thisYear - (thisYear % 100);
  return century + year > thisYear ? century - 100 + year : century + year;
}

interface Parts {
  readonly year: string;
  readonly month: number;
  readonly day: number;
}

function ofDigits(digits: string, order: DateOrder): readonly Parts[] {
  const cut = (from: number, to: number): number => Number(digits.slice(from, to));
  const inOrder = (year: string): Parts =>
    order === 'dayFirst'
      ? { day: cut(0, 2), month: cut(2, 4), year }
      : { month: cut(0, 2), day: cut(2, 4), year };
  if (digits.length === 6) return [inOrder(digits.slice(4))];
  if (digits.length !== 8) return [];
  return [inOrder(digits.slice(4)), { year: digits.slice(0, 4), month: cut(4, 6), day: cut(6, 8) }];
}

function ofWords(words: readonly string[], order: DateOrder): readonly Parts[] {
  if (words.length !== 3) return [];
  const letters = words.findIndex((word) => /^[a-z]/.test(word));
  if (letters >= 0) {
    const [day = '', year = ''] = words.filter((_, i) => i !== letters);
    const month = monthOf(words[letters] as string);
    return month === 0
      ? []
      : [day.length === 4 ? { year: day, month, day: Number(year) } : { year, month, day: Number(day) }];
  }
  const [first = '', second = '', third = ''] = words;
  if (first.length === 4) return [{ year: first, month: Number(second), day: Number(third) }];
  const [day, month] = order === 'dayFirst' ? [first, second] : [second, first];
  return [{ year: third, month: Number(month), day: Number(day) }];
}

/**
 * @param order where both readings are days; the form shows what was read in letters
 * @param todayMs the day that two digits of a year are counted from
 * @returns `YYYY-MM-DD`; undefined for what is no day that exists
 */
export function readTypedDate(text: string, order: DateOrder, todayMs: number): string | undefined {
  const plain = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(\d)(st|nd|rd|th)\b/g, '$1')
    .replace(/\bde\b/g, ' ');
  const words = plain.match(/\d+|[a-z]+/g) ?? [];
  const [only = ''] = words;
  const read = (by: DateOrder): readonly Parts[] =>
    words.length === 1 ? ofDigits(only, by) : ofWords(words, by);
  // A date that only makes sense the other way round is read that way.
  const candidates = [...read(order), ...read(order === 'dayFirst' ? 'monthFirst' : 'dayFirst')];
  const today = new Date(todayMs);
  for (const { year: digits, month, day } of candidates) {
    if (digits.length !== 2 && digits.length !== 4) continue;
    const year = fullYear(digits, today);
    const ms = year < 1000 ? undefined : civilDateMs(year, month, day);
    if (ms === undefined || year > today.getUTCFullYear() + 1) continue;
    // A birthday later this year with two digits of the year was a hundred years ago.
    const century = digits.length === 2 && ms > todayMs + DAY_MS ? 100 : 0;
    return `${year - century}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  }
  return undefined;
}
