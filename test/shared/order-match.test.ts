// Who is to come next: those of today by their time, then other days, then those who were there.

import { expect, test } from 'vitest';
import { byOrderTime } from '../../shared/entry/order-match.ts';
import type { OrderFacts, OrderState } from '../../shared/order.ts';

const order = (name: string, facts: Partial<OrderFacts>, state: OrderState = 'new') => ({
  name,
  state,
  facts: { format: 'hl7', patient: {}, indications: [], warnings: [], ...facts } as OrderFacts,
});

test('an order of another day never stands among those of today', () => {
  const orders = [
    order('tomorrow', { day: '2026-12-01', time: '08:00' }),
    order('done', { time: '07:00' }, 'done'),
    order('late', { time: '10:00' }),
    order('no time', {}),
    order('overdue', { day: '2026-11-28', time: '09:00' }),
    order('early', { day: '2026-11-30', time: '09:00' }),
  ];
  expect(orders.toSorted(byOrderTime('2026-11-30')).map(({ name }) => name)).toEqual([
    'early',
    'late',
    'no time',
    'overdue',
    'tomorrow',
    'done',
  ]);
});
