// Orders that a hospital information system sends (HL7 by MLLP). A message is answered when what it asks for is on the disk, and
// never before; what comes twice, because an answer was lost, is known.

import { createHash, randomUUID } from 'node:crypto';
import { IsolineError } from '../../../shared/errors.ts';
import type { Orders } from '../../clinic/orders/orders.ts';
import type { Log, Pool } from '../../clinic/ports.ts';
import { repeat } from '../../clinic/repeat.ts';
import type { Door } from '../../door/door.ts';
import { type AckCode, writeHl7Ack } from '../../formats/hl7/hl7-result.ts';
import type { Listener, Place } from '../../hospital/connection.ts';
import { listenMllp } from '../../hospital/mllp/mllp.ts';

/** How often it is looked whether the settings have changed. */
const LOOK_MS = 1000;
const CONTROL_ID_LENGTH = 20;

export interface Hl7Settings {
  readonly host: string;
  /** 0: nobody sends any. */
  readonly port: number;
  readonly isTls: boolean;
  readonly application: string;
  readonly facility: string;
}

/** With what the port shows itself, where it is encrypted. @throws IsolineError where there is none of use */
export type Hl7Identity = () => Promise<NonNullable<Place['tls']>>;

type Reader = Pick<Pool, 'readHl7'>;

async function takeMessage(
  message: Buffer,
  orders: Orders,
  pool: Reader,
  own: Hl7Settings,
): Promise<Uint8Array | undefined> {
  const read = await pool.readHl7(message);
  const { head } = read;
  // What has no head is no HL7: there is nobody to answer.
  if (head === undefined) return undefined;
  const answer = (code: AckCode, text?: string): Uint8Array =>
    writeHl7Ack(head, code, {
      ...(text !== undefined && { text }),
      controlId: randomUUID().replaceAll('-', '').slice(0, CONTROL_ID_LENGTH),
      nowMs: Date.now(),
      own,
    });
  if (!read.ok) return answer('AE', read.message);
  const content = createHash('sha256').update(message).digest('hex');
  const key = `hl7 ${head.application} ${head.facility} ${head.controlId} ${content}`;
  try {
    await orders.take({ key, name: head.controlId, orders: read.orders }, [read]);
    return answer('AA');
  } catch (error) {
    // It names what is another's here: to send it again would not help.
    if (error instanceof IsolineError && error.reason === 'order_of_another')
      return answer('AE', error.message);
    // It could not be stored: whoever sent it keeps it, and sends it again.
    if (error instanceof IsolineError) return answer('AR', error.message);
    throw error;
  }
}

class Hl7Watch implements AsyncDisposable {
  readonly #orders: Orders;
  readonly #pool: Reader;
  readonly #identity: Hl7Identity;
  readonly #log: Log;
  readonly #door: Door;
  #listener: Listener | undefined;
  #place = '';

  constructor(orders: Orders, pool: Reader, identity: Hl7Identity, door: Door, log: Log) {
    this.#door = door;
    this.#orders = orders;
    this.#pool = pool;
    this.#identity = identity;
    this.#log = log;
  }

  async look(settings: () => Hl7Settings): Promise<void> {
    const { host, port, isTls } = settings();
    if (port === 0) {
      await this.#listenAt(undefined, settings);
      return this.#orders.note('hl7', false);
    }
    try {
      await this.#listenAt({ host, port, ...(isTls && { tls: await this.#identity() }) }, settings);
      this.#orders.note('hl7', false);
    } catch (error) {
      // What is wanted encrypted is not taken in the clear meanwhile.
      await this.#listenAt(undefined, settings);
      const reason = error instanceof IsolineError ? error.reason : (error as NodeJS.ErrnoException).code;
      if (!this.#orders.has('hl7')) this.#log('hl7.port_closed', { port, reason: reason ?? '' });
      this.#orders.note('hl7', true);
    }
  }

  async #listenAt(place: Place | undefined, settings: () => Hl7Settings): Promise<void> {
    const { host, port, tls } = place ?? {};
    const own = place === undefined ? '' : JSON.stringify([host, port, tls?.certificate]);
    if (own === this.#place && (place === undefined || this.#listener !== undefined)) return;
    await this.#listener?.[Symbol.asyncDispose]();
    this.#listener = undefined;
    this.#place = own;
    if (place === undefined) return;
    this.#listener = await listenMllp({
      ...place,
      door: this.#door,
      answer: (message) => takeMessage(message, this.#orders, this.#pool, settings()),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listener?.[Symbol.asyncDispose]();
  }
}

/** Takes what is sent, until it is given up. */
export function listenForHl7(
  orders: Orders,
  pool: Reader,
  settings: () => Hl7Settings,
  identity: Hl7Identity,
  door: Door,
  log: Log,
): AsyncDisposable {
  const both = new AsyncDisposableStack();
  const watch = new Hl7Watch(orders, pool, identity, door, log);
  both.use(watch);
  both.use(repeat(LOOK_MS, () => watch.look(settings)));
  return both;
}
