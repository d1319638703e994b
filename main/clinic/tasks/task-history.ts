// What was done with a task, by whom and when, for the screen: its rows of the audit, in words that the
// screen has.

import { TASK_ACTIONS, type TaskEventView } from '../../../shared/bridge/views.ts';
import type { AuditEntry } from '../audit.ts';
import type { ClinicContext } from '../context.ts';

const isShown = (action: string): action is TaskEventView['action'] =>
  (TASK_ACTIONS as readonly string[]).includes(action);

/** Somebody with an account is named; programs and the workstation itself are not. */
function nameOf({ store }: ClinicContext, actor: string): string | undefined {
  const [kind, id] = actor.split(':');
  return kind === 'user' ? store.users.byId(Number(id))?.name : undefined;
}

function toView(context: ClinicContext, { timeMs, actor, action, detail }: AuditEntry): TaskEventView[] {
  if (!isShown(action)) return [];
  const by = nameOf(context, actor);
  const { reason } = detail;
  return [
    { atMs: timeMs, action, ...(by !== undefined && { by }), ...(typeof reason === 'string' && { reason }) },
  ];
}

/** In the order in which it happened. */
export function historyOf(context: ClinicContext, taskId: number): TaskEventView[] {
  return context.store.audit.of(`task:${taskId}`).flatMap((entry) => toView(context, entry));
}
