// When an ECG is called normal: everything that this program looks for was looked for, and nothing was found but sinus
// rhythm at a usual rate. Analysis reference, section 11.

import type { Assessment, Statement } from '../../../shared/analysis-result.ts';
import type { StatementCode } from '../../../shared/findings/codes.ts';
import type { Facts } from './facts.ts';
import type { Finding } from './rule.ts';

export const NORMAL: StatementCode = 'SUM-NORMAL';
const USUAL_RHYTHM: StatementCode = 'RHY-SINUS';

/** @param statements of all other rules @param assessments of them all */
export function assessNormal(
  { ageYears, isScaleAssumed }: Pick<Facts, 'ageYears' | 'isScaleAssumed'>,
  statements: readonly Pick<Statement, 'code'>[],
  assessments: readonly Assessment[],
): Assessment {
  const code = NORMAL;
  const isUsual = statements.length === 1 && statements[0]?.code === USUAL_RHYTHM;
  if (!isUsual) return { code, outcome: 'absent' };
  const unassessed = assessments.find(({ reason }) => reason !== undefined)?.reason;
  // Limits depend on age: an adult's are not a child's.
  const reason = unassessed ?? (isScaleAssumed ? 'scale' : ageYears === undefined ? 'age' : undefined);
  return reason === undefined ? { code, outcome: 'present' } : { code, outcome: 'notAssessed', reason };
}

export const normalFinding = ({ measurements, beats }: Pick<Facts, 'measurements' | 'beats'>): Finding => {
  const { heartRateBpm = 0, prMs = 0, qrsMs = 0 } = measurements;
  return { severity: 'NONE', grounds: { values: { beats: beats.length, heartRateBpm, prMs, qrsMs } } };
};
