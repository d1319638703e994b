// The status of one task, over the worklist: from its recording to its report, what it is at, what went wrong
// and what to do (screens, S4).

import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ANALYSIS_STAGES, type AnalysisProgress } from '../../../shared/analysis-stage.ts';
import type { TaskDetail, TaskEventView } from '../../../shared/bridge/views.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { analysisWait } from '../../parts/analysis-wait.ts';
import { clockTime, duration, rowTime } from '../../parts/format-time.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { patientFacts, taskNameOf } from '../../parts/patient-line.tsx';
import { errorText } from '../../text/text.ts';
import { TaskActions } from './task-actions.tsx';
import classes from './task-status.module.css';
import { besideOf, type Step, stepsOf } from './task-steps.ts';

const SIGNS: Readonly<Record<Step['state'], IconName>> = {
  done: 'check',
  now: 'live',
  open: 'clock',
  failed: 'cross',
  cancelled: 'cross',
};

function Stage({ progress }: { progress: AnalysisProgress | undefined }): ReactNode {
  const { t } = useTranslation();
  const { stage, minute, ofMinutes } = progress ?? {};
  const place = stage === undefined ? 0 : ANALYSIS_STAGES.indexOf(stage) + 1;
  const minutes =
    minute === undefined || ofMinutes === undefined
      ? ''
      : `, ${t('status.minutes', { minute, of: ofMinutes })}`;
  const words =
    stage === undefined
      ? t('status.begins')
      : t('status.stage', { place, of: ANALYSIS_STAGES.length, stage: t(`status.stages.${stage}`) });
  return (
    <span className={classes.stage}>
      <progress max={ANALYSIS_STAGES.length} value={place} aria-label={t('status.progress')} />
      {words + minutes}
    </span>
  );
}

/** What is to be said of a step beside its time. */
function About({
  step: { name, state, by },
  task,
  progress,
}: {
  step: Step;
  task: TaskDetail;
  progress: AnalysisProgress | undefined;
}): ReactNode {
  const { t } = useTranslation();
  if (state === 'failed')
    return <b className={classes.failed}>{errorText({ reason: task.failureReason ?? 'internal' })}</b>;
  if (name === 'recorded' && task.durationMs !== undefined)
    return t('status.signal', {
      duration: duration(task.durationMs),
      leads: t('worklist.leads', { count: task.leadCount ?? 0 }),
    });
  if (name === 'recorded' && state === 'now') return t(`state.${task.state}`);
  if (name === 'queued' && state === 'now') return analysisWait(task);
  if (name === 'analysed' && state === 'now') return <Stage progress={progress} />;
  if (name === 'approved' && state === 'now') return t('preview.notApprovedText');
  if (name === 'approved' && by !== undefined) return t('status.by', { name: by });
  return null;
}

function StepLine({
  step,
  task,
  progress,
}: {
  step: Step;
  task: TaskDetail;
  progress: AnalysisProgress | undefined;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <li
      className={classes.step}
      data-state={step.state}
      aria-current={step.state === 'now' ? 'step' : undefined}
    >
      <Icon name={SIGNS[step.state]} size={18} />
      <div>
        <b>{t(`status.step.${step.name}.${step.state === 'done' ? 'done' : 'open'}`)}</b>
        <span className="quiet">
          <About step={step} task={task} progress={progress} />
        </span>
      </div>
      <time>{step.atMs === undefined ? '' : clockTime(step.atMs).clock}</time>
    </li>
  );
}

function Beside({ events }: { events: readonly TaskEventView[] }): ReactNode {
  const { t } = useTranslation();
  const beside = besideOf(events);
  if (beside.length === 0) return null;
  return (
    <section className={classes.beside}>
      <h3>{t('status.beside')}</h3>
      <ul>
        {beside.map(({ atMs, action, by, reason }) => (
          <li key={`${atMs} ${action}`}>
            <span className="quiet">{rowTime(atMs, Date.now())}</span>{' '}
            {t(`status.action.${action.replace('.', '_')}`)}
            {by !== undefined && ` · ${by}`}
            {reason !== undefined && <em>{reason}</em>}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function TaskStatus({ taskId, onClose }: { taskId: number; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { data: task, error } = useBridgeQuery('task.get', { taskId });
  const { data: history } = useBridgeQuery('task.history', { taskId });
  const name = task === undefined ? '' : taskNameOf(task);
  const facts =
    task === undefined ? '' : patientFacts(task.patient, { atMs: task.recordingStartMs ?? task.createdMs });
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="27.5rem"
      title={t('status.title', { id: taskId })}
      closeButtonProps={{ 'aria-label': t('status.close'), size: 44 }}
      classNames={{ body: classes.body ?? '', title: classes.title ?? '' }}
    >
      {error !== null && <p role="alert">{errorText(error)}</p>}
      {task !== undefined && history !== undefined && (
        <>
          <p className={classes.whose}>
            <b>{name}</b> <span className="quiet">{facts}</span>
          </p>
          <ol className={classes.steps}>
            {stepsOf(task, history.events).map((step) => (
              <StepLine key={step.name} step={step} task={task} progress={history.progress} />
            ))}
          </ol>
          <Beside events={history.events} />
          <TaskActions task={task} />
        </>
      )}
    </Drawer>
  );
}
