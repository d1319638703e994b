// Orders and results in the formats of practice systems and hospitals. Apart from the other jobs, as the tables of
// their character sets take a while to load.

import { IsolineError } from '../../shared/errors.ts';
import type { Hl7Read, OrdersJob, OrdersRead } from '../clinic/ports.ts';
import { Hl7Error } from '../formats/hl7/hl7-message.ts';
import { readHl7Head, readHl7Orders } from '../formats/hl7/hl7-orders.ts';
import { readOrders } from '../formats/orders/read-orders.ts';

/** A file that cannot be read is reported as such, because somebody is waiting for its orders. */
export function runOrders({ bytes, ...context }: OrdersJob): OrdersRead {
  try {
    return readOrders(bytes, context);
  } catch (error) {
    if (!(error instanceof IsolineError)) throw error;
    return { orders: [], trouble: error.message };
  }
}

/** What it is told is for whoever sent it. */
export function runHl7(bytes: Uint8Array): Hl7Read {
  try {
    return { ok: true, ...readHl7Orders(bytes) };
  } catch (error) {
    if (!(error instanceof Hl7Error)) throw error;
    return { ok: false, head: readHl7Head(bytes), message: error.message };
  }
}
