// The desk beside the workstation: with the real serial ports, and answering pages on the main thread.

import type { BridgePort } from '../../shared/bridge/messages.ts';
import { BridgeServer } from '../../shared/bridge/server.ts';
import { Desk, type DeskOptions } from '../device/desk.ts';
import { loadSerial } from '../device/transports/load-serial.ts';
import { nativeCompressors } from '../formats/compressed-delta/compression.ts';
import { type AttachDesk, joinPage } from './page/page-bridge.ts';
import type { Workstation } from './workstation.ts';

export type DeskHostOptions = Partial<
  Pick<DeskOptions, 'hooks' | 'isWatching' | 'listPorts' | 'openSerial' | 'clock'>
>;

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

const SIGN_IN_LOOK_MS = 1000;

/** The leads are shown at a seat only while somebody is signed in there; until that is known, they are not. */
function watchSignIn(desk: Desk, session: string): { readonly isSignedIn: boolean } & Disposable {
  let isSignedIn = false;
  const look = async (): Promise<void> => {
    isSignedIn = await desk.isSignedIn(session);
  };
  const timer = setInterval(() => void look(), SIGN_IN_LOOK_MS).unref();
  return {
    get isSignedIn() {
      return isSignedIn;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Lets a page ask the desk. */
export const attachDesk =
  (desk: Desk, onFault: (error: unknown) => void = () => undefined): AttachDesk =>
  (port, session, seatId) => {
    const server = new BridgeServer(port, desk.handlersFor(session, seatId), onFault);
    const mayWatch = seatId === undefined ? undefined : watchSignIn(desk, session);
    const end = desk.onEvent((name, payload) => {
      if (mayWatch?.isSignedIn !== false) server.publish(name, payload);
    });
    // What goes to its own devices is no ECG, and a recording goes on while nobody is signed in.
    desk.pageCame(session, (name, payload) => server.publish(name, payload));
    return () => {
      end();
      desk.pageLeft(session);
      mayWatch?.[Symbol.dispose]();
    };
  };

/** A bridge for one page. It closes when the clinic thread dies; the page then connects again. */
export const connectPage = (workstation: Workstation, desk: Desk): BridgePort =>
  joinPage(workstation, attachDesk(desk));
