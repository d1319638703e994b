// Devices: what is plugged in, in which state, its signal, and recording in its first form (screens, S8).

import { Button, Menu, TextInput } from '@mantine/core';
import { lazy, type ReactNode, type SubmitEvent, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeskDevice } from '../../../shared/bridge/views.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { useSeat } from '../../bridge/use-seat.ts';
import { duration, recordedTime } from '../../parts/format-time.ts';
import { Icon } from '../../parts/icon.tsx';
import { loadPart } from '../../parts/load-part.ts';
import { SimulatedTag } from '../../parts/simulated-tag.tsx';
import { DevicePanel } from './device-panel.tsx';
import classes from './devices.module.css';
import { NetworkDevices } from './network-devices.tsx';
import { placeOf } from './place-of.ts';
import { StateChip } from './state-chip.tsx';

const WirelessDialog = lazy(() =>
  loadPart(async () => ({ default: (await import('./wireless-dialog.tsx')).WirelessDialog })),
);

function Interrupted(): ReactNode {
  const { t } = useTranslation();
  const { data } = useBridgeQuery('desk.interrupted', {});
  const finish = useCommand('stream.finish');
  if (data === undefined || data.recordings.length === 0) return null;
  return (
    <ul className={classes.banners} aria-live="polite">
      {data.recordings.map(({ taskId, startedMs, durationMs }) => (
        <li key={taskId} className={classes.banner}>
          <Icon name="warning" size={20} />
          <span>
            {t('devices.interrupted', {
              time: recordedTime(startedMs, true, undefined),
              duration: duration(durationMs),
            })}
          </span>
          <Button h={44} variant="default" onClick={() => void finish.run({ taskId })}>
            {t('devices.interruptedFinish')}
          </Button>
        </li>
      ))}
      {finish.trouble !== undefined && <li role="alert">{finish.trouble}</li>}
    </ul>
  );
}

/** The simulator of each driver, with the rhythms that it plays. */
function SimulatorMenu({ onConnected }: { onConnected: (id: string) => void }): ReactNode {
  const { t } = useTranslation();
  const { data } = useBridgeQuery('desk.drivers', {});
  const connect = useCommand('desk.connect');
  const [rhythm, setRhythm] = useState('sinus');
  const start = async (driver: string): Promise<void> => {
    const connected = await connect.run({ port: `simulator:${driver}?rhythm=${rhythm}` });
    if (connected !== undefined) onConnected(connected.id);
  };
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button h={44} variant="default" loading={connect.isRunning} leftSection={<Icon name="live" />}>
          {t('devices.simulator')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        <Menu.Label>{t('devices.simulatorRhythm')}</Menu.Label>
        <div className={classes.rhythm}>
          <select
            className={classes.select}
            aria-label={t('devices.simulatorRhythm')}
            value={rhythm}
            onChange={(event) => setRhythm(event.target.value)}
          >
            {data?.rhythms.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </div>
        <Menu.Label>{t('devices.simulatorDriver')}</Menu.Label>
        {data?.drivers.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => void start(id)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function OtherPort({ onConnected }: { onConnected: (id: string) => void }): ReactNode {
  const { t } = useTranslation();
  const connect = useCommand('desk.connect');
  const [port, setPort] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (port.trim() === '') return;
    const connected = await connect.run({ port: port.trim() });
    if (connected !== undefined) onConnected(connected.id);
  };
  return (
    <form className={classes.other} onSubmit={(event) => void submit(event)}>
      <TextInput
        label={t('devices.otherPort')}
        description={t('devices.portHint')}
        placeholder="/dev/ttyUSB0"
        value={port}
        error={connect.trouble}
        onChange={(event) => setPort(event.target.value)}
        classNames={{ input: classes.input ?? '' }}
      />
      <Button type="submit" h={44} variant="default" loading={connect.isRunning}>
        {t('devices.portConnect')}
      </Button>
    </form>
  );
}

function DeviceRow({
  device,
  isChosen,
  onChoose,
}: {
  device: DeskDevice;
  isChosen: boolean;
  onChoose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <li>
      <button
        type="button"
        className={`${classes.row} ${isChosen ? classes.chosen : ''}`}
        aria-pressed={isChosen}
        onClick={onChoose}
      >
        <Icon name="devices" size={22} />
        <span className={classes.names}>
          <b>
            {device.name} {device.isSimulated && <SimulatedTag />}
          </b>
          <small>{placeOf(device)}</small>
        </span>
        {device.batteryPercent !== undefined && (
          <span className={device.batteryPercent < 20 ? classes.low : 'quiet'}>
            {t('devices.battery', { percent: device.batteryPercent })}
          </span>
        )}
        <StateChip device={device} />
      </button>
    </li>
  );
}

export function DevicesScreen(): ReactNode {
  const { t } = useTranslation();
  const { data } = useBridgeQuery('desk.list', {});
  const { seat } = useSeat();
  const [chosenId, setChosenId] = useState<string | undefined>();
  const [isAdding, setAdding] = useState(false);
  const devices = data?.devices ?? [];
  const chosen = devices.find(({ id }) => id === chosenId) ?? (devices.length === 1 ? devices[0] : undefined);
  return (
    <div className={classes.screen}>
      <div className={classes.head}>
        <h1>{t('devices.title')}</h1>
        <div className={classes.space} />
        {seat !== undefined && <p className="quiet">{t('devices.atDesk')}</p>}
        <Button h={44} variant="default" leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
          {t('wireless.open')}
        </Button>
        {seat === undefined && <SimulatorMenu onConnected={setChosenId} />}
        {isAdding && (
          <Suspense>
            <WirelessDialog
              isDesk={seat === undefined}
              onClose={() => setAdding(false)}
              onConnected={(id) => {
                setAdding(false);
                setChosenId(id);
              }}
            />
          </Suspense>
        )}
      </div>
      <Interrupted />
      {chosen === undefined ? (
        <aside className={classes.panel} aria-label={t('devices.panel')}>
          <p className={classes.hint}>
            {data !== undefined && devices.length === 0 ? (
              <>
                <b>{t('devices.none')}</b> {t('devices.noneRemedy')}
              </>
            ) : (
              t('devices.choose')
            )}
          </p>
        </aside>
      ) : (
        <DevicePanel key={chosen.id} device={chosen} />
      )}
      <section className={classes.list} aria-label={t('devices.list')}>
        <ul className={classes.rows}>
          {devices.map((device) => (
            <DeviceRow
              key={device.id}
              device={device}
              isChosen={device.id === chosen?.id}
              onChoose={() => setChosenId(device.id)}
            />
          ))}
        </ul>
        {seat === undefined && <OtherPort onConnected={setChosenId} />}
        <NetworkDevices
          ownTaskId={devices.find(({ recording }) => recording !== undefined)?.recording?.taskId}
        />
      </section>
    </div>
  );
}
