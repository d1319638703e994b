// The frame of every screen: rail, top bar, main area. Which screen is shown stands in the address behind
// `#/`.

import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './app.module.css';
import { usePairedDevices } from './bluetooth/paired-devices.ts';
import { useBridgeQuery } from './bridge/use-bridge.tsx';
import { useCommand } from './bridge/use-command.ts';
import { useFirstStart } from './bridge/use-first-start.ts';
import { useIdleLock } from './bridge/use-idle-lock.ts';
import { useSeat } from './bridge/use-seat.ts';
import { useSession } from './bridge/use-session.ts';
import { ChosenDeviceProvider } from './entry/chosen-device.tsx';
import { ImportRunProvider } from './entry/import-run.tsx';
import { usePatientNumber } from './entry/patient-number.ts';
import { EntryProvider, useEntry } from './entry/use-entry.tsx';
import { EmergencyProvider, useEmergency } from './parts/emergency.tsx';
import { clockTime } from './parts/format-time.ts';
import { KeysDialog } from './parts/keys-dialog.tsx';
import { loadPart } from './parts/load-part.ts';
import { OrNotShown } from './parts/not-shown.tsx';
import { type OpenPatient, patientWords } from './parts/patient-line.tsx';
import { Rail } from './parts/rail.tsx';
import { StandingBanners } from './parts/standing-banner.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { useDesk } from './parts/use-desk.ts';
import { useCommands, useKeys, useScannedCode } from './parts/use-keys.ts';
import { WorklistScreen } from './screens/worklist/worklist-screen.tsx';
import { KeptSignalProvider } from './trace/kept-signal.tsx';

// What is not needed for the first look at the worklist is loaded when it is.
const ReportScreen = lazy(() =>
  loadPart(async () => ({
    default: (await import('./screens/report/report-screen.tsx')).ReportScreen,
  })),
);
const ReviewScreen = lazy(() =>
  loadPart(async () => ({
    default: (await import('./screens/review/review-screen.tsx')).ReviewScreen,
  })),
);
const HolterScreen = lazy(() =>
  loadPart(async () => ({
    default: (await import('./screens/holter/holter-screen.tsx')).HolterScreen,
  })),
);
const CompareScreen = lazy(() =>
  loadPart(async () => ({
    default: (await import('./screens/compare/compare-screen.tsx')).CompareScreen,
  })),
);
const TimelineScreen = lazy(() =>
  loadPart(async () => ({
    default: (await import('./screens/timeline/timeline-screen.tsx')).TimelineScreen,
  })),
);
const DevicesScreen = lazy(() =>
  loadPart(async () => ({
    default: (await import('./screens/devices/devices-screen.tsx')).DevicesScreen,
  })),
);
const PatientScreen = lazy(() =>
  loadPart(async () => ({
    default: (await import('./screens/patient/patient-screen.tsx')).PatientScreen,
  })),
);
const LockScreen = lazy(() =>
  loadPart(async () => ({
    default: (await import('./screens/lock/lock-screen.tsx')).LockScreen,
  })),
);
const SettingsScreen = lazy(() =>
  loadPart(async () => ({
    default: (await import('./screens/settings/settings-screen.tsx')).SettingsScreen,
  })),
);
const HelpScreen = lazy(() =>
  loadPart(async () => ({
    default: (await import('./screens/help/help-screen.tsx')).HelpScreen,
  })),
);
const FirstStartScreen = lazy(() =>
  loadPart(async () => ({
    default: (await import('./screens/first-start/first-start-screen.tsx')).FirstStartScreen,
  })),
);
const SyncScreen = lazy(() =>
  loadPart(async () => ({
    default: (await import('./screens/sync/sync-screen.tsx')).SyncScreen,
  })),
);
const LiveScreen = lazy(() =>
  loadPart(async () => ({
    default: (await import('./screens/live/live-screen.tsx')).LiveScreen,
  })),
);

const nothing = (): void => undefined;
/** What a browser would do with these takes the page away from under somebody's hands. */
const KEPT_FROM_THE_BROWSER = { F5: nothing, F6: nothing, F7: nothing, 'Ctrl+k': nothing, 'Ctrl+o': nothing };

/** Places of the rail, by the screens that belong to them. */
const RAIL_PLACES: Readonly<Record<string, string>> = {
  report: 'worklist',
  central: 'worklist',
  task: 'worklist',
  compare: 'review',
  holter: 'review',
  paper: 'review',
  timeline: 'review',
};
/** What these show is of the task in the address. */
const OF_A_TASK: ReadonlySet<string> = new Set([...Object.keys(RAIL_PLACES), 'review', 'patient']);
const NOBODY: OpenPatient = { kind: 'none', text: '' };

interface Address {
  readonly place: string;
  readonly taskId: number | undefined;
  /** The one that it is compared with. */
  readonly otherId: number | undefined;
  /** The group, on a screen that has several. */
  readonly group?: string | undefined;
}

const idOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

function readAddress(): Address {
  const [, ofGroups, group] = /^#\/(settings|start|help)\/([a-z-]+)$/.exec(location.hash) ?? [];
  if (ofGroups !== undefined) return { place: ofGroups, taskId: undefined, otherId: undefined, group };
  const [, place = '', id, other] = /^#\/([a-z]+)(?:\/(\d+))?(?:\/(\d+))?$/.exec(location.hash) ?? [];
  return { place: place === '' ? 'worklist' : place, taskId: idOf(id), otherId: idOf(other) };
}

function useAddress(): Address {
  const [address, setAddress] = useState(readAddress);
  useEffect(() => {
    const update = (): void => setAddress(readAddress());
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return address;
}

/** Whose ECG is on the screen: of the report, else of the recording that runs, else of the form. */
function useOpenPatient({ place, taskId }: Address): OpenPatient {
  const { t } = useTranslation();
  const entry = useEntry();
  const { device } = useDesk();
  const recordedTask = device?.recording?.taskId;
  const isLive = place === 'live' || place === 'patient';
  // On the patient's screen a task is one whose patient is being said.
  const ofTask = OF_A_TASK.has(place) ? taskId : undefined;
  const shownTask = ofTask ?? (isLive ? recordedTask : undefined);
  const { data } = useBridgeQuery(
    'task.get',
    { taskId: shownTask ?? 1 },
    { isEnabled: shownTask !== undefined },
  );
  if (shownTask !== undefined) {
    // While another task loads, the one before it is not shown under its name (E5).
    if (data?.taskId !== shownTask) return { kind: 'none', text: '' };
    if (data.isPatientMissing === true)
      return {
        kind: 'emergency',
        text: t('top.emergency', { time: clockTime(data.createdMs).clock.slice(0, 5) }),
      };
    return { kind: 'patient', patient: data.patient, atMs: data.recordingStartMs ?? data.createdMs };
  }
  if (entry.isEmpty) return { kind: 'none', text: t('top.noPatient') };
  const isConfirmed = entry.recordingEntry() !== undefined;
  if (!isConfirmed) return { kind: 'none', text: t('top.notConfirmed') };
  return { kind: 'patient', patient: patientWords(entry.read.request) };
}

interface ScreenProps {
  readonly address: Address;
  readonly open: OpenPatient;
  readonly scanned: string | undefined;
  onScanTaken(): void;
}

function Screen({ address, open, scanned, onScanTaken }: ScreenProps): ReactNode {
  const { place, taskId, otherId } = address;
  switch (place) {
    case 'settings':
      return <SettingsScreen key={address.group} shown={address.group} />;
    case 'help':
      return <HelpScreen shown={address.group} />;
    case 'devices':
      return <DevicesScreen />;
    case 'sync':
      return <SyncScreen />;
    case 'patient':
      if (taskId === undefined)
        return <PatientScreen assignTaskId={undefined} scanned={scanned} onScanTaken={onScanTaken} />;
      return (
        <EntryProvider key={taskId}>
          <PatientScreen assignTaskId={taskId} />
        </EntryProvider>
      );
    case 'live':
      return <LiveScreen open={open} />;
    case 'review':
      return <ReviewScreen taskId={taskId} />;
    case 'paper':
      return <ReviewScreen taskId={taskId} isOnPaper />;
    case 'holter':
      return taskId === undefined ? <ReviewScreen taskId={undefined} /> : <HolterScreen taskId={taskId} />;
    case 'compare':
      if (taskId !== undefined) return <CompareScreen key={taskId} taskId={taskId} otherId={otherId} />;
      break;
    case 'timeline':
      if (taskId !== undefined) return <TimelineScreen taskId={taskId} />;
      break;
    case 'report':
      if (taskId !== undefined) return <ReportScreen key={taskId} taskId={taskId} />;
      break;
    case 'central':
      if (taskId !== undefined) return <ReportScreen key={taskId} taskId={taskId} isCentral />;
      break;
  }
  return <WorklistScreen chosenId={taskId} isStatusOpen={place === 'task'} />;
}

/** What one person typed is not shown to the next. */
function useOwnEntry(): void {
  const { person } = useSession();
  const { send } = useEntry();
  const last = useRef<number | undefined>(undefined);
  const id = person?.userId;
  useEffect(() => {
    if (id === undefined) return;
    if (last.current !== undefined && last.current !== id) send({ kind: 'cleared' });
    last.current = id;
  }, [id, send]);
}

/**
 * What the device sent before somebody was confirmed may be of whoever lay there before: `save last` must not
 * hold it.
 */
function useOwnPast(): void {
  const { run: forget } = useCommand('desk.forgetPast');
  const isConfirmed = useEntry().open.length === 0;
  useEffect(() => {
    if (isConfirmed) void forget({});
  }, [isConfirmed, forget]);
}

/** Files that were opened with the program are imported at the worklist, wherever somebody is. */
function useOpenedFiles(isLocked: boolean): void {
  const { isDesk } = useSeat();
  const { data } = useBridgeQuery('opened.list', {}, { isEnabled: !isLocked && isDesk });
  const count = data?.files.length ?? 0;
  useEffect(() => {
    if (count > 0) location.hash = '#/worklist';
  }, [count]);
}

/** A new workstation is opened at its first start; whoever leaves that is not sent back. */
function useFirstLook(): void {
  const { isOffered } = useFirstStart();
  const hasLooked = useRef(location.hash !== '');
  useEffect(() => {
    if (!isOffered || hasLooked.current) return;
    hasLooked.current = true;
    location.hash = '#/start';
  }, [isOffered]);
}

function Frame(): ReactNode {
  const address = useAddress();
  const session = useSession();
  useIdleLock(session.isLocked);
  useOwnEntry();
  useOwnPast();
  const about = useBridgeQuery('workstation.about', {});
  const open = useOpenPatient(address);
  const emergency = useEmergency();
  const go = (place: string) => (): void => {
    location.hash = `#/${place}`;
  };
  const [scanned, setScanned] = useState<string | undefined>();
  useScannedCode((code) => {
    if (session.isLocked || address.place === 'patient') return;
    setScanned(code);
    go('patient')();
  });
  useCommands(
    'everywhere',
    {
      toPatient: go('patient'),
      toLive: address.place === 'patient' ? nothing : go('live'),
      toWorklist: go('worklist'),
      emergency: () => void emergency.start(),
      toReview: go('review'),
      toDevices: go('devices'),
      toSettings: go('settings'),
      toSync: go('sync'),
      lock: session.hasAccounts ? () => void session.lock() : undefined,
    },
    true,
  );
  useKeys(KEPT_FROM_THE_BROWSER, true);
  useFirstLook();
  useOpenedFiles(session.isLocked);
  // Also at the first start, which may be resumed after weeks of work.
  const banners = (
    <StandingBanners
      isLive={address.place === 'live' || session.isLocked}
      isDemo={about.data?.isDemo === true}
      serviceTrouble={about.data?.serviceTrouble}
      storageTrouble={about.data?.storageTrouble}
      trouble={emergency.trouble}
    />
  );
  if (address.place === 'start' && !session.isLocked)
    return (
      <div className={classes.alone}>
        <div>{banners}</div>
        <OrNotShown of={address}>
          <Suspense>
            <FirstStartScreen shown={address.group} />
          </Suspense>
        </OrNotShown>
        <KeysDialog place="start" />
      </div>
    );
  return (
    <div className={classes.frame}>
      <Rail selected={RAIL_PLACES[address.place] ?? address.place} />
      <TopBar
        open={session.isLocked ? NOBODY : open}
        version={about.data?.version ?? ''}
        fingerprint={about.data?.fingerprint}
      />
      {banners}
      <main className={classes.main}>
        <OrNotShown of={session.isLocked ? 'lock' : address}>
          <Suspense>
            {session.isLocked ? (
              <LockScreen />
            ) : (
              <Screen
                address={address}
                open={open}
                scanned={scanned}
                onScanTaken={() => setScanned(undefined)}
              />
            )}
          </Suspense>
        </OrNotShown>
      </main>
      <KeysDialog place={session.isLocked ? 'lock' : address.place} />
    </div>
  );
}

/** The signal of whoever lies on the couch, for every screen that shows it. */
function KeptSignal({ children }: { children: ReactNode }): ReactNode {
  const { device, hasSignal } = useDesk();
  const patientNumber = usePatientNumber(device);
  return (
    <KeptSignalProvider device={hasSignal ? device : undefined} patientNumber={patientNumber}>
      {children}
    </KeptSignalProvider>
  );
}

/** Another language draws everything again but what was typed. */
export function App(): ReactNode {
  usePairedDevices();
  const { i18n } = useTranslation();
  return (
    <ChosenDeviceProvider>
      <ImportRunProvider>
        <EntryProvider>
          <EmergencyProvider>
            <KeptSignal>
              <Frame key={i18n.language} />
            </KeptSignal>
          </EmergencyProvider>
        </EntryProvider>
      </ImportRunProvider>
    </ChosenDeviceProvider>
  );
}
