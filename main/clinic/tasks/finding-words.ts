// By which words a finding is searched for: as it reads in every language of the program, and by the acronyms of readers.

import type { Statement } from '../../../shared/analysis-result.ts';
import { nameKeys } from '../../../shared/entry/name-key.ts';
import { findingText } from '../../../shared/findings/finding-text.ts';
import type { LibraryFinding } from '../../../shared/findings/library/finding.ts';
import { FINDING_LIBRARY } from '../../../shared/findings/library/library.ts';
import { LANGUAGES, type Language } from '../../../shared/language.ts';

const EVERY_LANGUAGE = Object.keys(LANGUAGES) as Language[];
const IN_LIBRARY: ReadonlyMap<string, LibraryFinding> = new Map(
  FINDING_LIBRARY.map((each) => [each.code, each]),
);
/** Statements of the program that a reader would make in other words. */
const ALSO_CALLED: Readonly<Record<string, string>> = {
  'RHY-AFIBPART': 'RHY-AFIB',
  'RHY-SINUSPART': 'RHY-SINUS',
};
/** So short a word means something else where it is only the beginning of another. */
const LONGEST_ACRONYM = 4;
/** A part of the name of many findings, of abnormal ones as well. */
const TELLS_NOTHING = 'normal';

/** An acronym stands among the words as one that no typed letters begin: it is found as a whole alone. */
export const acronymWord = (key: string): string => `_${key}_`;

export function findingWords(statement: Pick<Statement, 'code' | 'text' | 'values'>): string[] {
  const known = IN_LIBRARY.get(ALSO_CALLED[statement.code] ?? statement.code);
  const texts = [
    statement.text,
    ...EVERY_LANGUAGE.map((language) => findingText(statement, language)),
    // A reader's own words are in one language; the finding is the same in all of them.
    ...(known === undefined ? [] : EVERY_LANGUAGE.map((language) => known[language])),
  ];
  const names = (known?.words ?? []).flatMap(nameKeys).filter((key) => key !== TELLS_NOTHING);
  return [
    ...texts.flatMap(nameKeys),
    ...names.map((key) => (key.length <= LONGEST_ACRONYM ? acronymWord(key) : key)),
  ];
}
