// Two ends of a bridge inside one thread. Messages arrive in a later turn, as over any other port.

import type { BridgePort } from '../../shared/bridge/messages.ts';

class LocalPort implements BridgePort {
  peer: LocalPort | undefined;
  readonly #messages: ((message: unknown) => void)[] = [];
  readonly #closes: (() => void)[] = [];
  #isClosed = false;

  post(message: unknown): void {
    const { peer } = this;
    if (!this.#isClosed) queueMicrotask(() => peer?.deliver(message));
  }

  deliver(message: unknown): void {
    if (!this.#isClosed) for (const listener of this.#messages) listener(message);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#messages.push(listener);
  }

  onClose(listener: () => void): void {
    this.#closes.push(listener);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const listener of this.#closes) listener();
    this.peer?.close();
  }
}

export function portPair(): readonly [BridgePort, BridgePort] {
  const [a, b] = [new LocalPort(), new LocalPort()];
  a.peer = b;
  b.peer = a;
  return [a, b];
}
