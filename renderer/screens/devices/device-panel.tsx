// The chosen device: its signal, heart rate, what is known of it, its driver and leads, and recording.

import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeskDevice } from '../../../shared/bridge/views.ts';
import { electrodesOf, SOME_ELECTRODE } from '../../../shared/signal/electrode.ts';
import { leadName } from '../../../shared/signal/lead.ts';
import type { LiveFindings } from '../../../shared/signal/live/live-findings.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { useLiveFindings } from '../../bridge/use-live-findings.ts';
import { useSeat } from '../../bridge/use-seat.ts';
import { useSetting } from '../../bridge/use-settings.ts';
import { useChosenDevice } from '../../entry/chosen-device.tsx';
import { isMeasured, offElectrodes, usedElectrodes } from '../../parts/electrode-contact.ts';
import { ElectrodePicture } from '../../parts/electrode-picture.tsx';
import { type ElectrodeCode, MARKS } from '../../parts/electrode-table.ts';
import { decimalText } from '../../parts/format-number.ts';
import { clockTime, runningTime } from '../../parts/format-time.ts';
import { Icon } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import { loadPart } from '../../parts/load-part.ts';
import { errorText } from '../../text/text.ts';
import { useCalibration } from '../../trace/calibration.ts';
import { DIAGNOSTIC } from '../../trace/display-filter.ts';
import { missingWords } from '../../trace/missing-words.ts';
import { useLiveView } from '../../trace/use-live-view.ts';
import { DeviceName } from './device-name.tsx';
import classes from './device-panel.module.css';
import devicesClasses from './devices.module.css';
import { placeOf } from './place-of.ts';
import { StateChip } from './state-chip.tsx';

const ColumnsDialog = lazy(() =>
  loadPart(async () => ({ default: (await import('./columns-dialog.tsx')).ColumnsDialog })),
);

/** The column of a text device that a lead set takes; undefined for other sets. */
const columnOf = (id: string): string | undefined => /^column-\d+/.exec(id)?.[0];

const STRIP = { kind: 'single', mode: 'sweep', speedMmPerS: 25, gainMmPerMv: 10, isFrozen: false } as const;

function Strip({ device }: { device: DeskDevice }): ReactNode {
  const { t } = useTranslation();
  const strip = useRef<HTMLDivElement>(null);
  const { pxPerMm, isTrue } = useCalibration();
  const names = useLiveView(strip, {
    device,
    filter: DIAGNOSTIC,
    picture: { ...STRIP, lead: Math.max(0, device.leads.indexOf('MDC_ECG_LEAD_II')), pxPerMm },
    simulated: t('devices.simulated'),
    missing: missingWords,
  });
  const label = t('devices.strip', {
    lead: names[Math.max(0, names.indexOf('II'))] ?? '',
    size: t(isTrue ? 'live.trueMm' : 'live.notCalibrated'),
  });
  return (
    <figure className={classes.strip}>
      <div ref={strip} aria-label={label} role="img" data-testid="live-strip" />
      <figcaption>{label}</figcaption>
    </figure>
  );
}

function HeartRate({ findings }: { findings: LiveFindings | undefined }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={classes.rate} aria-live="off">
      <span className="quiet">{t('devices.heartRate')}</span>
      <b>{findings?.heartRateBpm ?? '--'}</b>
      <span className="quiet">
        {findings?.heartRateBpm === undefined
          ? t(`devices.noRate.${findings?.noRateReason ?? 'starting'}`)
          : t('devices.perMinute')}
      </span>
    </div>
  );
}

const useElectrodeCode = (): ElectrodeCode => (useSetting('display.electrodeCode') === 'AHA' ? 'AHA' : 'IEC');

function electrodesText(mask: number, code: ElectrodeCode, some: string): string {
  if ((mask & SOME_ELECTRODE) !== 0) return some;
  return electrodesOf(mask)
    .map((electrode) => MARKS[code][electrode].label)
    .join(', ');
}

/** What must be known of the signal, each in a sentence. */
function Remarks({
  device,
  findings,
}: {
  device: DeskDevice;
  findings: LiveFindings | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const code = useElectrodeCode();
  const isStreaming = device.state === 'ready' || device.state === 'recording';
  const alarms = [
    ...(device.electrodesOff === 0
      ? []
      : [
          t('devices.electrodesOff', {
            electrodes: electrodesText(device.electrodesOff, code, t('devices.someElectrode')),
          }),
        ]),
    ...(findings?.limbOrder === 'doubtful' && isStreaming ? [t('devices.limbSwap')] : []),
    ...(device.trueRateHz !== undefined && device.rateHz !== undefined
      ? [t('devices.rateOff', { measured: device.trueRateHz, declared: device.rateHz })]
      : []),
    ...(device.isRateRefused === true ? [t('devices.rateRefused')] : []),
  ];
  const facts = [
    ...(device.deviceClass === undefined ? [] : [t(`devices.class.${device.deviceClass}`)]),
    ...(device.isCalibrated === false ? [t('devices.notCalibrated')] : []),
    ...(device.hasCounter === false ? [t('devices.noCounter')] : []),
    ...(device.driftPpm === undefined ? [] : [t('devices.drift', { ppm: Math.round(device.driftPpm) })]),
  ];
  return (
    <>
      {alarms.map((line) => (
        <p key={line} className={classes.warning}>
          <Icon name="warning" size={18} /> {line}
        </p>
      ))}
      {facts.length > 0 && (
        <ul className={classes.facts}>
          {facts.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Quality({
  device,
  findings,
}: {
  device: DeskDevice;
  findings: LiveFindings | undefined;
}): ReactNode {
  const { t } = useTranslation();
  if (findings === undefined || device.state === 'lost') return null;
  return (
    <dl className={classes.quality} aria-label={t('devices.signal')}>
      {device.leads.map((lead, i) => (
        <div key={lead} data-quality={findings.quality[i]}>
          <dt>{leadName(lead)}</dt>
          <dd>{t(`devices.quality.${findings.quality[i] ?? 'pending'}`)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Choices({ device }: { device: DeskDevice }): ReactNode {
  const { t } = useTranslation();
  const { data } = useBridgeQuery('desk.drivers', {});
  const connect = useCommand('desk.connect');
  const chooseLeads = useCommand('desk.chooseLeads');
  const [isChoosing, setChoosing] = useState(false);
  const isRecording = device.recording !== undefined && !device.recording.isFinishing;
  // One column alone is a list of leads like any other.
  const hasColumns =
    device.driver === 'text' && new Set(device.leadSets.flatMap(({ id }) => columnOf(id) ?? [])).size > 1;
  // Columns are chosen where they are seen; what is more than one of them stays in the list.
  const listed = hasColumns
    ? device.leadSets.filter(({ id }) => columnOf(id) === undefined || id === device.leadSet)
    : device.leadSets;
  const trouble = connect.trouble ?? chooseLeads.trouble;
  // What comes another way than by a plug says itself what it is.
  const mayChooseDriver =
    device.driver === undefined || data?.drivers.some(({ id }) => id === device.driver) === true;
  return (
    <div className={classes.choices}>
      {mayChooseDriver && (
        <label>
          {t('devices.driver')}
          <select
            className={devicesClasses.select}
            value={device.driver ?? ''}
            disabled={isRecording || device.state === 'detecting'}
            onChange={(event) =>
              void connect.run({
                port: device.port,
                ...(event.target.value !== '' && { driver: event.target.value }),
              })
            }
          >
            <option value="">
              {t(device.driver === undefined ? 'devices.chooseDriver' : 'devices.findOut')}
            </option>
            {data?.drivers.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {device.variants.length > 1 && (
        <label>
          {t('devices.variant')}
          <select
            className={devicesClasses.select}
            value={device.variant}
            disabled={isRecording}
            onChange={(event) =>
              void connect.run({
                port: device.port,
                variant: event.target.value,
                ...(device.driver !== undefined && { driver: device.driver }),
              })
            }
          >
            {device.variants.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {hasColumns && device.state === 'ready' && (
        <Button variant="default" h={44} onClick={() => setChoosing(true)}>
          {t('columns.open')}
        </Button>
      )}
      {isChoosing && (
        <Suspense>
          <ColumnsDialog id={device.id} onClose={() => setChoosing(false)} />
        </Suspense>
      )}
      {listed.length > 1 && (
        <label>
          {t('devices.leads')}
          <select
            className={devicesClasses.select}
            value={device.leadSet}
            disabled={isRecording}
            onChange={(event) => void chooseLeads.run({ id: device.id, leadSet: event.target.value })}
          >
            {listed.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {trouble !== undefined && (
        <p role="alert" className={classes.bad}>
          {trouble}
        </p>
      )}
    </div>
  );
}

function RecordingLine({ device }: { device: DeskDevice }): ReactNode {
  const { t } = useTranslation();
  const { recording, lostSinceMs } = device;
  if (recording === undefined) return null;
  const notice =
    lostSinceMs !== undefined
      ? t('devices.lostNotice', { time: clockTime(lostSinceMs).clock })
      : recording.notice === undefined
        ? undefined
        : t(`devices.notice.${recording.notice}`, {
            seconds: Math.max(1, Math.round(recording.waitingMs / 1000)),
            minutes: Math.max(0, Math.round(recording.minutesLeft ?? 0)),
          });
  return (
    <div className={classes.progress}>
      <div className={classes.time}>
        <i aria-hidden="true" />
        <b>{runningTime(recording.recordedMs)}</b>
        <span>{recording.isFinishing ? t('devices.finishing') : t('devices.recorded')}</span>
        <span className="quiet">
          {t('devices.lost', { percent: decimalText(100 * recording.lostShare, 2) })}
        </span>
      </div>
      {notice !== undefined && (
        <p role="status" className={classes.warning}>
          <Icon name="warning" size={18} /> {notice}
        </p>
      )}
    </div>
  );
}

/** Where the electrodes sit, and which of them has no contact. */
function Electrodes({
  device,
  findings,
}: {
  device: DeskDevice;
  findings: LiveFindings | undefined;
}): ReactNode {
  const code = useElectrodeCode();
  return (
    <ElectrodePicture
      code={code}
      off={offElectrodes(device, findings)}
      used={usedElectrodes(device)}
      isPending={!isMeasured(device, findings)}
    />
  );
}

/** Recording is done where the leads are seen and the patient is known. */
function ConnectedButtons({ device, isDesk }: { device: DeskDevice; isDesk: boolean }): ReactNode {
  const { t } = useTranslation();
  const disconnect = useCommand('desk.disconnect');
  const { choose } = useChosenDevice();
  const isRecording = device.recording !== undefined && !device.recording.isFinishing;
  return (
    <div className={classes.actions}>
      {disconnect.trouble !== undefined && (
        <p role="alert" className={classes.bad}>
          {disconnect.trouble}
        </p>
      )}
      <Button
        h={56}
        size="lg"
        component="a"
        href="#/live"
        onClick={() => choose(device.id)}
        leftSection={<Icon name="live" />}
        rightSection={<Key of="everywhere.toLive" />}
      >
        {t('rail.live')}
      </Button>
      {isDesk && (
        <Button
          h={44}
          variant="default"
          disabled={isRecording}
          onClick={() => void disconnect.run({ id: device.id })}
        >
          {t(device.state === 'detecting' ? 'devices.cancel' : 'devices.disconnect')}
        </Button>
      )}
    </div>
  );
}

function ConnectButton({ device }: { device: DeskDevice }): ReactNode {
  const { t } = useTranslation();
  const connect = useCommand('desk.connect');
  return (
    <div className={classes.actions}>
      {connect.trouble !== undefined && (
        <p role="alert" className={classes.bad}>
          {connect.trouble}
        </p>
      )}
      <Button
        h={56}
        size="lg"
        loading={connect.isRunning}
        onClick={() => void connect.run({ port: device.port })}
      >
        {t('devices.connect')}
      </Button>
    </div>
  );
}

export function DevicePanel({ device }: { device: DeskDevice }): ReactNode {
  const { t } = useTranslation();
  const findings = useLiveFindings(device.id);
  const { seat } = useSeat();
  const isConnected = device.state !== 'disconnected';
  const hasSignal = device.state === 'ready' || device.state === 'recording' || device.state === 'lost';
  return (
    <aside className={devicesClasses.panel} aria-label={t('devices.panel')}>
      <div className={classes.body}>
        <div className={classes.title}>
          <DeviceName
            key={device.id}
            device={device}
            isDesk={seat === undefined}
            facts={[
              placeOf(device),
              ...(device.rateHz === undefined
                ? []
                : [t('devices.rate', { rate: Math.round(device.rateHz * 100) / 100 })]),
            ].join(' · ')}
          />
          <StateChip device={device} />
        </div>
        {device.trouble !== undefined && (
          <p role="alert" className={classes.bad}>
            {errorText(device.trouble)}
          </p>
        )}
        <RecordingLine device={device} />
        {hasSignal && (
          <div className={classes.signal}>
            <div>
              <Strip device={device} />
              <div className={classes.live}>
                <HeartRate findings={findings} />
                <Quality device={device} findings={findings} />
              </div>
            </div>
            <Electrodes device={device} findings={findings} />
          </div>
        )}
        <Remarks device={device} findings={findings} />
        {seat === undefined && <Choices device={device} />}
      </div>
      {isConnected ? (
        <ConnectedButtons device={device} isDesk={seat === undefined} />
      ) : (
        seat === undefined && <ConnectButton device={device} />
      )}
    </aside>
  );
}
