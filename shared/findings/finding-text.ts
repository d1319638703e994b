// A finding as a sentence in one of the languages.

import type { Language } from '../language.ts';
import { fillTemplate } from '../text-template.ts';
import { STATEMENT_CODES, type StatementCode, type Unassessed } from './codes.ts';
import { FINDING_TEXTS, TERMS, type Term } from './finding-texts.ts';

export type FindingValues = Readonly<Record<string, number | string>>;

const isKnownCode = (code: string): code is StatementCode =>
  (STATEMENT_CODES as readonly string[]).includes(code);

const isTerm = (word: string): word is Term => (TERMS as readonly string[]).includes(word);

/** Values that are words, in a person's language; a list has commas. */
function inLanguage(values: FindingValues, language: Language): FindingValues {
  const { term } = FINDING_TEXTS[language];
  const words = (list: string): string =>
    list
      .split(', ')
      .map((word) => (isTerm(word) ? term[word] : word))
      .join(', ');
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? words(value) : value]),
  );
}

export const statementText = (code: StatementCode, values: FindingValues, language: Language): string =>
  fillTemplate(FINDING_TEXTS[language].statement[code], inLanguage(values, language), language);

/**
 * A stored statement in a person's language. One that an older version made, or a newer one with a code that
 * is not known here, keeps the English text that was stored with it.
 */
export function findingText(
  statement: { readonly code: string; readonly text: string; readonly values?: FindingValues | undefined },
  language: Language,
): string {
  const { code, text, values } = statement;
  return values !== undefined && isKnownCode(code) ? statementText(code, values, language) : text;
}

/**
 * `Not assessed: ST segment, Q waves (not in this version); axis (electrodes may be reversed)`; empty where
 * all was.
 */
export function notAssessedText(unassessed: readonly Unassessed[], language: Language): string {
  const texts = FINDING_TEXTS[language];
  const byReason = Map.groupBy(unassessed, ({ reason }) => reason);
  const groups = [...byReason].map(
    ([reason, entries]) =>
      `${entries.map(({ code }) => texts.unassessed[code]).join(', ')} (${texts.reason[reason]})`,
  );
  return groups.length === 0 ? '' : `${texts.notAssessed}: ${groups.join('; ')}`;
}
