// The top bar: whose ECG is open, the device, the time, who is signed in.

import { lazy, type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { useTranslation } from 'react-i18next';
import type { DeskDevice, TaskRow } from '../../shared/bridge/views.ts';
import { seatFingerprint } from '../bridge/connect.ts';
import { useFirstStart } from '../bridge/use-first-start.ts';
import { useSeat } from '../bridge/use-seat.ts';
import { useSession } from '../bridge/use-session.ts';
import { useAlarms } from './alarms/use-alarms.ts';
import { deviceStateText } from './device-state.ts';
import { clockTime } from './format-time.ts';
import { Icon } from './icon.tsx';
import { loadPart } from './load-part.ts';
import { nameOf, type OpenPatient, patientFacts } from './patient-line.tsx';
import { SyncChip } from './sync-chip.tsx';
import classes from './top-bar.module.css';
import { useDesk } from './use-desk.ts';
import { useNow } from './use-now.ts';

/** Menus are heavy, and nobody needs one in the first moment. */
const TopMenus = lazy(() => loadPart(async () => ({ default: (await import('./top-menus.tsx')).TopMenus })));

function Clock(): ReactNode {
  const nowMs = useNow(1000);
  const { clock, zone } = clockTime(nowMs);
  return (
    <time className={classes.clock} dateTime={new Date(nowMs).toISOString()}>
      {clock} <small>{zone}</small>
    </time>
  );
}

function Banner({ patient, atMs }: { patient: TaskRow['patient']; atMs: number | undefined }): ReactNode {
  const name = nameOf(patient);
  const facts = patientFacts(patient, atMs === undefined ? {} : { atMs });
  return (
    <div className={classes.banner} data-testid="patient-banner">
      <b>{name}</b> <span>{facts}</span>
    </div>
  );
}

/** Worded, so that nobody has to know the colours. */
function deviceWords({ state, recording }: DeskDevice): 'recording' | DeskDevice['state'] {
  return recording !== undefined && !recording.isFinishing && state !== 'lost' ? 'recording' : state;
}

function DeviceChip(): ReactNode {
  const { t } = useTranslation();
  const { device, devices } = useDesk();
  const { seat } = useSeat();
  const { isLocked } = useSession();
  const alarms = useAlarms();
  // At a seat nothing is told before somebody signs in: what was known may be over.
  if (devices === undefined || (seat !== undefined && isLocked)) return null;
  const state = device === undefined ? 'disconnected' : deviceWords(device);
  // While an alarm stands, nothing of its device is called good.
  if (device !== undefined && alarms.some((alarm) => alarm.device.id === device.id))
    return (
      <a className={classes.chip} data-state="alarm" href="#/live">
        <Icon name="warning" size={17} />
        {t('top.device', { name: device.name, state: t('top.alarm') })}
      </a>
    );
  return (
    <a className={classes.chip} data-state={state} href="#/devices">
      <Icon name="devices" size={17} />
      {device === undefined
        ? t('top.noDevice')
        : t('top.device', { name: device.name, state: deviceStateText({ ...device, state }) })}
    </a>
  );
}

/** As long as the first start is not finished, for whoever may finish it. */
function FirstStartChip(): ReactNode {
  const { t } = useTranslation();
  const { isOffered } = useFirstStart();
  if (!isOffered) return null;
  return (
    <a className={classes.chip} data-state="sync-decide" href="#/start">
      <Icon name="settings" size={17} />
      {t('start.chip')}
    </a>
  );
}

/** At another computer or tablet: what it is called here, and the certificate that it was added with. */
function SeatChip(): ReactNode {
  const { t } = useTranslation();
  const { seat } = useSeat();
  if (seat === undefined) return null;
  return (
    <span className={classes.chip} title={t('top.seatText', { fingerprint: seatFingerprint() ?? '' })}>
      <Icon name="seat" size={17} />
      {t('top.seat', { name: seat })}
    </span>
  );
}

/** In place of menus that did not load, or failed: no reason to take the leads away from whoever watches them. */
function ReloadChip(): ReactNode {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={classes.chip}
      title={t('app.notShownRemedy')}
      onClick={() => location.reload()}
    >
      {t('top.reloadMenu')}
    </button>
  );
}

interface TopBarProps {
  readonly open: OpenPatient;
  readonly version: string;
  /** The fingerprint of the service's certificate, where it is open to the network (SEC20, SEC41). */
  readonly fingerprint: string | undefined;
}

export function TopBar({ open, version, fingerprint }: TopBarProps): ReactNode {
  const { t } = useTranslation();
  return (
    <header className={classes.bar}>
      {open.kind === 'patient' ? (
        <Banner patient={open.patient} atMs={open.atMs} />
      ) : (
        <div className={open.kind === 'emergency' ? classes.emergency : 'quiet'} data-testid="patient-banner">
          {open.text}
        </div>
      )}
      <div className={classes.space} />
      <div className={classes.state}>
        <FirstStartChip />
        <SeatChip />
        <DeviceChip />
        <SyncChip />
        <Clock />
        <ErrorBoundary fallback={<ReloadChip />}>
          <Suspense fallback={<span className={classes.chip}>{t('top.view')}</span>}>
            <TopMenus version={version} fingerprint={fingerprint} />
          </Suspense>
        </ErrorBoundary>
      </div>
    </header>
  );
}
