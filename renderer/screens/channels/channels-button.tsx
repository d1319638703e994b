// Opens the channels of a recording, as long as they can still be chosen.

import { Button, type ButtonProps } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import type { TaskState } from '../../../shared/task-state.ts';
import { useSession } from '../../bridge/use-session.ts';
import { loadPart } from '../../parts/load-part.ts';

const TaskChannels = lazy(() =>
  loadPart(async () => ({ default: (await import('./task-channels.tsx')).TaskChannels })),
);

/** A report that was given out stays as it is. */
const OPEN: ReadonlySet<TaskState> = new Set(['QUEUED', 'PROCESSING', 'AWAITING_APPROVAL', 'FAILED']);

export function ChannelsButton({ task, ...look }: { task: TaskDetail } & ButtonProps): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const [isOpen, setOpen] = useState(false);
  if (!may('import') || !OPEN.has(task.state) || task.durationMs === undefined) return null;
  return (
    <>
      <Button {...look} onClick={() => setOpen(true)}>
        {t('channels.open')}
      </Button>
      {isOpen && (
        <Suspense>
          <TaskChannels taskId={task.taskId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
