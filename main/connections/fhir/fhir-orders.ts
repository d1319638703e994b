// Orders of a FHIR server: the ServiceRequests that its search finds.

import { zonedTime } from '../../../shared/civil-time.ts';
import { readFhirOrders } from '../../formats/fhir/fhir-orders.ts';
import { ConnectionError } from '../../hospital/connection.ts';
import { type FhirConnection, FhirDenied } from '../../hospital/fhir/fhir-connection.ts';
import type { OrderSource } from '../kind.ts';

const PAGE_ENTRIES = 100;
const MOST_PAGES = 10;
/** All pages together: a server that answers drop by drop holds up nobody. */
const WHOLE_MS = 60_000;

export interface FhirOrderServer {
  /** Its base, without a slash at its end. */
  readonly url: string;
  readonly patientSystem: string;
  /** The parameters of the search. */
  readonly search: string;
  connect(): FhirConnection;
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

export class FhirOrders implements OrderSource, AsyncDisposable {
  readonly #server: FhirOrderServer;
  readonly list: OrderSource['list'];
  #connection: FhirConnection | undefined;

  constructor(server: FhirOrderServer) {
    this.#server = server;
    this.list = { format: 'fhir', url: server.url };
  }

  async ask(signal: AbortSignal): ReturnType<OrderSource['ask']> {
    this.#connection ??= this.#server.connect();
    try {
      return await this.#ask(this.#connection, AbortSignal.any([signal, AbortSignal.timeout(WHOLE_MS)]));
    } catch (error) {
      // The next question begins with a connection of its own.
      await this.#hangUp();
      throw error;
    }
  }

  async #ask(connection: FhirConnection, signal: AbortSignal): ReturnType<OrderSource['ask']> {
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
    return { orders, unread, isMore: question !== undefined };
  }

  reasonOf(error: unknown): string {
    if (error instanceof ConnectionError) return error.fault;
    return error instanceof FhirDenied ? 'denied' : 'unknown';
  }

  async #hangUp(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#hangUp();
  }
}
