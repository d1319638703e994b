// What a phrase says of a recording: nothing of another patient's numbers, and nothing grave is taken away by it.

import type { Statement } from '../../../../shared/analysis-result.ts';
import { findingText } from '../../../../shared/findings/finding-text.ts';
import type { LibraryFinding } from '../../../../shared/findings/library/finding.ts';
import { FINDING_LIBRARY } from '../../../../shared/findings/library/library.ts';
import { tellsNoAbnormality } from '../../../../shared/findings/no-abnormality.ts';
import { LANGUAGES, type Language } from '../../../../shared/language.ts';
import { FREE_CODE, type PhraseStep } from '../../../../shared/review/corrections.ts';
import type { NewPhrase, PhraseFinding } from '../../../../shared/review/phrases.ts';
import { NORMAL_CODE } from '../../../../shared/review/read-findings.ts';
import { highestSeverity, severityRank } from '../../../../shared/severity.ts';
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

/** A number of a measurement; the one of a lead stands behind a letter. */
const NUMBER = /(?<![\p{L}\d])\d/u;

export interface KeepableFinding extends PhraseFinding {
  /** Somebody has said so. */
  readonly isPersons: boolean;
}

interface Keepable {
  readonly findings: KeepableFinding[];
  /** Words that are true of this patient alone. */
  readonly left: string[];
}

/** What of a reading could be said of another patient. */
export function keepable({ statements }: Pick<Reading, 'statements'>, language: Language): Keepable {
  const findings: KeepableFinding[] = [];
  const left: string[] = [];
  for (const { statement, state } of statements) {
    const text = findingText(statement, language);
    const known = libraryFinding(statement.code);
    const isPrograms = state === 'program' || state === 'accepted';
    // The library's words have no numbers; those of a reader stay as they are, as long as they have none either.
    const isBare =
      known !== undefined && (isPrograms || (NUMBER.test(text) && text.startsWith(known[language])));
    const words = isBare
      ? withCertainty(known[language], isPrograms ? statement.certainty : 'definite', language)
      : text;
    if (NUMBER.test(words)) left.push(text);
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

/** The abnormal findings that a whole report does not name. */
export function against({ isWhole, findings }: NewPhrase, { statements }: Said): ReadStatement[] {
  if (!isWhole) return [];
  const named = new Set(findings.map(({ code }) => code));
  return statements.filter(({ statement }) => !named.has(statement.code) && !tellsNoAbnormality(statement));
}

/** A single key must not take them away. */
export const graveOf = (statements: readonly ReadStatement[]): ReadStatement[] =>
  statements.filter(({ statement }) => severityRank(statement.severity) >= severityRank('IMPORTANT'));

/** @param reason why what stands against it is rejected; not needed where nothing does */
export function saying(phrase: NewPhrase, said: Said, language: Language, reason: string): PhraseStep[] {
  const taken = against(phrase, said).map(
    ({ statement: { code }, state }): PhraseStep =>
      state === 'added' ? { kind: 'unstated', code } : { kind: 'rejected', code, reason },
  );
  const used = new Set([...said.statements, ...said.rejected].map(({ statement }) => statement.code));
  const freeCode = (): string => {
    for (let number = 1; ; number++) if (!used.has(`${FREE_CODE}${number}`)) return `${FREE_CODE}${number}`;
  };
  const says = phrase.findings.map((finding): PhraseStep => {
    const stands = said.statements.find(({ statement }) => statement.code === finding.code);
    const known = libraryFinding(finding.code);
    const isBare = known !== undefined && [known.en, known.es].includes(finding.text);
    // The program's own statement with its numbers says more than the bare words.
    if (stands !== undefined && known !== undefined && isInLibrarysWords(finding.text, known))
      return stands.state === 'added' || stands.state === 'reworded'
        ? {
            kind: 'stated',
            code: stands.statement.code,
            text: stands.statement.text,
            severity: stands.statement.severity,
          }
        : { kind: 'accepted', code: stands.statement.code };
    const code = finding.code ?? freeCode();
    used.add(code);
    return {
      kind: 'stated',
      code,
      text: isBare ? textOf(known, said.measurements, language) : finding.text,
      severity: highestSeverity([finding.severity, ofRate(code, said.measurements)]),
    };
  });
  return [...taken, ...says];
}
