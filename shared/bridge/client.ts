// The caller's side of the bridge over any port: numbers requests, matches answers, keeps subscriptions.

import { fromPlainError, IsolineError, isReason } from '../errors.ts';
import type { Bridge, CallInput, CallName, CallOutput, EventName, EventPayload } from './contract.ts';
import type { BridgePort, ClientMessage, ServerMessage } from './messages.ts';

interface Waiting {
  resolve(output: unknown): void;
  reject(error: IsolineError): void;
}

const closedError = (): IsolineError =>
  new IsolineError('bridge_closed', 'The connection to the workstation was lost. Reconnecting …');

export class BridgeClient implements Bridge {
  readonly #port: BridgePort;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, Set<(payload: never) => void>>();
  #nextId = 1;
  #isClosed = false;

  /** @param canResume the port comes back after it closed: whoever holds it calls `resume` then. */
  constructor(port: BridgePort, canResume = false) {
    this.#port = port;
    port.onMessage((message) => this.#receive(message as ServerMessage));
    port.onClose(() => {
      this.#isClosed = !canResume;
      for (const { reject } of this.#waiting.values()) reject(closedError());
      this.#waiting.clear();
    });
  }

  /**
   * The port is back: subscriptions are made again, and subscribers told that they may have missed something.
   */
  resume(): void {
    for (const [name, listeners] of this.#listeners)
      if (listeners.size > 0) this.#send({ kind: 'subscribe', name });
    this.#receive({ kind: 'event', name: 'task.changed', payload: {} });
  }

  #send(message: ClientMessage): void {
    this.#port.post(message);
  }

  #receive(message: ServerMessage): void {
    if (message.kind === 'event') {
      for (const listener of this.#listeners.get(message.name) ?? [])
        (listener as (payload: unknown) => void)(message.payload);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') waiting.resolve(message.output);
    else
      waiting.reject(
        fromPlainError(
          isReason(message.error.reason) ? message.error : { ...message.error, reason: 'internal' },
        ),
      );
  }

  call<K extends CallName>(name: K, input: CallInput<K>, signal?: AbortSignal): Promise<CallOutput<K>> {
    if (this.#isClosed) return Promise.reject(closedError());
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    const cancel = (): void => {
      if (!this.#waiting.delete(id)) return;
      this.#send({ kind: 'cancel', id });
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    this.#send({ kind: 'call', id, name, input });
    return promise.finally(() => signal?.removeEventListener('abort', cancel)) as Promise<CallOutput<K>>;
  }

  on<K extends EventName>(name: K, listener: (payload: EventPayload<K>) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    if (listeners.size === 0) this.#send({ kind: 'subscribe', name });
    listeners.add(listener as (payload: never) => void);
    return () => {
      if (listeners.delete(listener as (payload: never) => void) && listeners.size === 0)
        this.#send({ kind: 'unsubscribe', name });
    };
  }
}
