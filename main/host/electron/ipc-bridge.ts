// The bridge over Electron's IPC on the main side: messages of our own page's main frame go to the clinic
// thread and back; those of anybody else go nowhere (SEC11).

import type { IpcMain, IpcMainEvent, WebContents } from 'electron';
import type { BridgePort } from '../../../shared/bridge/messages.ts';
import { isOwnPage } from './window.ts';

const CHANNEL = 'bridge';

/** The details of Electron's `did-start-navigation`. */
interface NavigationDetails {
  readonly isMainFrame: boolean;
  readonly isSameDocument: boolean;
}

type Sender = Pick<IpcMainEvent, 'sender' | 'senderFrame'>;

/** Whether a message comes from the main frame of a page of ours. */
export function isTrustedSender({ sender, senderFrame }: Sender): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOwnPage(senderFrame.url);
}

/** Connects every page that speaks to a bridge of its own; a page that is reloaded or gone loses it. */
export function serveBridge(ipc: Pick<IpcMain, 'on'>, connect: () => BridgePort): void {
  const ports = new WeakMap<WebContents, BridgePort>();

  const open = (contents: WebContents): BridgePort => {
    const port = connect();
    ports.set(contents, port);
    const end = (): void => port.close();
    // A new address behind `#` is another screen of the same page, not another page.
    const onNavigation = ({ isMainFrame, isSameDocument }: NavigationDetails): void => {
      if (isMainFrame && !isSameDocument) end();
    };
    contents.once('destroyed', end);
    contents.on('did-start-navigation', onNavigation);
    port.onMessage((message) => {
      if (!contents.isDestroyed()) contents.send(CHANNEL, message);
    });
    port.onClose(() => {
      contents.off('destroyed', end);
      contents.off('did-start-navigation', onNavigation);
      if (ports.get(contents) === port) ports.delete(contents);
      if (!contents.isDestroyed()) contents.send(CHANNEL, { kind: 'closed' });
    });
    return port;
  };

  ipc.on(CHANNEL, (event, message: unknown) => {
    if (!isTrustedSender(event)) return;
    (ports.get(event.sender) ?? open(event.sender)).post(message);
  });
}
