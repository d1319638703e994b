// The bridge for the page in Electron: one frozen object with `call` and `on`. The page sees no channel, no
// event, no ipcRenderer (SEC10).

import { contextBridge, ipcRenderer } from 'electron';
import { BridgeClient } from '../shared/bridge/client.ts';
import type { CallInput, CallName, EventName } from '../shared/bridge/contract.ts';
import type { BridgePort } from '../shared/bridge/messages.ts';
import type { PageAnswer, PageBridge } from '../shared/bridge/page.ts';
import { toPlainError } from '../shared/errors.ts';

const CHANNEL = 'bridge';

function overIpc(): BridgePort {
  const closeListeners: (() => void)[] = [];
  return {
    post: (message) => ipcRenderer.send(CHANNEL, message),
    onMessage(listener) {
      ipcRenderer.on(CHANNEL, (_event, message: { kind?: unknown }) => {
        if (message.kind === 'closed') for (const onClosed of closeListeners) onClosed();
        else listener(message);
      });
    },
    onClose: (listener) => void closeListeners.push(listener),
    close: () => undefined,
  };
}

/** After the clinic thread was started again; until it is there, main answers with another "closed". */
const RESUME_MS = 500;

const port = overIpc();
const client = new BridgeClient(port, true);

port.onClose(() => void setTimeout(() => client.resume(), RESUME_MS));

const page: PageBridge = Object.freeze({
  async call(name: string, input: unknown): Promise<PageAnswer> {
    try {
      return { ok: true, output: await client.call(name as CallName, input as CallInput<CallName>) };
    } catch (error) {
      return { ok: false, error: toPlainError(error) };
    }
  },
  on: (name: string, listener: (payload: unknown) => void) => client.on(name as EventName, listener),
});

contextBridge.exposeInMainWorld('isoline', page);
