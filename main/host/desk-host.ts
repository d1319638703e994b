// The desk beside the workstation: with the real serial ports, and answering pages on the main thread.

import type { OpenedCall } from '../../shared/bridge/contract.ts';
import type { BridgePort } from '../../shared/bridge/messages.ts';
import { BridgeServer, type HandlersOf } from '../../shared/bridge/server.ts';
import { Desk, type DeskOptions } from '../device/desk.ts';
import { loadSerial } from '../device/transports/load-serial.ts';
import { nativeCompressors } from '../formats/compressed-delta/native-compression.ts';
import { OpenedFiles } from './opened-files.ts';
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

/** Files are read only where somebody is signed in, where people have to be. */
function openedHandlers(desk: Desk, opened: OpenedFiles, session: string): HandlersOf<OpenedCall> {
  return {
    'desk.opened': async () => {
      await desk.requireSignedIn(session);
      return { files: opened.views };
    },
    'desk.readOpened': async ({ id, offsetBytes, lengthBytes }) => {
      await desk.requireSignedIn(session);
      return { bytes: await opened.read(id, offsetBytes, lengthBytes) };
    },
    'desk.closeOpened': async ({ ids }) => {
      await desk.requireSignedIn(session);
      opened.close(ids);
      return {};
    },
  };
}

/** Lets a page ask the desk, and for the files that were opened with the program. */
export const attachDesk =
  (desk: Desk, opened = new OpenedFiles(), onFault: (error: unknown) => void = () => undefined): AttachDesk =>
  (port, session) => {
    const handlers = { ...desk.handlersFor(session), ...openedHandlers(desk, opened, session) };
    const server = new BridgeServer(port, handlers, onFault);
    const ends = [
      desk.onEvent((name, payload) => server.publish(name, payload)),
      opened.onChange(() => server.publish('desk.filesOpened', {})),
    ];
    return () => {
      for (const end of ends) end();
    };
  };

/** A bridge for one page. It closes when the clinic thread dies; the page then connects again. */
export const connectPage = (workstation: Workstation, desk: Desk, opened?: OpenedFiles): BridgePort =>
  joinPage(workstation, attachDesk(desk, opened));
