// The answering side of the bridge over any port: validates what arrives, calls the handler, sends answers
// and events. Whatever a message holds, the answer has one of two shapes and nothing is thrown (SEC12).

import type { TSchema } from 'typebox';
import { IsolineError, toPlainError } from '../errors.ts';
import { checkerOf } from '../validator.ts';
import { isWithinBounds } from './bounds.ts';
import {
  CALLS,
  type CallInput,
  type CallName,
  type CallOutput,
  type EventName,
  type EventPayload,
  isCallName,
  isEventName,
} from './contract.ts';
import { type BridgePort, ClientMessage, type ServerMessage } from './messages.ts';

/** Answers of one room: to the calls that it offers and no others. */
export type HandlersOf<N extends CallName> = {
  readonly [K in N]: (input: CallInput<K>, signal: AbortSignal) => Promise<CallOutput<K>>;
};
export type Handlers = Partial<HandlersOf<CallName>>;

const isClientMessage = checkerOf(ClientMessage);
const inputCheckers = new Map(
  Object.entries(CALLS).map(([name, { input }]) => [name, checkerOf<TSchema>(input)]),
);

const withBytes = new Set(
  Object.entries(CALLS)
    .filter(([, { input }]) => 'bytes' in input.properties)
    .map(([name]) => name),
);

/** The `bytes` fields of the contract are opaque to JSON schema, so they are checked by what they are. */
const hasBytesWhereDue = (name: string, input: unknown): boolean =>
  !withBytes.has(name) || (input as { bytes?: unknown }).bytes instanceof Uint8Array;

export const invalidMessage = (): IsolineError =>
  new IsolineError('invalid_message', 'The workstation did not understand the request.');

export class BridgeServer {
  readonly #port: BridgePort;
  readonly #handlers: Handlers;
  readonly #running = new Map<number, AbortController>();
  readonly #subscriptions = new Set<EventName>();

  readonly #onFault: (error: unknown) => void;

  /** @param onFault hears of errors that are not ours, which the caller only learns of as "unexpected". */
  constructor(port: BridgePort, handlers: Handlers, onFault: (error: unknown) => void) {
    this.#port = port;
    this.#handlers = handlers;
    this.#onFault = onFault;
    port.onMessage((message) => this.#receive(message));
    port.onClose(() => {
      for (const controller of this.#running.values()) controller.abort();
      this.#running.clear();
      this.#subscriptions.clear();
    });
  }

  /** Somebody at the other end listens for it. */
  isHeard(name: EventName): boolean {
    return this.#subscriptions.has(name);
  }

  publish<K extends EventName>(name: K, payload: EventPayload<K>): void {
    if (this.isHeard(name)) this.#send({ kind: 'event', name, payload });
  }

  #send(message: ServerMessage): void {
    this.#port.post(message);
  }

  #receive(message: unknown): void {
    if (!isWithinBounds(message) || !isClientMessage(message)) {
      const id = (message as { id?: unknown } | null)?.id;
      if (typeof id === 'number' && Number.isSafeInteger(id))
        this.#send({ kind: 'error', id, error: toPlainError(invalidMessage()) });
      return;
    }
    switch (message.kind) {
      case 'call':
        void this.#answer(message.id, message.name, message.input);
        break;
      case 'cancel':
        this.#running.get(message.id)?.abort();
        break;
      case 'subscribe':
        if (isEventName(message.name)) this.#subscriptions.add(message.name);
        break;
      case 'unsubscribe':
        if (isEventName(message.name)) this.#subscriptions.delete(message.name);
        break;
    }
  }

  async #answer(id: number, name: string, input: unknown): Promise<void> {
    const controller = new AbortController();
    try {
      const handler = isCallName(name)
        ? (this.#handlers[name] as ((input: unknown, signal: AbortSignal) => Promise<unknown>) | undefined)
        : undefined;
      if (handler === undefined)
        throw new IsolineError('unknown_call', 'The workstation does not offer this.');
      if (this.#running.has(id)) throw invalidMessage();
      if (inputCheckers.get(name)?.(input) !== true || !hasBytesWhereDue(name, input)) throw invalidMessage();
      this.#running.set(id, controller);
      const output = await handler(input, controller.signal);
      if (!controller.signal.aborted) this.#send({ kind: 'answer', id, output });
    } catch (error) {
      // The border of the workstation: every fault becomes a plain sentence, the rest stays inside. Nobody
      // waits for what was cancelled, and stopping is what its handler was asked to do.
      if (controller.signal.aborted) return;
      if (!(error instanceof IsolineError)) this.#onFault(error);
      this.#send({ kind: 'error', id, error: toPlainError(error) });
    } finally {
      if (this.#running.get(id) === controller) this.#running.delete(id);
    }
  }
}
