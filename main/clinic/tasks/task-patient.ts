// Whom a task is of.

import type { PatientFacts } from '../../../shared/signal/recording.ts';
import type { TaskFields } from '../../../shared/v3/task-fields.ts';
import type { Task } from './records.ts';

/** Recorded on the desk before anybody said who it is. */
export const isPatientMissing = ({ identity }: Pick<Task, 'identity'>): boolean => identity !== undefined && identity.name === undefined;

/** What is known of the patient: the request's fields, and the recording's where they are silent (D57). */
export function patientOf(fields: TaskFields, recorded: PatientFacts): PatientFacts {
  const stated: { [K in keyof PatientFacts]: PatientFacts[K] | undefined } = {
    id: fields.patient_id,
    firstName: fields.patient_first_name,
    lastName: fields.patient_last_name,
    gender: fields.patient_gender,
    birthDate: fields.patient_birth_date,
    ageYears: fields.patient_age,
    heightCm: fields.patient_height === 0 ? undefined : fields.patient_height,
    weightG: fields.patient_weight === 0 ? undefined : fields.patient_weight,
  };
  const given = Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
  return { ...recorded, ...given };
}
