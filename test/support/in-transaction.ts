// What may only run inside a transaction, for tests that look at its parts.

import type { Tx } from '../../main/clinic/context.ts';
import type { Store } from '../../main/clinic/store.ts';

export function inTransaction<T>(store: Pick<Store, 'transaction'>, work: (tx: Tx) => T): T {
  const after: (() => void)[] = [];
  const result = store.transaction(() => work({ after: (then) => void after.push(then) }));
  for (const then of after) then();
  return result;
}
