// Which answers are stale after a task has changed.

import type { QueryName } from '../../shared/bridge/contract.ts';

/** Questions about one task: they are asked again when that one has changed. */
const OF_ONE_TASK: readonly QueryName[] = ['task.get', 'task.history'];

interface AnsweredQuery {
  /** The name of the question, and what was asked. */
  readonly queryKey: readonly unknown[];
  readonly state: { readonly data?: unknown };
}

/** @param changedId of the task that is new; undefined where it may be any */
export function isTouched(
  { queryKey: [name, input], state }: AnsweredQuery,
  changedId: number | undefined,
): boolean {
  if (changedId === undefined || !OF_ONE_TASK.includes(name as QueryName)) return true;
  // How many go before it changes with every other one.
  const isQueued = (state.data as { readonly queuedAhead?: number } | undefined)?.queuedAhead !== undefined;
  return isQueued || (input as { readonly taskId?: number }).taskId === changedId;
}
