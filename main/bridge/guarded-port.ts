// A page's port behind bounds and a pace (SEC12, SEC15): what is too large goes nowhere, and what comes
// faster than any person works waits.

import { isWithinBounds } from '../../shared/bridge/bounds.ts';
import type { BridgePort, ServerMessage } from '../../shared/bridge/messages.ts';
import { invalidMessage } from '../../shared/bridge/server.ts';
import { toPlainError } from '../../shared/errors.ts';

const PER_SECOND = 200;
const BURST = 400;
/** More than this waiting is no page of ours: it is cut off, and the page connects again. */
const MAX_WAITING = 2000;
const TICK_MS = 50;

export interface PaceOptions {
  readonly nowMs?: () => number;
}

/** @param port where messages go that pass */
export function guarded(port: BridgePort, { nowMs = () => performance.now() }: PaceOptions = {}): BridgePort {
  const waiting: unknown[] = [];
  let tokens = BURST;
  let lastMs = nowMs();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners: ((message: unknown) => void)[] = [];
  const refuse = (message: unknown): void => {
    const id = typeof message === 'object' && message !== null ? (message as { id?: unknown }).id : undefined;
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) return;
    const answer: ServerMessage = { kind: 'error', id, error: toPlainError(invalidMessage()) };
    for (const listener of listeners) listener(answer);
  };
  const refill = (): void => {
    const now = nowMs();
    tokens = Math.min(BURST, tokens + ((now - lastMs) * PER_SECOND) / 1000);
    lastMs = now;
  };
  const drain = (): void => {
    timer = undefined;
    refill();
    while (waiting.length > 0 && tokens >= 1) {
      tokens--;
      port.post(waiting.shift());
    }
    if (waiting.length > 0) timer = setTimeout(drain, TICK_MS).unref();
  };
  port.onClose(() => {
    clearTimeout(timer);
    waiting.length = 0;
  });
  return {
    post(message) {
      if (!isWithinBounds(message)) return refuse(message);
      if (waiting.length >= MAX_WAITING) return port.close();
      waiting.push(message);
      if (timer === undefined) drain();
    },
    onMessage(listener) {
      listeners.push(listener);
      port.onMessage(listener);
    },
    onClose: (listener) => port.onClose(listener),
    close: () => port.close(),
  };
}
