// The devices on the desk, and the one that is worked with: the chosen one as long as it is there, else what is
// recorded, else what is ready.

import type { DeskDevice } from '../../shared/bridge/views.ts';
import { useBridgeQuery } from '../bridge/use-bridge.tsx';
import { useChosenDevice } from '../entry/chosen-device.tsx';

const WANTED = ['recording', 'lost', 'ready', 'detecting'] as const;

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
  const isRecorded = (each: DeskDevice): boolean =>
    each.recording !== undefined && !each.recording.isFinishing;
  const device =
    devices?.find((each) => each.id === deviceId && each.state !== 'disconnected') ??
    devices?.find(isRecorded) ??
    WANTED.map((state) => devices?.find((each) => each.state === state)).find(
      (found) => found !== undefined,
    ) ??
    devices?.find(({ trouble }) => trouble !== undefined);
  return { devices, device, hasSignal: device !== undefined && hasSignal(device) };
}
