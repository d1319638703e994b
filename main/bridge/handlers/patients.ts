// Patient records.

import type { PATIENT_COMMANDS, PATIENT_QUERIES } from '../../../shared/bridge/contract/patients.ts';
import type { KnownPatient } from '../../../shared/bridge/views.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { Patient } from '../../clinic/patients/records.ts';
import { requireSubject } from '../../clinic/tasks/task-subject.ts';
import type { Answers } from './caller.ts';
import { taskRow } from './task-row.ts';

const toKnown = ({ id, facts, measuredMs, seenMs }: Patient): KnownPatient => ({
  patientId: id,
  patient: facts,
  ...(measuredMs !== undefined && { measuredMs }),
  seenMs,
});

export function patientAnswers(
  clinic: Clinic,
): Answers<keyof typeof PATIENT_QUERIES | keyof typeof PATIENT_COMMANDS> {
  const { patients, patientMerge, organizationId, context, patientEcgs, legalHolds } = clinic;
  return {
    'patient.search': async ({ text, dateOrder }) => {
      const { patients: found, total } = patients.search(organizationId, text, dateOrder);
      return { patients: found.map(toKnown), total };
    },
    'patient.similar': async ({ patient }) => ({
      patients: patients.mayBeSame(organizationId, patient).map(toKnown),
    }),
    'patient.recordings': async ({ taskId }) => ({
      recordings: patientEcgs.all(taskId).map(taskRow),
    }),
    'patient.merges': async () => ({
      merges: patientMerge.recent().flatMap(({ id, mergedMs, keptId, goneId }) => {
        const [kept, gone] = [context.store.patients.byId(keptId), context.store.patients.byId(goneId)];
        return kept === undefined || gone === undefined
          ? []
          : [{ mergeId: id, mergedMs, kept: toKnown(kept), gone: toKnown(gone) }];
      }),
    }),
    'patient.merge': async ({ facts, ...merging }, { actor }) => {
      const { ageYears: _age, ...lasting } = facts;
      return { mergeId: await patientMerge.merge({ ...merging, facts: lasting }, actor) };
    },
    'patient.hold': async ({ taskId, isHeld, reason, of }, { actor }) => {
      requireSubject(clinic.context.store, clinic.tasks.find(undefined, taskId), of);
      await legalHolds.set(taskId, isHeld, reason, actor);
      return {};
    },
    'patient.part': async ({ mergeId }, { actor }) => {
      await patientMerge.undo(mergeId, actor);
      return {};
    },
  };
}
