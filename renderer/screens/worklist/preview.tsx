// The chosen recording at a glance: who, when, how urgent, the main numbers, the program's statements, what
// can be done.

import { CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import { findingText, notAssessedText } from '../../../shared/findings/finding-text.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { analysisWait, isBeingRead } from '../../parts/analysis-wait.ts';
import { DeviceBlock } from '../../parts/device-block.tsx';
import { numberText } from '../../parts/format-number.ts';
import { recordedTime } from '../../parts/format-time.ts';
import { Icon } from '../../parts/icon.tsx';
import { patientFacts, taskNameOf } from '../../parts/patient-line.tsx';
import { SeverityBadge } from '../../parts/severity-badge.tsx';
import { SimulatedTag } from '../../parts/simulated-tag.tsx';
import { StateWord } from '../../parts/state-word.tsx';
import { Strip } from '../../parts/strip.tsx';
import { useWidth } from '../../parts/use-width.ts';
import { warningSentences } from '../../parts/warning-words.ts';
import { errorText, shownLanguage } from '../../text/text.ts';
import classes from './preview.module.css';
import { TaskActions } from './task-actions.tsx';

/** How often the state of a device is looked at. */
const HEARTBEAT_MS = 2000;

function Values({ task }: { task: TaskDetail }): ReactNode {
  const { t } = useTranslation();
  const m = task.measurements;
  const cells: readonly (readonly [string, number | undefined, string])[] = [
    [t('preview.rate'), m?.heartRateBpm, t('preview.perMinute')],
    [t('preview.pr'), m?.prMs, t('preview.ms')],
    [t('preview.qrs'), m?.qrsMs, t('preview.ms')],
    [t('preview.qt'), m?.qtMs, t('preview.ms')],
    [t('preview.qtc'), m?.qtcFridericiaMs, t('preview.ms')],
    [t('preview.axis'), m?.qrsAxisDeg, '°'],
  ];
  return (
    <dl className={classes.values}>
      {cells.map(([label, value, unit]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value === undefined ? (
              '–'
            ) : (
              <>
                {numberText(value)} <em>{unit}</em>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function PreviewStrip({ taskId }: { taskId: number }): ReactNode {
  const { ref, widthPx } = useWidth();
  return (
    <div ref={ref} className={classes.strip}>
      {widthPx > 0 && <Strip key={taskId} taskId={taskId} widthPx={widthPx} heightPx={64} seconds={5} />}
    </div>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <section className={classes.block}>
      <h2>{title}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}

function Head({ task }: { task: TaskDetail }): ReactNode {
  const { t } = useTranslation();
  const name = taskNameOf(task);
  const facts = patientFacts(task.patient, { atMs: task.recordingStartMs ?? task.createdMs });
  const time =
    task.recordingStartMs === undefined
      ? undefined
      : recordedTime(task.recordingStartMs, task.isStartZoneKnown === true, task.timeZone);
  const startedMs = task.device?.startedMs;
  const since =
    startedMs === undefined
      ? undefined
      : t('preview.receivingSince', { time: recordedTime(startedMs, true, task.timeZone) });
  const recorded =
    time === undefined
      ? t(isBeingRead(task) ? 'preview.startBeingRead' : 'preview.noStart')
      : t('preview.recorded', { time: task.isStartZoneKnown ? time : t('preview.zoneUnknown', { time }) });
  return (
    <div className={classes.block}>
      <div className={classes.line}>
        {task.severity === undefined ? (
          <StateWord row={{ ...task, isDeviceLost: task.device?.isLost }} />
        ) : (
          <SeverityBadge severity={task.severity} />
        )}
        <a className={classes.status} href={`#/task/${task.taskId}`}>
          {t('preview.task', { id: task.taskId })}
        </a>
      </div>
      <div className={classes.name}>
        {name} {task.isSimulated && <SimulatedTag />}
      </div>
      <div className="quiet">{task.isPatientMissing === true ? t('patient.notAssigned') : facts}</div>
      <div className={classes.small}>{since ?? recorded}</div>
    </div>
  );
}

/** What the central service says of it, beside what we say. */
function Central({ task }: { task: TaskDetail }): ReactNode {
  const { t } = useTranslation();
  const { central, taskId } = task;
  if (central?.severity === undefined && central?.hasReport !== true) return null;
  return (
    <section className={classes.block}>
      <h2>{t('settings.group.sync')}</h2>
      {central.severity !== undefined && (
        <p>
          {t('sync.judged', {
            severity: t(`severity.${central.severity}`, { defaultValue: central.severity }),
          })}
        </p>
      )}
      {central.hasReport && <a href={`#/central/${taskId}`}>{t('sync.report')}</a>}
    </section>
  );
}

/**
 * What a reader looks for and the program says nothing about: never left out, or the list above would read as
 * all there is.
 */
function NotAssessed({ task }: { task: TaskDetail }): ReactNode {
  const text = notAssessedText(task.notAssessed, shownLanguage());
  return text === '' ? null : <p className={`${classes.block} ${classes.small}`}>{text}</p>;
}

interface PreviewProps {
  readonly taskId: number | undefined;
  /** Where it is a drawer. */
  readonly isOpen: boolean;
  onClose(): void;
}

export function Preview({ taskId, isOpen, onClose }: PreviewProps): ReactNode {
  const { t } = useTranslation();
  const query = useBridgeQuery(
    'task.get',
    { taskId: taskId ?? 1 },
    { isEnabled: taskId !== undefined, everyMs: ({ device }) => device && HEARTBEAT_MS },
  );
  const task = query.data?.taskId === taskId ? query.data : undefined;
  return (
    <aside className={classes.panel} data-open={isOpen} aria-label={t('preview.label')}>
      <CloseButton
        className={classes.close ?? ''}
        size={44}
        iconSize={18}
        aria-label={t('preview.close')}
        onClick={onClose}
      />
      {task === undefined ? (
        <div className={classes.nothing}>
          <Icon name="review" size={28} />
          <p>{query.error !== null && taskId !== undefined ? errorText(query.error) : t('preview.choose')}</p>
        </div>
      ) : (
        <>
          <div className={classes.body}>
            <Head task={task} />
            {task.durationMs !== undefined && <PreviewStrip taskId={task.taskId} />}
            {task.measurements !== undefined && <Values task={task} />}
            {task.legalHold !== undefined && (
              <p className={classes.note}>
                <Icon name="lock" size={20} />
                <span>
                  <b>{t('hold.held', { time: recordedTime(task.legalHold.sinceMs, true, undefined) })}</b>{' '}
                  {task.legalHold.reason}
                </span>
              </p>
            )}
            {task.rejection !== undefined && (
              <p className={classes.failed}>
                {t('preview.rejected', {
                  by: task.rejection.by,
                  reason: task.rejection.reason,
                  time: recordedTime(task.rejection.atMs, true, undefined),
                })}
              </p>
            )}
            {task.failureReason !== undefined && (
              <p className={classes.failed}>{errorText({ reason: task.failureReason })}</p>
            )}
            <Lines
              title={
                // Newer findings than the signed ones are nobody's yet.
                task.approvedBy === undefined || task.state !== 'COMPLETED'
                  ? t('preview.findings')
                  : t('preview.findingsSigned', { name: task.approvedBy })
              }
              lines={task.statements.map((statement) => findingText(statement, shownLanguage()))}
            />
            <NotAssessed task={task} />
            <Lines title={t('preview.warnings')} lines={warningSentences(task.warnings)} />
            {task.central !== undefined && <Central task={task} />}
            {task.state === 'AWAITING_APPROVAL' && (
              <p className={classes.note}>
                <Icon name="bell" size={20} />
                <span>
                  <b>{t('preview.notApproved')}</b> {t('preview.notApprovedText')}
                </span>
              </p>
            )}
            {analysisWait(task) !== undefined && <p className={classes.hint}>{analysisWait(task)}</p>}
            {task.device !== undefined && <DeviceBlock task={task} device={task.device} />}
            {task.state === 'DRAFT' && <p className={classes.hint}>{t('preview.waiting')}</p>}
            {task.state === 'WAITING' && <p className={classes.hint}>{t('preview.waitingDevice')}</p>}
            {task.state === 'RECEIVING' && (
              <p className={classes.hint}>
                {t(task.device?.isLost === true ? 'preview.receivingLost' : 'preview.receiving')}
              </p>
            )}
          </div>
          <TaskActions key={task.taskId} task={task} />
        </>
      )}
    </aside>
  );
}
