// Deleting a task: with a reason, by those who may, and never what has to be kept (screens, 1.8; E55). What
// is deleted is gone: files, rows, what it was found by. That it was there, and who deleted it why, stays in
// the audit, without a name (SEC54).

import type { TaskSubject } from '../../../shared/bridge/views.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { type ClinicContext, change, transact } from '../context.ts';
import type { Sessions } from '../people/sessions.ts';
import { checkReason } from '../stated-reason.ts';
import type { Task } from './records.ts';
import { keptUntilMs, requireNotHeld } from './retention.ts';
import { patientOf } from './task-patient.ts';
import { requireSubject } from './task-subject.ts';
import type { Tasks } from './tasks.ts';

/** A recording that did not succeed may be thrown away by whoever made it, as long as it is fresh. */
const FRESH_MS = 60 * 60_000;

export class Deletion {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #sessions: Sessions;

  constructor(context: ClinicContext, tasks: Tasks, sessions: Sessions) {
    this.#context = context;
    this.#tasks = tasks;
    this.#sessions = sessions;
  }

  /**
   * @throws IsolineError `task_not_found`, `not_allowed`, `sign_in_needed`, `kept_by_law`, `held`,
   * `reason_missing`, `task_state_conflict`, `patient_changed`
   */
  async delete(taskId: number, reason: string, session: string, of?: TaskSubject): Promise<void> {
    const said = checkReason(reason);
    await change(this.#context, (tx) => {
      const task = this.#tasks.find(undefined, taskId);
      const actor = this.#sessions.actor(session, this.#isFresh(task) ? 'record' : 'delete');
      this.#requireUnkept(task);
      requireSubject(this.#context.store, task, of);
      if (task.state === 'RECEIVING')
        throw new IsolineError('task_state_conflict', 'The recording is still running. Stop it first.');
      if (task.state === 'PROCESSING')
        throw new IsolineError(
          'task_state_conflict',
          'The recording is being analysed. Try again in a moment.',
        );
      const before = task.state;
      this.#tasks.move(tx, taskId, 'deleted');
      this.#context.store.erasure.eraseTask(taskId);
      return {
        result: undefined,
        notes: [
          { actor, action: 'task.deleted', subject: `task:${taskId}`, detail: { reason: said, before } },
        ],
      };
    });
    this.#context.publish('task.changed', { taskId });
    await this.#context.files.removeUnfinished(taskId);
    await this.removeErased();
  }

  /** Unlinks the files of what was deleted; at the start too, where the program ended in between. */
  async removeErased(): Promise<void> {
    const { store, files } = this.#context;
    const pending = store.erasure.pendingFiles();
    if (pending.length === 0) return;
    for (const sha256 of pending) {
      // The same bytes may have come again meanwhile.
      if (!store.erasure.isNamed(sha256)) await files.erase(sha256);
      await transact(store, () => store.erasure.settleFile(sha256));
    }
    store.erasure.scrub();
  }

  #isFresh({ identity, state, createdMs }: Task): boolean {
    return (
      identity !== undefined && state !== 'COMPLETED' && this.#context.clock.nowMs() - createdMs < FRESH_MS
    );
  }

  #requireUnkept(task: Task): void {
    const { store, settings, clock } = this.#context;
    requireNotHeld(store, task);
    const { state, createdMs, isSimulated, fields, recordingId } = task;
    if (state !== 'COMPLETED' || isSimulated) return;
    const facts = recordingId === undefined ? undefined : store.recordings.byId(recordingId)?.facts;
    const chart = task.patientId === undefined ? undefined : store.patients.byId(task.patientId);
    const birthDate = patientOf(fields, facts?.patient ?? {}).birthDate ?? chart?.facts.birthDate;
    const untilMs = keptUntilMs(createdMs, birthDate, settings());
    if (clock.nowMs() >= untilMs) return;
    const day = new Date(untilMs).toISOString().slice(0, 10);
    throw new IsolineError('kept_by_law', `A recording with a report must be kept until ${day}.`, { day });
  }
}
