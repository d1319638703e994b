// The fields of a task between the names of the interface and our own, and the rules that need more than a
// schema: days that exist, instants, time zones, text without control characters. D13, D50, D51, D52.

import { civilDateMs } from '../../shared/civil-time.ts';
import { IsolineError, type Reason } from '../../shared/errors.ts';
import { given } from '../../shared/given.ts';
import { isTimeZone, parseInstant } from '../../shared/instant.ts';
import { isPlain, isPlainLines } from '../../shared/plain-text.ts';
import type { PatientFacts } from '../../shared/signal/recording.ts';
import type { TaskRequest } from '../../shared/v3/v3.ts';
import type { StatedTask, TaskFields } from '../ground/task-fields.ts';

const DAY_MS = 86_400_000;

const refuse = (field: string, why: string): never => {
  throw new IsolineError(`invalid_${field}` as Reason, `The field "${field}" ${why}.`);
};

const TEXT_FIELDS = [
  'investigation_id',
  'device_id',
  'patient_id',
  'patient_first_name',
  'patient_last_name',
  'recording_time_zone',
] as const;

function checkTexts(request: TaskRequest): void {
  for (const field of TEXT_FIELDS) {
    const value = request[field];
    if (value !== undefined && !isPlain(value))
      refuse(field, 'contains control characters or broken letters');
  }
  for (const field of ['indications', 'searching_tags'] as const) {
    const isAllowed = field === 'indications' ? isPlainLines : isPlain;
    if (request[field]?.some((item) => !isAllowed(item)))
      refuse(field, 'contains control characters or broken letters');
  }
}

function checkBirthDate(text: string, nowMs: number): void {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const ms = civilDateMs(year, month, day);
  if (ms === undefined || year < 1850 || ms > nowMs + DAY_MS)
    refuse('patient_birth_date', 'must be an existing day from 1850-01-01 to tomorrow, as YYYY-MM-DD');
}

/** Names and units of the interface. */
export type NamedFields = Omit<TaskRequest, 'upload_id' | 'auto_complete' | 'recording_start_time'>;

export function fieldsOf(named: NamedFields): TaskFields {
  const { indications, searching_tags: tags } = named;
  const patient: PatientFacts = given({
    id: named.patient_id,
    firstName: named.patient_first_name,
    lastName: named.patient_last_name,
    gender: named.patient_gender,
    birthDate: named.patient_birth_date,
    ageYears: named.patient_age,
    // 0 says that it is not known (D50).
    heightCm: named.patient_height || undefined,
    weightG: named.patient_weight || undefined,
  });
  const stated = {
    investigationId: named.investigation_id,
    deviceId: named.device_id,
    recordingTimeZone: named.recording_time_zone,
  };
  return { patient, ...given({ ...stated, indications, tags }) };
}

export const namedFields = ({ patient, ...fields }: TaskFields): NamedFields =>
  given({
    investigation_id: fields.investigationId,
    device_id: fields.deviceId,
    indications: fields.indications && [...fields.indications],
    searching_tags: fields.tags && [...fields.tags],
    patient_id: patient.id,
    patient_first_name: patient.firstName,
    patient_last_name: patient.lastName,
    patient_gender: patient.gender,
    patient_birth_date: patient.birthDate,
    patient_age: patient.ageYears,
    patient_height: patient.heightCm,
    patient_weight: patient.weightG,
    recording_time_zone: fields.recordingTimeZone,
  });

/** What `readTaskRequest` reads. */
export const writeTaskRequest = ({ fields, isAutoComplete }: StatedTask): TaskRequest => ({
  auto_complete: isAutoComplete,
  ...namedFields(fields),
  ...(fields.recordingStartMs !== undefined && {
    recording_start_time: new Date(fields.recordingStartMs).toISOString(),
  }),
});

/** A request that was checked before. */
export function readTaskRequest(request: Omit<TaskRequest, 'upload_id'>): StatedTask {
  const recordingStartMs =
    request.recording_start_time === undefined ? undefined : parseInstant(request.recording_start_time);
  return {
    fields: { ...fieldsOf(request), ...given({ recordingStartMs }) },
    isAutoComplete: request.auto_complete ?? false,
  };
}

/**
 * Lists are cleaned: empty indications and repeated tags go.
 * @param request passed its schema.
 * @param nowMs births and recordings can't lie in the future.
 * @throws IsolineError `invalid_<field>` for the first field that breaks its rule.
 */
export function checkTaskRequest(request: TaskRequest, nowMs: number): StatedTask {
  checkTexts(request);
  if (request.patient_birth_date !== undefined) checkBirthDate(request.patient_birth_date, nowMs);
  if (request.recording_time_zone !== undefined && !isTimeZone(request.recording_time_zone))
    refuse('recording_time_zone', 'must be an IANA time zone such as Europe/Riga');
  const startMs =
    request.recording_start_time === undefined ? undefined : parseInstant(request.recording_start_time);
  if (
    request.recording_start_time !== undefined &&
    (startMs === undefined || startMs < 0 || startMs > nowMs + DAY_MS)
  ) {
    refuse('recording_start_time', 'must be a UTC time such as 2026-11-21T14:32:11Z, not in the future');
  }
  const { indications, searching_tags: tags } = request;
  return readTaskRequest({
    ...request,
    ...(indications !== undefined && { indications: indications.filter((item) => item.trim() !== '') }),
    ...(tags !== undefined && { searching_tags: [...new Set(tags.filter((tag) => tag !== ''))] }),
  });
}
