// What the live analysis of any device on the desk calls an alarm: a heart that may stand still or fibrillate, and rates that ask for
// help. It ends when the analysis no longer says so, or the device sends nothing any more.

import { useEffect, useState } from 'react';
import type { DeskDevice } from '../../../shared/bridge/views.ts';
import { useBridge } from '../../bridge/use-bridge.tsx';
import { useSeat } from '../../bridge/use-seat.ts';
import { useSession } from '../../bridge/use-session.ts';
import { hasSignal, useDesk } from '../use-desk.ts';
import { afterFindings, NO_ALARMS, ofDevices, type RaisedAlarm } from './raised-alarms.ts';

export interface Alarm extends RaisedAlarm {
  readonly device: DeskDevice;
}

const isWatched = (device: DeskDevice): boolean => hasSignal(device) && device.state !== 'lost';

/** The alarm that has stood longest is the first. At a seat where nobody is signed in nothing is told, so there is none. */
export function useAlarms(): readonly Alarm[] {
  const bridge = useBridge();
  const { devices = [] } = useDesk();
  const { seat } = useSeat();
  const { isLocked } = useSession();
  const isTold = seat === undefined || !isLocked;
  const [raised, setRaised] = useState(NO_ALARMS);
  useEffect(() => {
    setRaised(NO_ALARMS);
    if (!isTold) return;
    return bridge.on('desk.live', (findings) =>
      setRaised((before) => afterFindings(before, findings, Date.now())),
    );
  }, [bridge, isTold]);
  const watched = devices.filter(isWatched);
  const ids = JSON.stringify(watched.map(({ id }) => id));
  useEffect(() => setRaised((before) => ofDevices(before, JSON.parse(ids) as string[])), [ids]);
  return watched
    .flatMap((device) => {
      const alarm = isTold ? raised.get(device.id) : undefined;
      return alarm === undefined ? [] : { device, ...alarm };
    })
    .sort((a, b) => a.sinceMs - b.sinceMs);
}
