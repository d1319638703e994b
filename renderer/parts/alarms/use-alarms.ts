// What the live analysis of any device on the desk calls an alarm: a heart that may stand still or fibrillate, and rates that ask for
// help. It ends when the analysis no longer says so, or the device sends nothing any more.

import { useEffect, useState } from 'react';
import type { DeskDevice } from '../../../shared/bridge/views.ts';
import type { LiveFindings } from '../../../shared/signal/live/live-findings.ts';
import { useBridge } from '../../bridge/use-bridge.tsx';
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

/** The alarm that has stood longest is the first. */
export function useAlarms(): readonly Alarm[] {
  const bridge = useBridge();
  const { devices } = useDesk();
  const [raised, setRaised] = useState(NONE);
  useEffect(() => {
    setRaised(NONE);
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
  }, [bridge]);
  return (devices ?? [])
    .flatMap((device) => {
      const alarm = hasSignal(device) && device.state !== 'lost' ? raised.get(device.id) : undefined;
      return alarm === undefined ? [] : { device, ...alarm };
    })
    .sort((a, b) => a.sinceMs - b.sinceMs);
}
