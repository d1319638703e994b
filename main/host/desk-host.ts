// Puts the desk beside the workstation, and gives pages one bridge to both: what concerns devices is answered here on the main thread,
// everything else in the clinic thread.

import { randomUUID } from 'node:crypto';
import { isDeskCall, isDeskEvent } from '../../shared/bridge/contract.ts';
import type { BridgePort, ClientMessage } from '../../shared/bridge/messages.ts';
import { BridgeServer } from '../../shared/bridge/server.ts';
import { portPair } from '../bridge/port-pair.ts';
import { Desk, type DeskOptions } from '../device/desk.ts';
import { loadSerial } from '../device/transports/load-serial.ts';
import { nativeCompressors } from '../formats/compressed-delta/native-compression.ts';
import type { Workstation } from './workstation.ts';

export type DeskHostOptions = Partial<Pick<DeskOptions, 'hooks' | 'isWatching' | 'listPorts' | 'openSerial' | 'clock'>>;

export async function openDesk(workstation: Workstation, options: DeskHostOptions = {}): Promise<Desk> {
  const serial = await loadSerial();
  return new Desk({
    ...serial,
    connect: () => workstation.connect('recorder'),
    compressors: nativeCompressors(),
    settings: () => workstation.deskSettings,
    ...options,
  });
}

/** A bridge for one page. It closes when the clinic thread dies; the page then connects again. */
export function connectPage(workstation: Workstation, desk: Desk, onFault: (error: unknown) => void = () => undefined): BridgePort {
  const session = randomUUID();
  const clinic = workstation.connect('page', session);
  const [local, remote] = portPair();
  const server = new BridgeServer(remote, desk.handlersFor(session), onFault);
  const stop = desk.onEvent((name, payload) => server.publish(name, payload));
  clinic.onClose(() => {
    stop();
    local.close();
  });
  const isForDesk = (message: Partial<ClientMessage>): boolean =>
    (message.kind === 'call' && typeof message.name === 'string' && isDeskCall(message.name)) ||
    ((message.kind === 'subscribe' || message.kind === 'unsubscribe') && typeof message.name === 'string' && isDeskEvent(message.name));
  return {
    post(message) {
      const known = message as Partial<ClientMessage> | null;
      if (known?.kind === 'cancel') {
        local.post(message);
        clinic.post(message);
      } else if (known !== null && typeof known === 'object' && isForDesk(known)) local.post(message);
      else clinic.post(message);
    },
    onMessage(listener) {
      local.onMessage(listener);
      clinic.onMessage(listener);
    },
    onClose: (listener) => clinic.onClose(listener),
    close() {
      stop();
      local.close();
      clinic.close();
    },
  };
}
