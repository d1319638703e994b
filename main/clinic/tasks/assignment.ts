// Whose recording it is, said after it was made: of an emergency, or of one that stood under a wrong name.
// What was found depends on age and sex, so it is analysed again (screens, 1.9).

import type { TaskSubject } from '../../../shared/bridge/views.ts';
import { fitsOrder } from '../../../shared/entry/order-fit.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { given } from '../../../shared/given.ts';
import type { TaskFields } from '../../ground/task-fields.ts';
import { type ClinicContext, change } from '../context.ts';
import type { Enrolment } from '../outbox/enrolment.ts';
import type { Patients } from '../patients/patients.ts';
import { checkReason } from '../stated-reason.ts';
import type { DeskEntry } from './records.ts';
import { requireNotHeld } from './retention.ts';
import { listTask } from './task-listing.ts';
import { patientOf } from './task-patient.ts';
import { requireSubject } from './task-subject.ts';
import type { Tasks } from './tasks.ts';

export interface Assigning {
  readonly taskId: number;
  readonly entry: DeskEntry;
  /** Why it is said only now, or corrected. */
  readonly reason: string;
  /** The patient whose recording it was shown as. */
  readonly of?: TaskSubject | undefined;
}

/** The audit names people by reference; what stood there is kept with the task. */
const reference = (patientId: number | undefined): string =>
  patientId === undefined ? '–' : `patient:${patientId}`;

export class Assignment {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #patients: Patients;
  readonly #enrolment: Enrolment;

  constructor(context: ClinicContext, tasks: Tasks, patients: Patients, enrolment: Enrolment) {
    this.#context = context;
    this.#tasks = tasks;
    this.#patients = patients;
    this.#enrolment = enrolment;
  }

  /** @throws IsolineError `task_not_found`, `task_state_conflict`, `held`, `reason_missing`, `patient_changed`, `invalid_<field>` */
  async assign({ taskId, entry, reason, of }: Assigning, actor: string): Promise<void> {
    const { store, clock } = this.#context;
    const said = checkReason(reason);
    const state = await change(this.#context, (tx) => {
      const task = this.#tasks.find(undefined, taskId);
      requireNotHeld(store, task);
      requireSubject(store, task, of);
      if (task.state === 'PROCESSING')
        throw new IsolineError(
          'task_state_conflict',
          'The recording is being analysed. Try again in a moment.',
        );
      // Device, start and zone are facts of the recording, not of the patient.
      const { deviceId, recordingStartMs, recordingTimeZone } = task.fields;
      const fields: TaskFields = {
        ...entry.fields,
        ...given({ deviceId, recordingStartMs, recordingTimeZone }),
      };
      for (const order of store.orders.ofTask(taskId))
        if (!fitsOrder(order.facts.patient, patientOf(fields, {}))) store.orders.unlink(order.id, taskId);
      const patientId = this.#patients.noteSeen(tx, task.organizationId, patientOf(fields, {}));
      store.tasks.setPatient(taskId, { fields, patientId, identity: entry.identity }, clock.nowMs());
      const moved = this.#tasks.move(tx, taskId, 'assigned', { attempts: 0 });
      listTask(tx, store, taskId);
      this.#enrolment.patientChanged(tx, taskId);
      const detail = {
        reason: said,
        before: reference(task.patientId),
        after: reference(patientId),
        ...entry.identity,
      };
      return {
        result: moved,
        notes: [{ actor, action: 'task.assigned', subject: `task:${taskId}`, detail }],
      };
    });
    if (state === 'QUEUED') this.#tasks.announceQueued(taskId);
    else this.#context.publish('task.changed', { taskId });
  }
}
