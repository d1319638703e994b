// What whoever reads a recording has to know of it beside the findings: what its file, its device and its way here were
// like. One place for screens, reports and results.

import type { Warning } from '../../../shared/signal/recording.ts';
import type { Finding, RecordingFacts, Task } from './records.ts';

/** The findings know all that the file does, and more. */
export const warningsOf = (
  { warnings }: Pick<Task, 'warnings'>,
  facts: Pick<RecordingFacts, 'warnings'> | undefined,
  finding: Pick<Finding, 'summary'> | undefined,
): readonly Warning[] => [...warnings, ...(finding?.summary.warnings ?? facts?.warnings ?? [])];
