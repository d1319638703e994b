// Lists of orders at connections: each is asked again and again, as long as its connection is there.

import { isDeepStrictEqual } from 'node:util';
import type { OrderTroubles } from '../../shared/connections/connection-facts.ts';
import { ORDER_TROUBLES, type OrderTrouble } from '../../shared/order.ts';
import type { Orders } from '../clinic/orders/orders.ts';
import type { Log } from '../clinic/ports.ts';
import { repeat } from '../clinic/repeat.ts';
import type { OrderSource } from './kind.ts';

/** How often it is looked whether it is time to ask. */
const LOOK_MS = 1000;
const ASK_MS = 20_000;

/** A list, and what is said where something of it fails. */
export interface AskedList {
  readonly connectionId: number;
  readonly troubles: OrderTroubles;
  /** Undefined where the secret of the connection cannot be read. */
  readonly source: OrderSource | undefined;
}

class ListWatch {
  #asked: AskedList;
  readonly #orders: Orders;
  readonly #log: Log;
  readonly #left = new AbortController();
  #looking: Promise<void> = Promise.resolve();
  #askedMs = Number.NEGATIVE_INFINITY;
  #isTroubled = false;
  /** Some of its orders could not be taken. */
  #isPartial = false;

  constructor(asked: AskedList, orders: Orders, log: Log) {
    this.#asked = asked;
    this.#orders = orders;
    this.#log = log;
    orders.ask(asked.troubles.list);
    if (asked.source === undefined) this.#fail('denied');
  }

  get asked(): AskedList {
    return this.#asked;
  }

  /** The same list, by another secret; what was there stays meanwhile. */
  async askOtherwise(asked: AskedList): Promise<void> {
    await this.#looking;
    this.#asked = asked;
    this.#askedMs = Number.NEGATIVE_INFINITY;
    if (asked.source === undefined) this.#fail('denied');
  }

  look(signal: AbortSignal): Promise<void> {
    const { source } = this.asked;
    const nowMs = performance.now();
    if (source === undefined || this.#left.signal.aborted || nowMs - this.#askedMs < ASK_MS)
      return Promise.resolve();
    this.#askedMs = nowMs;
    this.#looking = this.#ask(source, AbortSignal.any([signal, this.#left.signal]));
    return this.#looking;
  }

  async #ask(source: OrderSource, signal: AbortSignal): Promise<void> {
    try {
      const { orders, unread, isMore } = await source.ask(signal);
      if (signal.aborted) return;
      const isPartial = unread > 0 || isMore;
      if (isPartial && !this.#isPartial)
        this.#log('orders.left_out', { centre: this.asked.connectionId, unread, isMore });
      this.#isPartial = isPartial;
      await this.#orders.takeList(source.list, orders);
      this.#isTroubled = false;
    } catch (error) {
      if (!signal.aborted) this.#fail(source.reasonOf(error));
    }
  }

  /** Logged when it begins, not at every question. What was there stays. */
  #fail(reason: string): void {
    if (!this.#isTroubled) this.#log('orders.failed', { centre: this.asked.connectionId, reason });
    this.#isTroubled = true;
  }

  get troubles(): readonly OrderTrouble[] {
    const { failed, partial } = this.asked.troubles;
    return [...(this.#isTroubled ? [failed] : []), ...(this.#isPartial ? [partial] : [])];
  }

  /** Its connection is not there any more, and neither are its orders. */
  async leave(): Promise<void> {
    this.#left.abort();
    await this.#looking;
    this.#orders.leave(this.asked.troubles.list);
  }
}

export class OrderLists implements AsyncDisposable {
  readonly #orders: Orders;
  readonly #log: Log;
  readonly #watches = new Map<number, ListWatch>();
  /** What was said to be wrong: what is not any more is taken back. */
  #noted: readonly OrderTrouble[] = [];
  readonly #looking: AsyncDisposable;

  constructor(orders: Orders, log: Log) {
    this.#orders = orders;
    this.#log = log;
    this.#looking = repeat(LOOK_MS, (signal) => this.#look(signal));
  }

  /** Asks for this list instead of the one before of the same connection. */
  async follow(asked: AskedList): Promise<void> {
    const { connectionId, source } = asked;
    const watch = this.#watches.get(connectionId);
    if (watch !== undefined && watch.asked.source === source) return;
    if (watch !== undefined && isDeepStrictEqual(watch.asked.troubles, asked.troubles))
      return watch.askOtherwise(asked);
    await this.leave(connectionId);
    this.#watches.set(connectionId, new ListWatch(asked, this.#orders, this.#log));
  }

  async leave(connectionId: number): Promise<void> {
    const watch = this.#watches.get(connectionId);
    this.#watches.delete(connectionId);
    await watch?.leave();
  }

  async #look(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watch) => watch.look(signal)));
    const troubles = new Set([...this.#watches.values()].flatMap((watch) => watch.troubles));
    for (const trouble of ORDER_TROUBLES)
      if (troubles.has(trouble)) this.#orders.note(trouble, true);
      else if (this.#noted.includes(trouble)) this.#orders.note(trouble, false);
    this.#noted = [...troubles];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.#looking[Symbol.asyncDispose]());
  }
}
