// The device that somebody chose to work with, for all screens: on the card of a device, or among those that Live offers.

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

interface ChosenDevice {
  /** By the identity of the device; undefined while nobody has chosen. */
  readonly deviceId: string | undefined;
  choose(deviceId: string): void;
}

const ChosenDeviceContext = createContext<ChosenDevice | undefined>(undefined);

export function ChosenDeviceProvider({ children }: { children: ReactNode }): ReactNode {
  const [deviceId, choose] = useState<string | undefined>();
  const chosen = useMemo((): ChosenDevice => ({ deviceId, choose }), [deviceId]);
  return <ChosenDeviceContext value={chosen}>{children}</ChosenDeviceContext>;
}

export function useChosenDevice(): ChosenDevice {
  const chosen = useContext(ChosenDeviceContext);
  if (chosen === undefined) throw new Error('there is no choice of a device above this part');
  return chosen;
}
