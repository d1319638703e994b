// The bridge over a WebSocket on the workstation's side: MessagePack, so that byte arrays stay byte arrays.

import { encode } from '@msgpack/msgpack';
import type { WebSocket } from 'ws';
import type { BridgePort } from '../../shared/bridge/messages.ts';
import { unpackMessage } from './message-pack.ts';

/** A client that doesn't read is dropped before its backlog fills the memory. */
const MAX_BACKLOG_BYTES = 256 * 1024 * 1024;
const POLICY_VIOLATION = 1008;

export function overWebSocket(socket: WebSocket): BridgePort {
  // A broken or oversized frame closes this socket; without a listener it would end the whole program.
  socket.on('error', () => socket.terminate());
  return {
    post(message) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > MAX_BACKLOG_BYTES) socket.terminate();
      else socket.send(encode(message, { ignoreUndefined: true }));
    },
    onMessage(listener) {
      socket.on('message', (data, isBinary) => {
        try {
          if (!isBinary) throw new Error('text message');
          listener(unpackMessage(data as Buffer));
        } catch {
          // Whatever it was, it didn't come from our page.
          socket.close(POLICY_VIOLATION, 'not a message of the bridge');
        }
      });
    },
    onClose: (listener) => void socket.on('close', listener),
    close: () => socket.close(),
  };
}
