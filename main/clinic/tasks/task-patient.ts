// Whom a task is of.

import type { PatientFacts } from '../../../shared/signal/recording.ts';
import type { TaskFields } from '../../ground/task-fields.ts';
import type { Task } from './records.ts';

/** Recorded on the desk before anybody said who it is. */
export const isPatientMissing = ({ identity }: Pick<Task, 'identity'>): boolean =>
  identity !== undefined && identity.name === undefined;

/** What is known of the patient: the request's fields, and the recording's where they are silent (D57). */
export const patientOf = ({ patient }: TaskFields, recorded: PatientFacts): PatientFacts => ({
  ...recorded,
  ...patient,
});
