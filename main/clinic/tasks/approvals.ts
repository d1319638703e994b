// A physician approves a reading: its findings and the report are made and stored as a revision, and only then is the
// task completed (D62). A correction behind that is a new revision with its reason; until it is approved, the one before
// counts. Or rejects the recording: then there is no report, and whoever waits for one is told that nothing more will
// come (D60, D61).

import { IsolineError } from '../../../shared/errors.ts';
import { isNobodys } from '../../../shared/patient-text.ts';
import { type ClinicContext, change } from '../context.ts';
import { checkReason } from '../stated-reason.ts';
import type { CorrectedFindings, CurrentFindings } from './corrected-findings.ts';
import { isCorrected, requireHolder } from './corrections.ts';
import type { ReportLook, Task } from './records.ts';
import type { Reports } from './reports.ts';
import { listTask } from './task-listing.ts';
import { isPatientMissing, patientOf } from './task-patient.ts';
import type { Tasks } from './tasks.ts';

/** Who approves. The name is printed on the report. */
export interface Approver {
  readonly name: string;
  /** For the audit. */
  readonly actor: string;
  /** False where a PIN that was typed for another report counts (SEC53). */
  readonly isConfirmedNow?: boolean;
}

/** What the person saw: anything newer must be looked at first. */
export interface SeenReading {
  readonly revision: number;
  /** The version of the draft; 0 where there is none. */
  readonly version: number;
}

const changedMeanwhile = (): IsolineError =>
  new IsolineError(
    'task_state_conflict',
    'The findings have changed since you opened them. Review them again.',
  );

export class Approvals {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #reports: Reports;
  readonly #findings: CorrectedFindings;

  constructor(context: ClinicContext, tasks: Tasks, reports: Reports, findings: CorrectedFindings) {
    this.#context = context;
    this.#tasks = tasks;
    this.#reports = reports;
    this.#findings = findings;
  }

  /**
   * @param reason of a change to what is approved already
   * @throws IsolineError `task_state_conflict`, `patient_missing`, `review_held`, `reason_missing`, `report_damaged`
   */
  async approve(taskId: number, seen: SeenReading, by: Approver, reason?: string): Promise<void> {
    const task = this.#tasks.find(undefined, taskId);
    if (task.state !== 'AWAITING_APPROVAL' && task.state !== 'COMPLETED')
      throw new IsolineError(
        'task_state_conflict',
        `The task cannot be approved in its current state (${task.state}).`,
      );
    this.#requirePatient(task);
    const current = await this.#findings.current(taskId);
    this.#requireSeen(taskId, seen, by);
    const isSigned = task.state === 'COMPLETED' && this.#reports.approvalOf(taskId) === 'approved';
    if (isSigned && !isCorrected(current.draft))
      throw new IsolineError('task_state_conflict', 'Nothing was corrected since the last approval.');
    const said = isSigned ? checkReason(reason ?? '') : undefined;
    await this.#freeze(task, current, seen, by, said);
    this.#findings.forget(taskId);
    this.#context.publish('task.changed', { taskId });
    this.#context.publish('review.changed', { taskId });
  }

  #requirePatient(task: Task): void {
    const recorded = task.recordingId === undefined ? {} : this.#tasks.recordingOf(task).facts.patient;
    if (isPatientMissing(task) || isNobodys(patientOf(task.fields, recorded)))
      throw new IsolineError(
        'patient_missing',
        'No patient is assigned to this recording yet. Assign the patient first.',
      );
  }

  #requireSeen(taskId: number, { revision, version }: SeenReading, by: Approver): void {
    const { store } = this.#context;
    const draft = store.reviewDrafts.byTask(taskId);
    if (store.findings.latest(taskId)?.revision !== revision || (draft?.version ?? 0) !== version)
      throw changedMeanwhile();
    if (draft !== undefined) requireHolder(draft, by.actor);
  }

  /** What was corrected, or had a report already, becomes findings of their own. */
  async #freeze(
    task: Task,
    { finding, draft, corrections, output }: CurrentFindings,
    seen: SeenReading,
    by: Approver,
    reason: string | undefined,
  ): Promise<void> {
    const { store, files, clock } = this.#context;
    const isNew = isCorrected(draft) || task.state === 'COMPLETED';
    const revision = isNew ? finding.revision + 1 : finding.revision;
    const approval: ReportLook['approval'] = {
      kind: 'approved',
      by: by.name,
      atMs: clock.nowMs(),
      ...(reason !== undefined && { reason }),
    };
    const resultSha256 = isNew ? await files.put(output.resultJson) : finding.resultSha256;
    const report = await this.#reports.make(task, output.resultJson, corrections, revision, approval);
    await change(this.#context, (tx) => {
      this.#requireSeen(task.id, seen, by);
      const now = this.#tasks.find(undefined, task.id);
      // While the report was made, somebody may have rejected the recording, or said that it is of somebody else.
      if (
        now.state !== task.state ||
        now.patientId !== task.patientId ||
        JSON.stringify(now.fields) !== JSON.stringify(task.fields)
      )
        throw changedMeanwhile();
      if (isNew)
        store.findings.add({
          taskId: task.id,
          revision,
          analysisVersion: output.analysisVersion,
          resultSha256,
          summary: output.summary,
          corrections,
          createdMs: clock.nowMs(),
        });
      if (now.state === 'AWAITING_APPROVAL') this.#tasks.move(tx, task.id, 'approved');
      else store.orders.answerAgain(task.id);
      store.reviewDrafts.remove(task.id);
      store.reports.add({ taskId: task.id, revision, ...report });
      listTask(tx, store, task.id);
      this.#tasks.consider(tx, task.id);
      const detail = {
        revision,
        ...(reason !== undefined && { reason }),
        ...(by.isConfirmedNow === false && { confirmed: 'earlier' }),
      };
      const action = reason === undefined ? 'task.approved' : 'task.amended';
      return { result: undefined, notes: [{ actor: by.actor, action, subject: `task:${task.id}`, detail }] };
    });
  }

  /** @throws IsolineError `task_state_conflict`, `reason_missing` */
  async reject(taskId: number, reason: string, by: Approver): Promise<void> {
    const said = checkReason(reason);
    await change(this.#context, (tx) => {
      const { state } = this.#tasks.find(undefined, taskId);
      if (state !== 'AWAITING_APPROVAL')
        throw new IsolineError(
          'task_state_conflict',
          `The task cannot be rejected in its current state (${state}).`,
        );
      this.#tasks.move(tx, taskId, 'cancelled');
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
