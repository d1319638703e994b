// What is odd about a file or an order, as sentences in the language of the screens.

import type { Warning } from '../../shared/signal/recording.ts';
import { warningText } from '../../shared/warnings/warning.ts';
import { shownLanguage } from '../text/text.ts';

/** @param warnings what an older version stored is a sentence already */
export const warningSentences = (warnings: readonly (Warning | string)[]): string[] =>
  warnings.map((warning) => (typeof warning === 'string' ? warning : warningText(warning, shownLanguage())));
