// The bridge over a MessagePort between threads. Byte arrays that a message owns wholly are moved, not
// copied.

import type { MessagePort } from 'node:worker_threads';
import type { BridgePort } from '../../shared/bridge/messages.ts';

/** Below this, copying is cheaper than moving. */
const MIN_TRANSFER_BYTES = 64 * 1024;

/**
 * Byte arrays lie at most this deep in a message of the contract; what is deeper is copied, or refused where
 * it arrives.
 */
const MAX_DEPTH = 4;

function transferable(value: unknown, depth = 0, found: ArrayBuffer[] = []): ArrayBuffer[] {
  if (value instanceof Uint8Array) {
    // A view into a larger buffer, as Node's pool hands out, must not take its neighbours along.
    const isWhole = value.byteLength === value.buffer.byteLength && value.byteLength >= MIN_TRANSFER_BYTES;
    if (isWhole && value.buffer instanceof ArrayBuffer && !found.includes(value.buffer))
      found.push(value.buffer);
  } else if (value !== null && typeof value === 'object' && depth < MAX_DEPTH) {
    for (const item of Object.values(value)) transferable(item, depth + 1, found);
  }
  return found;
}

export function overMessagePort(port: MessagePort): BridgePort {
  return {
    post: (message) => port.postMessage(message, transferable(message)),
    onMessage: (listener) => void port.on('message', listener),
    onClose: (listener) => void port.on('close', listener),
    close: () => port.close(),
  };
}
