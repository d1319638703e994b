// What a reader says with a finding of the library: its words, what limits them, and the code that they stand for.

import type { Measurements } from '../../../shared/analysis-result.ts';
import { GRAVE_RATES } from '../../../shared/clinical-limits.ts';
import type { LibraryFinding } from '../../../shared/findings/library/finding.ts';
import { FINDING_LIBRARY } from '../../../shared/findings/library/library.ts';
import type { Language } from '../../../shared/language.ts';
import { FREE_CODE } from '../../../shared/review/corrections.ts';
import { NORMAL_CODE } from '../../../shared/review/read-findings.ts';
import { highestSeverity, type Severity } from '../../../shared/severity.ts';
import { librarySearch } from './search-library.ts';
import type { Reading } from './use-reading.ts';

/** How sure, how old, how new: they stand behind a finding, so that no language has to bend it. */
export const LIMITS: Readonly<Record<Language, readonly string[]>> = {
  en: ['probable', 'possible', 'cannot be excluded', 'age undetermined', 'unchanged', 'new'],
  es: ['probable', 'posible', 'no se puede excluir', 'antigüedad indeterminada', 'sin cambios', 'nuevo'],
};

/** Nobody but the reader knows how grave own words are; it is shown, and one click changes it. */
const OF_OWN_WORDS: Severity = 'MODERATE';

/** Rhythms that the program names by their rate, too. */
const WITH_RATE: ReadonlySet<string> = new Set([
  'RHY-SINUS',
  'RHY-SBRADY',
  'RHY-STACHY',
  'RHY-AFIB',
  'RHY-AFL',
  'RHY-SVT',
  'RHY-JUNC',
  'RHY-PACED',
]);

export const searchFindings = librarySearch(FINDING_LIBRARY);

export function textOf(finding: LibraryFinding, { heartRateBpm }: Measurements, language: Language): string {
  return WITH_RATE.has(finding.code) && heartRateBpm !== undefined
    ? `${finding[language]}, ${heartRateBpm}/min`
    : finding[language];
}

const limitsBehind = (text: string, language: Language): string[] => {
  const parts = text.split(', ');
  let first = parts.length;
  while (first > 1 && LIMITS[language].includes(parts[first - 1] as string)) first--;
  return parts.slice(first);
};

export const hasLimit = (text: string, limit: string, language: Language): boolean =>
  limitsBehind(text.trim(), language).includes(limit);

/** Puts a limit behind the words, or takes it away. */
export function withLimit(text: string, limit: string, language: Language): string {
  const whole = text.trim();
  const limits = limitsBehind(whole, language);
  const words = limits.length === 0 ? whole : whole.slice(0, -limits.join(', ').length - 2);
  const wanted = limits.includes(limit) ? limits.filter((each) => each !== limit) : [...limits, limit];
  return [words, ...wanted].join(', ');
}

/** Behind the words of a finding these still mean it; other words may say the contrary. */
function stillMeans(text: string, words: string, language: Language): boolean {
  if (!text.startsWith(words)) return false;
  const rest = text.slice(words.length);
  return rest === '' || `, ${limitsBehind(text, language).join(', ')}` === rest;
}

/** The finding of the library that these are the words of. */
function meantBy(
  text: string,
  measurements: Measurements,
  language: Language,
  isOffered: (code: string) => boolean = () => true,
): LibraryFinding | undefined {
  return FINDING_LIBRARY.find((finding) => {
    if (!isOffered(finding.code)) return false;
    const [bare, rated] = [finding[language], textOf(finding, measurements, language)];
    // More than these words is no normal ECG any more.
    if (finding.code === NORMAL_CODE) return text === bare;
    return stillMeans(text, rated, language) || stillMeans(text, bare, language);
  });
}

/** How grave a rhythm of this rate is, whatever it is called (D63). */
const severityOfRate = (bpm: number | undefined): Severity =>
  GRAVE_RATES.find(({ belowBpm, aboveBpm }) => bpm !== undefined && (bpm < belowBpm || bpm > aboveBpm))
    ?.severity ?? 'NONE';

/** What the rate of this patient adds to a rhythm. */
export const ofRate = (code: string, { heartRateBpm }: Measurements): Severity =>
  WITH_RATE.has(code) ? severityOfRate(heartRateBpm) : 'NONE';

/** The finding that is meant, as what a reader chooses for it is bound to; undefined where the words are the reader's own. */
export const meantCode = (text: string, measurements: Measurements, language: Language): string | undefined =>
  meantBy(text, measurements, language)?.code;

/** What is proposed for these words; undefined where there are none. */
export function proposedSeverity(
  text: string,
  measurements: Measurements,
  language: Language,
): Severity | undefined {
  if (text === '') return undefined;
  const meant = meantBy(text, measurements, language);
  if (meant === undefined) return OF_OWN_WORDS;
  const isLimited = limitsBehind(text, language).length > 0;
  return highestSeverity([
    meant.severity,
    ofRate(meant.code, measurements),
    // A variant of the normal that is in doubt is none.
    isLimited ? 'LOW' : 'NONE',
  ]);
}

/** The code whose words these are; where there is none, or it is stated already, one of the person's own. */
export function codeFor(
  text: string,
  measurements: Measurements,
  language: Language,
  { statements, rejected }: Pick<Reading, 'statements' | 'rejected'>,
): string {
  const used = new Set([...statements, ...rejected].map(({ statement }) => statement.code));
  const meant = meantBy(text, measurements, language, (code) => !used.has(code));
  if (meant !== undefined) return meant.code;
  for (let number = 1; ; number++) if (!used.has(`${FREE_CODE}${number}`)) return `${FREE_CODE}${number}`;
}
