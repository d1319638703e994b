// Orders of practice systems.

import {
  MOST_ORDERS,
  MOST_UNREAD,
  type ORDER_COMMANDS,
  type ORDER_QUERIES,
} from '../../../shared/bridge/contract/orders.ts';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import type { OrderView } from '../../../shared/bridge/views.ts';
import { zonedTime } from '../../../shared/civil-time.ts';
import { byOrderTime, isMeantOrder } from '../../../shared/entry/order-match.ts';
import { ORDER_FORMATS } from '../../../shared/order.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import { orderStateOf } from '../../clinic/orders/orders.ts';
import type { Order } from '../../clinic/orders/records.ts';
import type { Answers } from './caller.ts';

const toOrderView = (order: Order): OrderView => ({
  orderId: order.id,
  facts: order.facts,
  state: orderStateOf(order),
  readMs: order.readMs,
});

/** How many came from where. */
function sourcesOf(views: readonly OrderView[]): CallOutput<'order.list'>['sources'] {
  return ORDER_FORMATS.flatMap((format) => {
    const own = views.filter(({ facts }) => facts.format === format);
    const open = own.filter(({ state }) => state === 'new').length;
    const lastMs = own.reduce((last, { readMs }) => Math.max(last, readMs), 0);
    return own.length === 0 ? [] : [{ format, count: own.length, open, lastMs }];
  });
}

export function orderAnswers({
  context,
  orders,
}: Clinic): Answers<keyof typeof ORDER_QUERIES | keyof typeof ORDER_COMMANDS> {
  return {
    'order.list': async ({ text = '', limit = MOST_ORDERS }) => {
      const { orders: all, unread, troubles } = orders.list();
      const views = all.map(toOrderView);
      const meant = views
        .filter(({ facts }) => isMeantOrder(facts, text))
        .sort(byOrderTime(zonedTime(context.clock.nowMs()).isoDay));
      return {
        orders: meant.slice(0, limit),
        found: meant.length,
        total: views.length,
        sources: sourcesOf(views),
        unread: unread.slice(0, MOST_UNREAD).map(({ id, ...file }) => ({ fileId: id, ...file })),
        unreadTotal: unread.length,
        troubles: [...troubles],
      };
    },
    'order.look': async (reading) => orders.look(reading),
    'order.putAway': async ({ orderId }, { actor }) => {
      await orders.putAway({ orderId }, actor);
      return {};
    },
    'order.putFileAway': async ({ fileId }, { actor }) => {
      await orders.putAway({ fileId }, actor);
      return {};
    },
  };
}
