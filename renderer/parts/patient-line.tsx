// Who a recording is of: name, date of birth, age, sex, number, in that order, everywhere the same. Plain
// functions, because lists call them for every row; another language draws the whole frame again.

import { t } from 'i18next';
import type { TaskRow } from '../../shared/bridge/views.ts';
import { fullYears, zonedTime } from '../../shared/civil-time.ts';
import { displayName, isNobodys, plainText } from '../../shared/patient-text.ts';
import type { TaskRequest } from '../../shared/v3/v3.ts';
import { letterDay } from './format-time.ts';

type Patient = TaskRow['patient'];

/** Whose ECG is on the screen. */
export type OpenPatient =
  | {
      readonly kind: 'patient';
      readonly patient: Patient;
      /** When the recording that is shown was made: the patient was that old then. */
      readonly atMs?: number;
    }
  /** Recorded before anybody knows who it is. */
  | { readonly kind: 'emergency'; readonly text: string }
  | { readonly kind: 'none'; readonly text: string };

/** What a form says of a patient, as it is shown. */
export const patientWords = (request: TaskRequest): Patient => ({
  ...(request.patient_last_name !== undefined && { lastName: request.patient_last_name }),
  ...(request.patient_first_name !== undefined && { firstName: request.patient_first_name }),
  ...(request.patient_birth_date !== undefined && { birthDate: request.patient_birth_date }),
  ...(request.patient_age !== undefined && { ageYears: request.patient_age }),
  ...(request.patient_gender !== undefined && { gender: request.patient_gender }),
  ...(request.patient_id !== undefined && { id: request.patient_id }),
});

const FROM_THE_RIGHT = /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/u;
/** Between these, a text has a direction of its own (UAX #9): the words around it cannot put its parts into another order. */
const ISOLATE = { first: '\u2068', last: '\u2069' } as const;

export function nameOf(patient: Patient): string {
  const name = plainText(displayName(patient)) || t('patient.noName');
  return FROM_THE_RIGHT.test(name) ? `${ISOLATE.first}${name}${ISOLATE.last}` : name;
}

/** No patient is assigned: recorded in an emergency, or imported without name and number. */
export const isPatientToBeSaid = ({
  patient,
  isPatientMissing,
}: Pick<TaskRow, 'patient' | 'isPatientMissing'>): boolean => isPatientMissing === true || isNobodys(patient);

/** Names whom a task is of; for an emergency, when it was. */
export function taskNameOf({
  patient,
  isPatientMissing,
  createdMs,
}: Pick<TaskRow, 'patient' | 'isPatientMissing' | 'createdMs'>): string {
  const name = nameOf(patient);
  return isPatientMissing === true
    ? t('patient.unknown', { time: zonedTime(createdMs).clock.slice(0, 5) })
    : name;
}

/** `75 y`, as old as the patient was then. */
export function ageText({ birthDate, ageYears }: Patient, atMs: number): string | undefined {
  const age = birthDate === undefined ? ageYears : fullYears(birthDate, atMs);
  return age === undefined || age < 0 ? undefined : t('patient.years', { count: age });
}

interface FactsOptions {
  /** Short words for sex, as in lists. */
  readonly isShort?: boolean;
  /** When a recording was made, whose patient was that old then; without it, now. */
  readonly atMs?: number;
}

/** `14 Mar 1951 · 75 y · female · ID 004 817`. */
export function patientFacts(
  patient: Patient,
  { isShort = false, atMs = Date.now() }: FactsOptions = {},
): string {
  const parts: string[] = [];
  if (patient.birthDate !== undefined) parts.push(letterDay(patient.birthDate));
  const age = ageText(patient, atMs);
  if (age !== undefined) parts.push(age);
  if (patient.gender !== undefined)
    parts.push(t(`patient.${isShort ? 'genderShort' : 'gender'}.${patient.gender}`));
  if (patient.id !== undefined) parts.push(isShort ? patient.id : t('patient.id', { id: patient.id }));
  return plainText(parts.join(' · '));
}
