// Orders of FHIR servers: each is asked again and again for the ServiceRequests of its search, because it tells nobody of what is
// new.

import { zonedTime } from '../../../shared/civil-time.ts';
import type { OrderList, Orders } from '../../clinic/orders/orders.ts';
import type { Log } from '../../clinic/ports.ts';
import { repeat } from '../../clinic/repeat.ts';
import { readFhirOrders } from '../../formats/fhir/fhir-orders.ts';
import { ConnectionError } from '../../hospital/connection.ts';
import { type FhirConnection, FhirDenied } from '../../hospital/fhir/fhir-connection.ts';

/** How often it is looked whether it is time to ask. */
const LOOK_MS = 1000;
const ASK_MS = 20_000;
const PAGE_ENTRIES = 100;
const MOST_PAGES = 10;
/** All pages together: a server that answers drop by drop holds up nobody. */
const WHOLE_MS = 60_000;

export interface FhirOrderServer {
  readonly connectionId: number;
  /** Changes with everything that is set up of it. */
  readonly key: string;
  /** Its base, without a slash at its end. */
  readonly url: string;
  readonly patientSystem: string;
  /** The parameters of the search. */
  readonly search: string;
  /** Undefined where the secret of the client cannot be read. */
  connect(): Promise<FhirConnection | undefined>;
}

const questionOf = (search: string): string =>
  `ServiceRequest?${search}&_include=ServiceRequest:subject&_count=${PAGE_ENTRIES}`;

/** A page of a search is asked for at the server's own address, whatever address it gives. */
function pageAt(next: string, base: string): string {
  const root = new URL(base);
  if (!URL.canParse(next, `${base}/`)) throw new ConnectionError('odd');
  const { pathname, search } = new URL(next, `${base}/`);
  const path = root.pathname.replace(/\/$/, '');
  if (pathname !== path && !pathname.startsWith(`${path}/`)) throw new ConnectionError('odd');
  return `${pathname.slice(path.length + 1)}${search}`;
}

class ServerWatch implements AsyncDisposable {
  readonly #server: FhirOrderServer;
  readonly #orders: Orders;
  readonly #log: Log;
  readonly #list: OrderList;
  #connection: FhirConnection | undefined;
  #askedMs = Number.NEGATIVE_INFINITY;
  isTroubled = false;
  /** Some of its orders could not be taken. */
  isPartial = false;

  constructor(server: FhirOrderServer, orders: Orders, log: Log) {
    this.#server = server;
    this.#orders = orders;
    this.#log = log;
    this.#list = { format: 'fhir', url: server.url };
    orders.ask(this.#list);
  }

  get key(): string {
    return this.#server.key;
  }

  async look(signal: AbortSignal): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#askedMs < ASK_MS) return;
    this.#askedMs = nowMs;
    try {
      this.#connection ??= await this.#server.connect();
      if (this.#connection === undefined) {
        // A server's secret is stored right after the server itself, and the key store may be locked for a moment.
        this.#askedMs = Number.NEGATIVE_INFINITY;
        throw new FhirDenied();
      }
      await this.#ask(this.#connection, AbortSignal.any([signal, AbortSignal.timeout(WHOLE_MS)]));
      this.isTroubled = false;
    } catch (error) {
      if (signal.aborted) return;
      await this.#fail(error);
    }
  }

  async #ask(connection: FhirConnection, signal: AbortSignal): Promise<void> {
    const { url, patientSystem, search } = this.#server;
    const source = { url, patientSystem, today: zonedTime(Date.now()).isoDay };
    const orders = [];
    let unread = 0;
    let question: string | undefined = questionOf(search);
    for (let page = 0; question !== undefined && page < MOST_PAGES; page++) {
      const { status, body } = await connection.ask('GET', question, { signal, isStrict: true });
      const read = status === 200 ? readFhirOrders(body, source) : undefined;
      if (read === undefined) throw new ConnectionError('odd');
      orders.push(...read.orders);
      unread += read.unread;
      question = read.next === undefined ? undefined : pageAt(read.next, url);
    }
    const isMore = question !== undefined;
    const isPartial = unread > 0 || isMore;
    if (isPartial && !this.isPartial)
      this.#log('fhir.orders_left_out', { centre: this.#server.connectionId, unread, isMore });
    this.isPartial = isPartial;
    await this.#orders.takeList(this.#list, orders);
  }

  /** Logged when it begins, not at every question. What was there stays. */
  async #fail(error: unknown): Promise<void> {
    if (!this.isTroubled) {
      const reason =
        error instanceof ConnectionError ? error.fault : error instanceof FhirDenied ? 'denied' : 'unknown';
      this.#log('fhir.orders_failed', { centre: this.#server.connectionId, reason });
    }
    this.isTroubled = true;
    await this.#hangUp();
  }

  /** The next question is asked with what is set up then. */
  async #hangUp(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.[Symbol.asyncDispose]();
  }

  async leave(): Promise<void> {
    this.#orders.leave(this.#list);
    await this.#hangUp();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#hangUp();
  }
}

/** Takes what appears at the servers, until it is given up. */
export function watchFhirOrders(
  orders: Orders,
  servers: () => readonly FhirOrderServer[],
  log: Log,
): AsyncDisposable {
  const watches = new Map<number, ServerWatch>();
  const look = async (signal: AbortSignal): Promise<void> => {
    const now = new Map(servers().map((server) => [server.connectionId, server]));
    for (const [id, watch] of watches)
      if (now.get(id)?.key !== watch.key) {
        watches.delete(id);
        await watch.leave();
      }
    for (const [id, server] of now)
      if (!watches.has(id)) watches.set(id, new ServerWatch(server, orders, log));
    await Promise.all([...watches.values()].map((watch) => watch.look(signal)));
    const all = [...watches.values()];
    orders.note(
      'fhir',
      all.some(({ isTroubled }) => isTroubled),
    );
    orders.note(
      'fhirPart',
      all.some(({ isPartial }) => isPartial),
    );
  };
  const both = new AsyncDisposableStack();
  both.defer(async () => {
    for (const watch of watches.values()) await watch[Symbol.asyncDispose]();
  });
  both.use(repeat(LOOK_MS, look));
  return both;
}
