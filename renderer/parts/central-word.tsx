// How far a task is on its way to the central service, in a word, and what is graver of the two judgements.

import { t } from 'i18next';
import type { ReactNode } from 'react';
import type { TaskRow } from '../../shared/bridge/views.ts';
import { SEVERITIES, type Severity, severityRank } from '../../shared/severity.ts';

type Central = NonNullable<TaskRow['central']>;

const WORDS: Partial<Record<Central['state'], string>> = {
  READY: 'sync.tag.waiting',
  SENDING: 'sync.tag.waiting',
  WAITING_REPORT: 'sync.tag.sent',
  DONE: 'sync.tag.sent',
  NEEDS_CHECK: 'sync.tag.decide',
  REFUSED: 'sync.tag.decide',
};

export function CentralWord({ central: { state } }: { central: Central }): ReactNode {
  const word = WORDS[state];
  return word === undefined ? null : <small>{t(word)}</small>;
}

/** As the central service judges it, where it uses one of our words. */
const centralSeverityOf = ({ central }: Pick<TaskRow, 'central'>): Severity | undefined =>
  SEVERITIES.find((each) => each === central?.severity);

export function gravestOf(row: Pick<TaskRow, 'central' | 'severity'>): Severity | undefined {
  const theirs = centralSeverityOf(row);
  if (theirs === undefined || row.severity === undefined) return row.severity ?? theirs;
  return severityRank(theirs) > severityRank(row.severity) ? theirs : row.severity;
}
