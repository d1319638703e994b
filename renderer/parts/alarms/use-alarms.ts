// What the live analysis of any device on the desk calls an alarm: a heart that may stand still or fibrillate, and rates that ask for
// help. It ends when the analysis no longer says so, or the device sends nothing any more.

import { useEffect, useRef, useState } from 'react';
import type { DeskDevice } from '../../../shared/bridge/views.ts';
import type { LiveFindings } from '../../../shared/signal/live/live-findings.ts';
import { useBridge } from '../../bridge/use-bridge.tsx';
import { useSeat } from '../../bridge/use-seat.ts';
import { useSession } from '../../bridge/use-session.ts';
import { hasSignal, useDesk } from '../use-desk.ts';

export type AlarmKind = NonNullable<LiveFindings['arrest'] | LiveFindings['rateAlarm']>;

export interface Alarm {
  readonly device: DeskDevice;
  readonly kind: AlarmKind;
  readonly sinceMs: number;
}

interface Raised {
  readonly kind: AlarmKind;
  readonly sinceMs: number;
}

const NONE: ReadonlyMap<string, Raised> = new Map();

const isWatched = (device: DeskDevice): boolean => hasSignal(device) && device.state !== 'lost';

/** Names a device and who is recorded with it: the next patient has none of the alarms of the one before. */
const placeOf = ({ id, recording }: DeskDevice): string => `${id} ${recording?.taskId ?? ''}`;

/** The alarm that has stood longest is the first. At a seat where nobody is signed in nothing is told, so there is none. */
export function useAlarms(): readonly Alarm[] {
  const bridge = useBridge();
  const { devices = [] } = useDesk();
  const { seat } = useSeat();
  const { isLocked } = useSession();
  const isTold = seat === undefined || !isLocked;
  const [raised, setRaised] = useState(NONE);
  useEffect(() => {
    setRaised(NONE);
    if (!isTold) return;
    return bridge.on('desk.live', ({ id, arrest, rateAlarm }) => {
      const kind = arrest ?? rateAlarm;
      setRaised((before) => {
        if (before.get(id)?.kind === kind) return before;
        const after = new Map(before);
        if (kind === undefined) after.delete(id);
        else after.set(id, { kind, sinceMs: Date.now() });
        return after;
      });
    });
  }, [bridge, isTold]);
  const watched = devices.filter(isWatched).map(placeOf).join('\n');
  const before = useRef(watched);
  useEffect(() => {
    const last = new Set(before.current.split('\n'));
    before.current = watched;
    // What a device that came back, or that has another patient now, raised before is over.
    const kept = new Set(
      watched
        .split('\n')
        .filter((place) => last.has(place))
        .map((place) => place.split(' ')[0]),
    );
    setRaised((all) => (all.size === 0 ? all : new Map([...all].filter(([id]) => kept.has(id)))));
  }, [watched]);
  return devices
    .flatMap((device) => {
      const alarm = isTold && isWatched(device) ? raised.get(device.id) : undefined;
      return alarm === undefined ? [] : { device, ...alarm };
    })
    .sort((a, b) => a.sinceMs - b.sinceMs);
}
