// All rules, in the order in which their statements are told, and what they make of a recording: statements with
// their evidence, the outcome of every rule, what was not assessed, and the severity.

import type { Assessment, Evidence, Statement } from '../../../shared/analysis-result.ts';
import type { StatementCode, Unassessed, UnassessedReason } from '../../../shared/findings/codes.ts';
import { statementText } from '../../../shared/findings/finding-text.ts';
import { highestSeverity, type Severity, severityRank } from '../../../shared/severity.ts';
import { outside } from '../signal/time-base.ts';
import { AV_BLOCK_RULES } from './av-block-rules.ts';
import { CHAMBER_RULES } from './chamber-rules.ts';
import { BUNDLE_BRANCH_RULES } from './conduction-rules.ts';
import { ECTOPY_RULES } from './ectopy-rules.ts';
import { type Facts, hasBeats, isArrested, isMostlyUnread } from './facts.ts';
import { FASCICULAR_RULES } from './fascicular-rules.ts';
import { INFARCTION_RULES } from './infarction-rules.ts';
import { ISCHAEMIA_RULES } from './ischaemia-rules.ts';
import { AXIS_RULES, INTERVAL_RULES } from './measurement-rules.ts';
import { assessNormal, NORMAL, normalFinding } from './normal-rule.ts';
import { PRE_EXCITATION_RULE } from './pre-excitation-rule.ts';
import { ARREST_RULES, BASE_RULES, PAUSE_RULES } from './rhythm-rules.ts';
import type { Finding, Grounds, Need, Rule } from './rule.ts';
import { RUN_RULES, SLOW_RUN_RULES, SUPRAVENTRICULAR_RULES } from './run-rules.ts';
import { SGARBOSSA_RULE } from './sgarbossa-rule.ts';
import { TACHYCARDIA_RULES } from './tachycardia-rules.ts';
import { TECHNICAL_RULES } from './technical-rules.ts';

export const RULES: readonly Rule[] = [
  ...ARREST_RULES,
  ...RUN_RULES,
  ...SLOW_RUN_RULES,
  ...AV_BLOCK_RULES,
  ...TACHYCARDIA_RULES,
  ...BASE_RULES,
  ...SUPRAVENTRICULAR_RULES,
  ...PAUSE_RULES,
  ...ECTOPY_RULES,
  PRE_EXCITATION_RULE,
  ...BUNDLE_BRANCH_RULES,
  ...FASCICULAR_RULES,
  SGARBOSSA_RULE,
  ...ISCHAEMIA_RULES,
  ...INFARCTION_RULES,
  ...CHAMBER_RULES,
  ...INTERVAL_RULES,
  ...AXIS_RULES,
  ...TECHNICAL_RULES,
];

/** As many places as somebody would look at; a day has thousands of ectopic beats, and all beats are told. */
const MOST_RANGES = 50;

function evidenceOf({ leads, ranges, values, limits }: Grounds, facts: Facts): Evidence {
  return {
    leads: [...(leads ?? facts.leads)],
    ranges: (ranges ?? outside([0, facts.time.sampleCount], facts.unread))
      .slice(0, MOST_RANGES)
      .map(([start, end]) => [start, end]),
    values: { ...values },
    ...(limits !== undefined && { limits: { ...limits } }),
  };
}

function statementOf(code: StatementCode, finding: Finding, facts: Facts): Statement {
  const { severity, values = {}, certainty = 'definite', grounds } = finding;
  return {
    code,
    text: statementText(code, values, 'en'),
    values: { ...values },
    severity,
    certainty,
    outcome: 'present',
    evidence: evidenceOf(grounds, facts),
  };
}

interface Applied {
  /** What the rules found, in their order. */
  readonly found: Statement[];
  /** Statements that nobody rejected: they alone count for other rules and for the whole. */
  readonly statements: Statement[];
  readonly assessments: Assessment[];
}

/** What each rule says, and the statements of those that found something. */
function applyRules(rules: readonly Rule[], facts: Facts): Applied {
  const found: Statement[] = [];
  const statements: Statement[] = [];
  const firstUnmet = (needs: readonly Need[]): UnassessedReason | undefined =>
    needs.map((need) => need.unmet(facts)).find((reason) => reason !== undefined);
  const assessments = rules.map(({ code, needs, absenceNeeds = [], suppressedBy = [], find }): Assessment => {
    const instead = suppressedBy.find((other) => statements.some((statement) => statement.code === other));
    if (instead !== undefined) return { code, outcome: 'notAssessed', suppressedBy: instead };
    const unmet = firstUnmet(needs);
    if (unmet !== undefined) return { code, outcome: 'notAssessed', reason: unmet };
    const finding = find(facts);
    if (finding === undefined) {
      const reason = firstUnmet(absenceNeeds);
      return reason === undefined ? { code, outcome: 'absent' } : { code, outcome: 'notAssessed', reason };
    }
    const statement = statementOf(code, finding, facts);
    found.push(statement);
    if (!facts.rejected.has(code)) statements.push(statement);
    return { code, outcome: 'present' };
  });
  return { found, statements, assessments };
}

/** What a reader of an ECG looks for and this result says nothing about, and why: the first reason of a topic. */
/** What is told of these says that they were looked at; that more of the kind may be there is told beside it. */
const TOLD_BY_ONE: ReadonlySet<Unassessed['code']> = new Set(['AVBLOCK', 'QT', 'QWAVES']);

function unassessedTopics(rules: readonly Rule[], assessments: readonly Assessment[]): Unassessed[] {
  const told = new Set(
    rules.filter((_, i) => assessments[i]?.outcome === 'present').map(({ topic }) => topic),
  );
  const reasons = new Map<Unassessed['code'], Unassessed['reason']>();
  for (const [i, { topic }] of rules.entries()) {
    const reason = assessments[i]?.reason;
    if (topic === undefined || reason === undefined || reasons.has(topic)) continue;
    if (!told.has(topic) || !TOLD_BY_ONE.has(topic)) reasons.set(topic, reason);
  }
  const found = [...reasons].map(([code, reason]) => ({ code, reason }));
  return [...found.filter(({ code }) => code === 'RHYTHM'), ...found.filter(({ code }) => code !== 'RHYTHM')];
}

/** Where nothing was found, why the ECG is not called normal all the same; what its rules lack is told by their topics. */
const unassessedNormal = ({ reason }: Assessment): Unassessed[] =>
  reason === 'age' || reason === 'child' ? [{ code: 'NORMAL', reason }] : [];

export interface Interpretation {
  /** With those that a person rejected: they are listed as rejected. */
  readonly statements: readonly Statement[];
  readonly assessments: readonly Assessment[];
  readonly notAssessed: readonly Unassessed[];
  /**
   * Absent where the signal cannot be interpreted, or most of it was not read and the rest shows nothing grave: that
   * is not the same as NONE.
   */
  readonly severity?: Severity;
}

export function interpret(facts: Facts, rules: readonly Rule[] = RULES): Interpretation {
  const { found, statements, assessments } = applyRules(rules, facts);
  const normal = assessNormal(facts, statements, assessments);
  if (normal.outcome === 'present') found.push(statementOf(NORMAL, normalFinding(facts), facts));
  const severity = highestSeverity(statements.map((statement) => statement.severity));
  const isHarmless = severityRank(severity) <= severityRank('LOW');
  const isJudged = (hasBeats(facts) || isArrested(facts)) && !(isHarmless && isMostlyUnread(facts));
  return {
    statements: found,
    assessments: [...assessments, normal],
    notAssessed: [...unassessedTopics(rules, assessments), ...unassessedNormal(normal)],
    ...(isJudged && { severity }),
  };
}
