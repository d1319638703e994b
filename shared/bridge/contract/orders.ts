// Orders of practice systems.

import { Type } from 'typebox';
import { ORDER_TROUBLES, OrderFolderLook, OrderReading } from '../../order.ts';
import { closed, none } from '../fields.ts';
import { OrderView, UnreadOrderView } from '../views.ts';
import type { Operation } from './operation.ts';

export const ORDER_QUERIES = {
  'order.list': {
    input: none,
    output: Type.Object(
      {
        orders: Type.Array(OrderView),
        unread: Type.Array(UnreadOrderView),
        troubles: Type.Array(Type.Enum([...ORDER_TROUBLES])),
      },
      closed,
    ),
    right: 'record',
  },
  /** How a folder would be read, before it is watched. */
  'order.look': { input: OrderReading, output: OrderFolderLook, right: 'settings', isDeskOnly: true },
} as const satisfies Record<string, Operation>;

export const ORDER_COMMANDS = {
  'order.putAway': { input: Type.Object({ orderId: Type.Integer() }, closed), output: none, right: 'record' },
  'order.putFileAway': {
    input: Type.Object({ fileId: Type.Integer() }, closed),
    output: none,
    right: 'record',
  },
} as const satisfies Record<string, Operation>;
