// An alarm stands above everything, on every screen, at the workstation also while nobody is signed in: what it is, of whom, on which
// device and since when. Its sound goes on until somebody silences it, for two minutes; the bar stays.

import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useSession } from '../../bridge/use-session.ts';
import { runningTime } from '../format-time.ts';
import { Icon } from '../icon.tsx';
import { Key } from '../key.tsx';
import { taskNameOf } from '../patient-line.tsx';
import { SimulatedTag } from '../simulated-tag.tsx';
import { useCommands } from '../use-keys.ts';
import { useNow } from '../use-now.ts';
import classes from './alarm-bar.module.css';
import { useAlarmSound } from './alarm-sound.ts';
import { areSilenced, type RaisedAlarms, silencedNow } from './raised-alarms.ts';
import { type Alarm, useAlarms } from './use-alarms.ts';

const SILENCE_MS = 2 * 60_000;
const COUNT_MS = 1000;

function Since({ sinceMs }: { sinceMs: number }): ReactNode {
  const nowMs = useNow(COUNT_MS);
  return (
    <time className={classes.since}>{runningTime(Math.max(0, nowMs - sinceMs)).replace(/\.\d$/, '')}</time>
  );
}

/** Without a name where nobody is signed in: it may stand where others see it. */
function Whose({ taskId }: { taskId: number }): ReactNode {
  const { data } = useBridgeQuery('task.get', { taskId });
  return data === undefined ? null : <b>{taskNameOf(data)}</b>;
}

interface Silence {
  readonly of: ReadonlySet<string>;
  readonly untilMs: number;
}

const raisedOf = (alarms: readonly Alarm[]): RaisedAlarms =>
  new Map(alarms.map(({ device, ...alarm }) => [device.id, alarm]));

function useSilence(alarms: readonly Alarm[]): { readonly isSilent: boolean; silence(): void } {
  const [silence, setSilence] = useState<Silence>();
  useEffect(() => {
    if (silence === undefined) return;
    const timer = setTimeout(() => setSilence(undefined), Math.max(0, silence.untilMs - Date.now()));
    return () => clearTimeout(timer);
  }, [silence]);
  return {
    isSilent: silence !== undefined && areSilenced(raisedOf(alarms), silence.of),
    silence: () => setSilence({ of: silencedNow(raisedOf(alarms)), untilMs: Date.now() + SILENCE_MS }),
  };
}

export function AlarmBar(): ReactNode {
  const { t } = useTranslation();
  const alarms = useAlarms();
  const { isLocked } = useSession();
  const { isSilent, silence } = useSilence(alarms);
  const [alarm, ...others] = alarms;
  const isHeard = useAlarmSound(alarm !== undefined && !isSilent);
  useCommands('everywhere', { silence: alarm === undefined ? undefined : silence }, true);
  if (alarm === undefined) return null;
  const { device, kind, sinceMs } = alarm;
  return (
    <div className={classes.bar}>
      <Icon name="warning" size={28} />
      <div className={classes.words}>
        <strong role="alert">{t(`live.alarm.${kind}`)}</strong>
        <span>
          {!isLocked && device.recording !== undefined && <Whose taskId={device.recording.taskId} />}{' '}
          {device.name} {device.isSimulated && <SimulatedTag />}
          {!isHeard && <b>{t('banner.noSound')}</b>}{' '}
          {others.length > 0 && ` ${t('banner.moreAlarms', { count: others.length })}`}
        </span>
      </div>
      <Since key={sinceMs} sinceMs={sinceMs} />
      {!isLocked && (
        <a className={classes.look} href="#/live">
          {t('banner.watch')}
        </a>
      )}
      <Button
        h={44}
        className={classes.silence ?? ''}
        variant="default"
        disabled={isSilent}
        rightSection={<Key of="everywhere.silence" />}
        onClick={silence}
      >
        {t(isSilent ? 'banner.silenced' : 'banner.silence')}
      </Button>
    </div>
  );
}
