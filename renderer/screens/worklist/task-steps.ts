// The life of a task as steps on a line: what is done and when, what it is at, what is still to come
// (screens, S4).

import type { TaskDetail, TaskEventView } from '../../../shared/bridge/views.ts';

const STEPS = ['recorded', 'queued', 'analysed', 'approved', 'report'] as const;
export type StepName = (typeof STEPS)[number];

export interface Step {
  readonly name: StepName;
  readonly state: 'done' | 'now' | 'open' | 'failed' | 'cancelled';
  readonly atMs: number | undefined;
  /** Who did it, where that is known. */
  readonly by: string | undefined;
}

/** Which step a task stands at; those before it are done. */
const AT: Readonly<Record<TaskDetail['state'], StepName | undefined>> = {
  DRAFT: 'recorded',
  WAITING: 'recorded',
  RECEIVING: 'recorded',
  QUEUED: 'queued',
  PROCESSING: 'analysed',
  AWAITING_APPROVAL: 'approved',
  FAILED: 'analysed',
  COMPLETED: undefined,
  CANCELLED: undefined,
  DELETED: undefined,
};

/** What says that a step is done. */
const DONE_BY: Readonly<Record<StepName, readonly TaskEventView['action'][]>> = {
  recorded: ['stream.finished', 'task.created'],
  queued: ['task.taken'],
  analysed: ['task.analysed', 'task.failed'],
  approved: ['task.approved'],
  report: ['task.approved', 'task.analysed'],
};

function stateOf(place: number, at: number, { state }: TaskDetail): Step['state'] {
  if (place < at) return 'done';
  if (place > at) return 'open';
  return state === 'FAILED' ? 'failed' : 'now';
}

/** @param events in the order in which they happened; of those that came more than once the last counts */
export function stepsOf(task: TaskDetail, events: readonly TaskEventView[]): Step[] {
  const isAutomatic = task.state === 'COMPLETED' && !events.some(({ action }) => action === 'task.approved');
  const names = STEPS.filter((name) => name !== 'approved' || !isAutomatic);
  const atStep = AT[task.state];
  const at = atStep === undefined ? names.length : names.indexOf(atStep);
  const isCancelled = task.state === 'CANCELLED';
  const isRecorded = task.durationMs !== undefined;
  return names.map((name, place) => {
    const state =
      isCancelled && !(name === 'recorded' && isRecorded) ? 'cancelled' : stateOf(place, at, task);
    const event = DONE_BY[name]
      .map((action) => events.findLast((each) => each.action === action))
      .find((found) => found !== undefined);
    const isOver = state === 'done' || state === 'failed';
    return { name, state, atMs: isOver ? event?.atMs : undefined, by: isOver ? event?.by : undefined };
  });
}

/** Steps that people took outside of the usual course. */
const BESIDE: readonly TaskEventView['action'][] = [
  'task.assigned',
  'task.rejected',
  'task.amended',
  'task.critical_seen',
  'review.taken_over',
  'task.retried',
  'task.given_back',
  'sync.sent',
  'sync.done',
];

export const besideOf = (events: readonly TaskEventView[]): TaskEventView[] =>
  events.filter(({ action }) => BESIDE.includes(action));
