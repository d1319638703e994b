// Statements that a person can add: those of the program, with what is measured filled in and … where a person must say it.

import type { Measurements } from '../../../shared/analysis-result.ts';
import { isRetired, STATEMENT_CODES } from '../../../shared/findings/codes.ts';
import { FINDING_TEXTS } from '../../../shared/findings/finding-texts.ts';
import type { Language } from '../../../shared/language.ts';
import { FREE_CODE } from '../../../shared/review/corrections.ts';
import { NORMAL_CODE } from '../../../shared/review/read-findings.ts';
import type { Reading } from './use-reading.ts';

export interface CatalogueEntry {
  readonly code: string;
  readonly text: string;
}

const OPEN = '…';

/** @returns in the order of their codes, each text once */
export function catalogueOf({ heartRateBpm }: Measurements, language: Language): CatalogueEntry[] {
  const rate = heartRateBpm === undefined ? OPEN : String(heartRateBpm);
  const seen = new Set<string>();
  return STATEMENT_CODES.filter((code) => !isRetired(code)).flatMap((code) => {
    const text = FINDING_TEXTS[language].statement[code]
      .replaceAll(/\[[^\]]*\]/g, '')
      .replaceAll('{rate}', rate)
      .replaceAll(/\{[^}]*\}/g, OPEN)
      .trim();
    if (seen.has(text)) return [];
    seen.add(text);
    return [{ code, text }];
  });
}

/** The code whose words the text begins with; where there is none, or it is stated already, one of the person's own. */
export function codeFor(
  text: string,
  catalogue: readonly CatalogueEntry[],
  { statements, rejected }: Pick<Reading, 'statements' | 'rejected'>,
): string {
  const used = new Set([...statements, ...rejected].map(({ statement }) => statement.code));
  const entry = catalogue
    .filter(({ code, text: words }) => {
      // More than these words may say the contrary.
      if (code === NORMAL_CODE) return text === words;
      const [head = ''] = words.split(OPEN);
      return head !== '' && text.startsWith(head);
    })
    .sort((a, b) => b.text.length - a.text.length)
    .find(({ code }) => !used.has(code));
  if (entry !== undefined) return entry.code;
  for (let number = 1; ; number++) if (!used.has(`${FREE_CODE}${number}`)) return `${FREE_CODE}${number}`;
}
