// What the findings of a task state.

import type { Statement } from '../../../shared/analysis-result.ts';
import { isRetired } from '../../../shared/findings/codes.ts';
import { readFindings } from '../../../shared/review/read-findings.ts';
import type { Finding } from './records.ts';

/** Statements as somebody reads them, without those that this version no longer makes. */
export const statementsOf = ({ summary, corrections }: Finding): Statement[] =>
  readFindings(summary, corrections)
    .statements.map(({ statement }) => statement)
    .filter(({ code }) => !isRetired(code));
