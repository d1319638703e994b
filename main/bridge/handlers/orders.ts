// Orders of practice systems.

import type { ORDER_COMMANDS, ORDER_QUERIES } from '../../../shared/bridge/contract/orders.ts';
import type { OrderView } from '../../../shared/bridge/views.ts';
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

export function orderAnswers({
  orders,
}: Clinic): Answers<keyof typeof ORDER_QUERIES | keyof typeof ORDER_COMMANDS> {
  return {
    'order.list': async () => {
      const { orders: listed, unread, troubles } = orders.list();
      return {
        orders: listed.map(toOrderView),
        unread: unread.map(({ id, ...file }) => ({ fileId: id, ...file })),
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
