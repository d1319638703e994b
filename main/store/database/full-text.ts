// What is asked of SQLite's full-text index.

import type { SearchTerms } from '../../clinic/patients/patient-words.ts';

/**
 * @param terms words of letters and digits alone, so that nothing in them means anything to the search
 * @param whole a word that must be there as it is
 */
export const toMatch = (terms: SearchTerms, whole?: string): string =>
  [
    ...(whole === undefined ? [] : [[`"${whole}"`]]),
    ...terms.map((beginnings) => beginnings.map((word) => `"${word}"*`)),
  ]
    .map((alternatives) => `(${alternatives.join(' OR ')})`)
    .join(' AND ');
