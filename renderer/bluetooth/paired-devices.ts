// The Bluetooth devices of this page: they stay connected whatever screen is shown, and go along when the page gets
// another bridge. What is paired belongs to the page, not to a part of it.

import { useEffect } from 'react';
import type { BluetoothPipe } from '../../shared/bluetooth-pipes.ts';
import type { Bridge } from '../../shared/bridge/contract.ts';
import { useBridge } from '../bridge/use-bridge.tsx';
import { GattPipe } from './gatt-pipe.ts';
import { webBluetooth } from './web-bluetooth.ts';

export type PairTrouble =
  /** The browser can't, or the page is not safe. */
  | 'noBluetooth'
  /** The computer has none, or it is switched off. */
  | 'off'
  /** None of the kind was seen. */
  | 'notSeen'
  /** It was chosen and can't be reached. */
  | 'notReached';

export class PairFailure extends Error {
  readonly trouble: PairTrouble;

  constructor(trouble: PairTrouble, cause?: unknown) {
    super(trouble, { cause });
    this.trouble = trouble;
  }
}

let pipes: readonly GattPipe[] = [];

/** A search that found nothing ends by itself after half a minute; nobody closes a list so late. */
const NOTHING_MS = 28_000;

/**
 * Lets a person choose a device, and connects it.
 * @returns the device on the desk; undefined where nothing was chosen
 * @throws PairFailure, or IsolineError of the workstation
 */
export async function pairDevice(kind: BluetoothPipe, bridge: Bridge): Promise<string | undefined> {
  const bluetooth = webBluetooth();
  if (bluetooth === undefined) throw new PairFailure('noBluetooth');
  if (!(await bluetooth.getAvailability())) throw new PairFailure('off');
  const begunMs = performance.now();
  const device = await bluetooth
    .requestDevice({
      filters: [{ namePrefix: kind.namePrefix }],
      optionalServices: [...new Set(kind.notify.map(({ service }) => service))],
    })
    .catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'NotFoundError') {
        if (performance.now() - begunMs > NOTHING_MS) throw new PairFailure('notSeen', error);
        // Nobody chose one.
        return undefined;
      }
      throw new PairFailure('off', error);
    });
  if (device === undefined) return undefined;
  const path = GattPipe.pathOf(device, kind);
  // What is connected already goes first: two connections of one strap would end each other.
  for (const before of pipes) if (before.path === path) before.letGo();
  const pipe = new GattPipe(device, kind, bridge);
  pipes = [...pipes.filter(({ isWanted }) => isWanted), pipe];
  try {
    return await pipe.open();
  } catch (error) {
    throw error instanceof DOMException ? new PairFailure('notReached', error) : error;
  }
}

/** Takes what is paired along to the bridge that the page has now. */
export function usePairedDevices(): void {
  const bridge = useBridge();
  useEffect(() => {
    for (const pipe of pipes) pipe.moveTo(bridge);
  }, [bridge]);
}
