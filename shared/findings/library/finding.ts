// A finding that a reader may add to a report, with the words that readers look for it by.

import type { Severity } from '../../severity.ts';

export interface LibraryFinding {
  /** Stable for ever: that of the program's statement, where it makes the same one, or one of its own. */
  readonly code: string;
  /** What it usually is; a reader may say otherwise. */
  readonly severity: Severity;
  readonly en: string;
  readonly es: string;
  /** Acronyms and other words for it, in both languages, the usual ones first. */
  readonly words: readonly string[];
}

/** @param words parted by commas */
export const finding = (
  code: string,
  severity: Severity,
  en: string,
  es: string,
  words: string,
): LibraryFinding => ({ code, severity, en, es, words: words === '' ? [] : words.split(', ') });
