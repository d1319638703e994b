// What a phrase says of a recording: nothing of another patient's numbers, and nothing grave is taken away by it.

import type { Statement } from '../../../../shared/analysis-result.ts';
import { nameKeys } from '../../../../shared/entry/name-key.ts';
import { findingText } from '../../../../shared/findings/finding-text.ts';
import type { LibraryFinding } from '../../../../shared/findings/library/finding.ts';
import { FINDING_LIBRARY } from '../../../../shared/findings/library/library.ts';
import { tellsNoAbnormality } from '../../../../shared/findings/no-abnormality.ts';
import { LANGUAGES, type Language } from '../../../../shared/language.ts';
import { FREE_CODE, type PhraseStep } from '../../../../shared/review/corrections.ts';
import type { NewPhrase, PhraseFinding } from '../../../../shared/review/phrases.ts';
import { NORMAL_CODE } from '../../../../shared/review/read-findings.ts';
import { highestSeverity, severityRank } from '../../../../shared/severity.ts';
import type { PatientFacts } from '../../../../shared/signal/recording.ts';
import { LIMITS, ofRate, textOf } from '../said-finding.ts';
import type { Reading, ReadStatement } from '../use-reading.ts';

const EVERY_LANGUAGE = Object.keys(LANGUAGES) as Language[];

type Said = Pick<Reading, 'statements' | 'rejected' | 'measurements'>;

const libraryFinding = (code: string | undefined) => FINDING_LIBRARY.find((each) => each.code === code);

/** The one phrase that everybody has. */
export const normalEcg = (name: string): NewPhrase => ({
  name,
  isWhole: true,
  findings: [{ code: NORMAL_CODE, text: name, severity: 'NONE' }],
});

const CERTAINTIES = ['probable', 'possible'] as const;

/** What the program is not sure of is not sure in a phrase either. */
function withCertainty(words: string, certainty: Statement['certainty'], language: Language): string {
  const [probable, possible] = LIMITS[language];
  const limit = { definite: undefined, probable, possible }[certainty];
  return limit === undefined ? words : `${words}, ${limit}`;
}

/** The words of the library, as sure as the program may be of them. */
const isInLibrarysWords = (text: string, known: LibraryFinding): boolean =>
  EVERY_LANGUAGE.some((language) =>
    (['definite', ...CERTAINTIES] as const).some(
      (certainty) => text === withCertainty(known[language], certainty, language),
    ),
  );

const LEAD_NAME = /\b(V\d{1,2}R?|aV[RLF])\b/gu;
/** Whether a text has a number of this patient; that of a lead is none. */
const hasNumber = (text: string): boolean => /\d/u.test(text.replace(LEAD_NAME, ''));

/** The rate behind the words of a rhythm. */
const RATE = /^, \d+\/min/u;

/** @returns a reader's words without the rate, or undefined where they still hold something of this patient's */
function ofAnybody(
  text: string,
  known: LibraryFinding | undefined,
  language: Language,
  names: ReadonlySet<string>,
): string | undefined {
  const words = known?.[language];
  const said =
    words !== undefined && text.startsWith(words) ? words + text.slice(words.length).replace(RATE, '') : text;
  const isNamed = nameKeys(said).some((key) => names.has(key));
  return hasNumber(said) || isNamed ? undefined : said;
}

export interface KeepableFinding extends PhraseFinding {
  /** Somebody has said so. */
  readonly isPersons: boolean;
}

interface Keepable {
  readonly findings: KeepableFinding[];
  /** Words that are true of this patient alone. */
  readonly left: string[];
}

/** Sorts a reading into what could be said of another patient, and what could not. */
export function keepable(
  { statements }: Pick<Reading, 'statements'>,
  { lastName = '', firstName = '' }: PatientFacts,
  language: Language,
): Keepable {
  const names = new Set(nameKeys(`${lastName} ${firstName}`));
  const findings: KeepableFinding[] = [];
  const left: string[] = [];
  for (const { statement, state } of statements) {
    const text = findingText(statement, language);
    const known = libraryFinding(statement.code);
    const isPrograms = state === 'program' || state === 'accepted';
    // The library's words have no numbers, but how sure the program was of them.
    const words =
      known !== undefined && isPrograms
        ? withCertainty(known[language], statement.certainty, language)
        : ofAnybody(text, known, language, names);
    if (words === undefined) left.push(text);
    else
      findings.push({
        ...(known !== undefined && { code: known.code }),
        text: words,
        severity: statement.severity,
        isPersons: state !== 'program',
      });
  }
  return { findings, left };
}

/** What stands of a finding: the same one, or the reader's same words. */
const standing = (
  { code, text }: PhraseFinding,
  { statements }: Pick<Said, 'statements'>,
): ReadStatement | undefined =>
  statements.find(({ statement }) =>
    code === undefined ? statement.text === text : statement.code === code,
  );

/** The abnormal findings that a whole report does not name. */
export function against({ isWhole, findings }: NewPhrase, said: Said): ReadStatement[] {
  if (!isWhole) return [];
  const named = new Set(findings.map((finding) => standing(finding, said)));
  return said.statements.filter((read) => !named.has(read) && !tellsNoAbnormality(read.statement));
}

/** A single key must not take them away. */
export const graveOf = (statements: readonly ReadStatement[]): ReadStatement[] =>
  statements.filter(({ statement }) => severityRank(statement.severity) >= severityRank('IMPORTANT'));

/**
 * @param reason why what stands against it is rejected; not needed where nothing does
 * @param nowMs makes codes for the reader's own words that no other phrase has, also one that the screen does not show yet
 */
export function saying(
  phrase: NewPhrase,
  said: Said,
  language: Language,
  reason: string,
  nowMs: number,
): PhraseStep[] {
  const taken = against(phrase, said).map(
    ({ statement: { code }, state }): PhraseStep =>
      state === 'added' ? { kind: 'unstated', code } : { kind: 'rejected', code, reason },
  );
  const says = phrase.findings.map((finding, place): PhraseStep => {
    const stands = standing(finding, said);
    const known = libraryFinding(finding.code);
    const isPrograms = stands?.state === 'program' || stands?.state === 'accepted';
    // The program's own statement with its numbers says more than the bare words.
    if (stands !== undefined && isPrograms && known !== undefined && isInLibrarysWords(finding.text, known))
      return { kind: 'accepted', code: stands.statement.code };
    const isBare = known !== undefined && [known.en, known.es].includes(finding.text);
    const code = stands?.statement.code ?? finding.code ?? `${FREE_CODE}${nowMs + place}`;
    return {
      kind: 'stated',
      code,
      text: isBare ? textOf(known, said.measurements, language) : finding.text,
      // A key makes nothing milder than it stands.
      severity: highestSeverity([
        finding.severity,
        ofRate(code, said.measurements),
        ...(stands === undefined ? [] : [stands.statement.severity]),
      ]),
    };
  });
  return [...taken, ...says];
}
