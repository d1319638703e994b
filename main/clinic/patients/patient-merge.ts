// Two charts of one person become one, and can be parted again for a month (screens, S1; E15). Recordings
// keep the names under which they were made; what moves is whose chart they stand in.

import { IsolineError } from '../../../shared/errors.ts';
import { type ClinicContext, change } from '../context.ts';
import { checkReason } from '../stated-reason.ts';
import { patientWords } from './patient-words.ts';
import type { Merge, Patient } from './records.ts';

const UNDONE_WITHIN_MS = 30 * 86_400_000;

export interface Merging {
  readonly keptId: number;
  readonly goneId: number;
  /** What is true of the person, where the two differ. */
  readonly facts: Patient['facts'];
  readonly reason: string;
}

export class PatientMerge {
  readonly #context: ClinicContext;

  constructor(context: ClinicContext) {
    this.#context = context;
  }

  /**
   * @returns the merge, by which it can be undone. @throws IsolineError `patient_not_found`, `reason_missing`
   */
  async merge({ keptId, goneId, facts, reason }: Merging, actor: string): Promise<number> {
    const said = checkReason(reason);
    const { store, clock } = this.#context;
    const mergeId = await change(this.#context, () => {
      const [kept, gone] = [this.#require(keptId), this.#require(goneId)];
      if (keptId === goneId || kept.organizationId !== gone.organizationId)
        throw new IsolineError('patient_not_found', 'These are not two patients of this clinic.');
      const mergedMs = clock.nowMs();
      const taskIds = store.tasks.ofPatient(goneId);
      store.tasks.moveToPatient(taskIds, keptId);
      const seenMs = Math.max(kept.seenMs, gone.seenMs);
      store.patients.set({ ...kept, facts, seenMs }, patientWords(facts));
      store.patients.setMergedInto(goneId, keptId, []);
      // Where nothing of the patient may be sent, nothing is sent under the other chart either.
      if (store.outbox.isKept(goneId)) store.outbox.keep(keptId, mergedMs);
      const result = store.patients.addMerge({ keptId, goneId, keptFacts: kept.facts, taskIds, mergedMs });
      const detail = { reason: said, gone: `patient:${goneId}`, tasks: taskIds.length };
      return { result, notes: [{ actor, action: 'patient.merged', subject: `patient:${keptId}`, detail }] };
    });
    this.#context.publish('task.changed', {});
    return mergeId;
  }

  /** @throws IsolineError `patient_not_found` where it is too late */
  async undo(mergeId: number, actor: string): Promise<void> {
    const { store, clock } = this.#context;
    await change(this.#context, () => {
      const merge = store.patients.merge(mergeId);
      if (merge === undefined || merge.isUndone || clock.nowMs() - merge.mergedMs >= UNDONE_WITHIN_MS)
        throw new IsolineError('patient_not_found', 'This can no longer be undone.');
      const [kept, gone] = [this.#require(merge.keptId), store.patients.byId(merge.goneId) as Patient];
      store.patients.set({ ...kept, facts: merge.keptFacts }, patientWords(merge.keptFacts));
      // Parting releases nobody: that needs a right and a reason of its own.
      const hold = store.patients.legalHold(kept.id);
      store.patients.setMergedInto(gone.id, undefined, patientWords(gone.facts));
      if (hold !== undefined) for (const { id } of [kept, gone]) store.patients.setLegalHold(id, hold);
      store.tasks.moveToPatient(merge.taskIds, gone.id);
      store.patients.setUndone(mergeId, clock.nowMs());
      const detail = { gone: `patient:${gone.id}`, areHeld: hold !== undefined };
      return {
        result: undefined,
        notes: [{ actor, action: 'patient.parted', subject: `patient:${kept.id}`, detail }],
      };
    });
    this.#context.publish('task.changed', {});
  }

  /** What can still be undone, the newest first. */
  recent(): Merge[] {
    const { store, clock } = this.#context;
    return store.patients.mergesSince(clock.nowMs() - UNDONE_WITHIN_MS + 1);
  }

  #require(id: number): Patient {
    const patient = this.#context.store.patients.byId(id);
    if (patient === undefined || patient.mergedInto !== undefined)
      throw new IsolineError('patient_not_found', 'This patient no longer exists.');
    return patient;
  }
}
