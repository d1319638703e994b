// Whether a recording is still of whom somebody saw it who acts on it.

import { IsolineError } from '../../../shared/errors.ts';
import type { PatientFacts } from '../../../shared/signal/recording.ts';
import type { Store } from '../store.ts';
import type { Task } from './records.ts';
import { isPatientMissing, patientOf } from './task-patient.ts';

export interface TaskSubject {
  readonly patient: PatientFacts;
  readonly isPatientMissing: boolean;
}

/** By what a person is told from another. */
const identity = ({ patient, isPatientMissing }: TaskSubject): string => {
  const { id, lastName, firstName, birthDate } = patient;
  return JSON.stringify([isPatientMissing, id, lastName, firstName, birthDate]);
};

/**
 * @param of as it was shown; nothing is compared where whoever acts was shown nobody, as a script
 * @throws IsolineError `patient_changed`
 */
export function requireSubject(
  { recordings }: Pick<Store, 'recordings'>,
  task: Task,
  of: TaskSubject | undefined,
): void {
  if (of === undefined) return;
  const recorded = task.recordingId === undefined ? undefined : recordings.byId(task.recordingId);
  const now = {
    patient: patientOf(task.fields, recorded?.facts.patient ?? {}),
    isPatientMissing: isPatientMissing(task),
  };
  if (identity(now) === identity(of)) return;
  throw new IsolineError(
    'patient_changed',
    'Meanwhile this recording was assigned to someone else. Look at it again before you go on.',
  );
}
