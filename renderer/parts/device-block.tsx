// The network device of a task: what it reports, whether it is there, what it may be told (D77 to D80).

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceView, TaskDetail } from '../../shared/bridge/views.ts';
import { useCommand } from '../bridge/use-command.ts';
import classes from './device-block.module.css';
import { Icon } from './icon.tsx';

function Heartbeat({ device }: { device: DeviceView }): ReactNode {
  const { t } = useTranslation();
  if (device.seenMs === undefined) return <span className="quiet">{t('device.neverSeen')}</span>;
  const seconds = Math.max(0, Math.round((Date.now() - device.seenMs) / 1000));
  const ago =
    seconds < 100
      ? t('device.secondsAgo', { count: seconds })
      : t('device.minutesAgo', { count: Math.round(seconds / 60) });
  return (
    <span className={device.isLost ? classes.lost : 'quiet'}>
      {device.isLost ? t('device.lost', { ago }) : t('device.seen', { ago })}
    </span>
  );
}

export function DeviceBlock({ task, device }: { task: TaskDetail; device: DeviceView }): ReactNode {
  const { t } = useTranslation();
  const { run, trouble } = useCommand('device.command');
  const finish = useCommand('stream.finish');
  const hindrance = trouble ?? finish.trouble;
  return (
    <section className={classes.block} aria-label={t('device.label')}>
      <h2>{t('device.label')}</h2>
      <div className={classes.line}>
        <span className={classes.state}>
          <Icon name="devices" size={20} />
          <b>{task.deviceId ?? t('device.unnamed')}</b>
        </span>
        <span>{t(`device.state.${device.state}`)}</span>
      </div>
      <div className={classes.line}>
        <Heartbeat device={device} />
        {device.frameCount > 0 && (
          <span className="quiet">{t('device.frames', { count: device.frameCount })}</span>
        )}
      </div>
      {device.command !== undefined && (
        <p className={classes.pending}>{t(`device.pending.${device.command}`)}</p>
      )}
      {device.isCommandIgnored && <p className={classes.lost}>{t('device.ignored')}</p>}
      {hindrance !== undefined && (
        <p role="alert" className={classes.lost}>
          {hindrance}
        </p>
      )}
      <div className={classes.buttons}>
        {device.commands.map((command) => (
          <Button
            key={command}
            variant="default"
            h={44}
            disabled={device.command === command}
            onClick={() => void run({ taskId: task.taskId, command })}
          >
            {t(`device.command.${command}`)}
          </Button>
        ))}
        {device.isLost && device.frameCount > 0 && (
          <Button variant="default" h={44} onClick={() => void finish.run({ taskId: task.taskId })}>
            {t('device.finish')}
          </Button>
        )}
      </div>
    </section>
  );
}
