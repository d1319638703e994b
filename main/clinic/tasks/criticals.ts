// A critical ECG is told on every screen until somebody says that it has been seen. Newer findings are told again.

import { IsolineError } from '../../../shared/errors.ts';
import { type ClinicContext, change } from '../context.ts';
import type { Caller } from '../people/sessions.ts';
import type { Tasks } from './tasks.ts';

export class Criticals {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;

  constructor(context: ClinicContext, tasks: Tasks) {
    this.#context = context;
    this.#tasks = tasks;
  }

  /**
   * It goes on waiting for its approval. @param revision of the findings that were told
   * @throws IsolineError `task_not_found`, `task_state_conflict`
   */
  async acknowledge(taskId: number, revision: number, { actor, person }: Caller): Promise<void> {
    await change(this.#context, () => {
      const { store, clock } = this.#context;
      const task = this.#tasks.find(undefined, taskId);
      const finding = store.findings.latest(taskId);
      if (task.state !== 'AWAITING_APPROVAL' || task.severity !== 'CRITICAL' || finding === undefined)
        throw new IsolineError(
          'task_state_conflict',
          'This ECG is not critical any more, or it was approved meanwhile.',
        );
      if (finding.revision !== revision)
        throw new IsolineError(
          'task_state_conflict',
          'The findings have changed since you opened them. Review them again.',
        );
      store.tasks.setCriticalSeen(taskId, { by: person?.name ?? '', atMs: clock.nowMs(), revision });
      return {
        result: undefined,
        notes: [{ actor, action: 'task.critical_seen', subject: `task:${taskId}`, detail: { revision } }],
      };
    });
    this.#context.publish('task.changed', { taskId });
  }
}
