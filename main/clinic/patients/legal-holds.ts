// Legal hold: somebody says that nothing of a patient may be deleted, and why, until somebody says that it may.

import { IsolineError } from '../../../shared/errors.ts';
import { type ClinicContext, change } from '../context.ts';
import { checkReason } from '../stated-reason.ts';
import type { Tasks } from '../tasks/tasks.ts';

export class LegalHolds {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;

  constructor(context: ClinicContext, tasks: Tasks) {
    this.#context = context;
    this.#tasks = tasks;
  }

  /**
   * Holds the patient of a task, or releases the hold.
   * @throws IsolineError `task_not_found`, `no_chart` where too little is known of the patient, `reason_missing`
   */
  async set(taskId: number, isHeld: boolean, reason: string, actor: string): Promise<void> {
    const said = checkReason(reason);
    const { store, clock } = this.#context;
    await change(this.#context, () => {
      const { patientId } = this.#tasks.find(undefined, taskId);
      if (patientId === undefined)
        throw new IsolineError(
          'no_chart',
          'This patient has no chart yet. Add an ID or a date of birth first.',
        );
      if (isHeld) store.patients.setLegalHold(patientId, { reason: said, sinceMs: clock.nowMs() });
      else store.patients.removeLegalHold(patientId);
      const action = isHeld ? 'patient.held' : 'patient.released';
      return {
        result: undefined,
        notes: [{ actor, action, subject: `patient:${patientId}`, detail: { reason: said } }],
      };
    });
    this.#context.publish('task.changed', {});
  }
}
