// One sentence on how the way to a central service is, and what can be done about it.

import { Button } from '@mantine/core';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionView } from '../../../shared/bridge/sync-views.ts';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { clockTime, duration } from '../../parts/format-time.ts';
import { Icon } from '../../parts/icon.tsx';
import { chipStateOf } from '../../parts/sync-chip.tsx';
import { kindWords, stopWords, troubleWords } from './connection-words.ts';
import classes from './sync.module.css';

const OLD_MS = 86_400_000;
const CLOCK_OFF_MS = 300_000;

const hourMinute = (ms: number): string => clockTime(ms).clock.slice(0, 5);

function sentenceOf(t: TFunction, connection: ConnectionView): string {
  const {
    stop,
    trouble,
    nextTryMs,
    waiting,
    sending,
    toDecide,
    waitingBytes,
    bytesPerSecond,
    held,
    lastContactMs,
  } = connection;
  if (stop !== undefined) return stopWords(t, connection);
  if (trouble !== undefined && waiting > 0) {
    const next = nextTryMs === undefined ? '' : ` ${t('sync.nextTry', { time: hourMinute(nextTryMs) })}`;
    return `${troubleWords(t, connection.kind, trouble)}${next} ${t('sync.waits', { count: waiting })}`;
  }
  if (waiting === 0 && toDecide > 0) return t('sync.toDecide', { count: toDecide });
  // Nothing waits, but whether anything would arrive nobody knows yet.
  if (waiting === 0 && lastContactMs === undefined) return kindWords(t, connection.kind, 'notReachedYet');
  if (waiting === 0) return t(held > 0 ? 'sync.allButHeld' : 'sync.allSent', { count: held });
  const leftMs =
    bytesPerSecond === undefined || bytesPerSecond === 0 ? undefined : (1000 * waitingBytes) / bytesPerSecond;
  const left =
    leftMs === undefined || leftMs < 10_000 ? '' : ` ${t('sync.left', { time: duration(leftMs) })}`;
  return t('sync.sending', { sending, count: waiting }) + left;
}

export function ConnectionLine({ connection }: { connection: ConnectionView }): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const now = useCommand('sync.now');
  const pause = useCommand('sync.pause');
  const resume = useCommand('sync.resume');
  const { connectionId, stop, oldestMs, clockOffsetMs, lastContactMs, waiting } = connection;
  const isOld = oldestMs !== undefined && Date.now() - oldestMs > OLD_MS;
  const trouble = now.trouble ?? pause.trouble ?? resume.trouble;
  return (
    <>
      <p className={classes.line} data-state={chipStateOf(connection)} role="status">
        <Icon name={stop === undefined && connection.toDecide === 0 ? 'sync' : 'warning'} size={20} />
        <span>
          <b>{sentenceOf(t, connection)}</b>
          <small>
            {lastContactMs !== undefined && t('sync.lastContact', { time: clockTime(lastContactMs).clock })}
            {lastContactMs === undefined && waiting > 0 && t('sync.neverReached')}
            {isOld && ` · ${t('sync.oldest', { time: duration(Date.now() - oldestMs) })}`}
            {Math.abs(clockOffsetMs ?? 0) > CLOCK_OFF_MS &&
              ` · ${t('sync.clockOff', { time: duration(Math.abs(clockOffsetMs ?? 0)) })}`}
          </small>
        </span>
      </p>
      {trouble !== undefined && <p role="alert">{trouble}</p>}
      {stop === undefined ? (
        <>
          <Button
            h={44}
            variant="default"
            loading={now.isRunning}
            onClick={() => void now.run({ connectionId })}
          >
            {t('sync.now')}
          </Button>
          {may('sync') && (
            <Button
              h={44}
              variant="default"
              leftSection={<Icon name="pause" />}
              onClick={() => void pause.run({ connectionId })}
            >
              {t('sync.pause')}
            </Button>
          )}
        </>
      ) : (
        may('sync') && (
          <Button h={44} onClick={() => void resume.run({ connectionId })}>
            {t('sync.resume')}
          </Button>
        )
      )}
    </>
  );
}
