// The bridge for the page in Electron: one frozen object with `call` and `on`. The page sees no channel, no event, no ipcRenderer
// (SEC10).

import { contextBridge, ipcRenderer } from 'electron';
import { BridgeClient } from '../shared/bridge/client.ts';
import type { Bridge } from '../shared/bridge/contract.ts';
import type { BridgePort } from '../shared/bridge/messages.ts';

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

const bridge: Bridge = Object.freeze({
  call: (name, input, signal) => client.call(name, input, signal),
  on: (name, listener) => client.on(name, listener),
} satisfies Bridge);

contextBridge.exposeInMainWorld('isoline', bridge);
