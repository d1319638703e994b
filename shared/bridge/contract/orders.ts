// Orders of practice systems.

import { Type } from 'typebox';
import { ORDER_FORMATS, ORDER_TROUBLES, OrderFolderLook, OrderReading } from '../../order.ts';
import { closed, none, text } from '../fields.ts';
import { OrderView, UnreadOrderView } from '../views.ts';
import type { Operation } from './operation.ts';

/** More than come in a month; a page that has not been sent all of them asks for the others by name. */
export const MOST_ORDERS = 2000;
export const MOST_UNREAD = 50;

export const ORDER_QUERIES = {
  /** The first orders that fit what somebody is looking for. */
  'order.list': {
    input: Type.Object(
      {
        /** A part of a name or a number; all where it is left out. */
        text: Type.Optional(text(256)),
        limit: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_ORDERS })),
      },
      closed,
    ),
    output: Type.Object(
      {
        orders: Type.Array(OrderView, { maxItems: MOST_ORDERS }),
        /** How many are meant, whether they are among the first or not. */
        found: Type.Integer(),
        /** How many there are in all. */
        total: Type.Integer(),
        sources: Type.Array(
          Type.Object(
            {
              format: Type.Enum([...ORDER_FORMATS]),
              count: Type.Integer(),
              open: Type.Integer(),
              lastMs: Type.Number(),
            },
            closed,
          ),
        ),
        /** The newest ones. */
        unread: Type.Array(UnreadOrderView, { maxItems: MOST_UNREAD }),
        unreadTotal: Type.Integer(),
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
