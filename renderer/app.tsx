// The frame of every screen: rail, top bar, main area. Which screen is shown stands in the address behind `#/`.

import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import classes from './app.module.css';
import { useBridgeQuery } from './bridge/use-bridge.tsx';
import { Rail } from './parts/rail.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { WorklistScreen } from './screens/worklist/worklist-screen.tsx';

/** Brings pdf.js along, which the worklist doesn't need. */
const ReportScreen = lazy(async () => ({ default: (await import('./screens/report/report-screen.tsx')).ReportScreen }));

const DevicesScreen = lazy(async () => ({ default: (await import('./screens/devices/devices-screen.tsx')).DevicesScreen }));

function useAddress(): string {
  const [address, setAddress] = useState(location.hash);
  useEffect(() => {
    const update = (): void => setAddress(location.hash);
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return address;
}

export function App(): ReactNode {
  const address = useAddress();
  const reportMatch = /^#\/report\/(\d+)$/.exec(address);
  const taskId = reportMatch === null ? undefined : Number(reportMatch[1]);
  const isDevices = address === '#/devices';
  const about = useBridgeQuery('workstation.about', {});
  const open = useBridgeQuery('task.get', { taskId: taskId ?? 1 }, { isEnabled: taskId !== undefined });
  // While another task loads, the one before it is not shown under its name (E5).
  const patient = taskId !== undefined && open.data?.taskId === taskId ? open.data.patient : undefined;
  return (
    <div className={classes.frame}>
      <Rail selected={isDevices ? 'devices' : 'worklist'} />
      <TopBar patient={patient} version={about.data?.version ?? ''} fingerprint={about.data?.fingerprint} />
      <main className={classes.main}>
        {isDevices ? (
          <Suspense>
            <DevicesScreen />
          </Suspense>
        ) : taskId === undefined ? (
          <WorklistScreen />
        ) : (
          <Suspense>
            <ReportScreen key={taskId} taskId={taskId} />
          </Suspense>
        )}
      </main>
    </div>
  );
}
