// The line above the buttons of the record bar: how far a recording is, what hinders it, what became of it.
// As high with words as without.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeskDevice } from '../../../shared/bridge/views.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { decimalText } from '../../parts/format-number.ts';
import { clockTime, duration, runningTime } from '../../parts/format-time.ts';
import { Icon } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import { taskNameOf } from '../../parts/patient-line.tsx';
import { errorText, shownLanguage } from '../../text/text.ts';
import classes from './record-bar.module.css';
import type { RecorderControl } from './use-recorder.ts';

export interface RecordLineProps {
  readonly device: DeskDevice;
  readonly control: RecorderControl;
}

/** @returns what stops or threatens the recording; the gravest first */
function useTroubleText({ device, control }: RecordLineProps): string | undefined {
  const { t } = useTranslation();
  const { recording, lostSinceMs } = device;
  const ended = control.isFinished ? control.finished : undefined;
  if (recording !== undefined && lostSinceMs !== undefined)
    return t('devices.lostNotice', { time: clockTime(lostSinceMs).clock });
  if (recording?.notice !== undefined)
    return t(`devices.notice.${recording.notice}`, {
      seconds: Math.max(1, Math.round(recording.waitingMs / 1000)),
      minutes: Math.max(0, Math.round(recording.minutesLeft ?? 0)),
    });
  if (ended?.trouble !== undefined) return `${t('live.endedByTrouble')} ${errorText(ended.trouble)}`;
  if (ended?.notice !== undefined) return t(`devices.notice.${ended.notice}`);
  if (control.trouble !== undefined) return control.trouble;
  if (device.trueRateHz === undefined || device.rateHz === undefined) return undefined;
  const rateOff = t('devices.rateOff', { measured: device.trueRateHz, declared: device.rateHz });
  return device.isRateRefused === true ? `${rateOff} ${t('devices.rateRefused')}` : rateOff;
}

/** The one thing that somebody has to know now. */
function Notice(props: RecordLineProps): ReactNode {
  const { t } = useTranslation();
  const trouble = useTroubleText(props);
  const { isRecording, isFinished, isPatientMissing, savedMeanwhile } = props.control;
  if (trouble !== undefined)
    return (
      <p role="alert" className={classes.trouble}>
        {trouble}
      </p>
    );
  if (!isRecording && !isFinished && isPatientMissing)
    return (
      <p role="alert" className={classes.missing}>
        <Icon name="warning" />
        <span>
          {t('live.patientMissing')}{' '}
          <a href="#/patient">
            {t('live.toPatient')} <Key of="everywhere.toPatient" />
          </a>
        </span>
      </p>
    );
  if (isRecording && savedMeanwhile !== undefined)
    return (
      <p role="status" className="quiet">
        {t('live.savedMeanwhile', { id: savedMeanwhile })}
      </p>
    );
  return null;
}

function Progress({ device }: { device: DeskDevice }): ReactNode {
  const { t } = useTranslation();
  const { recording } = device;
  if (recording === undefined) return null;
  const { recordedMs, fixedDurationMs, lostShare } = recording;
  return (
    <div className={classes.progress}>
      <i aria-hidden="true" className={classes.dot} />
      <b data-testid="recorded-time">{runningTime(recordedMs)}</b>
      <span>
        {fixedDurationMs === undefined
          ? t('devices.recorded')
          : t('live.ofRecorded', { duration: duration(fixedDurationMs) })}
      </span>
      {fixedDurationMs !== undefined && (
        <progress
          max={fixedDurationMs}
          value={recordedMs}
          aria-label={t('live.progress')}
          className={classes.meter}
        />
      )}
      {lostShare > 0 && <small>{t('devices.lost', { percent: decimalText(100 * lostShare, 2) })}</small>}
    </div>
  );
}

/** What this device recorded last for nobody: it waits for its patient, whoever is entered by now. */
function Earlier({ device }: { device: DeskDevice }): ReactNode {
  const { t } = useTranslation();
  const taskId = device.lastRecording?.taskId;
  const { data } = useBridgeQuery('task.get', { taskId: taskId ?? 1 }, { isEnabled: taskId !== undefined });
  const isWaiting = data?.taskId === taskId && data?.isPatientMissing === true && data.state !== 'DELETED';
  if (!isWaiting) return <span className="quiet">{t('devices.recordedNone')}</span>;
  return (
    <span className="quiet" data-testid="unassigned">
      {taskNameOf(data)} · {t('live.stored', { duration: duration(device.lastRecording?.recordedMs ?? 0) })}{' '}
      {t('live.storedUnassigned')} <a href={`#/patient/${data.taskId}`}>{t('live.toAssign')}</a>
    </span>
  );
}

const seconds = (ms: number): string =>
  (Math.round(ms / 100) / 10).toLocaleString(shownLanguage(), { minimumFractionDigits: 1 });

function Standing({ device, control }: RecordLineProps): ReactNode {
  const { t } = useTranslation();
  const { finished } = control;
  if (control.isRecording) return <Progress device={device} />;
  if (device.recording?.isFinishing === true) return <span className="quiet">{t('devices.finishing')}</span>;
  if (finished === undefined) return <Earlier device={device} />;
  // After a fault, only the length that reached the disk is shown.
  if (finished.trouble !== undefined)
    return <b className={classes.broken}>{t('live.stored', { duration: duration(finished.recordedMs) })}</b>;
  const { recordedMs, lostMs, longestMs, taskId } = finished;
  if (lostMs !== undefined && longestMs !== undefined)
    return (
      <div className={classes.stored} data-broken role="status">
        <Icon name="warning" size={22} />
        <b>{t('live.stored', { duration: duration(recordedMs) })}</b>
        <span>{t('live.broken', { lost: seconds(lostMs), longest: seconds(longestMs) })}</span>
      </div>
    );
  return (
    <div className={classes.stored} role="status">
      <Icon name="check" size={22} />
      <b>{t('live.stored', { duration: duration(recordedMs) })}</b>
      <span className="quiet">{t('live.storedText', { id: taskId })}</span>
    </div>
  );
}

export function RecordLine(props: RecordLineProps): ReactNode {
  return (
    <div className={classes.line}>
      <Standing {...props} />
      <Notice {...props} />
    </div>
  );
}
