// What a task is called at the centre: everything that is known of it here, stated in the request, because nothing can be changed there
// later (D130).

import type { TaskRequest } from '../../../shared/v3/v3.ts';
import type { RecordingFacts, Task } from '../tasks/records.ts';
import { patientOf } from '../tasks/task-patient.ts';
import type { OutboxEntry, SentPatient } from './records.ts';

const MOST_TAGS = 100;
const CONTENT_CHARACTERS = 16;
const SIMULATED = 'SIMULATED SIGNAL: not of a patient';
const MOST_DEVICE_ID = 256;

/** `isoline:<installation>:<local id>`, by which people find a task there whose answer was lost (D122). */
export const markerOf = (installationId: string, localId: string): string => `isoline:${installationId}:${localId}`;

/** Unique to the recording, so that its draft can be asked for (D125). */
export function deviceIdOf({ fields }: Pick<Task, 'fields'>, marker: string): string {
  const suffix = `#${marker}`;
  return `${(fields.device_id?.trim() ?? 'isoline').slice(0, MOST_DEVICE_ID - suffix.length)}${suffix}`;
}

/** Whom the centre is told that it is of. */
export function sentPatientOf({ fields }: Pick<Task, 'fields'>, facts: RecordingFacts | undefined): SentPatient {
  const { id, lastName, firstName, birthDate, gender } = patientOf(fields, facts?.patient ?? {});
  return given({ id, lastName, firstName, birthDate, gender });
}

const given = <T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * @param facts of the recording, where there is one; while it is being recorded there is none
 * @param startedMs of one that is being recorded
 */
export function taskRequestOf(
  { fields, isSimulated }: Task,
  facts: RecordingFacts | undefined,
  { marker, content, replaces }: Pick<OutboxEntry, 'marker' | 'content' | 'replaces'>,
  { isAutoComplete, startedMs }: { readonly isAutoComplete: boolean; readonly startedMs: number | undefined },
): TaskRequest {
  const patient = patientOf(fields, facts?.patient ?? {});
  // A clock of no known zone says no instant: it stands in the file, as it was written.
  const startMs = fields.recording_start_ms ?? (facts?.isStartZoneKnown === true ? facts.startMs : undefined) ?? startedMs;
  const ours = [
    marker,
    ...(content === undefined ? [] : [`isoline-sha:${content.slice(0, CONTENT_CHARACTERS)}`]),
    ...(replaces === undefined ? [] : [`isoline:replaces:${replaces}`]),
    ...(isSimulated ? ['isoline:simulated'] : []),
  ];
  // A file has no place for that: whoever judges it there must know all the same.
  const indications = [...(isSimulated ? [SIMULATED] : []), ...(fields.indications ?? [])].slice(0, MOST_TAGS);
  const tags = (fields.searching_tags ?? []).filter((tag) => !ours.includes(tag)).slice(0, MOST_TAGS - ours.length);
  return given({
    auto_complete: isAutoComplete,
    investigation_id: fields.investigation_id,
    patient_id: patient.id,
    patient_first_name: patient.firstName,
    patient_last_name: patient.lastName,
    patient_gender: patient.gender,
    patient_birth_date: patient.birthDate,
    patient_age: patient.ageYears,
    patient_height: patient.heightCm,
    patient_weight: patient.weightG,
    indications: indications.length === 0 ? undefined : indications,
    searching_tags: [...tags, ...ours],
    recording_start_time: startMs === undefined ? undefined : new Date(startMs).toISOString(),
    recording_time_zone: fields.recording_time_zone,
  }) as TaskRequest;
}
