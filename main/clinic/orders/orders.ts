// Orders of practice systems: taken from files that somebody else writes, shown until they are done, answered
// when the report is there. An order says who is to come, never who lies on the couch: identity is confirmed
// all the same.

import { randomUUID } from 'node:crypto';
import { isOrderedFor } from '../../../shared/entry/order-fit.ts';
import { IsolineError } from '../../../shared/errors.ts';
import {
  type EndedOrder,
  isSameOrder,
  ORDER_TROUBLES,
  type OrderFacts,
  type OrderFolderLook,
  type OrderReading,
  type OrderState,
  type OrderTrouble,
} from '../../../shared/order.ts';
import { type ClinicContext, change, type Note } from '../context.ts';
import type { Order, OrderFile, OrderMessage, UnreadOrderFile } from './records.ts';

const DAY_MS = 86_400_000;
/** Done ones are shown for a day, others until they are forgotten. */
const KEPT_MS = 30 * DAY_MS;
/** An entry of a worklist is known so long. */
const WORKLIST_MS = 7 * DAY_MS;
/** A request may stay open long after its recording, and must not come back as a new one. */
const REQUEST_MS = 365 * DAY_MS;
const RECENT_MS = DAY_MS / 2;

/**
 * What an order has come to follows from its recordings; one whose recordings were given up is open again.
 */
export function orderStateOf({ tasks }: Order): OrderState {
  const alive = tasks.filter(({ state }) => state !== 'DELETED' && state !== 'CANCELLED');
  if (alive.length === 0) return 'new';
  return alive.every(({ state }) => state === 'WAITING' || state === 'RECEIVING') ? 'started' : 'done';
}

/** What is asked again and again, because it tells nobody of what is new: the worklist, or a FHIR server. */
export type OrderList =
  | { readonly format: 'dicom' }
  | {
      readonly format: 'fhir';
      /** Its base, with which the addresses of its requests begin. */
      readonly url: string;
    };

const isOn = (list: OrderList, { format, asked }: OrderFacts): boolean =>
  format === list.format &&
  (list.format === 'dicom' || asked?.requestUrl?.startsWith(`${list.url}/ServiceRequest/`) === true);

/** By which a list knows an entry, whatever else of it changes. */
function identityOf(facts: OrderFacts): string {
  const { requestUrl, studyUid, stepId, procedureId, accession } = facts.asked ?? {};
  if (requestUrl !== undefined) return requestUrl;
  const names = [studyUid, stepId, procedureId, accession];
  return names.some((name) => name !== undefined) ? JSON.stringify(names) : JSON.stringify(facts);
}

const noteOf = (action: 'order.put_away' | 'order.changed', orderId: number): Note => ({
  actor: 'program',
  action,
  subject: `order:${orderId}`,
  detail: {},
});

/** What changes by messages of a hospital. */
interface MessageOrders {
  readonly fresh: readonly OrderFacts[];
  readonly dropped: readonly Order[];
}

export interface ShownOrders {
  readonly orders: readonly Order[];
  readonly unread: readonly UnreadOrderFile[];
  readonly troubles: readonly OrderTrouble[];
}

interface AskedList {
  readonly list: OrderList;
  /** The entries that the list had at the last look; undefined before the first look. */
  entries: ReadonlySet<string> | undefined;
}

export class Orders {
  readonly #context: ClinicContext;
  /** Whose orders these are. */
  readonly organizationId: number;
  readonly #troubles = new Set<OrderTrouble>();
  /** By their names. */
  readonly #lists = new Map<string, AskedList>();

  constructor(context: ClinicContext, organizationId: number) {
    this.#context = context;
    this.organizationId = organizationId;
  }

  isKnown(key: string): boolean {
    return this.#context.store.orders.isKnown(key);
  }

  /**
   * What of some messages, taken one after the other, is new, and what is not wanted any more: a hospital repeats what
   * it has asked for, and may ask again for what it had cancelled.
   */
  #ofMessages(messages: readonly OrderMessage[]): MessageOrders {
    const { store, clock } = this.#context;
    const sinceMs = clock.nowMs() - KEPT_MS;
    const known = (number: string): Order[] =>
      store.orders
        .ofNumber(this.organizationId, number, sinceMs)
        .filter(({ facts }) => facts.format === 'hl7');
    const dropped = new Map<number, Order>();
    /** Named as ended: the same may be asked for again. */
    const named = new Set<number>();
    /** By what they say. */
    const fresh = new Map<string, OrderFacts>();
    for (const { orders, ended } of messages) {
      const recorded: EndedOrder[] = [];
      for (const end of ended)
        for (const order of this.#named(end, known(end.number))) {
          named.add(order.id);
          // A recording that was made for an order keeps it, with the changes of this message.
          if (orderStateOf(order) === 'new') dropped.set(order.id, order);
          else recorded.push(end);
        }
      for (const [own, facts] of fresh) if (ended.some((end) => isSameOrder(facts, end))) fresh.delete(own);
      for (const facts of orders) {
        const own = JSON.stringify(facts);
        const isKnown = known(facts.orderNumber ?? '').some(
          ({ id, facts: others }) => !named.has(id) && JSON.stringify(others) === own,
        );
        if (!isKnown && !recorded.some((end) => isSameOrder(facts, end))) fresh.set(own, facts);
      }
    }
    return { fresh: [...fresh.values()], dropped: [...dropped.values()] };
  }

  /**
   * The orders that a message names as ended, of those with that number.
   * @throws IsolineError `order_of_another` where the number is known, and is that of another system or patient
   */
  #named(end: EndedOrder, known: readonly Order[]): Order[] {
    const own = known.filter(({ facts }) => isSameOrder(facts, end));
    const fitting = own.filter(
      ({ facts }) =>
        isOrderedFor(facts.patient, end.patient) ||
        // Messages of one patient may name some of several numbers.
        facts.asked?.patientIds?.some(({ id }) => end.patientIds?.includes(id)),
    );
    if (fitting.length < own.length || (own.length === 0 && known.length > 0))
      throw new IsolineError(
        'order_of_another',
        `The order ${end.number} here belongs to another ${own.length === 0 ? 'system' : 'patient'}; nothing was changed.`,
      );
    return fitting;
  }

  /**
   * A table is written again with every row that is added; a request of GDT that is written again is a request
   * again.
   */
  #newOfFile(wanted: readonly OrderFacts[]): OrderFacts[] {
    const { orders } = this.#context.store;
    return wanted.filter((facts) => facts.format !== 'csv' || !orders.hasSame(this.organizationId, facts));
  }

  /**
   * Takes what a file or a message asks for; one that could not be read is kept as such.
   * @param messages of a hospital: what it asks for and cancels, one after the other
   * @throws IsolineError `order_of_another`
   */
  async take(file: OrderFile, messages?: readonly OrderMessage[]): Promise<void> {
    const { store, clock } = this.#context;
    await change(this.#context, () => {
      if (store.orders.isKnown(file.key)) return { result: undefined, notes: [] };
      const { fresh: orders, dropped } =
        messages === undefined
          ? { fresh: this.#newOfFile(file.orders), dropped: [] }
          : this.#ofMessages(messages);
      for (const { id } of dropped) store.orders.putAway(id);
      const read = store.orders.add({ ...file, orders }, this.organizationId, clock.nowMs());
      const detail = { orders: orders.length, isRead: file.trouble === undefined };
      return {
        result: undefined,
        notes: [
          ...dropped.map(({ id }) => noteOf('order.put_away', id)),
          { actor: 'program', action: 'orders.read', subject: `order-file:${read}`, detail },
        ],
      };
    });
    this.#changed();
  }

  /** The list is asked from now on; until it has answered, what came from it lately counts. */
  ask(list: OrderList): void {
    const name = JSON.stringify(list);
    if (this.#lists.has(name)) return;
    this.#lists.set(name, { list, entries: undefined });
    this.#changed();
  }

  /**
   * Takes what is new in a list, and what has changed of it. What it holds no more is not shown any more, and what it
   * holds again is; nothing is put away by that.
   */
  async takeList(list: OrderList, entries: readonly OrderFacts[]): Promise<void> {
    const { store, clock } = this.#context;
    const wanted = new Map(entries.map((facts) => [identityOf(facts), facts]));
    const name = JSON.stringify(list);
    const before = this.#lists.get(name)?.entries;
    const now = new Set(wanted.keys());
    // Also those that somebody has put away: they are not to come back by themselves.
    const stored =
      list.format === 'dicom'
        ? store.orders.ofFormat('dicom', clock.nowMs() - WORKLIST_MS)
        : store.orders.ofRequests([...wanted.keys()]);
    const known = new Map(stored.map((order) => [identityOf(order.facts), order]));
    const fresh = [...wanted].flatMap(([identity, facts]) => (known.has(identity) ? [] : [facts]));
    const changed = [...wanted].flatMap(([identity, facts]) => {
      const order = known.get(identity);
      const isOther = order !== undefined && JSON.stringify(order.facts) !== JSON.stringify(facts);
      // What is recorded for it stands as it was asked for.
      return isOther && orderStateOf(order) === 'new' ? [{ id: order.id, facts }] : [];
    });
    if (fresh.length + changed.length > 0)
      await change(this.#context, () => {
        for (const { id, facts } of changed) store.orders.setFacts(id, facts);
        const notes: Note[] = changed.map(({ id }) => noteOf('order.changed', id));
        if (fresh.length === 0) return { result: undefined, notes };
        const file = { key: `worklist ${randomUUID()}`, name: '', orders: fresh };
        const id = store.orders.add(file, this.organizationId, clock.nowMs());
        const detail = { orders: fresh.length, isRead: true };
        notes.push({ actor: 'program', action: 'orders.read', subject: `order-file:${id}`, detail });
        return { result: undefined, notes };
      });
    this.#lists.set(name, { list, entries: now });
    const isSame = before?.size === now.size && [...now].every((each) => before.has(each));
    if (!isSame || changed.length > 0) this.#changed();
  }

  /** Nobody asks the list any more. */
  leave(list: OrderList): void {
    if (this.#lists.delete(JSON.stringify(list))) this.#changed();
  }

  /** What comes from files and messages stands by itself. */
  #isStillAsked({ facts, readMs }: Order): boolean {
    if (facts.format !== 'dicom' && facts.format !== 'fhir') return true;
    const asked = [...this.#lists.values()].find(({ list }) => isOn(list, facts));
    if (asked === undefined) return false;
    if (asked.entries === undefined) return readMs >= this.#context.clock.nowMs() - RECENT_MS;
    return asked.entries.has(identityOf(facts));
  }

  list(): ShownOrders {
    const { store, clock } = this.#context;
    const nowMs = clock.nowMs();
    const orders = [...store.orders.since(nowMs - KEPT_MS), ...store.orders.openRequests(nowMs - KEPT_MS)]
      .filter((order) => order.organizationId === this.organizationId)
      .filter((order) => orderStateOf(order) !== 'done' || order.readMs >= nowMs - DAY_MS)
      .filter((order) => orderStateOf(order) !== 'new' || this.#isStillAsked(order));
    return {
      orders,
      unread: store.orders.unread(nowMs - KEPT_MS),
      troubles: ORDER_TROUBLES.filter((trouble) => this.#troubles.has(trouble)),
    };
  }

  has(trouble: OrderTrouble): boolean {
    return this.#troubles.has(trouble);
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
  async putAway(
    what: { readonly orderId: number } | { readonly fileId: number },
    actor: string,
  ): Promise<void> {
    const { orders } = this.#context.store;
    await change(this.#context, () => {
      if ('orderId' in what) orders.putAway(what.orderId);
      else orders.putFileAway(what.fileId);
      const subject = 'orderId' in what ? `order:${what.orderId}` : `order-file:${what.fileId}`;
      return { result: undefined, notes: [{ actor, action: 'order.put_away', subject, detail: {} }] };
    });
    this.#changed();
  }

  /** Reports of which the practice system has not been told. */
  unanswered(): { readonly order: Order; readonly taskId: number }[] {
    return this.#context.store.orders
      .unanswered()
      .flatMap((order) =>
        order.tasks.flatMap(({ id, state, isAnswered }) =>
          state === 'COMPLETED' && !isAnswered ? [{ order, taskId: id }] : [],
        ),
      );
  }

  async noteAnswered(orderId: number, taskId: number): Promise<void> {
    await change(this.#context, () => {
      this.#context.store.orders.setAnswered(orderId, taskId);
      const note = {
        actor: 'program',
        action: 'order.answered' as const,
        subject: `order:${orderId}`,
        detail: { task: taskId },
      };
      return { result: undefined, notes: [note] };
    });
  }

  async forgetOld(): Promise<void> {
    const { store, clock } = this.#context;
    const limitMs = clock.nowMs() - KEPT_MS;
    const requestLimitMs = clock.nowMs() - REQUEST_MS;
    if (!store.orders.isAnyBefore(limitMs, requestLimitMs)) return;
    await change(this.#context, () => {
      const files = store.orders.forgetBefore(limitMs, requestLimitMs);
      return {
        result: undefined,
        notes: [{ actor: 'program', action: 'orders.forgotten', subject: 'orders', detail: { files } }],
      };
    });
  }

  #changed(): void {
    this.#context.publish('order.changed', {});
  }
}
