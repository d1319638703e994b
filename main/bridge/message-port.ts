// The bridge over a MessagePort between threads. Byte arrays that a message owns wholly are moved, not copied.

import type { MessagePort } from 'node:worker_threads';
import type { BridgePort } from '../../shared/bridge/messages.ts';

/** Below this, copying is cheaper than moving. */
const MIN_TRANSFER_BYTES = 64 * 1024;

function transferable(value: unknown, found: ArrayBuffer[] = []): ArrayBuffer[] {
  if (value instanceof Uint8Array) {
    // A view into a larger buffer, as Node's pool hands out, must not take its neighbours along.
    const isWhole = value.byteLength === value.buffer.byteLength && value.byteLength >= MIN_TRANSFER_BYTES;
    if (isWhole && value.buffer instanceof ArrayBuffer) found.push(value.buffer);
  } else if (Array.isArray(value)) for (const item of value) transferable(item, found);
  else if (value !== null && typeof value === 'object') for (const item of Object.values(value)) transferable(item, found);
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
