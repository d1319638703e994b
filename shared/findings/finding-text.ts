// A finding as a sentence in one of the languages.

import type { Language } from '../language.ts';
import { STATEMENT_CODES, type StatementCode, type Unassessed } from './codes.ts';
import { FINDING_TEXTS } from './finding-texts.ts';

export type FindingValues = Readonly<Record<string, number | string>>;

const isKnownCode = (code: string): code is StatementCode => (STATEMENT_CODES as readonly string[]).includes(code);

function fill(template: string, values: FindingValues, decimal: string): string {
  const shown = (name: string): string => {
    const value = values[name];
    return typeof value === 'number' ? String(value).replace('.', decimal).replace('-', '−') : (value ?? '');
  };
  const names = (part: string): string[] => [...part.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  return template
    .replace(/\[([^\]]*)\]/g, (_, part: string) => (names(part).every((name) => values[name] !== undefined) ? part : ''))
    .replace(/\{(\w+)\}/g, (_, name: string) => shown(name));
}

export const statementText = (code: StatementCode, values: FindingValues, language: Language): string =>
  fill(FINDING_TEXTS[language].statement[code], values, FINDING_TEXTS[language].decimal);

/**
 * A stored statement in a person's language. One that an older version made, or a newer one with a code that is not known here, keeps the
 * English text that was stored with it.
 */
export function findingText(
  statement: { readonly code: string; readonly text: string; readonly values?: FindingValues | undefined },
  language: Language,
): string {
  const { code, text, values } = statement;
  return values !== undefined && isKnownCode(code) ? statementText(code, values, language) : text;
}

/** `Not assessed: ST segment, Q waves (not in this version); axis (electrodes may be reversed)`; empty where all was. */
export function notAssessedText(unassessed: readonly Unassessed[], language: Language): string {
  const texts = FINDING_TEXTS[language];
  const byReason = Map.groupBy(unassessed, ({ reason }) => reason);
  const groups = [...byReason].map(
    ([reason, entries]) => `${entries.map(({ code }) => texts.unassessed[code]).join(', ')} (${texts.reason[reason]})`,
  );
  return groups.length === 0 ? '' : `${texts.notAssessed}: ${groups.join('; ')}`;
}
