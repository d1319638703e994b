// The bar at the bottom: recording, what is stored of it, and what to do with it (screens, S2).

import { Button, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeskDevice } from '../../../shared/bridge/views.ts';
import { clockTime, duration, runningTime } from '../../parts/format-time.ts';
import { Icon } from '../../parts/icon.tsx';
import classes from './live.module.css';
import { type RecorderControl, SAVED_MS } from './use-recorder.ts';

const DURATIONS_MS = [10_000, 30_000, 60_000, 5 * 60_000, 30 * 60_000, 24 * 3_600_000] as const;

function Notice({ device }: { device: DeskDevice }): ReactNode {
  const { t } = useTranslation();
  const { recording, lostSinceMs } = device;
  if (recording === undefined) return null;
  if (lostSinceMs !== undefined) return <p className={classes.notice}>{t('devices.lostNotice', { time: clockTime(lostSinceMs).clock })}</p>;
  if (recording.notice === undefined) return null;
  return (
    <p className={classes.notice}>
      {t(`devices.notice.${recording.notice}`, {
        seconds: Math.max(1, Math.round(recording.waitingMs / 1000)),
        minutes: Math.max(0, Math.round(recording.minutesLeft ?? 0)),
      })}
    </p>
  );
}

function Progress({ device }: { device: DeskDevice }): ReactNode {
  const { t } = useTranslation();
  const { recording } = device;
  if (recording === undefined) return null;
  const { recordedMs, fixedDurationMs, lostShare } = recording;
  return (
    <div className={classes.progress}>
      <i aria-hidden="true" />
      <div>
        <b data-testid="recorded-time">{runningTime(recordedMs)}</b>{' '}
        <span>{fixedDurationMs === undefined ? t('devices.recorded') : t('live.ofRecorded', { duration: duration(fixedDurationMs) })}</span>
        {fixedDurationMs !== undefined && (
          <progress max={fixedDurationMs} value={recordedMs} aria-label={t('live.progress')} className={classes.meter} />
        )}
        {lostShare > 0 && <small>{t('devices.lost', { percent: (100 * lostShare).toFixed(2) })}</small>}
        <Notice device={device} />
      </div>
    </div>
  );
}

interface RecordBarProps {
  readonly device: DeskDevice;
  readonly control: RecorderControl;
  /** What `Save last 10 s` would hold. */
  readonly pastMs: number;
  readonly isFrozen: boolean;
  onFreeze(): void;
  onDone(): void;
  onDiscard(taskId: number): void;
}

function RecordButton({ control }: { control: RecorderControl }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={classes.split}>
      <Button h={60} variant="record" loading={control.isBusy} onClick={() => void control.record(SAVED_MS)}>
        <i aria-hidden="true" className={classes.recordDot} />
        {t('live.record', { duration: duration(SAVED_MS) })} <kbd>F5</kbd>
      </Button>
      <Menu position="top-end">
        <Menu.Target>
          <Button h={60} w={46} p={0} variant="record" aria-label={t('live.otherLength')}>
            <Icon name="down" size={18} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {DURATIONS_MS.map((ms) => (
            <Menu.Item key={ms} onClick={() => void control.record(ms)}>
              {duration(ms)}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => void control.record(undefined)}>{t('live.untilStopped')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

/** What just ended, and the three things that can be done then. */
function FinishedCard({ control, onDone, onDiscard }: Pick<RecordBarProps, 'control' | 'onDone' | 'onDiscard'>): ReactNode {
  const { t } = useTranslation();
  const { finished } = control;
  if (finished === undefined) return null;
  return (
    <>
      <div className={classes.stored} role="status">
        <Icon name="check" size={26} />
        <div>
          <b>{t('live.stored', { duration: duration(finished.recordedMs) })}</b>
          <span className="quiet">{t('live.storedText', { id: finished.taskId })}</span>
        </div>
      </div>
      <div className={classes.space} />
      <Button h={60} variant="default" color="red" onClick={() => onDiscard(finished.taskId)}>
        {t('live.discard')} <kbd>Del</kbd>
      </Button>
      <div className={classes.apart} />
      <Button h={60} variant="default" onClick={() => control.dismiss()}>
        <Icon name="retry" />
        {t('live.repeat')} <kbd>R</kbd>
      </Button>
      <Button h={60} onClick={onDone} data-autofocus>
        <Icon name="check" />
        {t('live.done')} <kbd>Enter</kbd>
      </Button>
    </>
  );
}

export function RecordBar(props: RecordBarProps): ReactNode {
  const { t } = useTranslation();
  const { device, control, pastMs, isFrozen, onFreeze } = props;
  const { isRecording, finished } = control;
  if (!isRecording && finished !== undefined)
    return (
      <div className={classes.bar}>
        <FinishedCard {...props} />
      </div>
    );
  const { savedMeanwhile } = control;
  const isPastShort = pastMs < SAVED_MS - 50;
  return (
    <div className={classes.bar}>
      {isRecording ? <Progress device={device} /> : <RecordButton control={control} />}
      {control.trouble !== undefined && (
        <p role="alert" className={classes.trouble}>
          {control.trouble}
        </p>
      )}
      {isRecording && savedMeanwhile !== undefined && (
        <p role="status" className="quiet">
          {t('live.savedMeanwhile', { id: savedMeanwhile })}
        </p>
      )}
      <div className={classes.space} />
      <Button h={60} variant="default" onClick={onFreeze} aria-pressed={isFrozen}>
        <Icon name={isFrozen ? 'live' : 'pause'} />
        {t(isFrozen ? 'live.goOn' : 'live.freeze')} <kbd>{t('live.space')}</kbd>
      </Button>
      {isRecording && (
        <Button h={60} variant="default" onClick={() => void control.mark()}>
          <Icon name="flag" />
          {control.marks === 0 ? t('live.event') : t('live.eventNumber', { count: control.marks })} <kbd>E</kbd>
        </Button>
      )}
      <Button h={60} variant="default" disabled={isPastShort} onClick={() => void control.saveLast()}>
        <Icon name="clock" />
        {isPastShort ? t('live.saveLastSoon', { seconds: Math.floor(pastMs / 1000) }) : t('devices.saveLast')} <kbd>F6</kbd>
      </Button>
      {isRecording && (
        <Button h={60} variant="record" loading={control.isBusy} onClick={() => void control.stop()}>
          <Icon name="stop" />
          {t('devices.stop')} <kbd>F5</kbd>
        </Button>
      )}
    </div>
  );
}
