// A task has changed: lists that show it take in its new row, and only those answers are asked for again that
// may be others now.

import type { Query, QueryClient } from '@tanstack/react-query';
import type { CallOutput, EventPayload, QueryName } from '../../shared/bridge/contract.ts';
import type { TaskQuery, TaskRow } from '../../shared/bridge/views.ts';
import { severityRank } from '../../shared/severity.ts';

type List = CallOutput<'task.list'>;
type News = EventPayload<'task.changed'>;

/** Undefined where the row alone does not tell: words are looked for in more than it holds. */
function isAskedFor(row: TaskRow, asked: TaskQuery): boolean | undefined {
  const { states, sinceMs, lowestSeverity, isRealOnly, isPatientMissing, newestId, text = '' } = asked;
  const isFitting =
    (states?.includes(row.state) ?? true) &&
    row.createdMs >= (sinceMs ?? row.createdMs) &&
    (lowestSeverity === undefined ||
      (row.severity !== undefined && severityRank(row.severity) >= severityRank(lowestSeverity))) &&
    !(isRealOnly === true && row.isSimulated === true) &&
    !(isPatientMissing === true && row.isPatientMissing !== true) &&
    row.taskId <= (newestId ?? row.taskId);
  return isFitting && text.trim() !== '' ? undefined : isFitting;
}

/** A task that is there stays in such a list for good: all that it asks for is when the task was made. */
const isOfAll = ({ states, lowestSeverity, isRealOnly, isPatientMissing, text = '' }: TaskQuery): boolean =>
  states === undefined &&
  lowestSeverity === undefined &&
  isRealOnly !== true &&
  isPatientMissing !== true &&
  text.trim() === '';

/**
 * @returns the list with the row in it, the same list where the task is none of it, or undefined where only the
 * workstation can say
 */
export function listAfter(list: List, asked: TaskQuery, row: TaskRow): List | undefined {
  const { rows, total } = list;
  // How many go before one in the queue changes with every other.
  if (rows.some(({ taskId, queuedAhead }) => taskId !== row.taskId && queuedAhead !== undefined))
    return undefined;
  const isFitting = isAskedFor(row, asked);
  if (rows.some(({ taskId }) => taskId === row.taskId))
    return isFitting === true
      ? { rows: rows.map((each) => (each.taskId === row.taskId ? row : each)), total }
      : undefined;
  const isKnown = rows.some(({ taskId }) => taskId > row.taskId);
  const isWhole = rows.length === total;
  const isOther = isOfAll(asked) ? isKnown || isFitting === false : isWhole && isFitting === false;
  return isOther ? list : undefined;
}

const concernsTask =
  (changedId: number) =>
  ({ queryKey: [, asked], state }: Query): boolean =>
    (asked as { readonly taskId: number }).taskId === changedId ||
    (state.data as { readonly queuedAhead?: number } | undefined)?.queuedAhead !== undefined;

/** Recordings that nobody ended: only those that are received can be, or have been, among them. */
const concernsInterrupted =
  ({ taskId, state }: TaskRow) =>
  (query: Query): boolean =>
    state === 'RECEIVING' ||
    (query.state.data as CallOutput<'desk.interrupted'> | undefined)?.recordings.some(
      (recording) => recording.taskId === taskId,
    ) !== false;

/** Time lines that show it; or perhaps will, because it is to be read from now on. */
const concernsEcgs =
  (taskId: number | undefined, row: TaskRow | undefined) =>
  (query: Query): boolean =>
    taskId === undefined ||
    row?.state === 'AWAITING_APPROVAL' ||
    row?.state === 'COMPLETED' ||
    (query.state.data as CallOutput<'review.patientEcgs'> | undefined)?.ecgs.some(
      (ecg) => ecg.row.taskId === taskId,
    ) !== false;

const OF_ONE_TASK = [
  'task.get',
  'task.history',
  'review.marks',
  'review.reading',
  'day.get',
  'day.corrections',
  'report.revisions',
] as const satisfies readonly QueryName[];

/** What the workstation says of a task reaches what is on screen. */
export function takeIn(queries: QueryClient, { taskId, row }: News): void {
  const askAgain = (name: string, predicate?: (query: Query) => boolean): void => {
    void queries.invalidateQueries({ queryKey: [name], ...(predicate !== undefined && { predicate }) });
  };
  askAgain('order.list');
  askAgain('review.next');
  askAgain('channels.of');
  askAgain('review.patientEcgs', concernsEcgs(taskId, row));
  for (const name of OF_ONE_TASK) askAgain(name, taskId === undefined ? undefined : concernsTask(taskId));
  if (row === undefined) {
    askAgain('task.list');
    askAgain('desk.interrupted');
    return;
  }
  askAgain('desk.interrupted', concernsInterrupted(row));
  for (const query of queries.getQueryCache().findAll({ queryKey: ['task.list'] })) {
    const list = query.state.data as List | undefined;
    const isBeingAsked = query.state.fetchStatus !== 'idle' || query.state.isInvalidated;
    const after =
      list === undefined || isBeingAsked ? undefined : listAfter(list, query.queryKey[1] as TaskQuery, row);
    if (after === undefined) void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    else if (after !== list) queries.setQueryData(query.queryKey, after);
  }
}

/** Its signal is read otherwise from now on, and one recording fewer waits for the same to be said. */
export function takeInChannels(queries: QueryClient, { taskId }: EventPayload<'channels.changed'>): void {
  for (const name of ['review.signal', 'review.strip', 'day.rows'] satisfies QueryName[])
    void queries.invalidateQueries({ queryKey: [name], predicate: concernsTask(taskId) });
  void queries.invalidateQueries({ queryKey: ['channels.of'] });
}

/** An analysis is further: that alone changes. */
export function takeInStage(queries: QueryClient, { taskId, progress }: EventPayload<'task.stage'>): void {
  const further = <T extends { readonly taskId: number }>(task: T): T =>
    task.taskId === taskId ? { ...task, progress } : task;
  queries.setQueryData<CallOutput<'task.history'>>(['task.history', { taskId }], (history) =>
    history === undefined ? undefined : { ...history, progress },
  );
  queries.setQueryData<CallOutput<'task.get'>>(['task.get', { taskId }], (task) =>
    task === undefined ? undefined : further(task),
  );
  queries.setQueriesData<List>({ queryKey: ['task.list'] }, (list) =>
    list === undefined || !list.rows.some((row) => row.taskId === taskId)
      ? list
      : { ...list, rows: list.rows.map(further) },
  );
}
