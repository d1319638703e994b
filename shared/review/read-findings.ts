// The findings as a person reads them: what the program states, and what was accepted, reworded, rejected or added.

import type { Statement } from '../analysis-result.ts';
import { tellsNoAbnormality } from '../findings/no-abnormality.ts';
import { highestSeverity, type Severity, severityRank } from '../severity.ts';
import { type MadeCorrection, type SingleCorrection, singlesOf } from './corrections.ts';
import type { PaperGain } from './paper-gain.ts';

/** Where a statement comes from, and whether somebody has looked at it. */
export type StatementState = 'program' | 'accepted' | 'reworded' | 'added';

export interface ReadStatement {
  readonly statement: Statement;
  readonly state: StatementState;
  /** The statement of the program that was reworded. */
  readonly original?: Statement;
  /** Who has said so. */
  readonly by?: string;
}

export interface RejectedStatement {
  readonly statement: Statement;
  readonly reason: string;
  readonly by: string;
}

export interface ReadFindings {
  readonly statements: readonly ReadStatement[];
  readonly rejected: readonly RejectedStatement[];
  /** Absent where nothing grave is stated and the recording was not fit to say more. */
  readonly severity: Severity | undefined;
  /** A person set it, and why. */
  readonly severityReason?: string;
}

interface Said {
  readonly change: Extract<SingleCorrection, { kind: 'accepted' | 'rejected' | 'reworded' | 'stated' }>;
  readonly by: string;
}

interface Folded {
  readonly byCode: ReadonlyMap<string, Said>;
  readonly order: readonly string[];
  readonly severity: Extract<SingleCorrection, { kind: 'severity' }> | undefined;
}

/** How high the report is drawn: the last choice counts. */
export const paperGainOf = (corrections: readonly MadeCorrection[]): PaperGain =>
  corrections.reduce<PaperGain>(
    (gain, { change }) => (change.kind === 'paperGain' ? change.gain : gain),
    '10',
  );

/** The program's word that nothing was found. */
export const NORMAL_CODE = 'SUM-NORMAL';

/** The last word on each statement. */
function fold(corrections: readonly MadeCorrection[]): Folded {
  const byCode = new Map<string, Said>();
  let order: readonly string[] = [];
  let severity: Folded['severity'];
  const singles = corrections.flatMap(({ change, by }) =>
    singlesOf(change).map((single) => ({ change: single, by })),
  );
  for (const { change, by } of singles)
    switch (change.kind) {
      case 'accepted':
      case 'rejected':
      case 'reworded':
      case 'stated':
        byCode.set(change.code, { change, by });
        break;
      case 'restored':
      case 'unstated':
        byCode.delete(change.code);
        break;
      case 'ordered':
        order = change.codes;
        break;
      case 'severity':
        severity = change;
    }
  return { byCode, order, severity };
}

/** @returns undefined where it was rejected */
function read(statement: Statement, said: Said | undefined): ReadStatement | undefined {
  if (said === undefined) return { statement, state: 'program' };
  const { change, by } = said;
  switch (change.kind) {
    case 'rejected':
      return undefined;
    case 'accepted':
      return { statement, state: 'accepted', by };
    case 'reworded':
    case 'stated': {
      // The words are the person's, in that person's language: nothing is filled in.
      const { values: _values, ...rest } = statement;
      const severity = change.kind === 'stated' ? change.severity : statement.severity;
      return {
        statement: { ...rest, text: change.text, severity },
        state: 'reworded',
        original: statement,
        by,
      };
    }
  }
}

const statedBy = ({ change, by }: Said): ReadStatement[] =>
  change.kind === 'stated'
    ? [
        {
          statement: {
            code: change.code,
            text: change.text,
            severity: change.severity,
            certainty: 'definite',
            outcome: 'present',
          },
          state: 'added',
          by,
        },
      ]
    : [];

/** The gravest first, as long as nobody has ordered them. */
function inOrder(statements: readonly ReadStatement[], order: readonly string[]): ReadStatement[] {
  const bySeverity = statements.toSorted(
    (a, b) => severityRank(b.statement.severity) - severityRank(a.statement.severity),
  );
  if (order.length === 0) return bySeverity;
  const isNamed = ({ statement }: ReadStatement): boolean => order.includes(statement.code);
  const isGrave = ({ statement }: ReadStatement): boolean =>
    severityRank(statement.severity) >= severityRank('IMPORTANT');
  // What nobody has ordered yet may be new: the grave of it stands before all others.
  const unnamed = bySeverity.filter((each) => !isNamed(each));
  const named = statements
    .filter(isNamed)
    .toSorted((a, b) => order.indexOf(a.statement.code) - order.indexOf(b.statement.code));
  return [...unnamed.filter(isGrave), ...named, ...unnamed.filter((each) => !isGrave(each))];
}

/** Beside anything abnormal that was found, an ECG is not normal, whoever said so before. */
function withoutContradiction(
  statements: readonly ReadStatement[],
  set: Severity | undefined,
): readonly ReadStatement[] {
  const isFound =
    (set ?? 'NONE') !== 'NONE' || statements.some(({ statement }) => !tellsNoAbnormality(statement));
  return isFound
    ? statements.filter(({ statement, state }) => statement.code !== NORMAL_CODE || state === 'reworded')
    : statements;
}

/** Whether it is said, in the program's words, that the ECG is normal. */
export const isCalledNormal = ({ statements, severity }: ReadFindings): boolean =>
  severity === 'NONE' &&
  statements.some(({ statement, state }) => statement.code === NORMAL_CODE && state !== 'reworded');

/**
 * The gravest of what is stated. Where the program could not judge a recording, what is harmless in it says nothing about
 * the rest.
 */
function severityOf(
  statements: readonly ReadStatement[],
  programs: Severity | undefined,
): Severity | undefined {
  const highest = highestSeverity(
    statements.map(({ statement }) => (tellsNoAbnormality(statement) ? 'NONE' : statement.severity)),
  );
  return programs === undefined && severityRank(highest) <= severityRank('LOW') ? undefined : highest;
}

export function readFindings(
  { statements, severity }: { readonly statements: readonly Statement[]; readonly severity?: Severity },
  corrections: readonly MadeCorrection[],
): ReadFindings {
  const folded = fold(corrections);
  const programs = new Set(statements.map(({ code }) => code));
  const kept = statements.flatMap((statement) => read(statement, folded.byCode.get(statement.code)) ?? []);
  const added = [...folded.byCode].flatMap(([code, said]) => (programs.has(code) ? [] : statedBy(said)));
  const all = inOrder(withoutContradiction([...kept, ...added], folded.severity?.severity), folded.order);
  const rejected = statements.flatMap((statement): RejectedStatement[] => {
    const said = folded.byCode.get(statement.code);
    return said?.change.kind === 'rejected' ? [{ statement, reason: said.change.reason, by: said.by }] : [];
  });
  return {
    statements: all,
    rejected,
    severity: folded.severity?.severity ?? severityOf(all, severity),
    ...(folded.severity !== undefined && { severityReason: folded.severity.reason }),
  };
}
