// A physician approves what was found: the report of that revision is made and stored, and only then is the
// task completed (D62). Or rejects it: then there is no report, and whoever waits for one is told that
// nothing more will come (D60, D61).

import { IsolineError } from '../../../shared/errors.ts';
import { isNobodys } from '../../../shared/patient-text.ts';
import { type ClinicContext, change } from '../context.ts';
import { checkReason } from '../stated-reason.ts';
import type { Reports } from './reports.ts';
import { isPatientMissing, patientOf } from './task-patient.ts';
import type { Tasks } from './tasks.ts';

/** Who approves. The name is printed on the report. */
export interface Approver {
  readonly name: string;
  /** For the audit. */
  readonly actor: string;
}

export class Approvals {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #reports: Reports;

  constructor(context: ClinicContext, tasks: Tasks, reports: Reports) {
    this.#context = context;
    this.#tasks = tasks;
    this.#reports = reports;
  }

  /**
   * @param revision that the person saw: a newer one must be looked at first.
   * @throws IsolineError `task_state_conflict`, `report_damaged`
   */
  async approve(taskId: number, revision: number, by: Approver): Promise<void> {
    const { store, files, clock } = this.#context;
    const task = this.#tasks.find(undefined, taskId);
    const finding = store.findings.latest(taskId);
    if (task.state !== 'AWAITING_APPROVAL' || finding === undefined)
      throw new IsolineError(
        'task_state_conflict',
        `The task cannot be approved in its current state (${task.state}).`,
      );
    const recorded = task.recordingId === undefined ? {} : this.#tasks.recordingOf(task).facts.patient;
    if (isPatientMissing(task) || isNobodys(patientOf(task.fields, recorded)))
      throw new IsolineError(
        'patient_missing',
        'No patient is assigned to this recording yet. Assign the patient first.',
      );
    if (finding.revision !== revision)
      throw new IsolineError(
        'task_state_conflict',
        'The findings have changed since you opened them. Review them again.',
      );
    const resultJson = await files.get(finding.resultSha256);
    if (resultJson === undefined)
      throw new IsolineError(
        'report_damaged',
        'The stored findings are damaged. The recording is safe. Analyse it again.',
      );
    const report = await this.#reports.make(task, resultJson, {
      kind: 'approved',
      by: by.name,
      atMs: clock.nowMs(),
    });
    await change(this.#context, () => {
      if (store.findings.latest(taskId)?.revision !== revision)
        throw new IsolineError(
          'task_state_conflict',
          'The findings have changed since you opened them. Review them again.',
        );
      this.#tasks.move(taskId, 'approved');
      store.reports.add({ taskId, revision, ...report });
      return {
        result: undefined,
        notes: [
          { actor: by.actor, action: 'task.approved', subject: `task:${taskId}`, detail: { revision } },
        ],
      };
    });
    this.#context.publish('task.changed', { taskId });
  }

  /** @throws IsolineError `task_state_conflict`, `reason_missing` */
  async reject(taskId: number, reason: string, by: Approver): Promise<void> {
    const said = checkReason(reason);
    await change(this.#context, () => {
      const { state } = this.#tasks.find(undefined, taskId);
      if (state !== 'AWAITING_APPROVAL')
        throw new IsolineError(
          'task_state_conflict',
          `The task cannot be rejected in its current state (${state}).`,
        );
      this.#tasks.move(taskId, 'cancelled');
      this.#context.store.tasks.setRejection(taskId, {
        by: by.name,
        reason: said,
        atMs: this.#context.clock.nowMs(),
      });
      return {
        result: undefined,
        notes: [
          { actor: by.actor, action: 'task.rejected', subject: `task:${taskId}`, detail: { reason: said } },
        ],
      };
    });
    this.#context.publish('task.changed', { taskId });
  }
}
