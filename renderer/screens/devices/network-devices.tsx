// Devices of the network: tasks that wait for one or receive from one, how it is, and what it may be told
// (screens, S8; D77 to D80).

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { DeviceBlock } from '../../parts/device-block.tsx';
import { taskNameOf } from '../../parts/patient-line.tsx';
import classes from './devices.module.css';

/** Heartbeats come by the passing of time alone. */
const LOOK_AGAIN_MS = 2000;
const MOST_SHOWN = 50;

function NetworkDevice({ taskId }: { taskId: number }): ReactNode {
  const { t } = useTranslation();
  const { data: task } = useBridgeQuery(
    'task.get',
    { taskId },
    { everyMs: ({ device }) => device && LOOK_AGAIN_MS },
  );
  if (task?.device === undefined) return null;
  const name = taskNameOf(task);
  return (
    <li>
      <DeviceBlock task={task} device={task.device} />
      <a className={classes.forTask} href={`#/worklist/${taskId}`}>
        {t('devices.networkFor', { name, id: taskId })}
      </a>
    </li>
  );
}

/** @param ownTaskId what is recorded at this desk */
export function NetworkDevices({ ownTaskId }: { ownTaskId: number | undefined }): ReactNode {
  const { t } = useTranslation();
  const { data } = useBridgeQuery('task.list', { states: ['WAITING', 'RECEIVING'], limit: MOST_SHOWN });
  const rows = (data?.rows ?? []).filter(({ taskId }) => taskId !== ownTaskId);
  return (
    <section className={classes.network} aria-label={t('devices.network')}>
      <h2>{t('devices.network')}</h2>
      {rows.length === 0 ? (
        <p className={classes.hint}>{t('devices.networkNone')}</p>
      ) : (
        <ul className={classes.rows}>
          {rows.map(({ taskId }) => (
            <NetworkDevice key={taskId} taskId={taskId} />
          ))}
        </ul>
      )}
    </section>
  );
}
