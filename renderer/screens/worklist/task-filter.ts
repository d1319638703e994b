// What of the worklist somebody wants to see, and the question that this is.

import type { TaskQuery } from '../../../shared/bridge/views.ts';
import { dateOrderOf } from '../../../shared/entry/typed-date.ts';
import type { Severity } from '../../../shared/severity.ts';
import { TASK_STATES, type TaskState } from '../../../shared/task-state.ts';

export const PERIODS = ['today', 'week', 'all'] as const;
export type Period = (typeof PERIODS)[number];
/** In the order of a task's life. */
export const FILTER_STATES = TASK_STATES.filter((state) => state !== 'DELETED');
const NEEDS_ACTION: readonly TaskState[] = ['AWAITING_APPROVAL', 'FAILED'];
const DAY_MS = 86_400_000;

export interface Filter {
  readonly text: string;
  readonly period: Period;
  readonly state: TaskState | 'needsAction' | '';
  readonly lowestSeverity: Severity | '';
  readonly isRealOnly: boolean;
}

/** Nothing is hidden from somebody who asked for nothing. */
export const EVERYTHING: Filter = {
  text: '',
  period: 'all',
  state: '',
  lowestSeverity: '',
  isRealOnly: false,
};

export const isFiltered = (filter: Filter): boolean =>
  Object.entries(EVERYTHING).some(([key, value]) => filter[key as keyof Filter] !== value);

function sinceMs(period: Period, nowMs: number): number | undefined {
  if (period === 'all') return undefined;
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  return period === 'today' ? midnight : midnight - 6 * DAY_MS;
}

export function queryOf(
  { text, period, state, lowestSeverity, isRealOnly }: Filter,
  nowMs: number,
): Omit<TaskQuery, 'limit'> {
  const since = sinceMs(period, nowMs);
  return {
    ...(text.trim() !== '' && { text: text.slice(0, 200), dateOrder: dateOrderOf(navigator.language) }),
    ...(since !== undefined && { sinceMs: since }),
    ...(state !== '' && { states: state === 'needsAction' ? [...NEEDS_ACTION] : [state] }),
    ...(lowestSeverity !== '' && { lowestSeverity }),
    ...(isRealOnly && { isRealOnly }),
  };
}
