// The devices on the desk, and the one that is worked with.

import type { DeskDevice } from '../../shared/bridge/views.ts';
import { useBridgeQuery } from '../bridge/use-bridge.tsx';
import { useChosenDevice } from '../entry/chosen-device.tsx';
import { deviceToShow } from './device-choice.ts';

/** Its leads can be shown. */
export const hasSignal = ({ state, rateHz }: DeskDevice): boolean =>
  rateHz !== undefined && (state === 'ready' || state === 'recording' || state === 'lost');

export interface Desk {
  /** Undefined until the workstation has answered. */
  readonly devices: readonly DeskDevice[] | undefined;
  readonly device: DeskDevice | undefined;
  /** Its leads can be shown. */
  readonly hasSignal: boolean;
}

export function useDesk(): Desk {
  const { data } = useBridgeQuery('desk.list', {});
  const { deviceId } = useChosenDevice();
  const devices = data?.devices;
  const device = deviceToShow(devices, deviceId);
  return { devices, device, hasSignal: device !== undefined && hasSignal(device) };
}
