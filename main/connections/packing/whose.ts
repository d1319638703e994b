// Whom a recording is of, and which channels are read of it, in a form that can be compared: what was made ready under one name is not
// sent under another.

import type { ClinicContext } from '../../clinic/context.ts';
import { sentPatientOf } from '../../clinic/outbox/central-task.ts';

export function whoseIs({ store }: Pick<ClinicContext, 'store'>, taskId: number): string {
  const task = store.tasks.byId(taskId);
  const recording = task?.recordingId === undefined ? undefined : store.recordings.byId(task.recordingId);
  return task === undefined ? '' : JSON.stringify(sentPatientOf(task, recording?.facts));
}

/** Asks whether an approved reading that was made ready is still the newest, and of the same patient. */
export function isStillCurrent(
  context: Pick<ClinicContext, 'store'>,
  taskId: number,
  revision: number,
): () => boolean {
  const whose = whoseIs(context, taskId);
  return () =>
    context.store.reports.latest(taskId)?.revision === revision && whoseIs(context, taskId) === whose;
}
