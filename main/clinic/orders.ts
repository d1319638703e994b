// Orders of practice systems: taken from files that somebody else writes, shown until they are done, answered when the report is there.
// An order says who is to come, never who lies on the couch: identity is confirmed all the same.

import { ORDER_TROUBLES, type OrderFolderLook, type OrderReading, type OrderState, type OrderTrouble } from '../../shared/order.ts';
import { type ClinicContext, change } from './context.ts';
import type { Order, OrderFile, UnreadOrderFile } from './stores.ts';

const DAY_MS = 86_400_000;
/** Done ones are shown for a day, others for a week. */
const SHOWN_MS = 7 * DAY_MS;
const KEPT_MS = 30 * DAY_MS;

/** What an order has come to follows from its recording; one that was given up leaves it open again. */
export function orderStateOf({ task }: Order): OrderState {
  if (task === undefined || task.state === 'DELETED' || task.state === 'CANCELLED') return 'new';
  return task.state === 'WAITING' || task.state === 'RECEIVING' ? 'started' : 'done';
}

export interface ShownOrders {
  readonly orders: readonly Order[];
  readonly unread: readonly UnreadOrderFile[];
  readonly trouble: OrderTrouble | undefined;
}

export class Orders {
  readonly #context: ClinicContext;
  readonly #organizationId: number;
  readonly #troubles = new Set<OrderTrouble>();

  constructor(context: ClinicContext, organizationId: number) {
    this.#context = context;
    this.#organizationId = organizationId;
  }

  isKnown(file: Pick<OrderFile, 'name' | 'sha256' | 'modifiedMs'>): boolean {
    return this.#context.store.orders.isKnown(file);
  }

  /** Takes what a file asks for; one that could not be read is kept as such. */
  async take(file: OrderFile): Promise<void> {
    const { store, clock } = this.#context;
    await change(this.#context, () => {
      if (store.orders.isKnown(file)) return { result: undefined, notes: [] };
      const id = store.orders.add(file, this.#organizationId, clock.nowMs());
      const detail = { orders: file.orders.length, isRead: file.trouble === undefined };
      return { result: undefined, notes: [{ actor: 'program', action: 'orders.read', subject: `order-file:${id}`, detail }] };
    });
    this.#changed();
  }

  list(): ShownOrders {
    const { store, clock } = this.#context;
    const nowMs = clock.nowMs();
    const orders = store.orders
      .since(nowMs - SHOWN_MS)
      .filter((order) => order.organizationId === this.#organizationId)
      .filter((order) => orderStateOf(order) !== 'done' || order.readMs >= nowMs - DAY_MS);
    return {
      orders,
      unread: store.orders.unread(nowMs - SHOWN_MS),
      trouble: ORDER_TROUBLES.find((trouble) => this.#troubles.has(trouble)),
    };
  }

  /** Something hinders, or does not any more. */
  note(trouble: OrderTrouble, isThere: boolean): void {
    if (isThere === this.#troubles.has(trouble)) return;
    if (isThere) this.#troubles.add(trouble);
    else this.#troubles.delete(trouble);
    this.#changed();
  }

  /** How a folder would be read. @throws IsolineError `folder_unusable` */
  look(reading: OrderReading): Promise<OrderFolderLook> {
    return this.#context.orderFolder.look(reading);
  }

  /** It is not shown any more. */
  async putAway(what: { readonly orderId: number } | { readonly fileId: number }, actor: string): Promise<void> {
    const { orders } = this.#context.store;
    await change(this.#context, () => {
      if ('orderId' in what) orders.putAway(what.orderId);
      else orders.putFileAway(what.fileId);
      const subject = 'orderId' in what ? `order:${what.orderId}` : `order-file:${what.fileId}`;
      return { result: undefined, notes: [{ actor, action: 'order.put_away', subject, detail: {} }] };
    });
    this.#changed();
  }

  /** Orders whose report is there and whose practice system has not been told. */
  unanswered(): Order[] {
    const { store, clock } = this.#context;
    return store.orders.unanswered().filter(({ readMs }) => readMs >= clock.nowMs() - SHOWN_MS);
  }

  async noteAnswered(orderId: number): Promise<void> {
    await change(this.#context, () => {
      this.#context.store.orders.setAnswered(orderId);
      return { result: undefined, notes: [{ actor: 'program', action: 'order.answered', subject: `order:${orderId}`, detail: {} }] };
    });
  }

  async forgetOld(): Promise<void> {
    const { store, clock } = this.#context;
    await change(this.#context, () => {
      const files = store.orders.forgetBefore(clock.nowMs() - KEPT_MS);
      return {
        result: undefined,
        notes: files === 0 ? [] : [{ actor: 'program', action: 'orders.forgotten', subject: 'orders', detail: { files } }],
      };
    });
  }

  #changed(): void {
    this.#context.publish('order.changed', {});
  }
}
