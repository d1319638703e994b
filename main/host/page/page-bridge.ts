// One bridge for a page to all of the workstation: what concerns devices is answered on the main thread,
// everything else in the clinic thread. Whatever needs the desk before it is there waits for it; the rest
// doesn't.

import { randomUUID } from 'node:crypto';
import type { BridgePort, ClientMessage } from '../../../shared/bridge/messages.ts';
import { guarded } from '../../bridge/guarded-port.ts';
import { portPair } from '../../bridge/port-pair.ts';
import type { Workstation } from '../workstation.ts';

/** Answers what comes over a port. @returns the function that ends it */
export type AttachDesk = (port: BridgePort, session: string, seatId: number | undefined) => () => void;

/** Calls and events of the desk alone are named so (`shared/bridge/contract.ts`). */
const isForDesk = (message: Partial<ClientMessage>): boolean =>
  'name' in message && typeof message.name === 'string' && message.name.startsWith('desk.');

/**
 * It closes when the clinic thread dies; the page then connects again.
 * @param seatId of a page on another computer or tablet
 */
export function joinPage(
  workstation: Workstation,
  desk: AttachDesk | Promise<AttachDesk>,
  seatId?: number,
): BridgePort {
  const session = randomUUID();
  const clinic = workstation.connect('page', session, seatId);
  const [local, remote] = portPair();
  let isOpen = true;
  let detach = (): void => undefined;
  const ready = Promise.resolve(desk).then((attach) => {
    if (isOpen) detach = attach(remote, session, seatId);
  });
  // Whoever opens the desk hears why it can't be opened.
  ready.catch(() => undefined);
  const end = (): void => {
    isOpen = false;
    detach();
    local.close();
  };
  clinic.onClose(end);
  const toDesk = (message: unknown): void =>
    void ready.then(() => local.post(message)).catch(() => undefined);
  return guarded({
    post(message) {
      const known =
        typeof message === 'object' && message !== null ? (message as Partial<ClientMessage>) : {};
      const isCancel = known.kind === 'cancel';
      if (isCancel || isForDesk(known)) toDesk(message);
      if (isCancel || !isForDesk(known)) clinic.post(message);
    },
    onMessage(listener) {
      local.onMessage(listener);
      clinic.onMessage(listener);
    },
    onClose: (listener) => clinic.onClose(listener),
    close() {
      end();
      clinic.close();
    },
  });
}
