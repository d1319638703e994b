// What a row says of the findings: how grave, over the gravest of them in words.

import { t } from 'i18next';
import type { ReactNode } from 'react';
import type { TaskRow } from '../../../shared/bridge/views.ts';
import { findingText } from '../../../shared/findings/finding-text.ts';
import { NORMAL_CODE } from '../../../shared/review/read-findings.ts';
import { gravestOf } from '../../parts/central-word.tsx';
import { SeverityBadge } from '../../parts/severity-badge.tsx';
import { shownLanguage } from '../../text/text.ts';
import classes from './worklist.module.css';

function Words({ row, isCentrals }: { row: TaskRow; isCentrals: boolean }): ReactNode {
  const { firstFinding } = row;
  // Our words under the severity of somebody else would seem to be their reason.
  if (isCentrals) return <small>{t('worklist.severityOfCentre')}</small>;
  if (firstFinding === undefined) return null;
  const text = findingText(firstFinding, shownLanguage());
  return (
    <small title={text} className={classes.findingWords}>
      <span>{text}</span>
      {firstFinding.more > 0 && <b>+{firstFinding.more}</b>}
    </small>
  );
}

function notYet({ durationMs, state }: TaskRow): string {
  if (durationMs === undefined) return '–';
  if (state === 'AWAITING_APPROVAL' || state === 'COMPLETED') return t('severity.absent');
  return t(state === 'FAILED' || state === 'CANCELLED' ? 'worklist.notAnalysed' : 'worklist.notAnalysedYet');
}

export function RowFinding({ row }: { row: TaskRow }): ReactNode {
  const gravest = gravestOf(row);
  if (gravest === undefined && row.firstFinding === undefined) return <small>{notYet(row)}</small>;
  const isNormal = gravest === 'NONE' && row.firstFinding?.code === NORMAL_CODE;
  return (
    <>
      {gravest === undefined ? (
        <small>{t('severity.absent')}</small>
      ) : (
        <SeverityBadge severity={gravest} {...(isNormal && { word: t('worklist.normal') })} />
      )}
      <Words row={row} isCentrals={gravest !== row.severity} />
    </>
  );
}
