// The reports of a task that were given out, one after another: all of them can be read again.

import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { clockTime, dayOf } from '../../parts/format-time.ts';

type Revision = CallOutput<'report.revisions'>['revisions'][number];

export function useRevisions(taskId: number, isCompleted: boolean): readonly Revision[] {
  const { data } = useBridgeQuery('report.revisions', { taskId }, { isEnabled: isCompleted });
  return data?.revisions ?? [];
}

interface RevisionsProps {
  readonly revisions: readonly Revision[];
  /** Undefined: the newest. */
  readonly shown: number | undefined;
  onShow(revision: number): void;
}

/** Absent where there is only one. */
export function Revisions({ revisions, shown, onShow }: RevisionsProps): ReactNode {
  const { t } = useTranslation();
  const [newest] = revisions;
  if (newest === undefined || revisions.length < 2) return null;
  return (
    <NativeSelect
      aria-label={t('report.version')}
      size="md"
      value={shown ?? newest.revision}
      data={revisions.map(({ revision, by, atMs }) => ({
        value: String(revision),
        label: t('report.versionOf', {
          revision,
          by: by ?? t('report.byProgram'),
          time: `${dayOf(atMs)}, ${clockTime(atMs).clock}`,
        }),
      }))}
      onChange={({ currentTarget }) => onShow(Number(currentTarget.value))}
    />
  );
}

/** Above a report that another one has replaced, with the reason. */
export function Replaced({ revisions, shown }: Pick<RevisionsProps, 'revisions' | 'shown'>): ReactNode {
  const { t } = useTranslation();
  const [newest] = revisions;
  if (newest === undefined || shown === undefined || shown === newest.revision) return null;
  return t('report.replaced', { revision: newest.revision, reason: newest.reason ?? '–' });
}
