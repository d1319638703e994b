// The signal of the device that is worked with outlives the screen that shows it: whoever comes back to the
// live leads finds the sweep as it would stand there, and not an empty one. It never outlives the patient.

import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useState } from 'react';
import type { DeskDevice } from '../../shared/bridge/views.ts';
import { deadLeads } from '../../shared/signal/electrode.ts';
import { useBridge } from '../bridge/use-bridge.tsx';
import { SignalFeed } from './signal-feed.ts';

const KeptFeed = createContext<SignalFeed | undefined>(undefined);
const ShownPatient = createContext(0);

/** @returns another number when what is shown is another patient's */
export const useShownPatient = (): number => useContext(ShownPatient);

/** @returns the feed of a device as long as it measures the same leads at the same rate */
function useFeed(device: DeskDevice | undefined): SignalFeed | undefined {
  const bridge = useBridge();
  const [feed, setFeed] = useState<SignalFeed | undefined>();
  const { id, rateHz, electrodesOff = 0 } = device ?? {};
  const measured = device?.leads.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each update brings a new list; `measured` tells whether its leads changed
  useEffect(() => {
    if (device === undefined || id === undefined || rateHz === undefined) return;
    const made = new SignalFeed(bridge, { id, rateHz, leads: device.leads });
    setFeed(made);
    return () => {
      made.close();
      setFeed(undefined);
    };
  }, [bridge, id, rateHz, measured]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each update brings a new list; `measured` tells whether its leads changed
  useEffect(
    () => feed?.setDeadLeads(deadLeads(device?.leads ?? [], electrodesOff)),
    [feed, electrodesOff, measured],
  );
  return feed;
}

interface KeptSignalProviderProps {
  /** The one that is worked with, as long as it has a signal. */
  readonly device: DeskDevice | undefined;
  /** Grows when what came before is another patient's. */
  readonly patientNumber: number;
  readonly children: ReactNode;
}

export function KeptSignalProvider({ device, patientNumber, children }: KeptSignalProviderProps): ReactNode {
  const feed = useFeed(device);
  // Before anything is painted under the next name.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect answers to a change of patient; it needs nothing of the number
  useLayoutEffect(() => feed?.forget(), [patientNumber]);
  return (
    <ShownPatient value={patientNumber}>
      <KeptFeed value={feed}>{children}</KeptFeed>
    </ShownPatient>
  );
}

/** The kept feed of a device, or one of its own for a device that is only being viewed. */
export function useSignalFeed(device: DeskDevice): SignalFeed | undefined {
  const kept = useContext(KeptFeed);
  const isKept = kept?.deviceId === device.id;
  const own = useFeed(isKept ? undefined : device);
  return isKept ? kept : own;
}
