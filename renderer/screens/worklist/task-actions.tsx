// What can be done with a task: only what its state allows.

import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { useSetting } from '../../bridge/use-settings.ts';
import { Icon } from '../../parts/icon.tsx';
import { loadPart } from '../../parts/load-part.ts';
import { isPatientToBeSaid } from '../../parts/patient-line.tsx';
import { ChannelsButton } from '../channels/channels-button.tsx';
import { hasReport, openReport } from './open-report.ts';
import classes from './task-actions.module.css';

const ReasonDialog = lazy(() =>
  loadPart(async () => ({
    default: (await import('../../parts/reason-dialog.tsx')).ReasonDialog,
  })),
);

export function TaskActions({ task }: { task: TaskDetail }): ReactNode {
  const { t } = useTranslation();
  const { run: retry, trouble } = useCommand('task.retry');
  const { may } = useSession();
  const { run: send, trouble: sendTrouble } = useCommand('sync.send');
  const { data: sync } = useBridgeQuery('sync.overview', {});
  const isSimulatedSent = useSetting('sync.simulated') === 'true';
  const [isDeleting, setDeleting] = useState(false);
  const [isHolding, setHolding] = useState(false);
  const isHeld = task.legalHold !== undefined;
  const { taskId } = task;
  const canAssign = isPatientToBeSaid(task) && task.state !== 'PROCESSING';
  // What is meant to go goes by itself; this is for what was there before, or was left out.
  const canSend =
    may('sync') &&
    (sync?.connections.length ?? 0) > 0 &&
    task.central === undefined &&
    hasReport(task) &&
    (task.isSimulated !== true || isSimulatedSent);
  const canDelete = task.state !== 'RECEIVING' && (may('delete') || may('record'));
  return (
    <div className={classes.actions}>
      {(trouble ?? sendTrouble) !== undefined && <p role="alert">{trouble ?? sendTrouble}</p>}
      {canAssign && (
        <Button
          fullWidth
          h={56}
          size="lg"
          component="a"
          href={`#/patient/${taskId}`}
          leftSection={<Icon name="patient" />}
        >
          {t('preview.assign')}
        </Button>
      )}
      {hasReport(task) && (
        <Button
          fullWidth
          h={56}
          size="lg"
          variant={canAssign ? 'default' : 'filled'}
          leftSection={<Icon name="report" />}
          rightSection={<kbd>Enter</kbd>}
          onClick={() => openReport(taskId)}
        >
          {t('preview.pdf')}
        </Button>
      )}
      {hasReport(task) && (
        <Button
          fullWidth
          h={44}
          variant="default"
          component="a"
          href={`#/review/${taskId}`}
          leftSection={<Icon name="review" />}
        >
          {t('rail.review')}
        </Button>
      )}
      {task.state === 'FAILED' && (
        <Button
          fullWidth
          h={56}
          size="lg"
          leftSection={<Icon name="retry" />}
          onClick={() => void retry({ taskId })}
        >
          {t('preview.retry')}
        </Button>
      )}
      {canSend && (
        <Button
          fullWidth
          h={44}
          variant="default"
          leftSection={<Icon name="sync" />}
          onClick={() => void send({ taskId })}
        >
          {t('preview.send')}
        </Button>
      )}
      <ChannelsButton task={task} fullWidth h={44} variant="default" />
      {may('delete') && task.isPatientMissing !== true && (
        <Button
          className={classes.delete ?? ''}
          h={44}
          variant="subtle"
          leftSection={<Icon name="lock" />}
          onClick={() => setHolding(true)}
        >
          {t(isHeld ? 'hold.release' : 'hold.set')}
        </Button>
      )}
      {isHolding && (
        <Suspense>
          <ReasonDialog
            command="patient.hold"
            taskId={taskId}
            isHeld={!isHeld}
            title={t(isHeld ? 'hold.releaseTitle' : 'hold.setTitle')}
            text={t(isHeld ? 'hold.releaseText' : 'hold.setText')}
            action={t(isHeld ? 'hold.releaseAction' : 'hold.setAction')}
            reasons={isHeld ? [] : [t('hold.proceedings'), t('hold.complaint')]}
            onClose={() => setHolding(false)}
          />
        </Suspense>
      )}
      {canDelete && !isHeld && (
        <Button
          className={classes.delete ?? ''}
          h={44}
          variant="subtle"
          leftSection={<Icon name="delete" />}
          onClick={() => setDeleting(true)}
        >
          {t('preview.delete')}
        </Button>
      )}
      {isDeleting && (
        <Suspense>
          <ReasonDialog
            command="task.delete"
            taskId={taskId}
            title={t('preview.deleteTitle')}
            text={t('preview.deleteText', { id: taskId })}
            action={t('preview.deleteAction')}
            reasons={[t('reason.badSignal'), t('reason.wrongPatient'), t('reason.test')]}
            onClose={() => setDeleting(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
