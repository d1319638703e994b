// Whether a recording is still of whom somebody saw it who acts on it.

import type { TaskSubject } from '../../../shared/bridge/views.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { isSamePerson } from '../../../shared/patient-text.ts';
import type { Store } from '../store.ts';
import type { Task } from './records.ts';
import { isPatientMissing, patientOf } from './task-patient.ts';

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
  const patient = patientOf(task.fields, recorded?.facts.patient ?? {});
  if (isPatientMissing(task) === of.isPatientMissing && isSamePerson(patient, of.patient)) return;
  throw new IsolineError(
    'patient_changed',
    'This recording has since been assigned to someone else. Check it again before you go on.',
  );
}
