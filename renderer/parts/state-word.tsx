// The state of a task in words, with a sign and a colour that say the same.

import { exists, t } from 'i18next';
import type { ReactNode } from 'react';
import type { TaskRow } from '../../shared/bridge/views.ts';
import { analysisPlace } from './analysis-wait.ts';
import { waitedText } from './format-time.ts';
import { Icon, type IconName } from './icon.tsx';
import classes from './state-word.module.css';
import { useNow } from './use-now.ts';

const SIGNS: Readonly<
  Record<TaskRow['state'], readonly [IconName, 'ok' | 'warn' | 'bad' | 'quiet' | 'active']>
> = {
  DRAFT: ['clock', 'quiet'],
  WAITING: ['clock', 'quiet'],
  RECEIVING: ['live', 'active'],
  QUEUED: ['clock', 'quiet'],
  PROCESSING: ['live', 'active'],
  AWAITING_APPROVAL: ['review', 'warn'],
  COMPLETED: ['check', 'ok'],
  FAILED: ['cross', 'bad'],
  CANCELLED: ['cross', 'quiet'],
  DELETED: ['cross', 'quiet'],
};

const COUNT_MS = 15_000;
const LOST = ['warning', 'bad'] as const;
const MISSING = ['patient', 'warn'] as const;

/** What replaces the state as long as it is so. */
function flagOf({ isDeviceLost, isPatientMissing, state }: Stated) {
  if (isDeviceLost === true) return { sign: LOST, key: 'state.RECEIVING_lost' } as const;
  if (isPatientMissing === true && state !== 'RECEIVING')
    return { sign: MISSING, key: 'state.patientMissing' } as const;
  return undefined;
}

type Stated = Pick<
  TaskRow,
  'state' | 'failureReason' | 'lane' | 'queuedAhead' | 'waitsForLong' | 'progress' | 'criticalSinceMs'
> & {
  readonly isDeviceLost?: boolean | undefined;
  readonly isPatientMissing?: boolean | undefined;
};

/** Counts on while it is looked at. */
function Minutes({ sinceMs }: { sinceMs: number }): ReactNode {
  return <small>{waitedText(sinceMs, useNow(COUNT_MS))}</small>;
}

export function StateWord({ row }: { row: Stated }): ReactNode {
  const flag = flagOf(row);
  const [icon, tone] = flag?.sign ?? SIGNS[row.state];
  const failure =
    row.failureReason !== undefined && exists(`failure.${row.failureReason}`) ? row.failureReason : 'other';
  const word =
    (flag === undefined ? analysisPlace(row) : undefined) ??
    t(flag?.key ?? `state.${row.state}`, { reason: t(`failure.${failure}`) });
  return (
    <span className={`${classes.state} ${classes[tone]}`}>
      <Icon name={icon} size={17} />
      <span>
        {word}
        {row.criticalSinceMs !== undefined && <Minutes sinceMs={row.criticalSinceMs} />}
      </span>
    </span>
  );
}
