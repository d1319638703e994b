// When an ECG is called normal: everything that this program looks for was looked for, and nothing was found but sinus
// rhythm at a usual rate. Analysis reference, section 11.

import type { Assessment, Statement } from '../../../shared/analysis-result.ts';
import { GROWN_YEARS, USUAL_QRS_MS } from '../../../shared/clinical-limits.ts';
import type { StatementCode } from '../../../shared/findings/codes.ts';
import { isNote } from '../../../shared/findings/no-abnormality.ts';
import { outside } from '../signal/time-base.ts';
import { durationSeconds, type Facts } from './facts.ts';
import type { Finding } from './rule.ts';

export const NORMAL: StatementCode = 'SUM-NORMAL';
const USUAL_RHYTHM: StatementCode = 'RHY-SINUS';

/** A resting ECG: what is measured on the usual beat says little of hours. */
const LONGEST_SECONDS = 300;

/** Sinus rhythm from the first to the last, and a QRS of usual width. */
const isUsual = (facts: Facts): boolean =>
  durationSeconds(facts) <= LONGEST_SECONDS &&
  outside([0, facts.time.sampleCount], facts.sinus).length === 0 &&
  (facts.measurements.qrsMs ?? 0) < USUAL_QRS_MS;

/** @param statements of all other rules @param assessments of them all */
export function assessNormal(
  facts: Facts,
  statements: readonly Pick<Statement, 'code'>[],
  assessments: readonly Assessment[],
): Assessment {
  const code = NORMAL;
  const told = statements.filter((statement) => !isNote(statement.code));
  const isSinusAlone = told.length === 1 && told[0]?.code === USUAL_RHYTHM;
  if (!isSinusAlone || !isUsual(facts)) return { code, outcome: 'absent' };
  const unassessed = assessments.find(({ reason }) => reason !== undefined)?.reason;
  // Limits depend on age: an adult's are not a child's.
  const reason =
    unassessed ?? (facts.ageYears === undefined ? 'age' : facts.ageYears < GROWN_YEARS ? 'child' : undefined);
  return reason === undefined ? { code, outcome: 'present' } : { code, outcome: 'notAssessed', reason };
}

export const normalFinding = ({ measurements, beats }: Pick<Facts, 'measurements' | 'beats'>): Finding => {
  const { heartRateBpm = 0, prMs = 0, qrsMs = 0 } = measurements;
  return {
    severity: 'NONE',
    grounds: { values: { beats: beats.length, heartRateBpm, prMs, qrsMs }, limits: { qrsMs: USUAL_QRS_MS } },
  };
};
